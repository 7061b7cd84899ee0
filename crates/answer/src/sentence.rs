//! The sentence that answers best, and what is known of the evidence.

use campanile_bundle::Fetch;
use campanile_index::sort_short;
use campanile_retrieve::{Clock, Engine, Passage, Retrieval, RetrieveError};
use campanile_text::{Analyzer, Span, sentences};

use crate::asked::AskedTerms;
use crate::confidence::Evidence;
use crate::counted::counted_in_question;
use crate::names::Fitting;
use crate::row_choice::RowChoice;
use crate::table::rows;
use crate::words::term_set;

/// A sentence of a source, or several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quotation {
    /// Index of its source.
    pub source: usize,
    /// Its place in the source's text.
    pub span: Span,
}

impl Quotation {
    /// Returns `true` if the two have text in common.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.source == other.source && self.span.overlaps(other.span)
    }
}

/// The sentence that answers best, of those of the first `count` passages that are fitting.
///
/// # Errors
/// Where the encoder fails.
pub(crate) async fn best<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    retrieval: &mut Retrieval,
    count: usize,
    fitting: &Fitting,
) -> Result<(Option<Quotation>, Evidence), RetrieveError> {
    let passages = retrieval.passages.iter().take(count).enumerate();
    // A passage that does not fit keeps its place, and has nothing to choose from.
    let text = |(index, passage): (usize, &Passage)| {
        let whole = reading_of(passage);
        if fitting.has(index) { whole } else { PassageText { text: String::new(), ..whole } }
    };
    let texts: Vec<PassageText> = passages.map(text).collect();
    let found = promising(engine, retrieval, &texts).await;
    let cosines = cosines(engine, retrieval, &texts, &found).await?;
    let passage_cosine = retrieval
        .passages
        .iter()
        .filter_map(|passage| passage.scores.dense.map(|dense| dense.score))
        .max_by(f32::total_cmp);
    let sentence_cosine = cosines.iter().flatten().copied().max_by(f32::total_cmp);
    let evidence = Evidence {
        best_cosine: passage_cosine.into_iter().chain(sentence_cosine).max_by(f32::total_cmp),
        coverage: found.iter().map(|candidate| candidate.coverage).fold(0.0, f32::max),
        gap: lead(&retrieval.passages),
        ..Evidence::default()
    };
    let chosen = choose(&found, cosines.as_deref(), &texts);
    let quotation =
        chosen.map(|Extracted { passage, span, .. }| Quotation { source: passage, span });
    Ok((quotation, evidence))
}

/// Returns the lead of the best passage's score over the next one's.
fn lead(passages: &[Passage]) -> f32 {
    match passages {
        [first, second, ..] => first.scores.fused.score - second.scores.fused.score,
        _ => 0.0,
    }
}

/// The sentences that might answer; where the encoder is there, those worth embedding. It takes some 15 ms
/// for a sentence in a page and the static encoder next to nothing, so that this one chooses for it. Where
/// it can't be had that is a problem of the reply, and the words choose alone.
async fn promising<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    retrieval: &mut Retrieval,
    texts: &[PassageText],
) -> Vec<Candidate> {
    let asked = AskedTerms::new(&retrieval.trace, engine.analyzer());
    let mut found = candidates(&retrieval.query.question, &asked, texts, engine.analyzer());
    if retrieval.query.vector.is_none() {
        return found;
    }
    if engine.manifest().instant.is_some()
        && let Err(error) = engine.load_instant().await
    {
        retrieval.problems.push(error.to_string());
    }
    let contexts: Vec<String> = found.iter().map(|one| in_context(one, texts)).collect();
    let contexts: Vec<&str> = contexts.iter().map(String::as_str).collect();
    let nearness = engine.nearness(&retrieval.query.question, &contexts);
    narrow(&mut found, texts, nearness.as_deref());
    found
}

/// The cosine of the question with each of the sentences; none where the question was not embedded.
async fn cosines<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    retrieval: &Retrieval,
    texts: &[PassageText],
    found: &[Candidate],
) -> Result<Option<Vec<f32>>, RetrieveError> {
    let Some(question) = &retrieval.query.vector else { return Ok(None) };
    let sentences: Vec<String> = found.iter().map(|one| in_context(one, texts)).collect();
    let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
    let vectors = engine.embed(&sentences).await?;
    Ok(Some(vectors.iter().map(|vector| dot(question, vector)).collect()))
}

/// A sentence after its heading, without which many don't say what they are about.
fn in_context(candidate: &Candidate, texts: &[PassageText]) -> String {
    format!("{}: {}", texts[candidate.passage].heading, candidate.text)
}

fn reading_of(passage: &Passage) -> PassageText {
    PassageText {
        heading: passage.section_path().pop().unwrap_or_else(|| passage.document.title.clone()),
        text: passage.text().to_owned(),
        cosine: passage.scores.dense.map_or(0.0, |dense| dense.score),
    }
}

pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// At most this many sentences are looked at for one answer.
// The static encoder looks at each of them, so a passage that is one long list would else be paid for in full.
const CANDIDATES: usize = 40;
/// At most this many of them are embedded, at some 15 ms each in a page. Twenty choose no better: as many
/// right answers on the sample campus, and one refusal fewer.
const EMBEDDED: usize = 2;
/// The weight that the share of the question's terms it holds has in a sentence's score.
// At most a quarter of a cosine's range: what a sentence means counts for more than which words it shares. Where no
// encoder is there, this is nearly all that tells the sentences of a passage apart.
const COVERAGE_WEIGHT: f32 = 0.25;
/// The cost of each rank of the passage below the first.
// The fifth passage's sentence pays for it with as much as four fifths of the question's terms.
const RANK_COST: f32 = 0.05;
/// A question in the documents is seldom the answer to a question.
// A little more than all of its words could bring it ([`COVERAGE_WEIGHT`]): a FAQ's question has them all.
const QUESTION_COST: f32 = 0.3;
/// A lead-in (`… the following:`) is shown with at most this many of the lines that follow it.
// So a passage that is one long list is not quoted whole.
const LIST_LINES: usize = 8;

/// The text of a passage, as the choice of a sentence sees it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PassageText {
    /// The nearest heading, or the document's title: what the sentences are about.
    pub heading: String,
    /// Its text.
    pub text: String,
    /// The cosine of the question and the whole passage; 0 where only keywords were searched.
    pub cosine: f32,
}

/// A sentence that might answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    /// Index of its passage, 0 for the best.
    pub passage: usize,
    /// Its place in the passage's text.
    pub span: Span,
    /// The sentence.
    pub text: String,
    /// The share of the question's terms that it and its headings hold, 0 to 1.
    pub coverage: f32,
}

/// The sentence that was chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Extracted {
    /// Index of its passage.
    pub passage: usize,
    /// The answer's place in the passage's text.
    pub span: Span,
    /// Cosine of the question and the sentence, if an encoder was there.
    pub cosine: Option<f32>,
}

/// The sentences of the passages that are worth a closer look, likeliest first.
///
/// `passages` are given from the best.
pub(crate) fn candidates(
    question: &str,
    asked: &AskedTerms,
    passages: &[PassageText],
    analyzer: &Analyzer,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let terms = asked.set();
    let counted = counted_in_question(question, analyzer);
    for (passage, reading) in passages.iter().enumerate() {
        let rows = rows(&reading.text);
        let choice = RowChoice::new(&terms, &reading.text, &rows, analyzer);
        let meant = choice.counting(&counted, analyzer).meant();
        let is_other_row = |span: Span| {
            let is_in = |row: Span| row.contains(span);
            !meant.is_empty()
                && !meant.iter().any(|row| is_in(*row))
                && rows.iter().any(|row| is_in(row.span))
        };
        let in_headings = asked.held_by(&term_set(&reading.heading, analyzer));
        // A row that the question does not mean answers another one.
        for span in sentences(&reading.text).into_iter().filter(|span| !is_other_row(*span)) {
            let sentence = &reading.text[span.range()];
            let mut in_sentence = asked.held_by(&term_set(sentence, analyzer));
            let own = in_sentence.len();
            in_sentence.extend(&in_headings);
            // A term in the headings counts half: it tells the subject, not the answer.
            let weight = own as f32 + 0.5 * (in_sentence.len() - own) as f32;
            let coverage = weight / asked.count().max(1) as f32;
            found.push(Candidate { passage, span, text: sentence.to_owned(), coverage });
        }
    }
    // Of equals, the earlier passage's and the earlier in it comes first, as they stand.
    sort_short(&mut found, |left, right| prior(right).total_cmp(&prior(left)));
    found.truncate(CANDIDATES);
    found
}

/// Leaves the candidates that are worth embedding, likeliest first; `nearness` is what the static encoder
/// says of each, or nothing.
pub(crate) fn narrow(
    candidates: &mut Vec<Candidate>,
    passages: &[PassageText],
    nearness: Option<&[f32]>,
) {
    let scored = |(index, candidate): (usize, Candidate)| {
        let near = nearness.map(|values| values[index]);
        (score(&candidate, near, passages), candidate)
    };
    let mut order: Vec<(f32, Candidate)> = candidates.drain(..).enumerate().map(scored).collect();
    sort_short(&mut order, |left, right| right.0.total_cmp(&left.0));
    candidates.extend(order.into_iter().take(EMBEDDED).map(|(_, candidate)| candidate));
}

/// Chooses among the candidates; `cosines` holds one value for each, or nothing.
pub(crate) fn choose(
    candidates: &[Candidate],
    cosines: Option<&[f32]>,
    passages: &[PassageText],
) -> Option<Extracted> {
    let mut best: Option<(f32, Extracted)> = None;
    for (index, candidate) in candidates.iter().enumerate() {
        let cosine = cosines.map(|values| values[index]);
        let score = score(candidate, cosine, passages);
        if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
            let extracted = Extracted { passage: candidate.passage, span: candidate.span, cosine };
            best = Some((score, extracted));
        }
    }
    let (_, mut extracted) = best?;
    extracted.span = with_list(&passages[extracted.passage].text, extracted.span);
    Some(extracted)
}

