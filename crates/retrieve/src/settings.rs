use campanile_bundle::Manifest;
use campanile_corpus::Granularity;

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
            fusion_constant: options.fusion_constant.unwrap_or(site.fusion_constant as f32),
        }
    }
}
