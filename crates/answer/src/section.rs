//! The passage that covers what is asked, as a whole: any section, or an entry of a FAQ.
//!
//! Half of what students ask is not answered by a few words: how to apply, what to hand in, what happens if. There the
//! passage is the answer, with the sentences that matter marked. How probable it is that it holds what is asked is
//! another question than whether some words are right, with weights of its own ([`Calibration::section`]).
//!
//! A department that answers a question in its FAQ has said already what is asked and what the answer is. Where a
//! visitor's question is near to one of these, in whatever words, the entry answers: no sentence has to be found in it.
//! What is only near, though, is [told from it](crate::same_question) and given with a reservation.

use std::collections::BTreeSet;

use campanile_bundle::Calibration;
use campanile_text::{Analyzer, Span, sentences};

use crate::answerer::closest;
use crate::asked::AskedTerms;
use crate::confidence::{EntryEvidence, Evidence, SectionEvidence, shares};
use crate::names::Fitting;
use crate::reading::PassageReading;
use crate::reply::{Reply, Source};
use crate::same_question::{Difference, DocumentsQuestion, difference};
use crate::words::term_set;

/// A sentence is marked where its tokens have this mean probability of standing in one that answers. Precision and
/// recall of marks are even there, on the institutions for choosing (`training/cards/reader.md`).
pub(crate) const MARKED_FROM: f32 = 0.4;

/// A probability that lies so far below [`Calibration::section_from`] makes no section sure.
// Small, so that a capped passage still stands above all others that are not sure.
const UNSURE: f32 = 0.01;

/// A question of the documents with a lower cosine is not near to the visitor's: its passage is one like any other.
// Of entries that answer, 99 of 100 have more where students ask as they do, and of those that do not 6 of 10 have less
// (`tests/sets/faq/choosing`). The weights of entries saw hardly any question that no entry is about; those of sections did.
const NEAR_FROM: f32 = 0.4;

/// So many sentences are shown together as an answer; what takes more is a section.
// More would be most of a passage, which says more as a whole and under its heading.
const TOGETHER: usize = 4;

/// The sources that are read and what is known of each, by its index.
#[derive(Clone, Copy)]
pub(crate) struct Read<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) readings: &'a [PassageReading],
    /// How surely it answers beside the others: [`rank_scores`](crate::reading::rank_scores).
    pub(crate) scores: &'a [f64],
    /// What it is as an entry of a FAQ.
    pub(crate) entries: &'a [Option<EntryEvidence>],
    /// Those in which an answer may be looked for.
    pub(crate) fitting: &'a Fitting,
}

/// The passage that most probably holds what is asked, of those that are fitting; `words` is the index of the source in
/// which words were chosen.
pub(crate) fn best(
    asked: &AskedTerms,
    Read { sources, readings, scores, entries, fitting }: Read<'_>,
    words: Option<usize>,
    calibration: &Calibration,
    analyzer: &Analyzer,
) -> Option<SectionEvidence> {
    let probabilities: Vec<f32> = readings.iter().map(|reading| reading.probability).collect();
    let shares = shares(&probabilities);
    let read = readings.iter().zip(shares).zip(sources).zip(scores).enumerate();
    let found = read.filter(|(index, _)| fitting.has(*index));
    let mut found = found.map(|(index, (((reading, share), source), score))| {
        let (coverage, is_named) = held(asked, source, analyzer);
        let mut evidence = SectionEvidence {
            source: index + 1,
            probability: 0.0,
            answer_probability: reading.probability,
            share,
            has_words: words == Some(index),
            cosine: source.scores.dense.map(|dense| dense.score),
            coverage,
            gap: gap(index, sources),
            is_named,
        };
        // An entry's question lifts its passage above the others, which the section's weights take for a lead of its
        // own. Those of entries are fitted with that lift and see the question itself, so that they alone count.
        let entry = entries.get(index).copied().flatten();
        evidence.probability = match entry {
            Some(entry) => entry.probability,
            None => Evidence::section_probability(&evidence, calibration),
        };
        Candidate { evidence, is_entry: entry.is_some(), score: *score }
    });
    let first = found.next()?;
    let best =
        found.fold(first, |best, one| if one.is_before(&best, calibration) { one } else { best });
    Some(best.evidence)
}

