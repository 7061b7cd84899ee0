//! What metrics are called, what they say, and which of them stand in front.

use std::collections::BTreeSet;

use serde::Serialize;

/// How many metrics the main tables show where nobody chose them.
const MAIN: usize = 6;
/// The depths that are preferred where a metric has several, the best first.
const DEPTHS: [usize; 6] = [5, 10, 3, 20, 1, 50];

/// What a metric looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The passages that were found.
    Retrieval,
    /// The answer that was given.
    Answer,
    /// Something else, or nothing that is known.
    Other,
}

/// A metric as the report speaks of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Metric {
    /// Its name in the records.
    pub name: String,
    /// What it says, in a few words; empty where that is not known.
    pub about: String,
    /// What it looks at.
    pub subject: Subject,
    /// Whether more is better.
    pub higher_is_better: bool,
    /// Whether it stands in the main tables.
    pub main: bool,
}

/// A family of metrics: all that share a name up to an `@`.
struct Family {
    names: &'static [&'static str],
    about: &'static str,
    subject: Subject,
    higher_is_better: bool,
}

const fn retrieval(names: &'static [&'static str], about: &'static str) -> Family {
    Family { names, about, subject: Subject::Retrieval, higher_is_better: true }
}

const fn answer(names: &'static [&'static str], about: &'static str) -> Family {
    Family { names, about, subject: Subject::Answer, higher_is_better: true }
}

const fn lower(names: &'static [&'static str], about: &'static str) -> Family {
    Family { names, about, subject: Subject::Other, higher_is_better: false }
}

/// The families that are known, those first that say most.
const FAMILIES: &[Family] = &[
    retrieval(&["recall"], "share of the answering passages that is among the first"),
    answer(&["correct", "answer_correct", "accuracy", "right"], "whether the answer is right"),
    answer(&["exact_match", "em"], "whether the answer is a gold answer, word for word"),
    answer(
        &["token_f1", "f1"],
        "words shared with the nearest gold answer, precision and recall together",
    ),
    retrieval(
        &["ndcg"],
        "normalised discounted cumulative gain: how early the best passages stand",
    ),
    retrieval(&["mrr", "reciprocal_rank"], "one over the place of the first answering passage"),
    retrieval(
        &["hit", "hit_rate", "success", "passage_hit"],
        "whether any answering passage is among the first",
    ),
    answer(&["citation_precision"], "share of the cited passages that support the answer"),
    answer(&["citation_recall"], "share of the answer that a cited passage supports"),
    answer(
        &["faithfulness", "grounded", "support", "supported"],
        "share of the answer that stands in the passages",
    ),
    retrieval(&["precision"], "share of the first passages that answers"),
    retrieval(
        &["map", "average_precision", "ap"],
        "mean of the precision at each answering passage",
    ),
    retrieval(&["r_precision"], "precision at the number of answering passages"),
    retrieval(
        &["document_hit", "document_recall"],
        "whether the right document is among the first",
    ),
    answer(&["rouge_l", "rouge", "bleu", "chrf"], "overlap with the gold answer"),
    lower(&["brier"], "squared error of the confidence"),
    lower(
        &["ece", "calibration_error"],
        "distance of the confidence from the share of right answers",
    ),
    lower(&["aurc", "risk"], "area below the risk–coverage curve"),
    lower(&["tokens", "context_tokens"], "length of what was shown, in word pieces"),
    lower(
        &["hallucination", "unsupported", "contradiction"],
        "share of the answer that no passage supports",
    ),
    lower(&["ms", "milliseconds"], "time"),
];

/// Describes the metrics of an experiment, the main ones first. `chosen` names those, in their order;
/// where it is empty they are chosen here.
pub fn describe(names: &BTreeSet<&str>, chosen: &[String]) -> Vec<Metric> {
    let mut main: Vec<&str> =
        chosen.iter().map(String::as_str).filter(|name| names.contains(name)).collect();
    if main.is_empty() {
        main = choose(names);
    }
    let rest = names.iter().copied().filter(|name| !main.contains(name));
    let mut rest: Vec<&str> = rest.collect();
    rest.sort_by_key(|name| (order(name), split(name)));
    let metric = |name: &str, main: bool| {
        let family = family(name);
        Metric {
            name: name.to_owned(),
            about: family.map_or_else(String::new, |family| about(family, name)),
            subject: family.map_or(Subject::Other, |family| family.subject),
            higher_is_better: family.is_none_or(|family| family.higher_is_better),
            main,
        }
    };
    let main = main.iter().map(|name| metric(name, true));
    main.chain(rest.iter().map(|name| metric(name, false))).collect()
}

