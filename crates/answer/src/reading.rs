//! The words that answer, as a reader finds them in the passages.

use std::ops::Range;

use campanile_index::sort_short;
use campanile_model::{AnswerKinds, Reading};
use campanile_retrieve::context;
use campanile_text::{Analyzer, Span, sentences};
use serde::Serialize;

use crate::confidence::logit;
use crate::counted::counted_in_question;
use crate::form::Wanted;
use crate::names::Fitting;
use crate::reply::Source;
use crate::row_choice::RowChoice;
use crate::section::MARKED_FROM;
use crate::table::{self, Row};
use crate::words::term_set;

/// The weight of a passage's score in the search beside what the reader says: this many units of the
/// logarithm of a probability for each standard deviation.
// Chosen for words on three articles of SQuAD, where 0.4 to 0.8 differ by little. For passages, fitted so that those which answer
// come first of those read with six handbooks and half of the natural questions for choosing, it is 0.495.
const SEARCH_WEIGHT: f64 = 0.5;

/// A reader's findings in one passage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PassageReading {
    /// The source's number in the reply, from 1.
    pub source: usize,
    /// The probability that the passage holds an answer.
    pub probability: f32,
    /// The same as the reader's logit: its scale is the reader's own.
    pub margin: f32,
    /// The words that answer, most probable first.
    pub spans: Vec<SpanReading>,
    /// Its sentences, each with how probably it answers; none where the reader was not trained to say so.
    pub evidence: Vec<SpanReading>,
    /// The probabilities of the kinds of answer that it may hold; nothing where the reader was not trained
    /// to say so.
    pub kinds: Option<AnswerKinds>,
}

impl PassageReading {
    /// Returns how surely its passage answers, beside the others of a question: by the reader, and by the search that found it.
    fn rank_score(&self, source: &Source) -> f64 {
        f64::from(logit(self.probability)) + SEARCH_WEIGHT * f64::from(source.scores.fused.score)
    }

    /// Returns `true` if a few words of it answer, rather than sentences or a verdict; of a reader that
    /// does not say so, always.
    pub(crate) fn is_for_words(&self) -> bool {
        self.kinds.is_none_or(|kinds| kinds.words >= 0.5)
    }
}

/// Words of a passage that may answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SpanReading {
    /// Their place in the passage's text, in bytes.
    pub span: Span,
    /// The probability that they are the answer.
    pub probability: f32,
}

/// The sources as they are read: each after its title and headings, which say what it is about and are no part of it.
pub(crate) fn passages(sources: &[Source]) -> Vec<String> {
    sources.iter().map(|source| format!("{}{}", before(source), source.text)).collect()
}

/// Turns what was read in [`passages`] into readings by place in the sources themselves.
pub(crate) fn placed(
    question: &str,
    readings: &[Reading],
    sources: &[Source],
    analyzer: &Analyzer,
) -> Vec<PassageReading> {
    let asked = term_set(question, analyzer);
    let counted = counted_in_question(question, analyzer);
    let rows: Vec<Vec<Row>> = sources.iter().map(|source| table::rows(&source.text)).collect();
    let tables = sources.iter().zip(&rows);
    let choices: Vec<RowChoice<'_>> = tables
        .map(|(source, rows)| {
            RowChoice::new(&asked, &source.text, rows, analyzer).counting(&counted, analyzer)
        })
        .collect();
    let read = readings.iter().zip(sources).zip(rows.iter().zip(&choices)).enumerate();
    read.map(|(index, ((reading, source), (rows, choice)))| {
        let mut placed = of(index + 1, reading, source);
        keep_out_of_questions(&mut placed, &source.text);
        keep_to_rows(&mut placed, &source.text, rows, choice);
        let others = sources.iter().zip(&choices).enumerate();
        let mut others = others.filter(|(other, (it, _))| {
            *other != index && it.document == source.document && it.site == source.site
        });
        if others.any(|(_, (_, other))| choice.is_outdone_by(other, &asked, analyzer)) {
            keep_out_of_rows(&mut placed, rows);
        }
        placed
    })
    .collect()
}

/// Removes what a reading found in sentences that ask: they do not answer, however near they are.
fn keep_out_of_questions(reading: &mut PassageReading, text: &str) {
    let asks =
        |sentence: &Span| sentence.slice(text).is_some_and(|it| it.trim_end().ends_with('?'));
    let questions: Vec<Span> = sentences(text).into_iter().filter(asks).collect();
    let answers = |found: &SpanReading| !questions.iter().any(|it| it.overlaps(found.span));
    reading.spans.retain(answers);
    reading.evidence.retain(answers);
}

