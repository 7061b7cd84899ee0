//! What a report holds: numbers and texts, as the JSON has them and as pages are drawn from.

use std::collections::BTreeMap;

use serde::Serialize;

use super::evidence::{Comparison, Curve, Interval, Reliability};
use super::metrics::Metric;
use super::sentence::Sentence;
use super::summary::Share;
use crate::questions::Category;
use crate::record::{Loss, RecordedAnswer};

/// The report of an experiment.
#[derive(Debug, Clone, Serialize)]
pub struct ExperimentReport {
    /// What wrote it.
    pub generator: &'static str,
    /// What the experiment is about.
    pub title: String,
    /// The day on which it was made; may be empty.
    pub made: String,
    /// Where the times were taken.
    pub machine: String,
    /// The command that makes it again.
    pub command: String,
    /// All configurations, in the order in which they first ran.
    pub configurations: Vec<ConfigurationEntry>,
    /// By set, in the experiment's order.
    pub sets: Vec<SetReport>,
}

/// A configuration, and how it differs from the baseline.
#[derive(Debug, Clone, Serialize)]
pub struct ConfigurationEntry {
    /// Its name.
    pub name: String,
    /// The hash over all that its answers depend on.
    pub hash: String,
    /// Whether the others are compared with it.
    pub baseline: bool,
    /// Its settings.
    pub settings: BTreeMap<String, String>,
    /// Where they differ from the baseline's.
    pub changes: Vec<Change>,
}

/// A setting that is not as in the baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The setting's name.
    pub setting: String,
    /// Its value in the baseline; `None` where the baseline lacks it.
    pub from: Option<String>,
    /// Its value here; `None` where it is absent.
    pub to: Option<String>,
}

/// What came out for one set.
#[derive(Debug, Clone, Serialize)]
pub struct SetReport {
    /// The set's name.
    pub name: String,
    /// How many questions it has.
    pub total: usize,
    /// The same by category.
    pub questions: BTreeMap<Category, usize>,
    /// What came out, in plain sentences.
    pub summary: Vec<Sentence>,
    /// All metrics, the main ones first.
    pub metrics: Vec<Metric>,
    /// The configurations, the baseline first.
    pub rows: Vec<Row>,
    /// The stages of the retrieval, in the order in which they run.
    pub stages: Vec<String>,
    /// A metric by its depth k (`recall@k`), for each configuration; empty where there is one k.
    pub depth: Option<Depth>,
    /// Shares of wrong answers by share of answered questions.
    pub risk_coverage: Vec<Curve>,
    /// How far confidence can be taken at its word.
    pub reliability: Vec<Reliability>,
    /// Milliseconds by stage and configuration.
    pub latency: Vec<Latency>,
    /// A headline metric by category and type of the question.
    pub breakdown: Option<Breakdown>,
    /// Where right answers were lost.
    pub losses: Vec<LossCount>,
    /// The configuration whose failures are told.
    pub leader: String,
    /// Its worst failures, the worst first.
    pub cases: Vec<Case>,
    /// How many failures it has in all.
    pub failures: usize,
    /// All questions, the worst of the leading configuration first.
    pub by_question: Vec<QuestionRow>,
}

impl SetReport {
    /// What is to be said of comparisons with the baseline: metric, configuration and remark, for the
    /// main metrics.
    pub fn cautions(&self) -> Vec<(&str, &str, &str)> {
        let main = self.metrics.iter().filter(|metric| metric.main).count();
        let cells = self.rows.iter().flat_map(|row| row.cells.iter().take(main));
        let compared = cells.filter_map(|cell| cell.comparison.as_ref());
        compared
            .filter_map(|told| Some((&*told.metric, &*told.other, told.note.as_deref()?)))
            .collect()
    }
}

/// One configuration on one set.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The configuration.
    pub configuration: String,
    /// Its place among all configurations: what colour and marker it has.
    pub series: usize,
    /// Whether it is the baseline.
    pub baseline: bool,
    /// One for each metric of the set, in the same order.
    pub cells: Vec<Cell>,
    /// Unanswerable questions that were refused.
    pub refused: Share,
    /// Answerable questions that were refused.
    pub wrongly_refused: Share,
    /// The median of the milliseconds for a question.
    pub median_ms: Option<f64>,
    /// The 95th percentile of the same.
    pub p95_ms: Option<f64>,
}

/// One metric of one configuration.
#[derive(Debug, Clone, Serialize)]
pub struct Cell {
    /// How many questions have the metric.
    pub count: usize,
    /// Its mean; `None` where no question has it.
    pub mean: Option<Interval>,
    /// Whether none is better.
    pub best: bool,
    /// Against the baseline, where that was compared.
    pub comparison: Option<Comparison>,
    /// Mean less the baseline's mean.
    pub difference: Option<f64>,
    /// Whether the comparison is significant, and for the better (1) or the worse (-1); otherwise 0.
    pub verdict: i8,
}

