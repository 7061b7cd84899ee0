//! What came out, in plain sentences.

use serde::{Serialize, Serializer};

use super::evidence::{CONFIDENCE_PERCENT, Comparison, Interval};
use super::gather::directed;
use super::metrics::{Metric, headlines};
use super::model::{Cell, Row, SetReport};
use super::words;
use crate::experiment::{quantile, sorted};
use crate::question::Category;
use crate::record::Loss;

/// A sentence; the names and numbers that matter most in it are marked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sentence {
    /// In order.
    pub pieces: Vec<Piece>,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its words.
    pub text: String,
    /// Whether they stand out.
    pub strong: bool,
}

impl Sentence {
    fn plain(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece { text: text.into(), strong: false });
        self
    }

    fn strong(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece { text: text.into(), strong: true });
        self
    }

    /// The words without marks.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }
}

impl Serialize for Sentence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

/// The sentences about a set.
pub fn summary(set: &SetReport, comparisons: &[Comparison]) -> Vec<Sentence> {
    if set.rows.is_empty() {
        return vec![Sentence::default().plain("No configuration was run on this set.")];
    }
    let mut sentences = Vec::new();
    for metric in headlines(&set.metrics) {
        sentences.extend(best(set, metric, comparisons));
        sentences.extend(power(metric, comparisons));
    }
    sentences.push(refusals(set));
    sentences.extend(loss(set));
    sentences.extend(times(set));
    sentences
}

/// Which configuration is best by a metric, and by how much.
fn best(set: &SetReport, metric: &Metric, comparisons: &[Comparison]) -> Option<Sentence> {
    let column = set.metrics.iter().position(|known| known == metric)?;
    let mut rows: Vec<(&Row, &Cell, Interval)> = set
        .rows
        .iter()
        .filter_map(|row| row.cells.get(column).and_then(|cell| Some((row, cell, cell.mean?))))
        .collect();
    rows.sort_by(|a, b| {
        let (a, b) = (a.2.mean, b.2.mean);
        if metric.higher_is_better { b.total_cmp(&a) } else { a.total_cmp(&b) }
    });
    let ((first, cell, mean), rest) = rows.split_first()?;
    let name = &first.configuration;
    let ties: Vec<String> = rows
        .iter()
        .filter(|(_, _, other)| other.mean == mean.mean)
        .map(|(row, ..)| row.configuration.clone())
        .collect();
    let sentence = Sentence::default();
    if rest.is_empty() {
        return Some(
            sentence
                .strong(name)
                .plain(format!(" has a {} of ", metric.name))
                .strong(words::score(mean.mean))
                .plain(format!("{}.", ends(mean))),
        );
    }
    if ties.len() > 1 {
        let sentence =
            sentence.strong(words::list(&ties)).plain(format!(" share the best {}, ", metric.name));
        return Some(sentence.strong(words::score(mean.mean)).plain("."));
    }
    let sentence = sentence
        .strong(name)
        .plain(format!(" has the best {}: ", metric.name))
        .strong(words::score(mean.mean))
        .plain(ends(mean));
    let (next, _, next_mean) = rest.first()?;
    let baseline = rest.iter().find(|(row, ..)| row.baseline);
    let other = baseline.map_or(next, |(row, ..)| row);
    let other_mean = baseline.map_or(next_mean, |(.., mean)| mean);
    let between = cell
        .comparison
        .clone()
        .filter(|_| baseline.is_some())
        .or_else(|| between(comparisons, metric, &other.configuration, name));
    let what = if other.baseline { "the baseline " } else { "" };
    let distance = words::score((mean.mean - other_mean.mean).abs());
    let direction = if metric.higher_is_better { "more" } else { "less" };
    let sentence = sentence
        .plain(format!(", {distance} {direction} than {what}"))
        .strong(&other.configuration);
    Some(match between {
        Some(comparison) => sentence.plain(format!("{}.", verdict(&comparison))),
        None => sentence.plain("; whether that is chance was not tested."),
    })
}

fn between(
    comparisons: &[Comparison],
    metric: &Metric,
    baseline: &str,
    other: &str,
) -> Option<Comparison> {
    let of_metric = comparisons.iter().filter(|comparison| comparison.metric == metric.name);
    of_metric.into_iter().find_map(|comparison| directed(comparison, baseline, other))
}

fn verdict(comparison: &Comparison) -> String {
    let Interval { low, high, .. } = comparison.difference;
    let (low, high) = (words::difference(low), words::difference(high));
    let p = words::probability(comparison.p);
    if comparison.is_significant() {
        format!(" ({low} to {high}, {p}), which chance does not explain")
    } else {
        format!(
            " ({low} to {high}, {p}), which may be chance: this set does not tell the two apart"
        )
    }
}