/// Leaves of a reading what stands beside the rows of a table: another part of the table has the row that is meant.
fn keep_out_of_rows(reading: &mut PassageReading, rows: &[Row]) {
    let is_beside = |found: &SpanReading| !rows.iter().any(|row| row.span.overlaps(found.span));
    reading.spans.retain(is_beside);
    reading.evidence.retain(is_beside);
}

/// Cuts words to one sentence, or to one cell of a table's row, and leaves of a table only what stands in the rows
/// that the question means: a reader takes the row before or the next for as likely. Words that become the same have
/// their probabilities together.
fn keep_to_rows(reading: &mut PassageReading, text: &str, rows: &[Row], choice: &RowChoice<'_>) {
    let meant = choice.meant();
    let is_in_table = |span: Span| rows.iter().any(|row| row.span.contains(span));
    let is_in_meant = |span: Span| meant.iter().any(|row| row.contains(span));
    let is_meant = |span: Span| !is_in_table(span) || meant.is_empty() || is_in_meant(span);
    let mut placed: Vec<SpanReading> = Vec::new();
    for span in &reading.spans {
        let Some(cut) = table::in_one_place(span.span, text, rows) else { continue };
        let cut = choice.counterpart(cut).unwrap_or(cut);
        match placed.iter_mut().find(|other| other.span == cut) {
            Some(same) => same.probability += span.probability,
            None if is_meant(cut) => placed.push(SpanReading { span: cut, ..*span }),
            None => {}
        }
    }
    placed.sort_by(|left, right| right.probability.total_cmp(&left.probability));
    reading.spans = placed;
    // What stands beside the table answers only where that is sure.
    reading.evidence.retain(|sentence| {
        let is_sure = !is_in_table(sentence.span) && sentence.probability >= MARKED_FROM;
        meant.is_empty() || is_in_meant(sentence.span) || is_sure
    });
}

/// How surely each passage that was read answers, beside the others: no more than one that the search has
/// [before it on purpose](Source::is_meant_before).
pub(crate) fn rank_scores(readings: &[PassageReading], sources: &[Source]) -> Vec<f64> {
    let mut scores: Vec<f64> = Vec::new();
    for (reading, source) in readings.iter().zip(sources) {
        let before = sources.iter().zip(&scores).filter(|(it, _)| it.is_meant_before(source));
        let least = before.map(|(_, score)| *score).fold(reading.rank_score(source), f64::min);
        scores.push(least);
    }
    scores
}

/// The indices of `count` sources, best first: those with [scores](rank_scores), the `fitting` ones among them first, then the rest.
pub(crate) fn order(scores: &[f64], count: usize, fitting: &Fitting) -> Vec<usize> {
    let mut scored: Vec<(usize, f64)> = scores.iter().copied().enumerate().collect();
    sort_short(&mut scored, |(one, score), (other, other_score)| {
        fitting.has(*other).cmp(&fitting.has(*one)).then(other_score.total_cmp(score))
    });
    scored.into_iter().map(|(index, _)| index).chain(scores.len()..count).collect()
}

/// The sentences that a span overlaps, as one span.
pub(crate) fn around(text: &str, words: Span) -> Option<Span> {
    let touched = sentences(text).into_iter().filter(|sentence| sentence.overlaps(words));
    touched.reduce(|first, last| first.joined(last))
}

/// Returns the text before a source's own where it is read.
fn before(source: &Source) -> String {
    context(&source.title, &source.section)
}

/// A reading without what stands before the passage.
fn of(number: usize, reading: &Reading, source: &Source) -> PassageReading {
    let before = before(source).len();
    let inside = |bytes: &Range<usize>| {
        let place = |byte: usize| u32::try_from(byte.checked_sub(before)?).ok();
        Some(Span { start: place(bytes.start)?, end: place(bytes.end)? })
    };
    let spans = reading.spans.iter().filter_map(|found| {
        Some(SpanReading { span: inside(&found.bytes)?, probability: found.probability })
    });
    let tokens: Vec<(Span, f32)> = reading
        .evidence
        .iter()
        .filter_map(|token| Some((inside(&token.bytes)?, token.probability)))
        .collect();
    let evidence = sentences(&source.text).into_iter().filter_map(|span| {
        let own = tokens.iter().filter(|(token, _)| token.overlaps(span));
        let (count, sum) = own.fold((0u16, 0.0), |(count, sum), (_, own)| (count + 1, sum + own));
        (count > 0).then(|| SpanReading { span, probability: sum / f32::from(count) })
    });
    PassageReading {
        source: number,
        probability: 1.0 - reading.no_answer,
        margin: reading.margin,
        spans: spans.collect(),
        evidence: evidence.collect(),
        kinds: reading.kinds,
    }
}

