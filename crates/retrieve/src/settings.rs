use campanile_bundle::{FusionMethod, Manifest};
use campanile_corpus::Granularity;

use crate::fuse::Weights;
use crate::options::{Retriever, SearchOptions};

/// How one question is searched: what the caller asked for, else what the site says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) retriever: Retriever,
    pub(crate) granularity: Granularity,
    /// How many chunks each search puts forward.
    pub(crate) depth: usize,
    /// How many passages are shown.
    pub(crate) limit: usize,
    pub(crate) fusion: FusionMethod,
    /// How many of the best by rank are ordered by score.
    pub(crate) pool: usize,
    pub(crate) weights: Weights,
    /// Whether the weights follow the question.
    pub(crate) adaptive: bool,
    /// The constant of reciprocal rank fusion.
    pub(crate) fusion_constant: f32,
}

impl Settings {
    pub(crate) fn of(options: &SearchOptions, manifest: &Manifest) -> Self {
        let site = &manifest.search;
        Self {
            retriever: options.retriever,
            granularity: options.granularity.unwrap_or(site.granularity),
            depth: options.depth.unwrap_or(site.candidates as usize),
            limit: options.limit.unwrap_or(site.passages as usize),
            fusion: options.fusion.unwrap_or(site.fusion),
            pool: options.pool.unwrap_or(site.pool as usize),
            weights: Weights {
                lexical: options.lexical_weight.unwrap_or(site.lexical_weight),
                dense: options.dense_weight.unwrap_or(site.dense_weight),
            },
            adaptive: options.adaptive_weights.unwrap_or(site.adaptive_weights),
            fusion_constant: options.fusion_constant.unwrap_or(site.fusion_constant as f32),
        }
    }
}
