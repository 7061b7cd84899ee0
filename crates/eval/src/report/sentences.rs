//! The results in plain sentences, with what stands out in them.

use serde::{Serialize, Serializer};

use super::evidence::{CONFIDENCE_PERCENT, Comparison, Interval};
use super::gather::directed;
use super::metrics::{Metric, headlines};
use super::model::{Row, SetReport};
use super::words;
use crate::experiment::{Loss, quantile, sorted};

/// Up to how many configurations a sentence names them all.
const TOLD: usize = 4;

/// The sentences about a set.
pub(crate) fn summary(set: &SetReport, comparisons: &[Comparison]) -> Vec<Sentence> {
    if set.rows.is_empty() {
        return vec![Sentence::default().plain("No configuration was run on this set.")];
    }
    let mut sentences = Vec::new();
    for metric in headlines(&set.metrics) {
        let best = best(set, metric, comparisons);
        sentences.extend(best.map(|sentence| with_power(sentence, metric, comparisons)));
    }
    sentences.push(refusals(set));
    sentences.extend(loss(set));
    sentences.extend(times(set));
    sentences
}

/// Says which configuration is best by a metric, and by how much.
fn best(set: &SetReport, metric: &Metric, comparisons: &[Comparison]) -> Option<Sentence> {
    let ranked = ranked(set, metric);
    let ((first, mean), rest) = ranked.split_first()?;
    let (name, sentence) = (&first.configuration, Sentence::default());
    let Some(next) = rest.first() else {
        let sentence = sentence.strong(name).plain(" has a ").metric(&metric.name).plain(" of ");
        return Some(sentence.strong(words::score(mean.mean)).plain(format!("{}.", ends(mean))));
    };
    let equal = ranked.iter().filter(|(_, other)| other.mean == mean.mean);
    let equal: Vec<String> = equal.map(|(row, _)| row.configuration.clone()).collect();
    if equal.len() > 1 {
        let sentence = sentence.strong(words::list(&equal)).plain(" are equally good by ");
        let sentence = sentence.metric(&metric.name).plain(": ");
        return Some(sentence.strong(words::score(mean.mean)).plain("."));
    }
    let (other, other_mean) = rest.iter().find(|(row, _)| row.baseline).unwrap_or(next);
    let direction = if metric.higher_is_better { "more" } else { "less" };
    let what = if other.baseline { "the baseline " } else { "" };
    let distance = words::score((mean.mean - other_mean.mean).abs());
    let sentence = sentence
        .strong(name)
        .plain(" is best by ")
        .metric(&metric.name)
        .plain(": ")
        .strong(words::score(mean.mean))
        .plain(format!("{}, {distance} {direction} than {what}", ends(mean)))
        .strong(&other.configuration);
    let of_metric = comparisons.iter().filter(|comparison| comparison.metric == metric.name);
    let mut pairs = of_metric.filter_map(|pair| directed(pair, &other.configuration, name));
    Some(match pairs.next() {
        Some(comparison) => sentence.plain(format!("{}.", verdict(&comparison))),
        None => sentence.plain("; whether that is chance was not tested."),
    })
}

/// The configurations that have a metric, the best first.
fn ranked<'a>(set: &'a SetReport, metric: &Metric) -> Vec<(&'a Row, Interval)> {
    let column = set.metrics.iter().position(|known| known == metric);
    let mean = |row: &Row| row.cells.get(column?)?.mean;
    let rows = set.rows.iter().filter_map(|row| Some((row, mean(row)?)));
    let mut rows: Vec<(&Row, Interval)> = rows.collect();
    rows.sort_by(|(_, a), (_, b)| match metric.higher_is_better {
        true => b.mean.total_cmp(&a.mean),
        false => a.mean.total_cmp(&b.mean),
    });
    rows
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
    format!(" ({CONFIDENCE_PERCENT}\u{a0}% interval {low} to {high})")
}

/// Adds how large a difference has to be for the set to tell it: what a comparison says to be detectable, or
/// else half of its interval; the median over the comparisons.
fn with_power(sentence: Sentence, metric: &Metric, comparisons: &[Comparison]) -> Sentence {
    let compared = comparisons.iter().filter(|comparison| comparison.metric == metric.name);
    let compared: Vec<&Comparison> = compared.collect();
    let width = |comparison: &&Comparison| {
        comparison.detectable.unwrap_or_else(|| comparison.difference.half_width())
    };
    let widths = compared.iter().map(width).collect();
    let Some(width) = quantile(&sorted(widths), 0.5).filter(|width| width.is_finite()) else {
        return sentence;
    };
    let told = compared.iter().filter(|comparison| comparison.is_significant()).count();
    let of = match (told, compared.len()) {
        (0, 1) => "The one comparison is not significant".to_owned(),
        (1, 1) => "The one comparison is significant".to_owned(),
        (0, all) => format!("None of {all} comparisons is significant"),
        (1, all) => format!("One of {all} comparisons is significant"),
        (told, all) => format!("{told} of {all} comparisons are significant"),
    };
    let about = words::score(width);
    sentence.plain(format!(
        " {of}; a true difference below about {about} may go unseen with these questions."
    ))
}

