//! The content of a report: numbers and texts, as the JSON has them and as pages are drawn from.

use std::collections::BTreeMap;

use campanile_bundle::ChunkId;
use campanile_questions::Category;
use serde::Serialize;

use super::evidence::{Comparison, Curve, Interval, Reliability};
use super::metrics::Metric;
use super::sentences::Sentence;
use crate::experiment::{Loss, RecordedAnswer};
use crate::judge::Share;
use crate::judged_prose::{ProseShares, ProseTally};

/// The report of an experiment.
#[derive(Debug, Clone, Serialize)]
pub struct ExperimentReport {
    /// The program that wrote it.
    pub generator: &'static str,
    /// The subject of the experiment.
    pub title: String,
    /// The day on which it was made; may be empty.
    pub made: String,
    /// The machine on which the times were taken.
    pub machine: String,
    /// The command that makes it again.
    pub command: String,
    /// All configurations, in the order in which they first ran.
    pub configurations: Vec<ConfigurationEntry>,
    /// By set, in the experiment's order.
    pub sets: Vec<SetReport>,
    /// A language model's sentences as people judged them: two rows for each file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prose: Vec<ProseRow>,
}

/// Sentences of a file that a page shows, or leaves out, as people judged them.
#[derive(Debug, Clone, Serialize)]
pub struct ProseRow {
    /// The file's name.
    pub name: String,
    /// `true` if a page shows them.
    pub shown: bool,
    /// The counts.
    #[serde(flatten)]
    pub shares: ProseShares,
    /// True ones, as a share.
    pub is_true_percent: String,
    /// Those about what was asked, as a share.
    pub answers_percent: String,
    /// Those that are both, as a share with its interval.
    pub both_percent: String,
}

impl ProseRow {
    fn new(name: &str, shown: bool, shares: ProseShares) -> Self {
        Self {
            name: name.to_owned(),
            shown,
            shares,
            is_true_percent: shares.percent(shares.is_true),
            answers_percent: shares.percent(shares.answers),
            both_percent: shares.both_in_words(),
        }
    }

    /// The rows of a file.
    pub(super) fn of((name, tally): (&String, &ProseTally)) -> [Self; 2] {
        [Self::new(name, true, tally.shown), Self::new(name, false, tally.left_out)]
    }
}

/// A configuration, and how it differs from the baseline.
#[derive(Debug, Clone, Serialize)]
pub struct ConfigurationEntry {
    /// Its name.
    pub name: String,
    /// The hash over all that its answers depend on.
    pub hash: String,
    /// `true` if the others are compared with it.
    pub baseline: bool,
    /// Its settings.
    pub settings: BTreeMap<String, String>,
    /// The settings that differ from the baseline's.
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

/// The results for one set.
#[derive(Debug, Clone, Serialize)]
pub struct SetReport {
    /// The set's name.
    pub name: String,
    /// The number of its questions.
    pub total: usize,
    /// The same by category.
    pub questions: BTreeMap<Category, usize>,
    /// The results in plain sentences.
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
    /// Bins of confidence for each configuration: how far it can be taken at its word.
    pub reliability: Vec<Reliability>,
    /// Milliseconds by stage and configuration.
    pub latency: Vec<Latency>,
    /// A headline metric by category and type of the question.
    pub breakdown: Option<Breakdown>,
    /// The stages at which right answers were lost.
    pub losses: Vec<LossCount>,
    /// The configuration whose failures are told.
    pub leader: String,
    /// Its worst failures, the worst first.
    pub cases: Vec<Case>,
    /// The number of its failures in all.
    pub failures: usize,
    /// All questions, the worst of the leading configuration first.
    pub by_question: Vec<QuestionRow>,
}

impl SetReport {
    /// Returns the remarks on comparisons with the baseline: metric, configuration and remark, for the main
    /// metrics.
    pub(crate) fn cautions(&self) -> Vec<(&str, &str, &str)> {
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
    /// `true` if it is the baseline.
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
    /// The number of questions that have the metric.
    pub count: usize,
    /// Its mean; `None` where no question has it.
    pub mean: Option<Interval>,
    /// `true` if none is better.
    pub best: bool,
    /// Against the baseline, where that was compared.
    pub comparison: Option<Comparison>,
    /// Mean less the baseline's mean.
    pub difference: Option<f64>,
    /// The outcome of the comparison: 1 if significantly better, -1 if significantly worse, otherwise 0.
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
    /// The number of questions that went through it.
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
    /// The number of questions that have the metric.
    pub count: usize,
    /// The mean for each configuration.
    pub means: Vec<(String, Interval)>,
}

/// The number of questions that each stage of a configuration lost.
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
    /// The stage that lost the right answer.
    pub lost: Option<Loss>,
    /// The scores of the main metrics.
    pub scores: Vec<(String, f64)>,
    /// The results of the other configurations.
    pub others: Vec<Other>,
    /// `true` if the baseline does better.
    pub worse_than_baseline: bool,
    /// The place of the first answering passage after each stage, counted from 1; empty where no
    /// passage answers.
    pub path: Vec<(String, Option<usize>)>,
    /// The ranking of each stage.
    pub stages: Vec<CaseStage>,
    /// The prompt, where a language model was asked.
    pub prompt: Option<String>,
}

/// The result of another configuration on a question.
#[derive(Debug, Clone, Serialize)]
pub struct Other {
    /// The configuration.
    pub configuration: String,
    /// The stage that lost the answer.
    pub lost: Option<Loss>,
    /// Its score of the first headline metric.
    pub score: Option<f64>,
}

/// The best passages of one stage.
#[derive(Debug, Clone, Serialize)]
pub struct CaseStage {
    /// The stage.
    pub stage: String,
    /// The number of passages that it ranked.
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
    /// Its chunk.
    pub chunk: ChunkId,
    /// On the stage's scale.
    pub score: f64,
    /// The grade, by how well it answers; 0 not at all.
    pub grade: u32,
    /// `true` if the answer names it.
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

/// The result of a configuration on a question, in numbers.
#[derive(Debug, Clone, Serialize)]
pub struct QuestionRun {
    /// The configuration.
    pub configuration: String,
    /// All scores.
    pub scores: BTreeMap<String, f64>,
    /// The stage that lost the answer.
    pub lost: Option<Loss>,
    /// `true` if it was refused; `None` where nothing was answered.
    pub refused: Option<bool>,
    /// The engine's confidence.
    pub confidence: Option<f64>,
    /// Milliseconds by stage.
    pub milliseconds: BTreeMap<String, f64>,
}
