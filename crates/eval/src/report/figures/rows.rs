//! Bars and boxes.

use super::{capitalised, headings};
use crate::record::Loss;
use crate::report::evidence::{CONFIDENCE_PERCENT, Interval};
use crate::report::metrics::{Subject, headlines};
use crate::report::model::{Breakdown, Group, Latency, Row, SetReport};
use crate::report::plot::{Axis, Figure, Glyph, RowGroup, RowPlot, SeriesRow, Table};
use crate::report::words;

/// A metric by category and type of the question.
pub fn by_group(id: String, breakdown: &Breakdown, shown: &[&Row]) -> Figure {
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
pub fn by_search(id: String, set: &SetReport, shown: &[&Row]) -> Option<Figure> {
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
        table: Table {
            head: headings(&[what, "Configuration", "Number", "Mean", "From", "To"]),
            rows: groups.iter().flat_map(table_row).collect(),
            names: 2,
        },
    }
}

/// Draws how many questions each stage lost.
pub fn by_loss(id: String, set: &SetReport, shown: &[&Row]) -> Option<Figure> {
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
        table: Table {
            head: ["Configuration".to_owned()].into_iter().chain(head).collect(),
            rows: set.rows.iter().map(table_row).collect(),
            names: 1,
        },
    })
}

/// Milliseconds by stage.
pub fn by_stage(id: String, latency: &[&Latency], shown: &[&Row]) -> Option<Figure> {
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
        table: Table {
            head: headings(&["Stage", "Configuration", "5th", "25th", "Median", "75th", "95th", "Slowest"]),
            rows: latency.iter().map(table_row).collect(),
            names: 2,
        },
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
