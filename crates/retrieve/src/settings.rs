use campanile_bundle::{FusionMethod, LevelRanking, Manifest, StreamShares};
use campanile_corpus::Granularity;
use campanile_corpus::metadata::Profile;

use crate::depth::{Depth, Floor};
use crate::expansion::{Feedback, Phrasing};
use crate::fuse::Weights;
use crate::neighbours::Around;
use crate::options::{Retriever, SearchOptions, Semantics};

/// The settings for searching one question: what the caller asked for, else what the site says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) retriever: Retriever,
    pub(crate) semantics: Semantics,
    pub(crate) granularity: Granularity,
    /// The number of chunks that each search puts forward.
    pub(crate) depth: usize,
    /// The bounds on the number of passages shown, and the gap in their scores that ends the list.
    pub(crate) shown: Depth,
    /// The most passages that are shown for this question.
    pub(crate) limit: usize,
    pub(crate) floor: Floor,
    /// Below 1, passages that repeat others come later.
    pub(crate) diversity: f32,
    /// `true` if a question that compares is shown several documents.
    pub(crate) spread: bool,
    /// The weight of an added word.
    pub(crate) synonym_weight: f32,
    pub(crate) feedback: Option<Feedback>,
    pub(crate) phrasings: Vec<Phrasing>,
    /// `true` if the indexes over units of other sizes put candidates forward too.
    pub(crate) all_granularities: bool,
    /// The bounds on what is read around the passages.
    pub(crate) around: Around,
    pub(crate) fusion: FusionMethod,
    /// The number of the best by rank that are ordered by score.
    pub(crate) pool: usize,
    pub(crate) weights: Weights,
    /// The weight of late interaction.
    pub(crate) late_weight: f32,
    /// The weight of a reranker.
    pub(crate) cross_weight: f32,
    /// The number of the best that the reranker reads.
    pub(crate) cross_depth: usize,
    /// `true` if the weights follow the question.
    pub(crate) adaptive: bool,
    /// The constant of reciprocal rank fusion.
    pub(crate) fusion_constant: f32,
    /// Who asks.
    pub(crate) profile: Profile,
    /// `true` if documents for others are searched too.
    pub(crate) everyone: bool,
    /// `true` if the searches look at older editions too.
    pub(crate) behind_filter: bool,
    pub(crate) levels: LevelRanking,
    pub(crate) streams: StreamShares,
}

impl Settings {
    pub(crate) fn of(options: &SearchOptions, manifest: &Manifest) -> Self {
        let site = &manifest.search;
        let most = options.limit.unwrap_or(site.passages as usize);
        // A site that always shows as many shows as many as are asked for.
        let is_fixed = site.least_passages >= site.passages;
        let least = if is_fixed { most } else { site.least_passages as usize };
        let shown = Depth {
            least: options.least.unwrap_or(least).min(most),
            most,
            gap: options.gap.unwrap_or(site.gap),
        };
        Self {
            retriever: options.retriever,
            semantics: options.semantics,
            granularity: options.granularity.unwrap_or(site.granularity),
            depth: options.depth.unwrap_or(site.candidates as usize),
            shown,
            limit: most,
            floor: Floor {
                cosine: options.floor_cosine.unwrap_or(site.floor_cosine),
                reach: options.floor_reach.unwrap_or(site.floor_reach),
            },
            diversity: options.diversity.unwrap_or(site.diversity),
            synonym_weight: options.synonym_weight.unwrap_or(site.synonym_weight),
            feedback: options.feedback,
            phrasings: options.phrasings.clone(),
            all_granularities: options.all_granularities,
            around: options.around.unwrap_or(Around {
                before: site.neighbours_before,
                after: site.neighbours_after,
                most_tokens: site.neighbour_tokens as usize,
            }),
            spread: options.spread.unwrap_or(site.spread),
            fusion: options.fusion.unwrap_or(site.fusion),
            pool: options.pool.unwrap_or(site.pool as usize),
            weights: Weights {
                lexical: options.lexical_weight.unwrap_or(site.lexical_weight),
                dense: options.dense_weight.unwrap_or(site.dense_weight),
            },
            late_weight: options.late_weight.unwrap_or(site.late_weight),
            cross_weight: options.cross_weight.unwrap_or(site.cross_weight),
            cross_depth: options.cross_depth.unwrap_or(site.cross_depth as usize),
            adaptive: options.adaptive_weights.unwrap_or(site.adaptive_weights),
            fusion_constant: options.fusion_constant.unwrap_or(site.fusion_constant as f32),
            profile: options.profile.clone(),
            everyone: options.everyone,
            behind_filter: options.behind_filter,
            levels: options.levels.unwrap_or(site.levels),
            streams: options.streams.unwrap_or(site.streams),
        }
    }
}
