//! The worst failures of a configuration, with what each stage did.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use campanile_questions::Category;

use super::metrics::{Metric, headlines};
use super::model::{Case, CasePassage, CaseStage, Other, QuestionRow, QuestionRun};
use super::words::excerpt;
use crate::experiment::{RankedPassage, Record, Run, StageRanking, mean};

/// Passages of a stage that a case shows; the first that answers is shown wherever it stands.
const PASSAGES: usize = 10;
/// Longest text of a shown passage and of an answer, in characters.
const TEXT_CHARS: usize = 600;
/// Longest prompt, in characters.
const PROMPT_CHARS: usize = 4_000;

/// The worst failures, and all questions in the same order.
pub(crate) struct Failures {
    /// The worst, as many as are told.
    pub(crate) cases: Vec<Case>,
    /// The number of all failures.
    pub(crate) failures: usize,
    /// All questions, the worst first.
    pub(crate) by_question: Vec<QuestionRow>,
}

/// Orders the questions by how badly the leading run does, and takes the worst `limit` failures apart.
///
/// A failure is a question that lost its answer, or misses the best score of a headline metric.
pub(crate) fn failures(
    runs: &[&Run],
    leader: Option<usize>,
    metrics: &[Metric],
    limit: usize,
) -> Failures {
    let headlines: Vec<&Metric> = headlines(metrics);
    let by_id: Vec<BTreeMap<&str, &Record>> = runs.iter().map(|run| by_id(run)).collect();
    let Some(run) = leader.and_then(|leader| runs.get(leader)) else {
        return Failures { cases: Vec::new(), failures: 0, by_question: Vec::new() };
    };
    let mut records: Vec<&Record> = run.records.iter().collect();
    records.sort_by(|a, b| worst_first(a, b, &headlines));
    let failed: Vec<&Record> =
        records.iter().copied().filter(|record| is_failure(record, &headlines)).collect();
    let others = |id: &str| -> Vec<(&Run, &Record)> {
        let all = runs.iter().zip(&by_id);
        all.filter_map(|(run, by_id)| Some((*run, *by_id.get(id)?))).collect()
    };
    let cases = failed.iter().take(limit);
    Failures {
        cases: cases
            .map(|record| case(record, run, &others(&record.id), metrics, &headlines))
            .collect(),
        failures: failed.len(),
        by_question: records.iter().map(|record| row(record, &others(&record.id))).collect(),
    }
}

fn by_id(run: &Run) -> BTreeMap<&str, &Record> {
    run.records.iter().map(|record| (record.id.as_str(), record)).collect()
}

fn is_failure(record: &Record, headlines: &[&Metric]) -> bool {
    record.lost.is_some() || goodness(record, headlines) < 1.0
}

/// The mean of the headline scores; 1 where the question has none.
fn goodness(record: &Record, headlines: &[&Metric]) -> f64 {
    let scores: Vec<f64> = headlines
        .iter()
        .filter(|metric| metric.higher_is_better)
        .filter_map(|metric| record.scores.get(&metric.name))
        .copied()
        .collect();
    mean(&scores).unwrap_or(1.0)
}

fn worst_first(a: &Record, b: &Record, headlines: &[&Metric]) -> Ordering {
    // By name at last: the same records give the same order.
    badness(a, b, headlines).then_with(|| a.id.cmp(&b.id))
}

/// `Less` where the first is worse.
fn badness(a: &Record, b: &Record, headlines: &[&Metric]) -> Ordering {
    let kept = |record: &Record| record.lost.is_none();
    kept(a).cmp(&kept(b)).then(goodness(a, headlines).total_cmp(&goodness(b, headlines)))
}

fn case(
    record: &Record,
    run: &Run,
    all: &[(&Run, &Record)],
    metrics: &[Metric],
    headlines: &[&Metric],
) -> Case {
    let others = all.iter().filter(|(other, _)| other.configuration.name != run.configuration.name);
    let is_better = |other: &Record| badness(record, other, headlines) == Ordering::Less;
    let cited = record.answer.as_ref().map(|answer| answer.cited.as_slice()).unwrap_or_default();
    let last = record.stages.len().saturating_sub(1);
    let stages = record.stages.iter().enumerate();
    let has_answer = record.category != Category::Unanswerable;
    let place = |stage: &StageRanking| (stage.stage.clone(), first_answering(stage));
    Case {
        id: record.id.clone(),
        question: record.question.clone(),
        category: record.category,
        kind: record.kind.clone(),
        gold_answers: record.gold_answers.clone(),
        answer: record.answer.clone(),
        lost: record.lost,
        scores: metrics
            .iter()
            .filter(|metric| metric.main)
            .filter_map(|metric| Some((metric.name.clone(), *record.scores.get(&metric.name)?)))
            .collect(),
        worse_than_baseline: others
            .clone()
            .any(|(run, other)| run.configuration.baseline && is_better(other)),
        others: others
            .map(|(run, other)| Other {
                configuration: run.configuration.name.clone(),
                lost: other.lost,
                score: headlines.first().and_then(|metric| other.scores.get(&metric.name)).copied(),
            })
            .collect(),
        path: record.stages.iter().filter(|_| has_answer).map(place).collect(),
        stages: stages
            .map(|(place, stage)| case_stage(stage, if place == last { cited } else { &[] }))
            .collect(),
        prompt: record.prompt.as_deref().map(|prompt| cut(prompt, PROMPT_CHARS)),
    }
}

/// The place of the best passage that answers, counted from 1.
fn first_answering(stage: &StageRanking) -> Option<usize> {
    stage.passages.iter().position(|passage| passage.grade > 0).map(|place| place + 1)
}

fn case_stage(stage: &StageRanking, cited: &[usize]) -> CaseStage {
    let passages = stage.passages.iter().enumerate();
    let first = first_answering(stage).map(|rank| rank - 1);
    CaseStage {
        stage: stage.stage.clone(),
        total: stage.passages.len(),
        passages: passages
            .filter(|(place, _)| *place < PASSAGES || Some(*place) == first)
            .map(|(place, passage)| case_passage(place, passage, cited))
            .collect(),
    }
}

fn case_passage(place: usize, passage: &RankedPassage, cited: &[usize]) -> CasePassage {
    CasePassage {
        rank: place + 1,
        document: passage.document.clone(),
        chunk: passage.chunk,
        score: passage.score,
        grade: passage.grade,
        cited: cited.contains(&place),
        text: passage.text.as_deref().map(|text| excerpt(text, TEXT_CHARS)),
    }
}

/// The beginning of a text whose lines matter.
fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn row(record: &Record, all: &[(&Run, &Record)]) -> QuestionRow {
    let run = |(run, record): &(&Run, &Record)| QuestionRun {
        configuration: run.configuration.name.clone(),
        scores: record.scores.clone(),
        lost: record.lost,
        refused: record.answer.as_ref().map(|answer| answer.refused),
        confidence: record.answer.as_ref().map(|answer| answer.confidence),
        milliseconds: record.milliseconds.clone(),
    };
    QuestionRow {
        id: record.id.clone(),
        question: record.question.clone(),
        category: record.category,
        kind: record.kind.clone(),
        runs: all.iter().map(run).collect(),
    }
}
