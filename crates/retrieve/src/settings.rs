use campanile_bundle::{Manifest, RankingConfig, SearchSettings};
use campanile_corpus::metadata::Profile;

use crate::depth::{Depth, Floor};
use crate::expansion::{Feedback, Phrasing};
use crate::fuse::Weights;
use crate::neighbours::Around;
use crate::options::{Retriever, SearchOptions, Semantics};

/// The settings for searching one question: what the caller asked for, else what the site says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    /// `[search]`, of which the fields up to `around` are parts in the engine's own types.
    pub(crate) search: SearchSettings,
    /// The number of chunks that each search puts forward.
    pub(crate) depth: usize,
    /// The bounds on the number of passages shown, and the gap in their scores that ends the list.
    pub(crate) shown: Depth,
    /// The most passages that are shown for this question.
    pub(crate) limit: usize,
    pub(crate) floor: Floor,
    /// The number of the best by rank that are ordered by score.
    pub(crate) pool: usize,
    pub(crate) weights: Weights,
    /// The number of the best that the reranker reads.
    pub(crate) cross_depth: usize,
    /// The bounds on what is read around the passages.
    pub(crate) around: Around,
    pub(crate) retriever: Retriever,
    pub(crate) semantics: Semantics,
    pub(crate) feedback: Option<Feedback>,
    pub(crate) phrasings: Vec<Phrasing>,
    /// Who asks.
    pub(crate) profile: Profile,
    /// `true` if documents for others are searched too.
    pub(crate) everyone: bool,
    /// `true` if the searches look at older editions too.
    pub(crate) behind_filter: bool,
    pub(crate) ranking: RankingConfig,
}

impl Settings {
    pub(crate) fn of(options: &SearchOptions, manifest: &Manifest) -> Self {
        let site = &manifest.search;
        let mut search = options.overrides.over(site);
        // A site that always shows as many shows as many as are asked for.
        if options.overrides.least_sources.is_none() && site.least_sources() >= site.sources {
            search.least_sources = None;
        }
        let most = search.sources as usize;
        Self {
            depth: search.depth as usize,
            shown: Depth { least: search.least_sources() as usize, most, gap: search.gap },
            limit: most,
            floor: Floor {
                // Of an encoder that nobody has measured, only opposites have nothing to do with each other.
                cosine: search.floor_cosine.unwrap_or(0.0),
                reach: search.floor_reach,
            },
            pool: search.pool as usize,
            weights: Weights {
                lexical: search.lexical_weight,
                dense: search.dense_weight,
                late: search.late_weight,
            },
            cross_depth: search.cross_depth as usize,
            around: Around {
                before: search.neighbours_before,
                after: search.neighbours_after,
                most_tokens: search.neighbour_tokens as usize,
            },
            search,
            retriever: options.retriever,
            semantics: options.semantics,
            feedback: options.feedback,
            phrasings: options.phrasings.clone(),
            profile: options.profile.clone(),
            everyone: options.everyone,
            behind_filter: options.behind_filter,
            ranking: options.ranking.unwrap_or(manifest.ranking),
        }
    }
}
