use campanile_bundle::AlsoRecord;
use campanile_bundle::Fetch;
use campanile_corpus::metadata::{Audience, Metadata};
use campanile_retrieve::{Clock, Engine, Passage, Retrieval, RetrieveError, SearchOptions};

use crate::differences::differences;
use crate::extract::{Candidate, Extracted, Reading, candidates, choose, narrow};
use crate::reply::{AlsoIn, Answer, AnswerKind, Reply, SearchStage, Source, SourcePage};
use crate::sufficiency::{Evidence, Thresholds};

/// Sentences are looked for in this many of the best passages.
pub const READ_PASSAGES: usize = 5;

const REFUSAL: &str = "The documents do not seem to answer this.";
const NOTHING: &str = "Nothing in the documents matches this question.";

/// Answers a question from the engine's documents.
///
/// # Errors
/// Only where nothing can be searched at all; damaged parts are named in [`Reply::problems`].
pub async fn answer<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    question: &str,
    options: &SearchOptions,
) -> Result<Reply, RetrieveError> {
    answer_from(engine, engine.search(question, options).await?).await
}

/// Answers a question from what a search has found for it.
///
/// # Errors
/// Where the encoder fails.
pub async fn answer_from<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    mut retrieval: Retrieval,
) -> Result<Reply, RetrieveError> {
    let reading = engine.clock().now_ms();
    let texts: Vec<Reading> =
        retrieval.passages.iter().take(READ_PASSAGES).map(reading_of).collect();
    let found = promising(engine, &mut retrieval, &texts).await;
    let (extracted, evidence) = read(engine, &retrieval, &texts, &found)?;
    let answer = word(&retrieval, extracted, &evidence);
    let finished = engine.clock().now_ms();

    let mut timings_ms = retrieval.timings_ms();
    timings_ms.insert("read", finished - reading);
    timings_ms.insert("total", retrieval.milliseconds + finished - reading);
    let stage = match &retrieval {
        Retrieval { query, .. } if query.vector.is_some() => SearchStage::Hybrid,
        Retrieval { rankings, .. } if rankings.of("static").is_some() => SearchStage::Instant,
        _ => SearchStage::Lexical,
    };
    Ok(Reply {
        question: retrieval.query.question.clone(),
        answer,
        evidence,
        sources: sources(&retrieval.passages),
        differences: differences(&retrieval),
        left_out: retrieval.left_out,
        stage,
        problems: retrieval.problems,
        timings_ms,
        trace: retrieval.trace,
    })
}

/// The sentences that might answer; where the encoder is there, those worth embedding. It takes some 15 ms
/// for a sentence in a page and the static encoder next to nothing, so that this one chooses for it. Where
/// it can't be had that is a problem of the reply, and the words choose alone.
async fn promising<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    retrieval: &mut Retrieval,
    texts: &[Reading],
) -> Vec<Candidate> {
    let mut found = candidates(&retrieval.query.terms, texts, engine.analyzer());
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

/// Finds the best sentence, and what is known of the evidence.
fn read<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    retrieval: &Retrieval,
    texts: &[Reading],
    found: &[Candidate],
) -> Result<(Option<Extracted>, Evidence), RetrieveError> {
    let cosines = match &retrieval.query.vector {
        None => None,
        Some(query) => {
            let sentences: Vec<String> = found.iter().map(|one| in_context(one, texts)).collect();
            let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
            let vectors = engine.embed(&sentences)?;
            Some(vectors.iter().map(|vector| dot(query, vector)).collect::<Vec<f32>>())
        }
    };
    let passage_cosine = retrieval
        .passages
        .iter()
        .filter_map(|passage| passage.scores.dense.map(|dense| dense.score))
        .max_by(f32::total_cmp);
    let sentence_cosine = cosines.iter().flatten().copied().max_by(f32::total_cmp);
    let evidence = Evidence {
        best_cosine: passage_cosine.into_iter().chain(sentence_cosine).max_by(f32::total_cmp),
        coverage: found.iter().map(|candidate| candidate.coverage).fold(0.0, f32::max),
    };
    Ok((choose(found, cosines.as_deref(), texts), evidence))
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

/// Puts the answer, or the refusal, into words.
fn word(retrieval: &Retrieval, extracted: Option<Extracted>, evidence: &Evidence) -> Answer {
    let refusal = |text: &str| Answer {
        kind: AnswerKind::Refusal,
        text: text.to_owned(),
        source: None,
        highlight: None,
    };
    if retrieval.passages.is_empty() {
        return refusal(NOTHING);
    }
    let Some(extracted) = extracted.filter(|_| Thresholds::default().suffices(evidence)) else {
        return refusal(REFUSAL);
    };
    let text = retrieval
        .passages
        .get(extracted.passage)
        .and_then(|passage| extracted.span.slice(passage.text()));
    match text {
        Some(text) => Answer {
            kind: AnswerKind::Extract,
            text: text.to_owned(),
            source: Some(extracted.passage + 1),
            highlight: Some(extracted.span),
        },
        None => refusal(REFUSAL),
    }
}

fn source((index, passage): (usize, &Passage)) -> Source {
    Source {
        number: index + 1,
        document: passage.document.path.clone(),
        title: passage.document.title.clone(),
        audience: audience(&passage.document.metadata),
        level: (!passage.document.metadata.is_academic())
            .then(|| passage.document.metadata.effective_level()),
        section: passage.section_path(),
        link: passage.document.link.clone(),
        anchor: passage.anchor(),
        page: passage.page().map(|page| SourcePage {
            number: page.number,
            label: page.label.clone().unwrap_or_else(|| page.number.to_string()),
        }),
        text: passage.text().to_owned(),
        span: passage.span,
        found: passage.found(),
        also: passage.also().map(also_in).collect(),
        chunk: passage.chunk,
        scores: passage.scores,
    }
}

/// Whom a document is for and when it holds, where it is not for everybody and always.
fn audience(metadata: &Metadata) -> Option<String> {
    Audience::of(metadata).is_restricted().then(|| metadata.describe())
}

fn also_in(also: &AlsoRecord) -> AlsoIn {
    AlsoIn { title: also.title.clone(), document: also.path.clone(), link: also.link.clone() }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// The passages as the sources of a reply.
pub fn sources(passages: &[Passage]) -> Vec<Source> {
    passages.iter().enumerate().map(source).collect()
}
