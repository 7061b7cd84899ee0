//! The plots of a set: lines, reliability diagrams, bars and boxes.

use super::evidence::{CONFIDENCE_PERCENT, Curve, Interval, Reliability, ReliabilityBin};
use super::metrics::{Subject, headlines};
use super::model::{Breakdown, Depth, Group, Latency, Row, SetReport};
use super::plot::{
    Axis, Figure, Glyph, Line, LinePlot, ReliabilityPlot, RowGroup, RowPlot, SeriesRow, Table,
    thinned,
};
use super::words;
use crate::experiment::Loss;

/// Plots show the baseline and the best others; more lines than this are not told apart.
const SHOWN: usize = 8;
/// Reliability diagrams of a set.
const DIAGRAMS: usize = 4;
/// All plots of a set that there are numbers for. `prefix` makes their names unique on a page.
pub(crate) fn figures(set: &SetReport, prefix: &str) -> Vec<Figure> {
    let shown = shown(set);
    let id = |name: &str| format!("{prefix}-{name}");
    let mut figures = Vec::new();
    let (depth, groups) = (set.depth.as_ref(), set.breakdown.as_ref());
    figures.extend(depth.and_then(|depth| by_depth(id("depth"), depth, &shown)));
    figures.extend(by_search(id("stages"), set, &shown));
    figures.extend(groups.map(|groups| by_group(id("groups"), groups, &shown)));
    figures.extend(by_loss(id("losses"), set, &shown));
    figures.extend(risk_coverage(id("risk"), &set.risk_coverage, &shown));
    let latency: Vec<&Latency> = set.latency.iter().collect();
    figures.extend(by_stage(id("latency"), &latency, &shown));
    let diagrams = shown.iter().filter_map(|row| {
        let bins = set.reliability.iter().find(|bins| bins.name == row.configuration)?;
        reliability(id(&format!("reliability-{}", row.series)), bins, row)
    });
    figures.extend(diagrams.take(DIAGRAMS));
    figures
}

