//! Experiments as plain values: question sets, configurations, and a record of each question that was asked.

use std::collections::{BTreeMap, BTreeSet};

use campanile_bundle::ChunkId;
use campanile_questions::Category;
use serde::{Deserialize, Serialize};

use crate::answers::Verdict;
use crate::judged_prose::ProseTally;
use crate::significance::metric_values;

/// Question sets asked of an index in several configurations.
///
/// All of it is plain values: a report or a check needs neither the index nor the models.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Experiment {
    /// The subject in a few words.
    pub title: String,
    /// The day on which it was made, as `2026-11-21`; empty where the same bytes are wanted again.
    pub made: String,
    /// The machine on which the times were taken.
    pub machine: String,
    /// The command that makes it again.
    pub command: String,
    /// The question sets, in the order in which they are told about.
    pub sets: Vec<SetInfo>,
    /// A run for each set and configuration.
    pub runs: Vec<Run>,
    /// A language model's sentences as people judged them, by the file's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prose: BTreeMap<String, ProseTally>,
}

/// A question set, as far as a report names it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetInfo {
    /// Its name, unique in the experiment.
    pub name: String,
    /// The number of its questions, by category.
    pub questions: BTreeMap<Category, usize>,
}

/// One configuration asked all questions of one set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The name of the set.
    pub set: String,
    /// The configuration that was asked.
    pub configuration: Configuration,
    /// A record for each question, in the order of the set.
    pub records: Vec<Record>,
}

/// The settings of an engine under one name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Configuration {
    /// Its name, unique in the experiment.
    pub name: String,
    /// A hash over everything that its answers depend on: index, models, settings.
    pub hash: String,
    /// The settings by name, as a person would write them.
    pub settings: BTreeMap<String, String>,
    /// `true` if the others are compared with it.
    pub baseline: bool,
}

impl Experiment {
    /// The runs of a set, in the order in which they were made.
    pub fn runs_of<'a>(&'a self, set: &'a str) -> impl Iterator<Item = &'a Run> {
        self.runs.iter().filter(move |run| run.set == set)
    }
}

/// The passages that were shown: the last of the rankings.
pub(crate) fn shown(stages: &[StageRanking]) -> &[RankedPassage] {
    stages.last().map(|stage| stage.passages.as_slice()).unwrap_or_default()
}

impl Run {
    /// The names of all metrics that any question has.
    pub fn metrics(&self) -> BTreeSet<&str> {
        self.records.iter().flat_map(|record| record.scores.keys()).map(String::as_str).collect()
    }

    /// The scores of a metric, one for each question that has it.
    pub fn scores(&self, metric: &str) -> Vec<f64> {
        metric_values(&self.records, metric)
    }

    /// The milliseconds of a stage (`total` among them), one for each question that went through it.
    pub fn milliseconds(&self, stage: &str) -> Vec<f64> {
        self.records.iter().filter_map(|record| record.milliseconds.get(stage)).copied().collect()
    }

    /// Returns how many questions of a category were refused, and how many of it were answered or refused.
    pub fn refused(&self, category: Category) -> (usize, usize) {
        let answers = self
            .records
            .iter()
            .filter(|record| record.category == category)
            .filter_map(|record| record.answer.as_ref());
        answers
            .fold((0, 0), |(refused, all), answer| (refused + usize::from(answer.refused), all + 1))
    }

    /// Returns the values that can be held against a threshold, by name: the mean of each metric, and
    ///
    /// - `refused_unanswerable`, `refused_answerable`: the share of these questions that was refused,
    /// - `median_ms`, `p95_ms`: milliseconds for a question, all stages together.
    pub fn measures(&self) -> BTreeMap<String, f64> {
        let mut measures = BTreeMap::new();
        let times = sorted(self.milliseconds("total"));
        for (name, share) in [("median_ms", 0.5), ("p95_ms", 0.95)] {
            measures.extend(quantile(&times, share).map(|value| (name.to_owned(), value)));
        }
        for (name, category) in [
            ("refused_unanswerable", Category::Unanswerable),
            ("refused_answerable", Category::Answerable),
        ] {
            let (refused, all) = self.refused(category);
            if all > 0 {
                measures.insert(name.to_owned(), refused as f64 / all as f64);
            }
        }
        for metric in self.metrics() {
            measures.extend(mean(&self.scores(metric)).map(|value| (metric.to_owned(), value)));
        }
        measures
    }
}

