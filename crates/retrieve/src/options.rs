use campanile_bundle::FusionMethod;
use campanile_corpus::Granularity;

/// How one question is searched; the defaults come from the bundle's manifest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchOptions {
    /// How many passages to return; the manifest's number when `None`.
    pub limit: Option<usize>,
    /// The searches that take part.
    pub retriever: Retriever,
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
    /// Whether keywords count less for a question of which they find little; as the manifest says
    /// when `None`.
    pub adaptive_weights: Option<bool>,
    /// The constant of reciprocal rank fusion; the manifest's when `None`.
    pub fusion_constant: Option<f32>,
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