/// Words that were chosen among all that were found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen {
    /// Index of their source.
    pub source: usize,
    /// Their place in it.
    pub span: Span,
    /// The probability of all spans together, each by how much it has in common with these words.
    pub support: f32,
}

/// The words that answer best, of the sources that are `fitting`.
///
/// Not the likeliest span, but the one that has most in common with all likely ones (minimum Bayes risk, Kumar and
/// Byrne 2004): `on 4 December`, `4 December 2026` and `December` share one probability, and what the passages agree
/// on wins. Against the likeliest span that gains 0.008 F1 on SQuAD's articles for choosing.
///
/// Where the question wants a value of some kind (*how much* a sum), only spans in sentences with such a value are candidates, if there
/// are any: the others may name where it is paid, but not how much.
pub(crate) fn best(
    question: &str,
    readings: &[PassageReading],
    sources: &[Source],
    fitting: &Fitting,
    analyzer: &Analyzer,
) -> Option<Chosen> {
    let mut found = candidates(readings, sources, fitting);
    if let Some(wanted) = Wanted::of(question) {
        let tells = |one: &Candidate<'_>| {
            let text = sources.get(one.source).map_or("", |source| source.text.as_str());
            let sentence = around(text, one.span.span).and_then(|span| span.slice(text));
            sentence.is_some_and(|sentence| wanted.is_told_by(sentence, analyzer))
        };
        if found.iter().any(tells) {
            found.retain(tells);
        }
    }
    let mut best: Option<(f64, &Candidate<'_>)> = None;
    for one in &found {
        let support = found
            .iter()
            .map(|other| other.weight * likeness(&one.words, &other.words))
            .sum::<f64>();
        // Strictly more: of equals, the one of the better passage comes first.
        if best.is_none_or(|(most, _)| support > most) {
            best = Some((support, one));
        }
    }
    best.map(|(support, one)| Chosen {
        source: one.source,
        span: one.span.span,
        support: support as f32,
    })
}

struct Candidate<'a> {
    source: usize,
    span: SpanReading,
    words: Vec<&'a str>,
    weight: f64,
}

fn candidates<'a>(
    readings: &[PassageReading],
    sources: &'a [Source],
    fitting: &Fitting,
) -> Vec<Candidate<'a>> {
    let score = |source: &Source| f64::from(source.scores.fused.score);
    let first = sources.first().map_or(0.0, score);
    let mut found = Vec::new();
    let read = readings.iter().zip(sources).enumerate();
    for (index, (reading, source)) in read.filter(|(index, _)| fitting.has(*index)) {
        let factor = libm::exp(SEARCH_WEIGHT * (score(source) - first));
        for span in &reading.spans {
            let words =
                source.text[span.span.range()].split(|letter: char| !letter.is_alphanumeric());
            found.push(Candidate {
                source: index,
                span: *span,
                words: words.filter(|word| !word.is_empty()).collect(),
                weight: f64::from(span.probability) * factor,
            });
        }
    }
    found
}

/// F1 of two lists of words, without regard to their order and to case: 1 where they are the same.
fn likeness(left: &[&str], right: &[&str]) -> f64 {
    let mut rest: Vec<&str> = right.to_vec();
    let mut common = 0;
    for word in left {
        if let Some(place) = rest.iter().position(|other| other.eq_ignore_ascii_case(word)) {
            rest.swap_remove(place);
            common += 1;
        }
    }
    match left.len() + right.len() {
        0 => 1.0,
        words => 2.0 * f64::from(common) / words as f64,
    }
}

#[cfg(test)]
mod tests {
    use campanile_model::{ReadSpan, Reading, TokenEvidence};
    use campanile_text::{Analyzer, Language};

    use super::{PassageReading, before, likeness, order, placed, rank_scores};
    use crate::names::Fitting;
    use crate::reply::Source;
    use crate::testing::{reading, source};

    #[test]
    fn what_asks_does_not_answer() {
        let text = "May I row alone? Nobody rows alone. Who asks? See rule 3.";
        let source = Source { text: text.to_owned(), ..source(1, "Rules") };
        let start = before(&source).len();
        let place = |part: &str| {
            let at = start + text.find(part).unwrap_or_default();
            at..at + part.len()
        };
        let parts = ["row alone?", "Nobody rows alone", "Who asks?", "rule 3"];
        let span = |part| ReadSpan { bytes: place(part), probability: 0.25, score: 0.0 };
        let token = |part| TokenEvidence { bytes: place(part), probability: 0.9 };
        let reading = Reading {
            spans: parts.map(span).to_vec(),
            no_answer: 0.1,
            margin: 2.0,
            evidence: parts.map(token).to_vec(),
            kinds: None,
        };
        let analyzer = Analyzer::new(Language::English);
        let found =
            placed("May I row alone?", &[reading], std::slice::from_ref(&source), &analyzer);
        let words = |spans: &[super::SpanReading]| -> Vec<String> {
            spans.iter().filter_map(|it| it.span.slice(text)).map(str::to_owned).collect()
        };
        assert_eq!(words(&found[0].spans), ["Nobody rows alone", "rule 3"]);
        assert_eq!(words(&found[0].evidence), ["Nobody rows alone.", "See rule 3."]);
    }

