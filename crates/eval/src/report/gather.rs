//! From records to the numbers of a report.
//!
//! A set taken apart: by depth, by kind of question, by stage.

use std::collections::{BTreeMap, BTreeSet};

use campanile_questions::Category;

use super::ReportSettings;
use super::cases::{Failures, failures};
use super::evidence::{Comparison, Curve, Evidence, Interval, SetEvidence};
use super::metrics::{Metric, MetricName, describe, headlines};
use super::model::{
    Breakdown, Cell, Change, ConfigurationEntry, Depth, Group, Latency, LossCount, Row, SetReport,
};
use super::sentences::summary;
use crate::experiment::{
    Configuration, Experiment, Loss, Record, Run, SetInfo, mean, quantile, sorted,
};
use crate::judge::Share;

/// Each configuration once, with what it changes.
pub(crate) fn configurations(experiment: &Experiment) -> Vec<ConfigurationEntry> {
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
pub(crate) fn set_report(
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
    for (column, metric) in metrics.iter().enumerate() {
        mark_column(&mut rows, column, metric.higher_is_better);
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
pub(crate) fn directed(comparison: &Comparison, baseline: &str, other: &str) -> Option<Comparison> {
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
fn by_name<'a, T>(pairs: impl Iterator<Item = (&'a str, T)>) -> Vec<(&'a str, Vec<T>)> {
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

/// The metric families that say something by depth, the first that has two depths is taken.
const BY_DEPTH: [&str; 5] = ["recall", "hit", "passage_hit", "success", "ndcg"];

/// Recall (or what comes nearest) by k.
pub(crate) fn depth(runs: &[&Run], metrics: &[Metric]) -> Option<Depth> {
    let depths = |family: &str| -> Vec<(usize, &str)> {
        let named = metrics.iter().map(|metric| (MetricName::parse(&metric.name), &metric.name));
        let of_family = named.filter(|(parts, _)| parts.is_plain() && parts.stem == family);
        let depths = of_family.filter_map(|(parts, name)| Some((parts.depth?, name.as_str())));
        let mut depths: Vec<(usize, &str)> = depths.collect();
        depths.sort_unstable();
        depths
    };
    let (family, depths) = BY_DEPTH
        .iter()
        .map(|family| (*family, depths(family)))
        .find(|(_, depths)| depths.len() > 1)?;
    let curve = |run: &&Run| Curve {
        name: run.configuration.name.clone(),
        points: depths
            .iter()
            .filter_map(|(depth, metric)| Some((*depth as f64, mean(&run.scores(metric))?)))
            .collect(),
    };
    Some(Depth { metric: family.to_owned(), curves: runs.iter().map(curve).collect() })
}

/// The first headline metric by category, then by type.
///
/// Unanswerable questions that have no score are measured by the share that is refused.
pub(crate) fn breakdown(
    runs: &[&Run],
    metrics: &[Metric],
    interval: fn(&[f64]) -> Interval,
) -> Option<Breakdown> {
    let metric = &headlines(metrics).first()?.name;
    let records = || runs.iter().flat_map(|run| &run.records);
    let categories: BTreeSet<_> = records().map(|record| record.category).collect();
    let kinds: BTreeSet<_> = records().filter_map(|record| record.kind.as_deref()).collect();
    let group = |name: &str, belongs: &dyn Fn(&Record) -> bool| {
        let scores = |run: &&Run| -> Vec<f64> {
            let records = run.records.iter().filter(|record| belongs(record));
            records.filter_map(|record| score_or_refusal(record, metric)).collect()
        };
        let means =
            runs.iter().map(|run| (run, scores(run))).filter(|(_, scores)| !scores.is_empty());
        let means: Vec<(&&Run, Vec<f64>)> = means.collect();
        Group {
            name: name.to_owned(),
            count: means.iter().map(|(_, scores)| scores.len()).max().unwrap_or_default(),
            means: means
                .into_iter()
                .map(|(run, scores)| (run.configuration.name.clone(), interval(&scores)))
                .collect(),
        }
    };
    let by_category = categories
        .into_iter()
        .map(|category| group(category.name(), &move |record| record.category == category));
    let by_kind = kinds
        .into_iter()
        .map(|kind| group(kind, &move |record| record.kind.as_deref() == Some(kind)));
    let groups: Vec<Group> =
        by_category.chain(by_kind).filter(|group| !group.means.is_empty()).collect();
    (groups.len() > 1).then(|| Breakdown { metric: metric.clone(), groups })
}

/// The score; of an unanswerable question without one, 1 where it was refused and 0 where it was not.
fn score_or_refusal(record: &Record, metric: &str) -> Option<f64> {
    let refused = || {
        let answer =
            record.answer.as_ref().filter(|_| record.category == Category::Unanswerable)?;
        Some(f64::from(u8::from(answer.refused)))
    };
    record.scores.get(metric).copied().or_else(refused)
}

/// Milliseconds by stage, the whole last, in the order in which the stages ran.
pub(crate) fn latency(runs: &[&Run]) -> Vec<Latency> {
    let mut entries = Vec::new();
    for run in runs {
        let times = run.records.iter().flat_map(|record| &record.milliseconds);
        for (stage, times) in by_name(times.map(|(stage, time)| (stage.as_str(), *time))) {
            let count = times.len();
            let times = sorted(times);
            let at = |share| quantile(&times, share).unwrap_or_default();
            entries.push(Latency {
                stage: stage.to_owned(),
                configuration: run.configuration.name.clone(),
                count,
                p5: at(0.05),
                p25: at(0.25),
                median: at(0.5),
                p75: at(0.75),
                p95: at(0.95),
                max: at(1.0),
            });
        }
    }
    let order = stage_order(runs);
    let place = |stage: &str| match stage {
        "total" => usize::MAX,
        _ => order.iter().position(|known| *known == stage).unwrap_or(order.len()),
    };
    entries.sort_by(|a, b| place(&a.stage).cmp(&place(&b.stage)).then(a.stage.cmp(&b.stage)));
    entries
}

/// The names of the stages in the order of the record that has most of them.
fn stage_order<'a>(runs: &[&'a Run]) -> Vec<&'a str> {
    let records = runs.iter().flat_map(|run| &run.records);
    let longest = records.max_by_key(|record| record.stages.len());
    longest
        .into_iter()
        .flat_map(|record| &record.stages)
        .map(|stage| stage.stage.as_str())
        .collect()
}

/// Counts the questions that each stage lost, for each run.
pub(crate) fn losses(runs: &[&Run]) -> Vec<LossCount> {
    let lost = |run: &Run| {
        let mut stages: BTreeMap<Loss, usize> = BTreeMap::new();
        for loss in run.records.iter().filter_map(|record| record.lost) {
            *stages.entry(loss).or_default() += 1;
        }
        stages
    };
    let mut counts: Vec<LossCount> = runs
        .iter()
        .map(|run| LossCount { configuration: run.configuration.name.clone(), stages: lost(run) })
        .collect();
    let seen: BTreeSet<Loss> =
        counts.iter().flat_map(|count| count.stages.keys()).copied().collect();
    for count in &mut counts {
        for loss in &seen {
            count.stages.entry(*loss).or_default();
        }
    }
    counts
}