/// A passage that may be shown whole.
struct Candidate {
    evidence: SectionEvidence,
    /// `true` if it is an entry of a FAQ near to the question.
    is_entry: bool,
    /// One of [`Read::scores`].
    score: f64,
}

impl Candidate {
    /// Returns `true` if it comes before one that the search has before it.
    fn is_before(&self, other: &Self, calibration: &Calibration) -> bool {
        // Where none is sure, one that is called what is asked comes first.
        let sure_and_named =
            |it: &Self| (it.evidence.probability >= calibration.section_from, it.evidence.is_named);
        match (sure_and_named(self), sure_and_named(other)) {
            ((false, true), (false, false)) => true,
            ((false, false), (false, true)) => false,
            // What the questions of entries say, the order of passages does not know.
            _ if self.is_entry || other.is_entry => {
                self.evidence.probability > other.evidence.probability
            }
            _ => self.score > other.score,
        }
    }
}

/// The sentences of a passage that answer, in their order; the nearest one where none is sure to.
pub(crate) fn marks(reading: &PassageReading) -> Vec<Span> {
    // Something is marked in any case: a visitor looks for the answer in a whole passage.
    let sure = reading.evidence.iter().filter(|one| one.probability >= MARKED_FROM);
    let found: Vec<Span> = sure.map(|one| one.span).collect();
    if !found.is_empty() {
        return found;
    }
    let likeliest = reading.evidence.iter().max_by(|a, b| a.probability.total_cmp(&b.probability));
    likeliest.map(|one| one.span).into_iter().collect()
}

/// A sentence together with the ones beside it that answer too, at most [`TOGETHER`] of them.
pub(crate) fn together(reading: &PassageReading, sentence: Span, text: &str) -> Span {
    let all = sentences(text);
    let is_marked = |span: &Span| {
        let own = reading.evidence.iter().find(|one| one.span == *span);
        own.is_some_and(|one| one.probability >= MARKED_FROM)
    };
    let overlaps = |span: &Span| span.overlaps(sentence);
    let ends = all.iter().position(overlaps).zip(all.iter().rposition(overlaps));
    let Some((mut first, mut last)) = ends else { return sentence };
    while last - first + 1 < TOGETHER {
        if all.get(last + 1).is_some_and(is_marked) {
            last += 1;
        } else if first > 0 && is_marked(&all[first - 1]) {
            first -= 1;
        } else {
            break;
        }
    }
    all[first].joined(all[last])
}

/// Returns the lead of a passage's score over the best of the others: below 0 for all but the first.
fn gap(index: usize, sources: &[Source]) -> f32 {
    let score = |source: &Source| source.scores.fused.score;
    let own = score(&sources[index]);
    let others = sources.iter().enumerate().filter(|(other, _)| *other != index);
    others.map(|(_, other)| score(other)).max_by(f32::total_cmp).map_or(0.0, |best| own - best)
}

/// The share of the question's terms that a passage has with its title and headings, and whether these alone have all
/// of two or more.
fn held(asked: &AskedTerms, source: &Source, analyzer: &Analyzer) -> (f32, bool) {
    let of = |text: &String| term_set(text, analyzer);
    let headings: BTreeSet<String> =
        source.section.iter().chain([&source.title]).flat_map(of).collect();
    // One word alone stands in many headings.
    let is_named = asked.count() >= 2 && asked.held_by(&headings).len() == asked.count();
    let mut all = headings;
    all.extend(of(&source.text));
    (asked.held_by(&all).len() as f32 / asked.count().max(1) as f32, is_named)
}

