//! Asks a site one question: for a record of an experiment, or for what a calibration is fitted to.

use std::collections::{BTreeMap, BTreeSet};

use campanile_answer::{
    AnswerKind, ProsePrompt, READ_PASSAGES, Reply, answer_from, answer_with, closed_book_prompt,
    nearest_examples, passages_to_read, prose_prompt, read_closely,
};
use campanile_bundle::{Calibration, ChunkId, Fetch};
use campanile_index::Hit;
use campanile_questions::{Category, Question};
use campanile_retrieve::{
    Clock, Engine, Ranking, Retrieval, RetrieveError, Retriever, SearchOptions,
};

use crate::calibration::Observation;
use crate::experiment::{RankedPassage, Record, RecordedAnswer, StageRanking};
use crate::judge::judge;
use crate::passages::SitePassages;
use crate::plan::Answers;
use crate::scoring::Limits;

/// So many passages of each stage are written down: metrics look no deeper.
// The deepest rank that an experiment measures is 100, where so many passages are shown.
const DEPTH: usize = 100;
/// The most passages that are written down with their texts where nobody reads them: a hundred texts for
/// each of some thousand questions would fill memory and disk.
const WITH_TEXT: usize = 10;

/// The outcome of one question, before anything is computed of it.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// Rankings, answer and times.
    pub record: Record,
    /// Facts about the search and the reading beside the rankings.
    pub limits: Limits,
    /// The prompt for a language model; `None` where the evidence is thin, or where no answer is wanted.
    pub prompt: Option<ProsePrompt>,
}

/// Asks one question and writes down what became of it. Grades, scores and losses are computed from that
/// later.
///
/// Where [prose](Answers::Prose) is wanted the answer is the extracted one still, or the refusal, and
/// [`write_prose`](super::write_prose) puts prose in its place. What a model says [from
/// memory](Answers::ClosedBook) has no evidence, so that nothing is refused and nothing cited; the search is
/// measured all the same.
///
/// # Errors
/// As [`Engine::search`], where nothing can be searched at all.
pub async fn ask<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    passages: &SitePassages,
    question: &Question,
    options: &SearchOptions,
    answers: Answers,
) -> Result<Attempt, RetrieveError> {
    // Who asks, and when, is part of a question.
    let options =
        // What a filter leaves out is wanted too, or a passage that it took could not be told from one that no search
        // found.
        SearchOptions { profile: question.asker(), behind_filter: true, ..options.clone() };
    let retrieval = engine.search(&question.question, &options).await?;
    let (shown, left_out) = (retrieval.passages.len(), retrieval.rankings.left_out.clone());
    let with_text = if answers == Answers::None { WITH_TEXT } else { usize::MAX };
    let stages = stages(&retrieval, passages, with_text);
    let calibration = engine.manifest().calibration;
    let (answer, prompt, timings) = match answers {
        Answers::None => (None, None, retrieval.timings_ms()),
        Answers::ClosedBook => {
            let prompt = closed_book_prompt(&question.question);
            (Some(from_memory()), Some(prompt), retrieval.timings_ms())
        }
        Answers::Extract | Answers::Prose => {
            let reply = read_closely(
                engine,
                answer_from(engine, retrieval, &calibration).await?,
                &calibration,
            )
            .await?;
            let examples = match answers {
                Answers::Prose => nearest_examples(engine, &question.question).await?,
                _ => Vec::new(),
            };
            (Some(recorded(&reply)), prose_prompt(&reply, &examples), reply.timings_ms)
        }
    };
    let read = match (answers, &prompt) {
        // Nobody reads, so nothing of what is shown is cut.
        (Answers::None, _) => (0..shown).collect(),
        (Answers::Prose, Some(prompt)) => {
            prompt.sources.iter().filter_map(|number| number.checked_sub(1)).collect()
        }
        (Answers::ClosedBook, _) => BTreeSet::new(),
        (Answers::Extract | Answers::Prose, _) => (0..shown.min(READ_PASSAGES)).collect(),
    };
    let record = Record {
        id: question.id.clone(),
        question: question.question.clone(),
        category: question.category,
        kind: question.kind.map(|kind| kind.to_string()),
        gold_answers: question.answers.clone(),
        stages,
        prompt: None,
        answer,
        scores: BTreeMap::new(),
        lost: None,
        verdict: None,
        milliseconds: timings
            .into_iter()
            .map(|(stage, milliseconds)| (stage.to_owned(), milliseconds))
            .collect(),
    };
    Ok(Attempt { record, limits: Limits { read, shown, left_out }, prompt })
}

