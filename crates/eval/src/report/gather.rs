//! From records to the numbers of a report.

use std::collections::{BTreeMap, BTreeSet};

use campanile_questions::Category;

use super::ReportSettings;
use super::breakdown::{breakdown, depth, latency, losses, stage_order};
use super::cases::{Failures, failures};
use super::evidence::{Comparison, Evidence, Interval, SetEvidence};
use super::metrics::{Metric, describe, headlines};
use super::model::{Cell, Change, ConfigurationEntry, Row, SetReport};
use super::sentences::summary;
use super::summary::Share;
use crate::experiment::{Configuration, Experiment, Run, SetInfo, quantile, sorted};

/// Each configuration once, with what it changes.
pub fn configurations(experiment: &Experiment) -> Vec<ConfigurationEntry> {
    let mut seen: Vec<&Configuration> = Vec::new();
    for run in &experiment.runs {
        if !seen.iter().any(|configuration| configuration.name == run.configuration.name) {
            seen.push(&run.configuration);
        }
    }
    let baseline = seen.iter().copied().find(|configuration| configuration.baseline);
    // The baseline stands first: it has the plain colour.
    seen.sort_by_key(|configuration| !configuration.baseline);
    let entry = |configuration: &Configuration| ConfigurationEntry {
        name: configuration.name.clone(),
        hash: configuration.hash.clone(),
        baseline: configuration.baseline,
        settings: configuration.settings.clone(),
        changes: baseline.map(|baseline| changes(baseline, configuration)).unwrap_or_default(),
    };
    seen.into_iter().map(entry).collect()
}

fn changes(baseline: &Configuration, configuration: &Configuration) -> Vec<Change> {
    let names: BTreeSet<&String> =
        baseline.settings.keys().chain(configuration.settings.keys()).collect();
    let change = |setting: &String| Change {
        setting: setting.clone(),
        from: baseline.settings.get(setting).cloned(),
        to: configuration.settings.get(setting).cloned(),
    };
    names.into_iter().map(change).filter(|change| change.from != change.to).collect()
}

/// All that is told about one set.
pub fn set_report(
    experiment: &Experiment,
    set: &SetInfo,
    configurations: &[ConfigurationEntry],
    evidence: &Evidence,
    settings: &ReportSettings,
) -> SetReport {
    let runs = runs_in_order(experiment, &set.name, configurations);
    let names: BTreeSet<&str> = runs.iter().flat_map(|(_, run)| run.metrics()).collect();
    let metrics = describe(&names, &settings.metrics);
    let told = evidence.sets.iter().find(|told| told.set == set.name);
    let rows = rows(&runs, &metrics, evidence.interval, told);
    let only: Vec<&Run> = runs.iter().map(|(_, run)| *run).collect();
    let leader = leader(&rows, &metrics);
    let Failures { cases, failures, by_question } =
        failures(&only, leader, &metrics, settings.cases);
    let empty = SetEvidence::default();
    let told = told.unwrap_or(&empty);
    let mut report = SetReport {
        name: set.name.clone(),
        total: set.questions.values().sum(),
        questions: set.questions.clone(),
        summary: Vec::new(),
        rows,
        stages: stage_order(&only).into_iter().map(str::to_owned).collect(),
        depth: depth(&only, &metrics),
        risk_coverage: told.risk_coverage.clone(),
        reliability: told.reliability.clone(),
        latency: latency(&only),
        breakdown: breakdown(&only, &metrics, evidence.interval),
        losses: losses(&only),
        leader: leader
            .map(|row| only.get(row))
            .unwrap_or_default()
            .map_or_else(String::new, |run| run.configuration.name.clone()),
        metrics,
        cases,
        failures,
        by_question,
    };
    report.summary = summary(&report, &told.comparisons);
    report
}

/// A set's runs in the order of the configurations, each with its configuration's place.
fn runs_in_order<'a>(
    experiment: &'a Experiment,
    set: &str,
    configurations: &[ConfigurationEntry],
) -> Vec<(usize, &'a Run)> {
    let run_of = |name: &str| {
        experiment.runs.iter().find(|run| run.set == set && run.configuration.name == name)
    };
    let places = configurations.iter().enumerate();
    places.filter_map(|(place, entry)| Some((place, run_of(&entry.name)?))).collect()
}

