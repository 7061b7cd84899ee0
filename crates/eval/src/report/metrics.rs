//! The metrics: their names, what they say, and which of them stand in front.

use std::collections::BTreeSet;

use serde::Serialize;

/// The most metrics that the main tables show where nobody chose them.
const MAIN: usize = 6;
/// The depths that are preferred where a metric has several, the best first.
const DEPTHS: [usize; 6] = [5, 10, 3, 20, 1, 50];

/// The subject of a metric.
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
    /// A description in a few words; empty where none is known.
    pub about: String,
    /// The thing it looks at.
    pub subject: Subject,
    /// `true` if more is better.
    pub higher_is_better: bool,
    /// `true` if it stands in the main tables.
    pub main: bool,
    /// The stage whose ranking it measures, where that is not the last.
    pub stage: Option<String>,
}

/// The parts of a metric's name: `lexical/document_recall@512_tokens`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MetricName<'a> {
    /// `lexical`; `None` of the last stage, or of what is no ranking.
    pub(crate) stage: Option<&'a str>,
    /// `document` or `link`, where these are counted instead of passages.
    level: Option<&'a str>,
    /// `recall`.
    pub(crate) stem: &'a str,
    /// The number of items that are looked at.
    pub(crate) depth: Option<usize>,
    /// The number of word pieces that are looked at.
    budget: Option<usize>,
}

impl<'a> MetricName<'a> {
    /// Takes a name apart.
    pub(crate) fn parse(name: &'a str) -> Self {
        let (stage, rest) = match name.rsplit_once('/') {
            Some((stage, rest)) => (Some(stage), rest),
            None => (None, name),
        };
        let (stem, at) = rest.split_once('@').unwrap_or((rest, ""));
        let level = ["document", "link"]
            .into_iter()
            .find_map(|level| Some((level, stem.strip_prefix(level)?.strip_prefix('_')?)));
        let (level, stem) = level.map_or((None, stem), |(level, stem)| (Some(level), stem));
        let budget = at.strip_suffix("_tokens").and_then(|tokens| tokens.parse().ok());
        Self { stage, level, stem, depth: at.parse().ok(), budget }
    }

    /// Returns `true` if it measures passages of the last stage by number: what a main table shows.
    pub(crate) fn is_plain(&self) -> bool {
        self.stage.is_none() && self.level.is_none() && self.budget.is_none()
    }

    fn order(&self) -> usize {
        let stem = self.stem.to_lowercase();
        let has_stem = |family: &Family| family.names.contains(&stem.as_str());
        FAMILIES.iter().position(has_stem).unwrap_or(FAMILIES.len())
    }

    fn about(&self) -> String {
        let Some(family) = FAMILIES.get(self.order()) else { return String::new() };
        let what = match (self.depth, self.budget) {
            (Some(depth), _) => format!("{}{depth}", joint(family.about)),
            (_, Some(tokens)) => format!("{}that fit into {tokens} tokens", joint(family.about)),
            (None, None) => family.about.to_owned(),
        };
        let level = match self.level {
            Some("document") => "; documents instead of passages",
            Some(_) => "; public addresses instead of passages",
            None => "",
        };
        format!("{what}{level}")
    }
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
    answer(
        &["correct", "answer_correct", "correctness", "agreement", "accuracy"],
        "whether the answer is right",
    ),
    answer(
        &["token_f1", "f1"],
        "words shared with the nearest gold answer, precision and recall together",
    ),
    retrieval(
        &["ndcg"],
        "normalised discounted cumulative gain: how early the best passages stand",
    ),
    retrieval(&["mrr", "reciprocal_rank"], "one over the place of the first answering passage"),
    answer(
        &["faithfulness", "grounded", "supported"],
        "share of the answer's claims that stand in the passages",
    ),
    answer(&["exact_match", "em"], "whether the answer is a gold answer, word for word"),
    retrieval(
        &["hit", "success", "passage_hit"],
        "whether any answering passage is among the first",
    ),
    retrieval(
        &["evidence_recall"],
        "share of the gold passages that stand whole in one passage among the first",
    ),
    answer(&["citation_precision"], "share of the cited passages that answer"),
    answer(&["citation_recall"], "share of the answering passages shown that is cited"),
    answer(&["csfs", "claim_supported_faithfulness"], "claim-supported faithfulness"),
    answer(&["cus", "context_utilisation"], "context utilisation"),
    answer(&["acs", "answer_completeness"], "answer completeness"),
    answer(&["bert_score"], "likeness of the word vectors with the nearest gold answer's"),
    answer(
        &["similarity", "sentence_similarity"],
        "likeness of the sentence vectors with the nearest gold answer's",
    ),
    answer(&["judge_correct", "judge_score", "judge"], "what a judge says of the answer"),
    lower(&["judge_no_verdict"], "share of the replies of a judge that are no verdict"),
    answer(&["token_precision", "token_recall"], "words shared with the nearest gold answer"),
    answer(
        &["rouge_l", "rouge_1", "rouge_2", "rouge", "bleu", "meteor", "chrf"],
        "overlap with the gold answer",
    ),
    retrieval(
        &["average_precision", "map", "ap"],
        "mean of the precision at each answering passage",
    ),
    retrieval(&["average_precision_of_found"], "the same, by the passages that were found"),
    retrieval(
        &["ndcg_exponential"],
        "discounted cumulative gain where the best grade matters most",
    ),
    retrieval(&["precision"], "share that answers among the first"),
    retrieval(&["bpref"], "how often answering passages stand before rejected ones"),
    retrieval(&["judged"], "share that somebody judged among the first"),
    lower(&["brier"], "squared error of the confidence"),
    lower(
        &["ece", "calibration_error"],
        "distance of the confidence from the share of right answers",
    ),
    lower(&["aurc", "risk"], "area below the risk–coverage curve"),
    lower(&["perplexity"], "how unlikely the answer is to a language model"),
    lower(
        &["negative_log_likelihood"],
        "the same as the mean of −ln p over the answer's tokens, which no single question rules",
    ),
    lower(
        &["gold_negative_log_likelihood"],
        "the mean of −ln p over the gold answer's tokens, under a language model",
    ),
    lower(&["gold_perplexity"], "how unlikely the gold answer is to a language model"),
    lower(
        &["hallucination", "unsupported", "contradiction"],
        "share of the answer that no passage supports",
    ),
    lower(
        &["ungrounded_literals"],
        "numbers, dates, codes and addresses of the answer that evidence and question do not state",
    ),
    lower(
        &[
            "ungrounded_number", "ungrounded_date", "ungrounded_code", "ungrounded_email",
            "ungrounded_url",
        ],
        "the same of one kind, in the answers that have one",
    ),
    lower(&["tokens", "prose_tokens", "characters", "words", "sentences"], "length"),
];

