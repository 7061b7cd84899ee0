use campanile_bundle::{FusionMethod, LevelRanking, StreamShares};
use campanile_corpus::Granularity;
use campanile_corpus::metadata::Profile;
use serde::{Deserialize, Serialize};

use crate::expansion::{Feedback, Phrasing};
use crate::neighbours::Around;

/// How one question is searched; the defaults come from the bundle's manifest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchOptions {
    /// How many passages to return at most; the manifest's number when `None`.
    pub limit: Option<usize>,
    /// How many to return at least, where there are so many; the manifest's number when `None`.
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
    /// Whether a question that compares is shown several documents; as the manifest says when `None`.
    pub spread: Option<bool>,
    /// What a word that was added to a question weighs beside one that was typed, 0 to add none; the manifest's
    /// weight when `None`.
    pub synonym_weight: Option<f32>,
    /// Whether words of the best passages are added to the question; not when `None`.
    pub feedback: Option<Feedback>,
    /// The question in other words, searched beside it; a language model on the device may have written them
    /// ([`Rewording`](crate::Rewording)).
    pub phrasings: Vec<Phrasing>,
    /// Whether the site's indexes over units of other sizes put candidates forward too.
    pub all_granularities: bool,
    /// What stands around the passages is read with them so far; as far as the manifest says when `None`.
    pub around: Option<Around>,
    /// The searches that take part.
    pub retriever: Retriever,
    /// Which encoder searches by meaning.
    pub semantics: Semantics,
    /// The size of the units to search; the manifest's when `None`.
    pub granularity: Option<Granularity>,
    /// How many passages each search puts forward; the manifest's number when `None`.
    pub depth: Option<usize>,
    /// How the searches' lists become one; as the manifest says when `None`.
    pub fusion: Option<FusionMethod>,
    /// How many of the best by rank are ordered by score; the manifest's number when `None`.
    pub pool: Option<usize>,
    /// How much the search by keywords counts; the manifest's weight when `None`.
    pub lexical_weight: Option<f32>,
    /// How much the search by meaning counts; the manifest's weight when `None`.
    pub dense_weight: Option<f32>,
    /// How much late interaction counts; the manifest's weight when `None`. At 0 nothing is compared.
    pub late_weight: Option<f32>,
    /// How much a reranker counts, where one is loaded; the manifest's weight when `None`. At 0 nothing is read.
    pub cross_weight: Option<f32>,
    /// How many of the best it reads; the manifest's number when `None`.
    pub cross_depth: Option<usize>,
    /// Whether keywords count less for a question of which they find little; as the manifest says
    /// when `None`.
    pub adaptive_weights: Option<bool>,
    /// The constant of reciprocal rank fusion; the manifest's when `None`.
    pub fusion_constant: Option<f32>,
    /// Who asks, and for which day: documents that are for others are not searched.
    pub profile: Profile,
    /// Whether all documents are searched, whomever they are for and whenever they hold.
    pub everyone: bool,
    /// Whether [`Rankings::left_out`](crate::Rankings::left_out) also has what newer editions have taken the
    /// place of, which costs a search of it.
    pub behind_filter: bool,
    /// How the level of a document bears on its place; as the manifest says when `None`.
    pub levels: Option<LevelRanking>,
    /// How many of the passages shown each stream has at least; as the manifest says when `None`.
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
