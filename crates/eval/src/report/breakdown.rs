//! A set taken apart: by depth, by kind of question, by stage.

use std::collections::{BTreeMap, BTreeSet};

use campanile_questions::Category;

use super::evidence::{Curve, Interval};
use super::gather::by_name;
use super::metrics::{Metric, MetricName, headlines};
use super::model::{Breakdown, Depth, Group, Latency, LossCount};
use super::words;
use crate::experiment::{Run, mean, quantile, sorted};
use crate::record::{Loss, Record};

/// The metric families that say something by depth, the first that has two depths is taken.
const BY_DEPTH: [&str; 5] = ["recall", "hit", "passage_hit", "success", "ndcg"];

/// Recall (or what comes nearest) by k.
pub fn depth(runs: &[&Run], metrics: &[Metric]) -> Option<Depth> {
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
pub fn breakdown(
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
    let by_category = categories.into_iter().map(|category| {
        group(words::category(category), &move |record| record.category == category)
    });
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
pub fn latency(runs: &[&Run]) -> Vec<Latency> {
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
pub fn stage_order<'a>(runs: &[&'a Run]) -> Vec<&'a str> {
    let records = runs.iter().flat_map(|run| &run.records);
    let longest = records.max_by_key(|record| record.stages.len());
    longest
        .into_iter()
        .flat_map(|record| &record.stages)
        .map(|stage| stage.stage.as_str())
        .collect()
}

/// Counts the questions that each stage lost, for each run.
pub fn losses(runs: &[&Run]) -> Vec<LossCount> {
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