/// A metric by how many passages are looked at.
#[derive(Debug, Clone, Serialize)]
pub struct Depth {
    /// The metric's name before the `@`.
    pub metric: String,
    /// For each configuration the mean by k.
    pub curves: Vec<Curve>,
}

/// The milliseconds of one stage.
#[derive(Debug, Clone, Serialize)]
pub struct Latency {
    /// The stage.
    pub stage: String,
    /// The configuration.
    pub configuration: String,
    /// How many questions went through it.
    pub count: usize,
    /// The 5th percentile.
    pub p5: f64,
    /// The lower quartile.
    pub p25: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub p75: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The slowest.
    pub max: f64,
}

/// A metric by groups of questions.
#[derive(Debug, Clone, Serialize)]
pub struct Breakdown {
    /// The metric.
    pub metric: String,
    /// In the order of the groups, then of the configurations.
    pub groups: Vec<Group>,
}

/// A group of questions, and what each configuration makes of it.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// `answerable`, `factual`, …
    pub name: String,
    /// How many questions have the metric.
    pub count: usize,
    /// The mean for each configuration.
    pub means: Vec<(String, Interval)>,
}

/// How many questions one stage lost.
#[derive(Debug, Clone, Serialize)]
pub struct LossCount {
    /// The configuration.
    pub configuration: String,
    /// By stage; those that lost nothing are there with 0 where another configuration lost something.
    pub stages: BTreeMap<Loss, usize>,
}

/// A failure with its trace.
#[derive(Debug, Clone, Serialize)]
pub struct Case {
    /// The question's name.
    pub id: String,
    /// The question.
    pub question: String,
    /// Its category.
    pub category: Category,
    /// Its type.
    pub kind: Option<String>,
    /// The gold answers.
    pub gold_answers: Vec<String>,
    /// The answer.
    pub answer: Option<RecordedAnswer>,
    /// Where the right answer was lost.
    pub lost: Option<Loss>,
    /// The scores of the main metrics.
    pub scores: Vec<(String, f64)>,
    /// What the other configurations made of it.
    pub others: Vec<Other>,
    /// Whether the baseline does better.
    pub worse_than_baseline: bool,
    /// The place of the first answering passage after each stage, counted from 1; empty where no
    /// passage answers.
    pub path: Vec<(String, Option<usize>)>,
    /// What each stage ranked.
    pub stages: Vec<CaseStage>,
    /// The prompt, where a language model was asked.
    pub prompt: Option<String>,
}

/// What another configuration made of a question.
#[derive(Debug, Clone, Serialize)]
pub struct Other {
    /// The configuration.
    pub configuration: String,
    /// Where it lost the answer.
    pub lost: Option<Loss>,
    /// Its score of the first headline metric.
    pub score: Option<f64>,
}

/// The best passages of one stage.
#[derive(Debug, Clone, Serialize)]
pub struct CaseStage {
    /// The stage.
    pub stage: String,
    /// How many passages it ranked.
    pub total: usize,
    /// The best of them.
    pub passages: Vec<CasePassage>,
}

/// A passage in a case.
#[derive(Debug, Clone, Serialize)]
pub struct CasePassage {
    /// Its place, counted from 1.
    pub rank: usize,
    /// Its document.
    pub document: String,
    /// Its number.
    pub chunk: u32,
    /// On the stage's scale.
    pub score: f64,
    /// How well it answers; 0 not at all.
    pub grade: u32,
    /// Whether the answer names it.
    pub cited: bool,
    /// The beginning of its text, where it was shown.
    pub text: Option<String>,
}

/// A question in numbers.
#[derive(Debug, Clone, Serialize)]
pub struct QuestionRow {
    /// Its name.
    pub id: String,
    /// The question.
    pub question: String,
    /// Its category.
    pub category: Category,
    /// Its type.
    pub kind: Option<String>,
    /// One for each configuration that was asked.
    pub runs: Vec<QuestionRun>,
}

/// What a configuration made of a question, in numbers.
#[derive(Debug, Clone, Serialize)]
pub struct QuestionRun {
    /// The configuration.
    pub configuration: String,
    /// All scores.
    pub scores: BTreeMap<String, f64>,
    /// Where the answer was lost.
    pub lost: Option<Loss>,
    /// Whether it was refused; `None` where nothing was answered.
    pub refused: Option<bool>,
    /// How sure the engine was.
    pub confidence: Option<f64>,
    /// Milliseconds by stage.
    pub milliseconds: BTreeMap<String, f64>,
}
