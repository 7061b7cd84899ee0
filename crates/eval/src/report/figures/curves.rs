//! Lines and reliability diagrams.

use super::{capitalised, headings};
use crate::report::evidence::{Curve, Reliability, ReliabilityBin};
use crate::report::model::{Depth, Row};
use crate::report::plot::{Axis, Figure, Line, LinePlot, ReliabilityPlot, Table, thinned};
use crate::report::words;

/// Points of a drawn line.
const POINTS: usize = 100;

/// Recall by k.
pub fn by_depth(id: String, depth: &Depth, shown: &[&Row]) -> Option<Figure> {
    let metric = &depth.metric;
    let lines = lines(&depth.curves, shown);
    let mut depths: Vec<f64> =
        depth.curves.iter().flat_map(|curve| &curve.points).map(|(k, _)| *k).collect();
    depths.sort_by(f64::total_cmp);
    depths.dedup();
    let (first, last) = (*depths.first()?, *depths.last()?);
    let x = Axis {
        low: first,
        high: last,
        ..Axis::logarithmic("k: passages that are looked at", first, last)
    };
    let plot =
        LinePlot { x: x.with_ticks(&depths), y: value_axis(&format!("{metric}@k"), &lines), lines };
    let head = depths.iter().map(|k| format!("k = {k}"));
    let row = |curve: &Curve| {
        let at = |k: &f64| curve.points.iter().find(|(x, _)| x == k).map(|(_, value)| *value);
        let cells = depths.iter().map(|k| at(k).map_or_else(String::new, words::score));
        [curve.name.clone()].into_iter().chain(cells).collect()
    };
    let table = Table {
        head: ["Configuration".to_owned()].into_iter().chain(head).collect(),
        rows: depth.curves.iter().map(row).collect(),
        names: 1,
    };
    Some(Figure {
        id,
        title: format!("{} by k", capitalised(metric)),
        description: described(&plot.lines, "k"),
        caption: format!(
            "The mean {metric} when the first k passages count; k on a scale of equal factors."
        ),
        drawing: plot.draw(),
        table,
    })
}

/// Draws how often answers are wrong when only the surest are given.
pub fn risk_coverage(id: String, curves: &[Curve], shown: &[&Row]) -> Option<Figure> {
    let lines = lines(curves, shown);
    if lines.is_empty() {
        return None;
    }
    let most =
        lines.iter().flat_map(|line| &line.points).map(|(_, risk)| *risk).fold(0.05, f64::max);
    let plot = LinePlot {
        x: Axis::linear("Coverage: share of questions that are answered", 0.0, 1.0, 5),
        y: Axis::linear("Risk: share of those answers that is wrong", 0.0, most.min(1.0), 6),
        lines,
    };
    let shares: Vec<f64> = (1..=10).map(|tenth| f64::from(tenth) / 10.0).collect();
    let row = |curve: &Curve| {
        let at = |share: f64| curve.points.iter().find(|(coverage, _)| *coverage >= share - 1e-9);
        let cells = shares
            .iter()
            .map(|share| at(*share).map_or_else(String::new, |(_, risk)| words::score(*risk)));
        [curve.name.clone()].into_iter().chain(cells).collect()
    };
    let head = shares.iter().map(|share| words::percent(*share));
    let table = Table {
        head: ["Risk at coverage".to_owned()].into_iter().chain(head).collect(),
        rows: curves.iter().map(row).collect(),
        names: 1,
    };
    Some(Figure {
        id,
        title: "Risk and coverage".to_owned(),
        description: described(&plot.lines, "coverage"),
        caption: "Answers in the order of the engine's confidence: what it is least sure of is refused first. Lower is better; a line that falls to the left means that the confidence is worth something.".to_owned(),
        drawing: plot.draw(),
        table,
    })
}

/// Draws how far the confidence of one configuration can be taken at its word.
pub fn reliability(id: String, reliability: &Reliability, row: &Row) -> Option<Figure> {
    let error = reliability.calibration_error()?;
    let plot = ReliabilityPlot { series: row.series, bins: reliability.bins.clone() };
    let table_row = |bin: &ReliabilityBin| {
        vec![
            format!("{:.2} to {:.2}", bin.from, bin.to),
            words::count(bin.count),
            words::score(bin.confidence),
            words::score(bin.right),
        ]
    };
    let error = words::score(error);
    Some(Figure {
        id,
        title: format!("Reliability of {}", row.configuration),
        description: format!(
            "Share of right answers by confidence; expected calibration error {error}."
        ),
        caption: format!(
            "How often answers are right, by how sure the engine was. Above the dashed line it was too modest, below it too sure; on average {error} off (expected calibration error)."
        ),
        drawing: plot.draw(),
        table: Table {
            head: headings(&["Confidence", "Answers", "Mean confidence", "Right"]),
            rows: reliability.bins.iter().map(table_row).collect(),
            names: 1,
        },
    })
}

/// The curves of the shown configurations.
fn lines(curves: &[Curve], shown: &[&Row]) -> Vec<Line> {
    let line = |row: &&Row| {
        let curve = curves.iter().find(|curve| curve.name == row.configuration)?;
        let points = thinned(&curve.points, POINTS);
        Some(Line { series: row.series, name: curve.name.clone(), points })
            .filter(|line| !line.points.is_empty())
    };
    shown.iter().filter_map(line).collect()
}

/// An axis around the values, not wider than it has to be.
fn value_axis(label: &str, lines: &[Line]) -> Axis {
    let values = || lines.iter().flat_map(|line| &line.points).map(|(_, value)| *value);
    let (low, high) =
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    Axis::linear(label, low, high, 6)
}

/// First and last values of each line.
fn described(lines: &[Line], x: &str) -> String {
    let line = |line: &Line| {
        let (first, last) = (line.points.first()?, line.points.last()?);
        let at = |(at, value): &(f64, f64)| {
            format!("{} at {x} {}", words::score(*value), (at * 100.0).round() / 100.0)
        };
        Some(format!("{}: {}, {}", line.name, at(first), at(last)))
    };
    let lines: Vec<String> = lines.iter().filter_map(line).collect();
    format!("A line for each configuration. {}.", lines.join("; "))
}