/// The metrics that a summary speaks of: the first main one on answers, the first on retrieval; or,
/// where there are neither, the first.
pub fn headlines(metrics: &[Metric]) -> Vec<&Metric> {
    let first = |subject| {
        metrics
            .iter()
            .find(|metric| metric.main && metric.subject == subject && metric.higher_is_better)
    };
    let headlines: Vec<&Metric> =
        [Subject::Answer, Subject::Retrieval].into_iter().filter_map(first).collect();
    if headlines.is_empty() { metrics.first().into_iter().collect() } else { headlines }
}

/// The metric's name before its `@`, and the depth behind it.
pub fn split(name: &str) -> (&str, Option<usize>) {
    match name.split_once('@') {
        Some((stem, depth)) => (stem, depth.parse().ok()),
        None => (name, None),
    }
}

fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.get(order(name))
}

/// The family's place; of an unknown name the place behind all.
fn order(name: &str) -> usize {
    let stem = split(name).0.to_lowercase();
    FAMILIES
        .iter()
        .position(|family| family.names.contains(&stem.as_str()))
        .unwrap_or(FAMILIES.len())
}

fn about(family: &Family, name: &str) -> String {
    match split(name).1 {
        Some(depth) if family.about.ends_with("among the first") => {
            format!("{} {depth}", family.about)
        }
        Some(depth) => format!("{}, of the first {depth}", family.about),
        None => family.about.to_owned(),
    }
}

/// One metric of each family, retrieval first, each at the depth that is preferred.
fn choose<'a>(names: &BTreeSet<&'a str>) -> Vec<&'a str> {
    let mut chosen: Vec<&str> = Vec::new();
    for place in 0..=FAMILIES.len() {
        let rank = |name: &&&str| {
            let depth = split(name).1.unwrap_or_default();
            DEPTHS.iter().position(|preferred| *preferred == depth).unwrap_or(DEPTHS.len())
        };
        chosen.extend(names.iter().filter(|name| order(name) == place).min_by_key(rank));
    }
    chosen.truncate(MAIN);
    chosen
        .sort_by_key(|name| family(name).is_none_or(|family| family.subject != Subject::Retrieval));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main_of(names: &[&str], chosen: &[&str]) -> Vec<String> {
        let chosen: Vec<String> = chosen.iter().map(|name| (*name).to_owned()).collect();
        let metrics = describe(&names.iter().copied().collect(), &chosen);
        assert_eq!(metrics.len(), names.len(), "each metric is described once");
        metrics.into_iter().filter(|metric| metric.main).map(|metric| metric.name).collect()
    }

    #[test]
    fn which_metrics_stand_in_front() {
        let cases: &[(&[&str], &[&str], &[&str])] = &[
            (&["recall@1", "recall@10", "recall@5"], &[], &["recall@5"]),
            (&["token_f1", "recall@2", "recall@20"], &[], &["recall@20", "token_f1"]),
            (&["ndcg@10", "correct", "home_made"], &[], &["ndcg@10", "correct", "home_made"]),
            (&["ndcg@10", "correct", "recall@5"], &["correct", "absent"], &["correct"]),
            (&["ndcg@10", "correct"], &["absent"], &["ndcg@10", "correct"]),
        ];
        for (names, chosen, expected) in cases {
            assert_eq!(main_of(names, chosen), *expected, "{names:?} {chosen:?}");
        }
    }

    #[test]
    fn what_a_summary_speaks_of() {
        let names = ["brier", "correct", "ndcg@10", "recall@5"].into_iter().collect();
        let metrics = describe(&names, &[]);
        let headlines: Vec<&str> =
            headlines(&metrics).into_iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(headlines, ["correct", "recall@5"]);
    }

    #[test]
    fn less_is_better_where_it_is() {
        let metrics = describe(&["brier", "recall@5", "home_made"].into_iter().collect(), &[]);
        let lower: Vec<&str> = metrics
            .iter()
            .filter(|metric| !metric.higher_is_better)
            .map(|metric| metric.name.as_str())
            .collect();
        assert_eq!(lower, ["brier"]);
        assert_eq!(metrics[0].about, "share of the answering passages that is among the first 5");
    }
}