/// The baseline and the best others by the first headline metric, in the order of the rows.
pub(crate) fn shown(set: &SetReport) -> Vec<&Row> {
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

fn headings<const COUNT: usize>(names: [&str; COUNT]) -> [String; COUNT] {
    names.map(str::to_owned)
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Points of a drawn line.
// One for each three units of the drawing: more are not seen, and make the page larger.
const POINTS: usize = 100;

/// Recall by k.
fn by_depth(id: String, depth: &Depth, shown: &[&Row]) -> Option<Figure> {
    let metric = &depth.metric;
    let lines = drawn_lines(&depth.curves, shown);
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
    let table = Table::new(&["Configuration"], head, depth.curves.iter().map(row).collect());
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
pub(crate) fn risk_coverage(id: String, curves: &[Curve], shown: &[&Row]) -> Option<Figure> {
    let lines = drawn_lines(curves, shown);
    if lines.is_empty() {
        return None;
    }
    // To 5 % at least, or a run that is hardly ever wrong would look as bad as any.
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
    let table = Table::new(&["Risk at coverage"], head, curves.iter().map(row).collect());
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
pub(crate) fn reliability(id: String, reliability: &Reliability, row: &Row) -> Option<Figure> {
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
        table: Table::new(
            &["Confidence"],
            headings(["Answers", "Mean confidence", "Right"]),
            reliability.bins.iter().map(table_row).collect(),
        ),
    })
}

/// The curves of the shown configurations.
fn drawn_lines(curves: &[Curve], shown: &[&Row]) -> Vec<Line> {
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

/// A metric by category and type of the question.
fn by_group(id: String, breakdown: &Breakdown, shown: &[&Row]) -> Figure {
    let Breakdown { metric, groups } = breakdown;
    Figure {
        id,
        title: format!("{} by kind of question", capitalised(metric)),
        caption: format!(
            "First by category, then by type; the thin lines are {CONFIDENCE_PERCENT}\u{a0}% intervals. An unanswerable question without a score of its own counts 1 where it was refused."
        ),
        ..means("Questions", metric, groups, shown)
    }
}

/// The first headline metric on retrieval after each stage: what a stage brings.
fn by_search(id: String, set: &SetReport, shown: &[&Row]) -> Option<Figure> {
    let metric = headlines(&set.metrics)
        .into_iter()
        .find(|metric| metric.subject == Subject::Retrieval && metric.main)?;
    let mean = |row: &Row, name: &str| {
        let column = set.metrics.iter().position(|known| known.name == name)?;
        let cell = row.cells.get(column)?;
        Some((row.configuration.clone(), cell.mean?, cell.count))
    };
    let (last, before) = set.stages.split_last()?;
    let named = before.iter().map(|stage| (stage, format!("{stage}/{}", metric.name)));
    let groups = named.chain([(last, metric.name.clone())]).map(|(stage, name)| {
        let means: Vec<_> = set.rows.iter().filter_map(|row| mean(row, &name)).collect();
        Group {
            name: stage.clone(),
            count: means.iter().map(|(.., count)| *count).max().unwrap_or_default(),
            means: means.into_iter().map(|(name, mean, _)| (name, mean)).collect(),
        }
    });
    let groups: Vec<Group> = groups.filter(|group| !group.means.is_empty()).collect();
    // The last stage alone is in the main table already.
    (groups.len() > 1).then(|| Figure {
        id,
        title: format!("{} after each stage", capitalised(&metric.name)),
        caption: format!(
            "What each stage of the search brings, in the order in which they run; the thin lines are {CONFIDENCE_PERCENT}\u{a0}% intervals."
        ),
        ..means("Stage", &metric.name, &groups, shown)
    })
}

/// Bars with intervals for each group, without name and caption.
fn means(what: &str, metric: &str, groups: &[Group], shown: &[&Row]) -> Figure {
    let row = |row: &&Row, means: &[(String, Interval)]| {
        let (_, mean) = means.iter().find(|(name, _)| *name == row.configuration)?;
        Some(SeriesRow {
            series: row.series,
            name: row.configuration.clone(),
            number: words::score(mean.mean),
            glyph: Glyph::Bar { value: mean.mean, interval: Some((mean.low, mean.high)) },
        })
    };
    let group = |group: &Group| RowGroup {
        name: capitalised(&group.name),
        aside: words::counted(group.count, "question"),
        rows: shown.iter().filter_map(|shown| row(shown, &group.means)).collect(),
    };
    let highest = groups.iter().flat_map(|group| &group.means).map(|(_, mean)| mean.mean);
    let plot = RowPlot {
        x: Axis::linear(metric, 0.0, highest.fold(0.0, f64::max).max(1.0), 5),
        numbers: "mean".to_owned(),
        groups: groups.iter().map(group).collect(),
    };
    let table_row = |group: &Group| -> Vec<Vec<String>> {
        let row = |(name, mean): &(String, Interval)| {
            let [mean, low, high] = [mean.mean, mean.low, mean.high].map(words::score);
            vec![group.name.clone(), name.clone(), words::count(group.count), mean, low, high]
        };
        group.means.iter().map(row).collect()
    };
    Figure {
        id: String::new(),
        title: String::new(),
        description: described_rows(&plot.groups),
        caption: String::new(),
        drawing: plot.draw(),
        table: Table::new(
            &[what, "Configuration"],
            headings(["Number", "Mean", "From", "To"]),
            groups.iter().flat_map(table_row).collect(),
        ),
    }
}

/// Draws how many questions each stage lost.
fn by_loss(id: String, set: &SetReport, shown: &[&Row]) -> Option<Figure> {
    let stages: Vec<Loss> = set.losses.first()?.stages.keys().copied().collect();
    if stages.is_empty() {
        return None;
    }
    let number = |name: &str, stage: &Loss| {
        let count = set.losses.iter().find(|count| count.configuration == name);
        count.and_then(|count| count.stages.get(stage)).copied().unwrap_or_default()
    };
    let row = |row: &&Row, stage: &Loss| {
        let count = number(&row.configuration, stage);
        SeriesRow {
            series: row.series,
            name: row.configuration.clone(),
            number: words::count(count),
            glyph: Glyph::Bar { value: count as f64, interval: None },
        }
    };
    let group = |stage: &Loss| RowGroup {
        name: capitalised(words::loss(*stage)),
        aside: words::loss_in_short(*stage).to_owned(),
        rows: shown.iter().map(|shown| row(shown, stage)).collect(),
    };
    let most = set.losses.iter().flat_map(|count| count.stages.values()).max().copied();
    let plot = RowPlot {
        // Five at least, so that the ticks are whole questions.
        x: Axis::linear("Questions that were lost", 0.0, most.unwrap_or_default().max(5) as f64, 5),
        numbers: "lost".to_owned(),
        groups: stages.iter().map(group).collect(),
    };
    let table_row = |row: &Row| {
        let counts = stages.iter().map(|stage| words::count(number(&row.configuration, stage)));
        [row.configuration.clone()].into_iter().chain(counts).collect()
    };
    let head = stages.iter().map(|stage| capitalised(words::loss(*stage)));
    Some(Figure {
        id,
        title: "Where answers are lost".to_owned(),
        description: described_rows(&plot.groups),
        caption: "The first stage on the way from document to answer after which the right answer was gone.".to_owned(),
        drawing: plot.draw(),
        table: Table::new(&["Configuration"], head, set.rows.iter().map(table_row).collect()),
    })
}

/// Milliseconds by stage.
fn by_stage(id: String, latency: &[&Latency], shown: &[&Row]) -> Option<Figure> {
    let mut stages: Vec<&str> = latency.iter().map(|entry| entry.stage.as_str()).collect();
    stages.dedup();
    let row = |row: &&Row, stage: &str| {
        let entry = latency
            .iter()
            .find(|entry| entry.stage == stage && entry.configuration == row.configuration)?;
        Some(SeriesRow {
            series: row.series,
            name: row.configuration.clone(),
            number: format!(
                "{} / {}",
                words::milliseconds(entry.median),
                words::milliseconds(entry.p95)
            ),
            glyph: Glyph::Box {
                low: entry.p5,
                first: entry.p25,
                median: entry.median,
                third: entry.p75,
                high: entry.p95,
            },
        })
    };
    let group = |stage: &&str| RowGroup {
        name: capitalised(stage),
        aside: String::new(),
        rows: shown.iter().filter_map(|shown| row(shown, stage)).collect(),
    };
    // A logarithmic axis has no place for 0.
    let ends = latency.iter().flat_map(|entry| [entry.p5, entry.p95]).filter(|time| *time > 0.0);
    let low = ends.clone().reduce(f64::min)?;
    let plot = RowPlot {
        x: Axis::logarithmic("Milliseconds", low, ends.fold(low, f64::max)),
        numbers: "median / 95th".to_owned(),
        groups: stages.iter().map(group).collect(),
    };
    let table_row = |entry: &&Latency| {
        let times = [entry.p5, entry.p25, entry.median, entry.p75, entry.p95, entry.max];
        let times = times.map(words::milliseconds);
        [entry.stage.clone(), entry.configuration.clone()].into_iter().chain(times).collect()
    };
    Some(Figure {
        id,
        title: "Time by stage".to_owned(),
        description: described_rows(&plot.groups),
        caption: "Milliseconds for a question, on a scale of equal factors. The box holds the middle half of the questions, the line in it is the median, the thin line reaches from the 5th to the 95th percentile.".to_owned(),
        drawing: plot.draw(),
        table: Table::new(
            &["Stage", "Configuration"],
            headings(["5th", "25th", "Median", "75th", "95th", "Slowest"]),
            latency.iter().map(table_row).collect(),
        ),
    })
}

fn described_rows(groups: &[RowGroup]) -> String {
    let group = |group: &RowGroup| {
        let rows: Vec<String> =
            group.rows.iter().map(|row| format!("{} {}", row.name, row.number)).collect();
        format!("{}: {}", group.name, rows.join(", "))
    };
    let groups: Vec<String> = groups.iter().map(group).collect();
    format!("{}.", groups.join(". "))
}
