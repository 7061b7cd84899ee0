//! The plots of a set.

mod curves;
mod rows;

use super::metrics::headlines;
use super::model::{Latency, Row, SetReport};
use super::plot::Figure;

/// Plots show the baseline and the best others; more lines than this are not told apart.
const SHOWN: usize = 8;
/// Reliability diagrams of a set.
const DIAGRAMS: usize = 4;
/// All plots of a set that there are numbers for. `prefix` makes their names unique on a page.
pub fn figures(set: &SetReport, prefix: &str) -> Vec<Figure> {
    let shown = shown(set);
    let id = |name: &str| format!("{prefix}-{name}");
    let mut figures = Vec::new();
    let (depth, groups) = (set.depth.as_ref(), set.breakdown.as_ref());
    figures.extend(depth.and_then(|depth| curves::by_depth(id("depth"), depth, &shown)));
    figures.extend(rows::by_search(id("stages"), set, &shown));
    figures.extend(groups.map(|groups| rows::by_group(id("groups"), groups, &shown)));
    figures.extend(rows::by_loss(id("losses"), set, &shown));
    figures.extend(curves::risk_coverage(id("risk"), &set.risk_coverage, &shown));
    let latency: Vec<&Latency> = set.latency.iter().collect();
    figures.extend(rows::by_stage(id("latency"), &latency, &shown));
    let diagrams = shown.iter().filter_map(|row| {
        let bins = set.reliability.iter().find(|bins| bins.name == row.configuration)?;
        curves::reliability(id(&format!("reliability-{}", row.series)), bins, row)
    });
    figures.extend(diagrams.take(DIAGRAMS));
    figures
}

/// The baseline and the best others by the first headline metric, in the order of the rows.
pub fn shown(set: &SetReport) -> Vec<&Row> {
    let headline = headlines(&set.metrics).first().copied();
    let column = set.metrics.iter().position(|metric| Some(metric) == headline);
    let mean = |row: &Row| {
        let cell = column.and_then(|column| row.cells.get(column))?;
        let sign = if headline?.higher_is_better { 1.0 } else { -1.0 };
        Some(sign * cell.mean?.mean)
    };
    let mut rows: Vec<&Row> = set.rows.iter().collect();
    rows.sort_by(|a, b| {
        let best_first = mean(b).unwrap_or(f64::MIN).total_cmp(&mean(a).unwrap_or(f64::MIN));
        b.baseline.cmp(&a.baseline).then(best_first)
    });
    rows.truncate(SHOWN);
    rows.sort_by_key(|row| row.series);
    rows
}

fn headings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