fn ends(interval: &Interval) -> String {
    let (low, high) = (words::score(interval.low), words::score(interval.high));
    format!(" ({CONFIDENCE_PERCENT} % interval {low} to {high})")
}

/// How large a difference has to be for the set to tell it: half of a comparison's interval, in the
/// median over the comparisons.
fn power(metric: &Metric, comparisons: &[Comparison]) -> Option<Sentence> {
    let compared = comparisons.iter().filter(|comparison| comparison.metric == metric.name);
    let compared: Vec<&Comparison> = compared.collect();
    let widths = compared.iter().map(|comparison| comparison.difference.half_width()).collect();
    let width = quantile(&sorted(widths), 0.5).filter(|width| width.is_finite())?;
    let told = compared.iter().filter(|comparison| comparison.is_significant()).count();
    let of = match (told, compared.len()) {
        (0, 1) => "The one comparison is not significant".to_owned(),
        (0, _) => "None of the comparisons is significant".to_owned(),
        (1, 1) => "The one comparison is significant".to_owned(),
        (told, all) => format!("{told} of {all} comparisons are significant"),
    };
    let about = words::score(width);
    let (name, sentence) = (&metric.name, Sentence::default());
    Some(sentence.plain(format!(
        "{of}; with these questions a difference in {name} below about {about} drowns in chance."
    )))
}

/// How many unanswerable questions are refused, and how many answerable ones.
fn refusals(set: &SetReport) -> Sentence {
    let sentence = Sentence::default();
    let answered = set.rows.iter().any(|row| row.refused.total + row.wrongly_refused.total > 0);
    if !answered {
        return sentence.plain("Only passages were searched: nothing was answered or refused.");
    }
    let unanswerable = set.questions.get(&Category::Unanswerable).copied().unwrap_or_default();
    let asked: Vec<&Row> = set.rows.iter().filter(|row| row.refused.total > 0).collect();
    let mut sentence = match asked.is_empty() {
        true => {
            sentence.plain("The set has no unanswerable question, so nothing should be refused")
        }
        false => {
            sentence.plain(format!("Of {} ", words::counted(unanswerable, "unanswerable question")))
        }
    };
    for (place, row) in asked.iter().enumerate() {
        let joint = match (place, asked.len() - place) {
            (0, _) => "",
            (_, 1) => " and ",
            _ => ", ",
        };
        let verb = if place == 0 { " refuses " } else { " " };
        let share = row.refused.count as f64 / row.refused.total as f64;
        sentence = sentence.plain(joint).strong(&row.configuration).plain(format!(
            "{verb}{} ({})",
            words::count(row.refused.count),
            words::percent(share)
        ));
    }
    let wrongly: Vec<String> = set
        .rows
        .iter()
        .filter(|row| row.wrongly_refused.total > 0)
        .map(|row| {
            let share = row.wrongly_refused.count as f64 / row.wrongly_refused.total as f64;
            format!("{} {}", row.configuration, words::percent(share))
        })
        .collect();
    match wrongly.is_empty() {
        true => sentence.plain("."),
        false => sentence.plain(format!(
            "; of those that the documents answer, wrongly: {}.",
            words::list(&wrongly)
        )),
    }
}

/// The stage at which the leading configuration loses most.
fn loss(set: &SetReport) -> Option<Sentence> {
    let count = set.losses.iter().find(|count| count.configuration == set.leader)?;
    let all: usize = count.stages.values().sum();
    let worst: Option<(&Loss, &usize)> =
        count.stages.iter().rev().max_by_key(|(_, number)| **number);
    let (stage, number) = worst.filter(|(_, number)| **number > 0)?;
    let share = words::percent(*number as f64 / all as f64);
    let sentence = Sentence::default().strong(&set.leader).plain(format!(
        " loses {} of {}; most of them in ",
        words::count(all),
        words::counted(set.total, "question")
    ));
    Some(sentence.strong(words::loss(*stage)).plain(format!(
        ": {} ({share}), {}.",
        words::count(*number),
        words::loss_meaning(*stage)
    )))
}

/// How long a question takes.
fn times(set: &SetReport) -> Option<Sentence> {
    let row = set.rows.iter().find(|row| row.configuration == set.leader)?;
    let (median, p95) = (words::milliseconds(row.median_ms?), words::milliseconds(row.p95_ms?));
    let sentence = Sentence::default().strong(&row.configuration);
    Some(sentence.plain(format!(
        " takes {median} ms for a question in the median, {p95} ms at the 95th percentile."
    )))
}
