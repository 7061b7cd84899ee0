use campanile_bundle::{FusionMethod, LevelRanking, StreamShares};
use campanile_corpus::Granularity;
use campanile_corpus::metadata::Profile;
use serde::{Deserialize, Serialize};

use crate::expansion::{Feedback, Phrasing};
use crate::neighbours::Around;

/// The options for searching one question; the defaults come from the bundle's manifest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchOptions {
    /// The most passages to return; the manifest's number when `None`.
    pub limit: Option<usize>,
    /// The fewest to return, where there are so many; the manifest's number when `None`.
    pub least: Option<usize>,
    /// The gap in the scores that ends the list between the two, see [`Depth`](crate::Depth); the manifest's
    /// when `None`.
    pub gap: Option<f32>,
    /// Passages below this cosine are shown only for their keywords; the manifest's when `None`.
    pub floor_cosine: Option<f32>,
    /// Passages with less than this share of the highest keyword score are shown only for their meaning; the
    /// manifest's when `None`.
    pub floor_reach: Option<f32>,
    /// Below 1, passages that repeat others come later, see
    /// [`maximal_marginal_relevance`](crate::maximal_marginal_relevance); the manifest's when `None`.
    pub diversity: Option<f32>,
    /// `true` if a question that compares is shown several documents; as the manifest says when `None`.
    pub spread: Option<bool>,
    /// The weight of a word that was added to a question beside one that was typed, 0 to add none; the
    /// manifest's weight when `None`.
    pub synonym_weight: Option<f32>,
    /// The settings by which words of the best passages are added to the question; none are added when
    /// `None`.
    pub feedback: Option<Feedback>,
    /// The question in other words, searched beside it; a language model on the device may have written them
    /// ([`Rewording`](crate::Rewording)).
    pub phrasings: Vec<Phrasing>,
    /// `true` if the site's indexes over units of other sizes put candidates forward too.
    pub all_granularities: bool,
    /// The bounds on what is read around the passages; the manifest's when `None`.
    pub around: Option<Around>,
    /// The searches that take part.
    pub retriever: Retriever,
    /// Which encoder searches by meaning.
    pub semantics: Semantics,
    /// The size of the units to search; the manifest's when `None`.
    pub granularity: Option<Granularity>,
    /// The number of passages that each search puts forward; the manifest's number when `None`.
    pub depth: Option<usize>,
    /// The method by which the searches' lists become one; the manifest's when `None`.
    pub fusion: Option<FusionMethod>,
    /// The number of the best by rank that are ordered by score; the manifest's number when `None`.
    pub pool: Option<usize>,
    /// The weight of the search by keywords; the manifest's weight when `None`.
    pub lexical_weight: Option<f32>,
    /// The weight of the search by meaning; the manifest's weight when `None`.
    pub dense_weight: Option<f32>,
    /// The weight of late interaction; the manifest's weight when `None`. At 0 nothing is compared.
    pub late_weight: Option<f32>,
    /// The weight of a reranker, where one is loaded; the manifest's weight when `None`. At 0 nothing is
    /// read.
    pub cross_weight: Option<f32>,
    /// The number of the best that the reranker reads; the manifest's number when `None`.
    pub cross_depth: Option<usize>,
    /// `true` if keywords count less for a question of which they find little; as the manifest says when
    /// `None`.
    pub adaptive_weights: Option<bool>,
    /// The constant of reciprocal rank fusion; the manifest's when `None`.
    pub fusion_constant: Option<f32>,
    /// Who asks, and for which day: documents that are for others are not searched.
    pub profile: Profile,
    /// `true` if all documents are searched, whomever they are for and whenever they hold.
    pub everyone: bool,
    /// `true` if [`Rankings::left_out`](crate::Rankings::left_out) also has what newer editions have taken
    /// the place of, which costs a search of it.
    pub behind_filter: bool,
    /// The bearing that the level of a document has on its place; the manifest's when `None`.
    pub levels: Option<LevelRanking>,
    /// The least shares of the two streams in the passages shown; the manifest's when `None`.
    pub streams: Option<StreamShares>,
}

/// Which searches take part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Retriever {
    /// Keywords alone, even when the encoder is loaded.
    Lexical,
    /// Meaning alone, which needs the encoder.
    Dense,
    /// Both, fused; keywords alone until the encoder is there.
    #[default]
    Hybrid,
}

/// Which encoder searches by meaning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Semantics {
    /// The site's encoder where it is loaded; until then, beside keywords, the static encoder.
    #[default]
    Best,
    /// The static encoder, even when the other is loaded: what a page says in its first moments.
    Static,
    /// The site's encoder and no other.
    Encoder,
}