fn rows(
    runs: &[(usize, &Run)],
    metrics: &[Metric],
    interval: fn(&[f64]) -> Interval,
    told: Option<&SetEvidence>,
) -> Vec<Row> {
    let baseline = runs.iter().find(|(_, run)| run.configuration.baseline);
    let baseline = baseline.map(|(_, run)| run.configuration.name.as_str());
    let mut rows: Vec<Row> = runs
        .iter()
        .map(|&(series, run)| Row {
            cells: metrics
                .iter()
                .map(|metric| cell(run, metric, interval, baseline, told))
                .collect(),
            ..row(series, run)
        })
        .collect();
    for column in 0..metrics.len() {
        mark_column(
            &mut rows,
            column,
            metrics.get(column).is_none_or(|metric| metric.higher_is_better),
        );
    }
    rows
}

fn row(series: usize, run: &Run) -> Row {
    let times = sorted(run.milliseconds("total"));
    let share = |category| {
        let (count, total) = run.refused(category);
        Share { count, total }
    };
    Row {
        configuration: run.configuration.name.clone(),
        series,
        baseline: run.configuration.baseline,
        cells: Vec::new(),
        refused: share(Category::Unanswerable),
        wrongly_refused: share(Category::Answerable),
        median_ms: quantile(&times, 0.5),
        p95_ms: quantile(&times, 0.95),
    }
}

fn cell(
    run: &Run,
    metric: &Metric,
    interval: fn(&[f64]) -> Interval,
    baseline: Option<&str>,
    told: Option<&SetEvidence>,
) -> Cell {
    let scores = run.scores(&metric.name);
    let interval = if metric.main { interval } else { Interval::of_mean };
    let compared = told.into_iter().flat_map(|told| &told.comparisons);
    let comparison = baseline.and_then(|baseline| {
        compared
            .filter(|comparison| comparison.metric == metric.name)
            .find_map(|comparison| directed(comparison, baseline, &run.configuration.name))
    });
    let verdict = comparison.as_ref().map_or(0, |comparison| match comparison.is_significant() {
        true if (comparison.difference.mean > 0.0) == metric.higher_is_better => 1,
        true => -1,
        false => 0,
    });
    Cell {
        count: scores.len(),
        mean: (!scores.is_empty()).then(|| interval(&scores)),
        best: false,
        comparison,
        difference: None,
        verdict,
    }
}

/// The comparison as `other` less `baseline`, whichever way round it was made.
pub fn directed(comparison: &Comparison, baseline: &str, other: &str) -> Option<Comparison> {
    if comparison.baseline == baseline && comparison.other == other {
        return Some(comparison.clone());
    }
    (comparison.baseline == other && comparison.other == baseline).then(|| Comparison {
        baseline: baseline.to_owned(),
        other: other.to_owned(),
        difference: comparison.difference.reversed(),
        ..comparison.clone()
    })
}

/// Marks the best of a metric, and takes the baseline's mean away.
fn mark_column(rows: &mut [Row], column: usize, higher_is_better: bool) {
    let mean = |row: &Row| row.cells.get(column).and_then(|cell| cell.mean).map(|mean| mean.mean);
    let means: Vec<f64> = rows.iter().filter_map(mean).collect();
    let best = means.iter().copied().reduce(if higher_is_better { f64::max } else { f64::min });
    let baseline = rows.iter().find(|row| row.baseline).and_then(mean);
    // Where all are equal there is no best.
    let compares = means.iter().any(|mean| Some(*mean) != best);
    for row in rows {
        let is_baseline = row.baseline;
        if let Some(cell) = row.cells.get_mut(column) {
            let mean = cell.mean.map(|mean| mean.mean);
            cell.best = compares && mean.is_some() && mean == best;
            cell.difference = mean.zip(baseline).map(|(mean, baseline)| mean - baseline);
            cell.difference = cell.difference.filter(|_| !is_baseline);
        }
    }
}

/// The row that is best by the first headline metric.
fn leader(rows: &[Row], metrics: &[Metric]) -> Option<usize> {
    let headline = headlines(metrics).first().copied()?;
    let column = metrics.iter().position(|metric| metric == headline)?;
    let best = |row: &Row| row.cells.get(column).is_some_and(|cell| cell.best);
    let last_best = rows.iter().rposition(best);
    last_best.or(if rows.is_empty() { None } else { Some(0) })
}

/// Values by name, in the order in which the names first come.
pub fn by_name<'a, T>(pairs: impl Iterator<Item = (&'a str, T)>) -> Vec<(&'a str, Vec<T>)> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<(&str, Vec<T>)> = Vec::new();
    for (name, value) in pairs {
        let place = *places.entry(name).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, values)) => values.push(value),
            None => groups.push((name, vec![value])),
        }
    }
    groups
}