/// Scores how likely a candidate answers, given how near it is to the question.
fn score(candidate: &Candidate, cosine: Option<f32>, passages: &[PassageText]) -> f32 {
    // A good sentence of a passage that fits badly is about something else.
    cosine.unwrap_or(0.0) + passages[candidate.passage].cosine + prior(candidate)
}

/// Scores a candidate by what is known before its meaning is looked at.
fn prior(candidate: &Candidate) -> f32 {
    let question = if candidate.text.trim_end().ends_with('?') { QUESTION_COST } else { 0.0 };
    COVERAGE_WEIGHT * candidate.coverage - RANK_COST * candidate.passage as f32 - question
}

/// Extends a lead-in that ends in a colon over the lines that follow it in the same passage.
fn with_list(text: &str, span: Span) -> Span {
    if !text[span.range()].ends_with(':') {
        return span;
    }
    let rest = &text[span.end as usize..];
    let lines = rest.split_inclusive('\n').scan(0, |offset, line| {
        let start = *offset;
        *offset += line.len();
        Some((start + line.trim_end().len(), line))
    });
    let said = lines.filter(|(_, line)| !line.trim().is_empty()).take(LIST_LINES);
    let end = said.last().map_or(0, |(end, _)| end);
    Span::from_range(span.start as usize..span.end as usize + end)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used)]

    use campanile_text::Language;

    use super::*;

    fn passages() -> Vec<PassageText> {
        let reading = |heading: &str, text: &str| PassageText {
            heading: heading.to_owned(),
            text: text.to_owned(),
            cosine: 0.0,
        };
        vec![
            reading(
                "Deadlines for late work",
                "Is late work accepted? Coursework may be handed in up to three days late. Each day \
                 costs ten per cent of the marks.",
            ),
            reading(
                "Exceptions",
                "An extension needs all of these:\nA form\nA certificate\n\nAsk early.",
            ),
        ]
    }

    #[test]
    fn a_question_in_the_text_is_not_the_answer() {
        let analyzer = Analyzer::new(Language::English);
        let asked = AskedTerms::of_text("Is late coursework accepted?", &analyzer);
        let found = candidates("", &asked, &passages(), &analyzer);
        let chosen = choose(&found, None, &passages()).expect("a sentence");
        let text = chosen.span.slice(&passages()[0].text).map(str::to_owned);
        assert_eq!(text.as_deref(), Some("Coursework may be handed in up to three days late."));
    }

    #[test]
    fn meaning_outweighs_shared_words() {
        let analyzer = Analyzer::new(Language::English);
        let asked = AskedTerms::of_text("What is the penalty for late work?", &analyzer);
        let found = candidates("", &asked, &passages(), &analyzer);
        let cosines: Vec<f32> =
            found.iter().map(|c| if c.text.contains("ten per cent") { 0.7 } else { 0.2 }).collect();
        let chosen = choose(&found, Some(&cosines), &passages()).expect("a sentence");
        assert_eq!(chosen.cosine, Some(0.7));
        assert_eq!(
            chosen.span.slice(&passages()[0].text),
            Some("Each day costs ten per cent of the marks.")
        );
    }

    #[test]
    fn a_passage_that_fits_brings_its_sentences_forward() {
        let analyzer = Analyzer::new(Language::English);
        let mut passages = passages();
        passages[1].cosine = 0.6;
        let found = candidates(
            "",
            &AskedTerms::of_text("What is needed?", &analyzer),
            &passages,
            &analyzer,
        );
        let cosines = vec![0.3; found.len()];
        let chosen = choose(&found, Some(&cosines), &passages).expect("a sentence");
        assert_eq!(chosen.passage, 1);
    }

    #[test]
    fn the_nearest_are_embedded() {
        let analyzer = Analyzer::new(Language::English);
        let mut found =
            candidates("", &AskedTerms::of_text("late work", &analyzer), &passages(), &analyzer);
        let nearness: Vec<f32> =
            found.iter().map(|c| if c.text.contains("certificate") { 0.9 } else { 0.1 }).collect();
        let all = found.len();
        narrow(&mut found, &passages(), Some(&nearness));
        assert!(found.len() < all);
        assert_eq!(found[0].text, "A certificate");
    }

    #[test]
    fn a_lead_in_brings_its_list() {
        let text = &passages()[1].text;
        let span = with_list(text, Span { start: 0, end: 32 });
        assert_eq!(
            span.slice(text),
            Some("An extension needs all of these:\nA form\nA certificate\n\nAsk early.")
        );
        assert_eq!(with_list(text, Span { start: 34, end: 39 }), Span { start: 34, end: 39 });
    }
}
