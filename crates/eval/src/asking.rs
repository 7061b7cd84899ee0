use std::collections::{BTreeMap, BTreeSet};

use campanile_answer::{
    AnswerKind, ProsePrompt, READ_PASSAGES, Reply, answer_from, closed_book_prompt,
    nearest_examples, prose_prompt, read_closely,
};
use campanile_bundle::Fetch;
use campanile_index::Hit;
use campanile_questions::Question;
use campanile_retrieve::{Clock, Engine, Ranking, Retrieval, RetrieveError, SearchOptions};

use crate::attribution::Limits;
use crate::passages::SitePassages;
use crate::plan::Answers;
use crate::record::{RankedPassage, Record, RecordedAnswer, StageRanking};

/// So many passages of each stage are written down: metrics look no deeper.
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
/// [`write_prose`](crate::write_prose) puts prose in its place. What a model says [from
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
            )?;
            let examples = match answers {
                Answers::Prose => nearest_examples(engine, &question.question)?,
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
        let hit = Hit { chunk: passage.chunk, score: passage.scores.fused.score };
        let text = (place < with_text).then(|| passage.text().to_owned());
        RankedPassage { text, ..ranked(hit, passages) }
    });
    stages.push(StageRanking { stage: "shown".to_owned(), passages: shown.collect() });
    stages
}

fn ranked(hit: Hit, passages: &SitePassages) -> RankedPassage {
    let passage = passages.get(hit.chunk);
    RankedPassage {
        chunk: hit.chunk,
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