    /// Scores by the search, probabilities by a reader of the first of them, those in which an answer may be looked for, and the
    /// order that is expected.
    type Ordered<'a> = (&'a [f32], &'a [f32], Fitting, &'a [usize]);

    #[test]
    fn passages_stand_in_the_order_in_which_they_answer() {
        let with = |index: usize, score: f32| {
            let mut source = source(index + 1, "Rules");
            source.scores.fused.score = score;
            source
        };
        let all = Fitting::default;
        let cases: [Ordered<'_>; 7] = [
            (&[3.0, 2.0, 1.0], &[], all(), &[0, 1, 2]),
            (&[3.0, 2.0, 1.0], &[0.5, 0.5, 0.5], all(), &[0, 1, 2]),
            (&[3.0, 2.0, 1.0], &[0.2, 0.8, 0.5], all(), &[1, 2, 0]),
            // What the search has far ahead needs more of the reader to be overtaken.
            (&[9.0, 1.0], &[0.4, 0.8], all(), &[0, 1]),
            (&[9.0, 1.0], &[0.1, 0.99], all(), &[1, 0]),
            // A passage that was not read comes after those that were, whatever its score in the search.
            (&[1.0, 1.0, 9.0, 8.0], &[0.1, 0.2], all(), &[1, 0, 2, 3]),
            // The page of the course that is named comes before one that answers for another.
            (&[3.0, 2.0], &[0.9, 0.2], Fitting(vec![false, true]), &[1, 0]),
        ];
        for (scores, probabilities, fitting, expected) in cases {
            let sources: Vec<Source> =
                scores.iter().enumerate().map(|(index, score)| with(index, *score)).collect();
            let readings: Vec<PassageReading> =
                probabilities.iter().zip(1..).map(|(one, number)| reading(number, *one)).collect();
            assert_eq!(
                order(&rank_scores(&readings, &sources), sources.len(), &fitting),
                expected,
                "{scores:?} {probabilities:?}"
            );
        }
    }

    #[test]
    fn what_the_search_orders_on_purpose_stays_so() {
        let with = |score: f32, is_named: Option<bool>, is_repeated: bool| {
            let mut source = source(1, "Rules");
            source.scores.fused.score = score;
            Source { is_named, is_repeated, ..source }
        };
        let plain = |score| with(score, None, false);
        let cases: [(Vec<Source>, &[usize]); 6] = [
            // The reader prefers each passage to the one before it.
            (vec![plain(3.0), plain(2.0), plain(1.0)], &[2, 1, 0]),
            // Placed first with a lower score.
            (vec![plain(2.0), plain(2.1), plain(1.0)], &[2, 0, 1]),
            // What holds for all comes before what one of many pages says too, and that before nothing of the kind.
            (vec![plain(2.0), with(1.0, None, true)], &[0, 1]),
            (vec![with(2.0, None, true), with(1.0, None, true)], &[1, 0]),
            (vec![with(2.0, None, true), plain(1.0)], &[1, 0]),
            // The page that is named comes before another of its make.
            (
                vec![with(2.0, Some(true), false), with(1.0, Some(false), false), plain(0.5)],
                &[2, 0, 1],
            ),
        ];
        for (sources, expected) in cases {
            let readings: Vec<PassageReading> = (1..=sources.len())
                .map(|number| reading(number, [0.02, 0.5, 0.98][number - 1]))
                .collect();
            let scores = rank_scores(&readings, &sources);
            assert_eq!(order(&scores, sources.len(), &Fitting::default()), expected);
        }
    }

    #[test]
    fn likeness_is_the_f1_of_words() {
        let cases = [
            ("4 December 2026", "4 december 2026", 1.0),
            ("4 December", "4 December 2026", 0.8),
            ("the the", "the", 2.0 / 3.0),
            ("Ada", "Brandt", 0.0),
            ("", "", 1.0),
            ("Ada", "", 0.0),
        ];
        for (left, right, expected) in cases {
            let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
            let found = likeness(&words(left), &words(right));
            assert!((found - expected).abs() < 1e-12, "{left:?}, {right:?}: {found}");
            assert!((likeness(&words(right), &words(left)) - found).abs() < 1e-12);
        }
    }
}