/// Describes the metrics of an experiment, the main ones first. `chosen` names those, in their order;
/// where it is empty they are chosen here.
pub(crate) fn describe(names: &BTreeSet<&str>, chosen: &[String]) -> Vec<Metric> {
    let mut main: Vec<&str> =
        chosen.iter().map(String::as_str).filter(|name| names.contains(name)).collect();
    if main.is_empty() {
        main = choose(names);
    }
    let rest = names.iter().copied().filter(|name| !main.contains(name));
    let mut rest: Vec<&str> = rest.collect();
    rest.sort_by_key(|name| {
        let name = MetricName::parse(name);
        (name.stage, name.order(), name)
    });
    let metric = |name: &str, main: bool| {
        let parts = MetricName::parse(name);
        let family = FAMILIES.get(parts.order());
        Metric {
            name: name.to_owned(),
            about: parts.about(),
            subject: family.map_or(Subject::Other, |family| family.subject),
            higher_is_better: family.is_none_or(|family| family.higher_is_better),
            main,
            stage: parts.stage.map(str::to_owned),
        }
    };
    let main = main.iter().map(|name| metric(name, true));
    main.chain(rest.iter().map(|name| metric(name, false))).collect()
}

/// The metrics that a summary speaks of: the first main one on answers, the first on retrieval; or,
/// where there are neither, the first.
pub(crate) fn headlines(metrics: &[Metric]) -> Vec<&Metric> {
    let first = |subject| {
        metrics
            .iter()
            .find(|metric| metric.main && metric.subject == subject && metric.higher_is_better)
    };
    let headlines: Vec<&Metric> =
        [Subject::Answer, Subject::Retrieval].into_iter().filter_map(first).collect();
    if headlines.is_empty() { metrics.first().into_iter().collect() } else { headlines }
}

/// Returns the description of a family, up to its depth.
fn joint(about: &str) -> String {
    if about.ends_with("among the first") {
        format!("{about} ")
    } else {
        format!("{about}, of the first ")
    }
}

/// One metric of each family, retrieval first, each at the depth that is preferred.
fn choose<'a>(names: &BTreeSet<&'a str>) -> Vec<&'a str> {
    let plain: Vec<(MetricName<'_>, &str)> = names
        .iter()
        .map(|name| (MetricName::parse(name), *name))
        .filter(|(parts, _)| parts.is_plain())
        .collect();
    let preference = |(parts, _): &&(MetricName<'_>, &str)| {
        let depth = parts.depth.unwrap_or_default();
        DEPTHS.iter().position(|preferred| *preferred == depth).unwrap_or(DEPTHS.len())
    };
    let mut chosen: Vec<(MetricName<'_>, &str)> = Vec::new();
    for place in 0..=FAMILIES.len() {
        let family = plain.iter().filter(|(parts, _)| parts.order() == place);
        chosen.extend(family.min_by_key(preference));
    }
    chosen.truncate(MAIN);
    let subject = |parts: &MetricName<'_>| FAMILIES.get(parts.order()).map(|family| family.subject);
    chosen.sort_by_key(|(parts, _)| subject(parts) != Some(Subject::Retrieval));
    chosen.into_iter().map(|(_, name)| name).collect()
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
    fn names_are_taken_apart() {
        let name = MetricName::parse("lexical/document_recall@512_tokens");
        assert_eq!(
            (name.stage, name.level, name.stem),
            (Some("lexical"), Some("document"), "recall")
        );
        assert_eq!((name.depth, name.budget), (None, Some(512)));
        let cases = [
            ("recall@5", "share of the answering passages that is among the first 5"),
            (
                "recall@512_tokens",
                "share of the answering passages that is among the first that fit into 512 tokens",
            ),
            (
                "ndcg@10",
                "normalised discounted cumulative gain: how early the best passages stand, of the first 10",
            ),
            (
                "dense/link_hit@3",
                "whether any answering passage is among the first 3; public addresses instead of passages",
            ),
            ("brier", "squared error of the confidence"),
            ("home_made@2", ""),
        ];
        for (name, about) in cases {
            assert_eq!(MetricName::parse(name).about(), about, "{name}");
        }
    }

    #[test]
    fn single_stages_come_last_and_never_in_front() {
        let names =
            ["lexical/recall@5", "recall@512_tokens", "document_recall@5", "precision@5", "zeal"];
        assert_eq!(main_of(&names, &[]), ["precision@5", "zeal"]);
        let metrics = describe(&names.into_iter().collect(), &[]);
        assert_eq!(metrics.last().map(|metric| metric.stage.as_deref()), Some(Some("lexical")));
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