/// Says how many unanswerable questions are refused, and how many answerable ones.
fn refusals(set: &SetReport) -> Sentence {
    let sentence = Sentence::default();
    if set.rows.iter().all(|row| row.refused.total + row.wrongly_refused.total == 0) {
        return sentence.plain("Only passages were searched: nothing was answered or refused.");
    }
    // Of many configurations the baseline and the best are enough; the table has all.
    let told =
        |row: &&Row| set.rows.len() <= TOLD || row.baseline || row.configuration == set.leader;
    let rows: Vec<&Row> = set.rows.iter().filter(told).collect();
    let asked: Vec<&Row> = rows.iter().copied().filter(|row| row.refused.total > 0).collect();
    let sentence = match asked.first() {
        None => sentence.plain("No question of the set should be refused"),
        Some(row) => {
            let of = words::counted(row.refused.total, "unanswerable question");
            with_refused(sentence.plain(format!("Of {of} ")), &asked)
        }
    };
    let wrongly = rows.iter().filter(|row| row.wrongly_refused.total > 0).map(|row| {
        let share = row.wrongly_refused.count as f64 / row.wrongly_refused.total as f64;
        format!("{} {}", row.configuration, words::percent(share))
    });
    let wrongly: Vec<String> = wrongly.collect();
    match wrongly.is_empty() {
        true => sentence.plain("."),
        false => sentence.plain(format!(
            "; of those that the documents answer, wrongly: {}.",
            words::list(&wrongly)
        )),
    }
}

fn with_refused(mut sentence: Sentence, asked: &[&Row]) -> Sentence {
    for (place, row) in asked.iter().enumerate() {
        let joint = match (place, asked.len() - place) {
            (0, _) => "",
            (_, 1) => " and ",
            _ => ", ",
        };
        let verb = if place == 0 { " refuses " } else { " " };
        let share = words::percent(row.refused.count as f64 / row.refused.total as f64);
        let count = words::count(row.refused.count);
        sentence = sentence
            .plain(joint)
            .strong(&row.configuration)
            .plain(format!("{verb}{count} ({share})"));
    }
    sentence
}

/// The stage at which the leading configuration loses most.
fn loss(set: &SetReport) -> Option<Sentence> {
    let count = set.losses.iter().find(|count| count.configuration == set.leader)?;
    let all: usize = count.stages.values().sum();
    // From behind, since `max_by_key` gives the last of equals: the earliest stage is told.
    let worst: Option<(&Loss, &usize)> =
        count.stages.iter().rev().max_by_key(|(_, number)| **number);
    let (stage, number) = worst.filter(|(_, number)| **number > 0)?;
    let share = words::percent(*number as f64 / all as f64);
    let sentence = Sentence::default().strong(&set.leader).plain(format!(
        " loses {} of {}, the largest part in ",
        words::count(all),
        words::counted(set.total, "question")
    ));
    Some(sentence.strong(words::loss(*stage)).plain(format!(
        ": {} ({share}), {}.",
        words::count(*number),
        words::loss_meaning(*stage)
    )))
}

/// Says how long a question takes.
fn times(set: &SetReport) -> Option<Sentence> {
    let row = set.rows.iter().find(|row| row.configuration == set.leader)?;
    let (median, p95) = (words::milliseconds(row.median_ms?), words::milliseconds(row.p95_ms?));
    let sentence = Sentence::default().strong(&row.configuration);
    Some(sentence.plain(format!(
        " takes {median} ms for a question in the median, {p95} ms at the 95th percentile."
    )))
}

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
    /// The way they are set.
    pub kind: PieceKind,
}

/// The way a part of a sentence is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// As the rest.
    Plain,
    /// Stands out.
    Strong,
    /// The name of a metric.
    Metric,
}

impl Sentence {
    /// With plain words behind.
    fn plain(self, text: impl Into<String>) -> Self {
        self.with(text.into(), PieceKind::Plain)
    }

    /// With words behind that stand out.
    fn strong(self, text: impl Into<String>) -> Self {
        self.with(text.into(), PieceKind::Strong)
    }

    /// With a metric's name behind.
    fn metric(self, name: impl Into<String>) -> Self {
        self.with(name.into(), PieceKind::Metric)
    }

    fn with(mut self, text: String, kind: PieceKind) -> Self {
        self.pieces.push(Piece { text, kind });
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
