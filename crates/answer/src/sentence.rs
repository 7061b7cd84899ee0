//! The sentence that answers best, and what is known of the evidence.

use campanile_bundle::Fetch;
use campanile_retrieve::{Clock, Engine, Passage, Retrieval, RetrieveError};
use campanile_text::Span;

use crate::asked::AskedTerms;
use crate::confidence::Evidence;
use crate::extract::{Candidate, Extracted, Reading, candidates, choose, narrow};

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

/// The sentence of the first `count` passages that answers best.
///
/// # Errors
/// Where the encoder fails.
pub(crate) async fn best<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    retrieval: &mut Retrieval,
    count: usize,
) -> Result<(Option<Quotation>, Evidence), RetrieveError> {
    let texts: Vec<Reading> = retrieval.passages.iter().take(count).map(reading_of).collect();
    let found = promising(engine, retrieval, &texts).await;
    let cosines = cosines(engine, retrieval, &texts, &found)?;
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
    texts: &[Reading],
) -> Vec<Candidate> {
    let asked = AskedTerms::new(&retrieval.trace, engine.analyzer());
    let mut found = candidates(&asked, texts, engine.analyzer());
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
fn cosines<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    retrieval: &Retrieval,
    texts: &[Reading],
    found: &[Candidate],
) -> Result<Option<Vec<f32>>, RetrieveError> {
    let Some(question) = &retrieval.query.vector else { return Ok(None) };
    let sentences: Vec<String> = found.iter().map(|one| in_context(one, texts)).collect();
    let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
    let vectors = engine.embed(&sentences)?;
    Ok(Some(vectors.iter().map(|vector| dot(question, vector)).collect()))
}

/// A sentence after its heading, without which many don't say what they are about.
fn in_context(candidate: &Candidate, texts: &[Reading]) -> String {
    let heading = texts.get(candidate.passage).map_or("", |reading| reading.heading.as_str());
    format!("{heading}: {}", candidate.text)
}

fn reading_of(passage: &Passage) -> Reading {
    Reading {
        heading: passage.section_path().pop().unwrap_or_else(|| passage.document.title.clone()),
        text: passage.text().to_owned(),
        cosine: passage.scores.dense.map_or(0.0, |dense| dense.score),
    }
}

pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}