/// The arithmetic mean; `None` of nothing.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The values in ascending order.
pub(crate) fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// The quantile of sorted values by linear interpolation between neighbours (definition 7 of Hyndman
/// and Fan, "Sample Quantiles in Statistical Packages", 1996); `None` of nothing.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted.get(place.floor() as usize)?, sorted.get(place.ceil() as usize)?);
    Some(below + (above - below) * place.fract())
}

/// The result of one configuration on one question: one line of a run's file.
///
/// It holds all that a metric, an attribution of failures or a report may want to know, so that none
/// of them has to ask the question again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The question's name in its set.
    pub id: String,
    /// The question as it was asked.
    pub question: String,
    /// The question's category: do the documents answer it.
    pub category: Category,
    /// `factual`, `descriptive`, `comparative`, `inferential` or `multi-hop`, where the set says so.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The gold answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gold_answers: Vec<String>,
    /// The ranking of each stage of the retrieval, in the order in which they ran; the last is what the
    /// reader was shown.
    pub stages: Vec<StageRanking>,
    /// The prompt that was given to a language model, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The answer; `None` where only the retrieval ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<RecordedAnswer>,
    /// Scores by the name of their metric (`recall@5`, `token_f1`); a metric that is not defined for
    /// the question is absent.
    pub scores: BTreeMap<String, f64>,
    /// The stage that lost a right answer; `None` where nothing was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Loss>,
    /// A judge's verdict on the answer, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Milliseconds by stage, `total` among them.
    pub milliseconds: BTreeMap<String, f64>,
}

/// The ranking of one stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageRanking {
    /// `lexical`, `dense`, `fused`, `reranked`, `shown`.
    pub stage: String,
    /// The passages, best first.
    pub passages: Vec<RankedPassage>,
}

/// A passage in a ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedPassage {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its document's path.
    pub document: String,
    /// Its document's public address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// On the stage's own scale.
    pub score: f64,
    /// The passage's length in word pieces of the encoder.
    pub tokens: u32,
    /// The grade, by how well it answers the question: 0 not at all, 1 it does, more where a set grades.
    pub grade: u32,
    /// The text; only of what was shown, and of the first of it alone where nobody read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The answer that was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedAnswer {
    /// `true` if it is a refusal.
    pub refused: bool,
    /// The words that were shown.
    pub text: String,
    /// The engine's confidence that it can answer, 0 to 1.
    pub confidence: f64,
    /// The shown passages that it names, as places in the last stage's list, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cited: Vec<usize>,
}

/// The stage at which a right answer was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The text that answers is not in the index: its document was not read, or not in full.
    Parsing,
    /// No search put it forward.
    Retrieval,
    /// It was found and filtered out: by a profile, a date, a newer edition.
    Filter,
    /// It was found, and ranked below what is shown.
    Ranking,
    /// It was among the best and fell to the limit on passages or tokens.
    Cut,
    /// It was shown, and the answer is another.
    Reading,
    /// It was shown, and the engine refused; or it should have refused and answered.
    Refusal,
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    fn record(category: Category, refused: bool, recall: Option<f64>, milliseconds: f64) -> Record {
        Record {
            id: String::new(),
            question: String::new(),
            category,
            kind: None,
            gold_answers: Vec::new(),
            stages: Vec::new(),
            prompt: None,
            answer: Some(RecordedAnswer {
                refused,
                text: String::new(),
                confidence: 0.5,
                cited: Vec::new(),
            }),
            scores: recall.map(|recall| ("recall@5".to_owned(), recall)).into_iter().collect(),
            lost: None,
            verdict: None,
            milliseconds: [("total".to_owned(), milliseconds)].into(),
        }
    }

    #[test]
    fn worked_measures() {
        let run = Run {
            set: "handbook".into(),
            configuration: Configuration::default(),
            records: vec![
                record(Category::Answerable, false, Some(1.0), 10.0),
                record(Category::Answerable, true, Some(0.5), 30.0),
                record(Category::Unanswerable, true, None, 20.0),
            ],
        };
        let measures = run.measures();
        let expected = [
            ("median_ms", 20.0),
            ("p95_ms", 29.0),
            ("recall@5", 0.75),
            ("refused_answerable", 0.5),
            ("refused_unanswerable", 1.0),
        ];
        assert_eq!(measures.len(), expected.len());
        for (name, value) in expected {
            assert!((measures[name] - value).abs() < 1e-12, "{name} is {}", measures[name]);
        }
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        let values = sorted(vec![4.0, 1.0, 3.0, 2.0]);
        for (share, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 2.5), (1.0, 4.0)] {
            assert!((quantile(&values, share).unwrap() - expected).abs() < 1e-12, "{share}");
        }
        assert_eq!(quantile(&[], 0.5), None);
    }
}