/// What each of a reply's sources that are read is as an entry of a FAQ; `None` where no question of it is near to the
/// visitor's, and where it is not `fitting`.
pub(crate) fn entries(
    reply: &Reply,
    readings: Option<&[PassageReading]>,
    fitting: &Fitting,
    calibration: &Calibration,
    analyzer: &Analyzer,
) -> Vec<Option<EntryEvidence>> {
    let read = |index: usize| Some(readings?.get(index)?.probability);
    let mut entries: Vec<Option<EntryEvidence>> = closest(&reply.sources)
        .iter()
        .enumerate()
        .map(|(index, source)| {
            fitting.has(index).then_some(())?;
            let mut entry = entry_of(index, source, read(index), calibration)?;
            // A written question is one of many that its passage may answer, and never the answer itself.
            if !entry.is_written {
                entry.difference = told_apart(reply, source, &entry, analyzer);
            }
            Some(entry)
        })
        .collect();
    // What lacks words may be the entry that is meant, in other words: then one that is less near is not the answer.
    let lacks_words = |entry: &&EntryEvidence| entry.difference == Some(Difference::Words);
    let nearer = entries.iter().flatten().filter(lacks_words).map(|entry| entry.probability);
    let nearer = nearer.fold(0.0, f32::max);
    for entry in entries.iter_mut().flatten() {
        if entry.difference.is_none() && !entry.is_written && entry.probability < nearer {
            entry.difference = Some(Difference::Words);
        }
        if entry.difference.is_some() {
            // It may cover what is asked all the same, and is shown so.
            entry.probability = entry.probability.min(calibration.section_from - UNSURE);
        }
    }
    entries
}

/// The confidence in words of an entry: no more than that of a possible answer where it answers another question.
pub(crate) fn capped(
    confidence: f32,
    entry: Option<EntryEvidence>,
    calibration: &Calibration,
) -> f32 {
    match entry.and_then(|entry| entry.difference) {
        Some(difference) if difference.is_of_another_question() => {
            confidence.min(calibration.sure_from - UNSURE)
        }
        _ => confidence,
    }
}

/// The entry that a source is; `None` where no question of it is near to the visitor's.
fn entry_of(
    index: usize,
    source: &Source,
    answer_probability: Option<f32>,
    calibration: &Calibration,
) -> Option<EntryEvidence> {
    let question = source.question.as_ref().filter(|question| question.cosine >= NEAR_FROM)?;
    let mut entry = EntryEvidence {
        source: index + 1,
        probability: 0.0,
        answer_probability,
        cosine: question.cosine,
        gap: question.gap,
        is_first: index == 0,
        is_written: question.evidence.is_some(),
        difference: None,
    };
    entry.probability = Evidence::entry_probability(&entry, calibration);
    Some(entry)
}

/// What tells the question of a source from the visitor's.
fn told_apart(
    reply: &Reply,
    source: &Source,
    entry: &EntryEvidence,
    analyzer: &Analyzer,
) -> Option<Difference> {
    let headings: Vec<&str> =
        source.section.iter().chain([&source.title]).map(String::as_str).collect();
    let question = DocumentsQuestion {
        question: &source.question.as_ref()?.text,
        headings: &headings,
        answer: &source.text,
        probability: entry.probability,
    };
    difference(&reply.question, &question, &reply.trace, analyzer)
}

#[cfg(test)]
mod tests {
    use campanile_bundle::Logistic;
    use campanile_text::Language;

    use campanile_retrieve::MatchedQuestion;

    use super::*;
    use crate::reading::rank_scores;
    use crate::reply::Answer;
    use crate::testing::{reading, reply, source};

    #[test]
    fn a_passage_that_is_called_what_is_asked_comes_first_unless_another_is_sure() {
        let analyzer = Analyzer::new(Language::English);
        let asked = AskedTerms::of_text("applying for extensions", &analyzer);
        let sources = [source(1, "Extensions > Apply"), source(2, "Extensions > Length")];
        let calibration = Calibration {
            // A section is as probable as the reader says.
            section: Logistic { answer: 1.0, ..Logistic::default() },
            section_from: 0.5,
            ..Calibration::default()
        };
        let found = |named: f32, other: f32| {
            let readings =
                [(1, named), (2, other)].map(|(source, probability)| reading(source, probability));
            let (sources, readings) = (&sources, &readings);
            let scores = &rank_scores(readings, sources);
            let fitting = &Fitting::default();
            let read = Read { sources, readings, scores, entries: &[], fitting };
            best(&asked, read, None, &calibration, &analyzer).map(|it| it.source)
        };
        for (named, other, expected) in [
            (0.2, 0.4, 1),
            (0.4, 0.2, 1),
            (0.2, 0.6, 2),
            (0.6, 0.7, 2),
            (0.7, 0.6, 1),
            (0.6, 0.4, 1),
        ] {
            assert_eq!(found(named, other), Some(expected), "{named} {other}");
        }
    }

