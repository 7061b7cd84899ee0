//! Which values a setting may have.

use std::fmt;

use campanile_index::{FieldWeights, Graph};

use super::Config;

/// What a number may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// No less than the first and no more than the second.
    Between(f64, f64),
    /// No less.
    AtLeast(f64),
    /// More.
    Above(f64),
    /// More than the first and no more than the second.
    Within(f64, f64),
    /// A whole multiple of the second, from 0 to the first.
    Steps(f64, f64),
}

/// A share of a whole.
const SHARE: Range = Range::Between(0.0, 1.0);
/// A share of a whole, in per cent.
const PERCENT: Range = Range::Between(0.0, 100.0);
const POSITIVE: Range = Range::Above(0.0);
const NOT_NEGATIVE: Range = Range::AtLeast(0.0);
const FIELD_WEIGHT: Range = Range::Steps(FieldWeights::HIGHEST as f64, FieldWeights::STEP as f64);
/// A day in seconds.
const DAY: f64 = 86_400.0;
/// The most candidates that a walk of the graph gives.
const MOST_CANDIDATES: f64 = Graph::CANDIDATES as f64;
/// A small model has no more to say in other words.
const MOST_PHRASINGS: f64 = 5.0;

impl Range {
    /// Whether a value may be; one that is no number may not.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::Between(least, most) => (least..=most).contains(&value),
            Self::AtLeast(least) => value >= least,
            Self::Above(bound) => value > bound,
            Self::Within(bound, most) => value > bound && value <= most,
            Self::Steps(most, step) => {
                (0.0..=most).contains(&value) && (value / step).fract() == 0.0
            }
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Between(least, most) => {
                write!(formatter, "it must lie between {least} and {most}")
            }
            Self::AtLeast(0.0) => write!(formatter, "it must not be negative"),
            Self::AtLeast(least) => write!(formatter, "it must be at least {least}"),
            Self::Above(bound) => write!(formatter, "it must be greater than {bound}"),
            Self::Within(bound, most) => {
                write!(formatter, "it must be greater than {bound}, and no more than {most}")
            }
            Self::Steps(most, step) => {
                write!(formatter, "it must lie between 0 and {most}, in steps of {step}")
            }
        }
    }
}

/// The settings that are numbers: table and key, the value, what it may be. One that is not set and has
/// no number of its own by default is not among them.
pub fn numbers(config: &Config) -> impl Iterator<Item = (&'static str, f64, Range)> {
    let Config { chunks, search, documents, ranking, answers, .. } = config;
    let sources = f64::from(search.sources);
    let always = [
        ("chunks.max_tokens", chunks.max_tokens as f64, Range::Between(32.0, 512.0)),
        ("chunks.target_words", chunks.target_words as f64, Range::AtLeast(10.0)),
        ("search.depth", search.depth.into(), Range::Between(1.0, MOST_CANDIDATES)),
        ("search.sources", sources, Range::Between(1.0, 50.0)),
        ("search.gap", search.gap.into(), POSITIVE),
        ("search.floor_reach", search.floor_reach.into(), SHARE),
        ("search.diversity", search.diversity.into(), SHARE),
        ("search.synonym_weight", search.synonym_weight.into(), SHARE),
        ("search.phrasings", search.phrasings.into(), Range::Between(0.0, MOST_PHRASINGS)),
        ("prose.passages", config.prose.passages.into(), Range::Between(1.0, 50.0)),
        ("prose.words", config.prose.words.into(), Range::Between(20.0, 4_000.0)),
        ("search.pool", search.pool.into(), Range::Between(1.0, 500.0)),
        ("search.lexical_weight", search.lexical_weight.into(), NOT_NEGATIVE),
        ("search.dense_weight", search.dense_weight.into(), NOT_NEGATIVE),
        ("search.late_weight", search.late_weight.into(), NOT_NEGATIVE),
        ("search.cross_weight", search.cross_weight.into(), NOT_NEGATIVE),
        ("search.cross_depth", search.cross_depth.into(), Range::Between(1.0, 50.0)),
        ("search.rrf_constant", search.rrf_constant.into(), POSITIVE),
        ("search.bm25_k1", search.bm25_k1.into(), NOT_NEGATIVE),
        ("search.bm25_b", search.bm25_b.into(), SHARE),
        ("search.title_weight", search.title_weight.into(), FIELD_WEIGHT),
        ("search.headings_weight", search.headings_weight.into(), FIELD_WEIGHT),
        ("answers.refuse_below", answers.refuse_below.into(), SHARE),
        ("answers.sure_from", answers.sure_from.into(), SHARE),
        ("answers.section_from", answers.section_from.into(), SHARE),
        ("answers.entry_from", answers.entry_from.into(), SHARE),
        ("answers.refuse_section_below", answers.refuse_section_below.into(), SHARE),
        ("documents.max_file_mb", documents.max_file_mb, POSITIVE),
        ("documents.max_text_mb", documents.max_text_mb, POSITIVE),
        ("documents.max_inflated_mb", documents.max_inflated_mb, POSITIVE),
        ("documents.max_seconds", documents.max_seconds, Range::Within(0.0, DAY)),
        ("documents.max_memory_mb", documents.max_memory_mb, Range::AtLeast(50.0)),
        ("ranking.band_percent", ranking.band_percent.into(), PERCENT),
        ("ranking.relevance_percent", ranking.relevance_percent.into(), PERCENT),
        ("ranking.academic_percent", ranking.academic_percent.into(), PERCENT),
        ("ranking.non_academic_percent", ranking.non_academic_percent.into(), PERCENT),
    ];
    let least = search.least_sources.map(f64::from);
    let floor = search.floor_cosine.map(f64::from);
    let chosen = [
        ("search.least_sources", least, Range::Between(0.0, sources)),
        ("search.floor_cosine", floor, Range::Between(-1.0, 1.0)),
    ];
    let chosen = chosen.into_iter().filter_map(|(key, value, range)| Some((key, value?, range)));
    always.into_iter().chain(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_up_to_their_ends() {
        let cases = [
            (SHARE, [0.0, 1.0], [-0.1, 1.1], "it must lie between 0 and 1"),
            (NOT_NEGATIVE, [0.0, 9.0], [-0.1, f64::NAN], "it must not be negative"),
            (Range::AtLeast(10.0), [10.0, 11.0], [9.9, f64::NAN], "it must be at least 10"),
            (POSITIVE, [0.1, 9.0], [0.0, f64::NAN], "it must be greater than 0"),
            (
                FIELD_WEIGHT,
                [0.0, 1.75],
                [-0.25, 0.3],
                "it must lie between 0 and 8, in steps of 0.25",
            ),
            (
                Range::Within(0.0, DAY),
                [0.1, DAY],
                [0.0, DAY + 1.0],
                "it must be greater than 0, and no more than 86400",
            ),
        ];
        for (range, inside, outside, words) in cases {
            assert!(inside.into_iter().all(|value| range.holds(value)), "{range:?}");
            assert!(!outside.into_iter().any(|value| range.holds(value)), "{range:?}");
            assert_eq!(range.to_string(), words);
        }
    }
}
