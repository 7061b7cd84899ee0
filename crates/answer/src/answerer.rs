use campanile_bundle::AlsoRecord;
use campanile_bundle::Fetch;
use campanile_corpus::metadata::{Audience, Metadata};
use campanile_retrieve::{Clock, Engine, Passage, Retrieval, RetrieveError, SearchOptions};
use campanile_text::{Span, sentences};

use crate::differences::differences;
use crate::reading::{self, SpanReading};
use crate::reply::{AlsoIn, Answer, AnswerKind, Reply, SearchStage, Source, SourcePage};
use crate::sentence::{self, Quotation};
use crate::sufficiency::{Decision, Evidence, Thresholds};

/// Answers are looked for in this many of the best passages.
pub const READ_PASSAGES: usize = 5;

const REFUSAL: &str = "The documents do not seem to answer this.";
const NOTHING: &str = "Nothing in the documents matches this question.";

/// Answers a question from the engine's documents: with a reader, where one is loaded.
///
/// # Errors
/// Only where nothing can be searched at all; damaged parts are named in [`Reply::problems`].
pub async fn answer<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    question: &str,
    options: &SearchOptions,
) -> Result<Reply, RetrieveError> {
    read_closely(engine, answer_from(engine, engine.search(question, options).await?).await?)
}

/// Answers a question with a sentence of what a search has found for it.
///
/// # Errors
/// Where the encoder fails.
pub async fn answer_from<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    mut retrieval: Retrieval,
) -> Result<Reply, RetrieveError> {
    let began = engine.clock().now_ms();
    let (sentence, evidence) = sentence::best(engine, &mut retrieval, READ_PASSAGES).await?;
    let sources = sources(&retrieval.passages);
    let answer = word(&sources, sentence, None, &evidence);
    let spent = engine.clock().now_ms() - began;

    let mut timings_ms = retrieval.timings_ms();
    timings_ms.insert("sentence", spent);
    timings_ms.insert("total", retrieval.milliseconds + spent);
    let stage = match &retrieval {
        Retrieval { query, .. } if query.vector.is_some() => SearchStage::Hybrid,
        Retrieval { rankings, .. } if rankings.of("static").is_some() => SearchStage::Instant,
        _ => SearchStage::Lexical,
    };
    Ok(Reply {
        question: retrieval.query.question.clone(),
        answer,
        evidence,
        sentence,
        readings: None,
        sources,
        differences: differences(&retrieval),
        left_out: retrieval.left_out,
        stage,
        problems: retrieval.problems,
        timings_ms,
        trace: retrieval.trace,
    })
}

/// Reads the best passages of a reply for the words that answer, and answers anew; the reply as it is where
/// no reader is loaded.
///
/// It takes some 60 ms a passage in a page, which is why a page shows the passages first.
///
/// # Errors
/// Where the reader fails.
pub fn read_closely<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    mut reply: Reply,
) -> Result<Reply, RetrieveError> {
    let began = engine.clock().now_ms();
    let closest = reply.sources.get(..READ_PASSAGES).unwrap_or(&reply.sources);
    let Some(readings) = reading::read(engine, &reply.question, closest)? else { return Ok(reply) };
    let best = reading::best(&readings, &reply.sources);
    // That of the passage the words stand in: another's may hold an answer to something like it.
    let of_best = best.and_then(|(source, _)| readings.get(source));
    reply.evidence.answer_probability = Some(of_best.map_or(0.0, |reading| reading.probability));
    reply.answer = word(&reply.sources, reply.sentence, best, &reply.evidence);
    reply.readings = Some(readings);
    let spent = engine.clock().now_ms() - began;
    reply.timings_ms.insert("read", spent);
    *reply.timings_ms.entry("total").or_default() += spent;
    Ok(reply)
}

/// Puts the answer, or the refusal, into words: the words that a reader found in their sentence, or the
/// sentence that is nearest to the question.
fn word(
    sources: &[Source],
    sentence: Option<Quotation>,
    found: Option<(usize, SpanReading)>,
    evidence: &Evidence,
) -> Answer {
    if sources.is_empty() {
        return Answer::refusal(NOTHING);
    }
    let found = found.and_then(|(source, found)| {
        let span = around(&sources.get(source)?.text, found.span)?;
        Some((Quotation { source, span }, Some(found.span)))
    });
    let alone = sentence.map(|sentence| (sentence, None));
    let quoted = match Thresholds::default().decide(evidence) {
        Decision::Words => found.or(alone),
        Decision::WordsInSentence => {
            let agrees =
                |sentence: &Quotation| found.is_some_and(|(quoted, _)| quoted.meets(sentence));
            if sentence.as_ref().is_none_or(agrees) { found } else { alone }
        }
        Decision::Sentence => alone,
        Decision::Refusal => None,
    };
    let answer = quoted.and_then(|(quotation, exact)| {
        let text = quotation.span.slice(&sources.get(quotation.source)?.text)?;
        Some(Answer {
            kind: AnswerKind::Extract,
            text: text.to_owned(),
            source: Some(quotation.source + 1),
            highlight: Some(quotation.span),
            exact,
        })
    });
    answer.unwrap_or_else(|| Answer::refusal(REFUSAL))
}

/// The sentences that some words stand in.
fn around(text: &str, words: Span) -> Option<Span> {
    let touched = sentences(text).into_iter().filter(|sentence| sentence.overlaps(words));
    touched.reduce(|first, last| first.joined(last))
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

/// The passages as the sources of a reply.
pub fn sources(passages: &[Passage]) -> Vec<Source> {
    passages.iter().enumerate().map(source).collect()
}