    /// A question of the documents, its cosine with the visitor's, and whether a model wrote it.
    type Near = (&'static str, f32, bool);

    /// The entries that sources with some questions are.
    fn entries_of(asked: &str, questions: &[Near]) -> Vec<EntryEvidence> {
        let sources = questions.iter().enumerate().map(|(index, (text, cosine, is_written))| {
            let question = MatchedQuestion {
                text: (*text).to_owned(),
                evidence: is_written.then(Span::default),
                cosine: *cosine,
                gap: 0.0,
            };
            Source { question: Some(question), ..source(index + 1, "Cards") }
        });
        let reply = reply(asked, sources.collect(), Answer::refusal("no"));
        let calibration = calibration();
        let analyzer = Analyzer::new(Language::English);
        let entries = entries(&reply, None, &Fitting::default(), &calibration, &analyzer);
        entries.into_iter().flatten().collect()
    }

    /// An entry is about as probable as the cosine of its question says.
    fn calibration() -> Calibration {
        let entry = Logistic { bias: -5.0, cosine: 10.0, ..Logistic::default() };
        Calibration { entry, ..Calibration::default() }
    }

    #[test]
    fn an_entry_that_differs_is_no_sure_answer_and_hides_no_nearer_one() {
        let asked = "How do I replace a stolen card?";
        let (same, opposite) =
            ("How do I replace a stolen card?", "How do I replace a broken card?");
        let other_words = "How can I substitute one?";
        let (words, other) = (Some(Difference::Words), Some(Difference::Opposite));
        let cases: [(&[Near], &[Option<Difference>]); 5] = [
            (&[(same, 0.8, false)], &[None]),
            (&[(opposite, 0.8, false), (same, 0.75, false)], &[other, None]),
            // What is meant may be said in other words: then the next entry is not it.
            (&[(other_words, 0.7, false), (same, 0.65, false)], &[words, words]),
            (&[(other_words, 0.65, false), (same, 0.7, false)], &[words, None]),
            (&[(opposite, 0.8, true), (other_words, 0.7, true)], &[None, None]),
        ];
        let calibration = calibration();
        for (questions, expected) in cases {
            let entries = entries_of(asked, questions);
            let found: Vec<_> = entries.iter().map(|entry| entry.difference).collect();
            assert_eq!(found, expected, "{questions:?}");
            for entry in entries {
                let is_sure = entry.probability >= calibration.section_from;
                assert!(entry.difference.is_none() || !is_sure, "{questions:?}");
            }
        }
    }

    #[test]
    fn words_of_another_question_are_not_sure() {
        let calibration = calibration();
        let entry = entries_of("When is it open?", &[("When is it closed?", 0.9, false)]);
        assert!(capped(0.9, entry.first().copied(), &calibration) < calibration.sure_from);
        let entry = entries_of("When is it open?", &[("When is it open?", 0.9, false)]);
        assert_eq!(capped(0.9, entry.first().copied(), &calibration), 0.9);
        assert_eq!(capped(0.9, None, &calibration), 0.9);
    }

    #[test]
    fn the_probability_of_an_entry_is_that_of_its_passage() {
        let analyzer = Analyzer::new(Language::English);
        let asked = AskedTerms::of_text("May I lend my card?", &analyzer);
        let sources = [source(1, "Cards"), source(2, "Fees")];
        let section = Logistic { answer: 1.0, ..Logistic::default() };
        let calibration = Calibration { section, ..calibration() };
        let readings = [reading(1, 0.9), reading(2, 0.5)];
        let found = |cosine: f32| {
            let entry =
                entries_of("May I lend my card?", &[("May I lend my card?", cosine, false)]);
            let entries = [entry.first().copied(), None];
            let (sources, readings) = (&sources, &readings);
            let scores = &rank_scores(readings, sources);
            let (entries, fitting) = (&entries, &Fitting::default());
            let read = Read { sources, readings, scores, entries, fitting };
            best(&asked, read, None, &calibration, &analyzer)
                .map(|it| (it.source, (it.probability * 100.0).round()))
        };
        // Without its entry the first passage would have .9.
        assert_eq!(found(0.9), Some((1, 98.0)));
        assert_eq!(found(0.4), Some((2, 50.0)));
    }
}