/// The searches that took part, and what was shown; the first `with_text` of that with their texts.
fn stages(retrieval: &Retrieval, passages: &SitePassages, with_text: usize) -> Vec<StageRanking> {
    // A search that took part and found nothing is a ranking too: an empty one.
    let stage = |ranking: &Ranking| {
        let hits = ranking.hits.iter().take(DEPTH);
        let passages = hits.map(|hit| ranked(*hit, passages)).collect();
        StageRanking { stage: ranking.stage.to_owned(), passages }
    };
    let mut stages: Vec<StageRanking> = retrieval.rankings.stages.iter().map(stage).collect();
    let shown = retrieval.passages.iter().enumerate().map(|(place, passage)| {
        let hit = Hit { id: passage.chunk, score: passage.scores.fused.score };
        let text = (place < with_text).then(|| passage.text().to_owned());
        RankedPassage { text, ..ranked(hit, passages) }
    });
    stages.push(StageRanking { stage: "shown".to_owned(), passages: shown.collect() });
    stages
}

fn ranked(hit: Hit<ChunkId>, passages: &SitePassages) -> RankedPassage {
    let passage = passages.get(hit.id);
    RankedPassage {
        chunk: hit.id,
        document: passage.map(|passage| passage.document.clone()).unwrap_or_default(),
        link: passage.and_then(|passage| passage.link.clone()),
        score: f64::from(hit.score),
        tokens: passage.map_or(0, |passage| passage.tokens),
        grade: 0,
        text: None,
    }
}

/// An answer that no passage has to do with, before it is written.
fn from_memory() -> RecordedAnswer {
    RecordedAnswer { refused: false, text: String::new(), confidence: 0.0, cited: Vec::new() }
}

fn recorded(reply: &Reply) -> RecordedAnswer {
    let cited = reply.answer.source.and_then(|number| number.checked_sub(1));
    RecordedAnswer {
        refused: reply.answer.kind == AnswerKind::Refusal,
        text: reply.exact_words().unwrap_or(&reply.answer.text).to_owned(),
        confidence: f64::from(reply.probability()),
        cited: cited.into_iter().collect(),
    }
}

/// The answers to one question: the values known of each, and if it was right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Considered {
    /// The question's category: do the documents answer it.
    pub category: Category,
    /// The words that a reader found; `None` where there is no reader, or nobody can tell.
    pub words: Option<Observation>,
    /// The sentence that is nearest to the question.
    pub sentence: Option<Observation>,
    /// The sentence that is found by its words alone.
    pub keywords: Option<Observation>,
    /// The passage that most probably covers it, where a reader has read.
    pub section: Option<Observation>,
}

/// Answers a question in each of the three ways, refusing nothing.
///
/// # Errors
/// Where nothing can be searched at all.
pub async fn consider<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    question: &Question,
) -> Result<Considered, RetrieveError> {
    let all = Calibration { refuse_below: 0.0, sure_from: 0.0, ..Calibration::default() };
    let options = SearchOptions { profile: question.asker(), ..SearchOptions::default() };
    let language = engine.manifest().analyzer;
    let observed = |reply: &Reply| {
        let right = judge(question, reply, language).correct?;
        let values = reply.evidence.values();
        // Whatever is said to a question that nothing answers is wrong.
        Some(Observation { values, right: right && question.category != Category::Unanswerable })
    };
    let retrieval = engine.search(&question.question, &options).await?;
    let nearest = answer_from(engine, retrieval, &all).await?;
    let sentence = nearest.evidence.best_cosine.and_then(|_| observed(&nearest));
    let passages = passages_to_read(&nearest);
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    let (mut words, mut section) = (None, None);
    if let Some(readings) = engine.read(&question.question, &passages).await? {
        let read = answer_with(engine, nearest.clone(), &readings, &all);
        words = read.evidence.reading.and_then(|_| observed(&read));
        // Given as the answer, however sure the words are.
        let sections = Calibration { sure_from: f32::INFINITY, section_from: 0.0, ..all };
        let read = answer_with(engine, nearest, &readings, &sections);
        section = read.evidence.section.and_then(|section| {
            let observed = observed(&read)?;
            Some(Observation { values: section.values(), ..observed })
        });
    }
    let lexical = SearchOptions { retriever: Retriever::Lexical, ..options };
    let retrieval = engine.search(&question.question, &lexical).await?;
    let found = answer_from(engine, retrieval, &all).await?;
    let keywords = found.evidence.best_cosine.is_none().then(|| observed(&found)).flatten();
    Ok(Considered { category: question.category, words, sentence, keywords, section })
}
