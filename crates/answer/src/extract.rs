use campanile_index::sort_short;
use campanile_text::{Analyzer, Span, sentences};

use crate::asked::AskedTerms;
use crate::words::term_set;

/// At most this many sentences are looked at for one answer.
const CANDIDATES: usize = 40;
/// At most this many of them are embedded, at some 15 ms each in a page. Twenty choose no better: as many
/// right answers on the sample campus, and one refusal fewer.
const EMBEDDED: usize = 2;
/// The weight that the share of the question's terms it holds has in a sentence's score.
const COVERAGE_WEIGHT: f32 = 0.25;
/// The cost of each rank of the passage below the first.
const RANK_COST: f32 = 0.05;
/// A question in the documents is seldom the answer to a question.
const QUESTION_COST: f32 = 0.3;
/// A lead-in (`… the following:`) is shown with at most this many of the lines that follow it.
const LIST_LINES: usize = 8;

/// A passage as the choice of a sentence sees it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
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
    asked: &AskedTerms,
    passages: &[Reading],
    analyzer: &Analyzer,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (passage, reading) in passages.iter().enumerate() {
        let in_headings = asked.held_by(&term_set(&reading.heading, analyzer));
        for span in sentences(&reading.text) {
            let Some(sentence) = span.slice(&reading.text) else { continue };
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
    passages: &[Reading],
    nearness: Option<&[f32]>,
) {
    let mut order: Vec<(f32, Candidate)> = Vec::with_capacity(candidates.len());
    for (index, candidate) in candidates.drain(..).enumerate() {
        let near = nearness.and_then(|values| values.get(index)).copied();
        order.push((score(&candidate, near, passages), candidate));
    }
    sort_short(&mut order, |left, right| right.0.total_cmp(&left.0));
    candidates.extend(order.into_iter().take(EMBEDDED).map(|(_, candidate)| candidate));
}

/// Chooses among the candidates; `cosines` holds one value for each, or nothing.
pub(crate) fn choose(
    candidates: &[Candidate],
    cosines: Option<&[f32]>,
    passages: &[Reading],
) -> Option<Extracted> {
    let mut best: Option<(f32, Extracted)> = None;
    for (index, candidate) in candidates.iter().enumerate() {
        let cosine = cosines.and_then(|values| values.get(index)).copied();
        let score = score(candidate, cosine, passages);
        if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
            let extracted = Extracted { passage: candidate.passage, span: candidate.span, cosine };
            best = Some((score, extracted));
        }
    }
    let (_, mut extracted) = best?;
    if let Some(reading) = passages.get(extracted.passage) {
        extracted.span = with_list(&reading.text, extracted.span);
    }
    Some(extracted)
}

/// Scores how likely a candidate answers, given how near it is to the question.
fn score(candidate: &Candidate, cosine: Option<f32>, passages: &[Reading]) -> f32 {
    // A good sentence of a passage that fits badly is about something else.
    let passage = passages.get(candidate.passage).map_or(0.0, |reading| reading.cosine);
    cosine.unwrap_or(0.0) + passage + prior(candidate)
}

/// Scores a candidate by what is known before its meaning is looked at.
fn prior(candidate: &Candidate) -> f32 {
    let question = if candidate.text.trim_end().ends_with('?') { QUESTION_COST } else { 0.0 };
    COVERAGE_WEIGHT * candidate.coverage - RANK_COST * candidate.passage as f32 - question
}

/// Extends a lead-in that ends in a colon over the lines that follow it in the same passage.
fn with_list(text: &str, span: Span) -> Span {
    let ends_in_colon = span.slice(text).is_some_and(|sentence| sentence.ends_with(':'));
    if !ends_in_colon {
        return span;
    }
    let Some(rest) = text.get(span.end as usize..) else { return span };
    let mut end = span.end as usize;
    let mut lines = 0;
    let mut offset = span.end as usize;
    for line in rest.split_inclusive('\n') {
        offset += line.len();
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        lines += 1;
        end = offset - (line.len() - line.trim_end().len());
        if lines == LIST_LINES {
            break;
        }
    }
    Span { start: span.start, end: u32::try_from(end).unwrap_or(span.end) }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used)]
    use super::*;
    use campanile_text::Language;

    fn passages() -> Vec<Reading> {
        let reading = |heading: &str, text: &str| Reading {
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
        let found = candidates(&asked, &passages(), &analyzer);
        let chosen = choose(&found, None, &passages()).expect("a sentence");
        let text = chosen.span.slice(&passages()[0].text).map(str::to_owned);
        assert_eq!(text.as_deref(), Some("Coursework may be handed in up to three days late."));
    }

    #[test]
    fn meaning_outweighs_shared_words() {
        let analyzer = Analyzer::new(Language::English);
        let asked = AskedTerms::of_text("What is the penalty for late work?", &analyzer);
        let found = candidates(&asked, &passages(), &analyzer);
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
        let found =
            candidates(&AskedTerms::of_text("What is needed?", &analyzer), &passages, &analyzer);
        let cosines = vec![0.3; found.len()];
        let chosen = choose(&found, Some(&cosines), &passages).expect("a sentence");
        assert_eq!(chosen.passage, 1);
    }

    #[test]
    fn the_nearest_are_embedded() {
        let analyzer = Analyzer::new(Language::English);
        let mut found =
            candidates(&AskedTerms::of_text("late work", &analyzer), &passages(), &analyzer);
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
