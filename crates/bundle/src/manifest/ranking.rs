//! How levels of the university and streams of documents bear on the order of passages.

use campanile_corpus::metadata::LevelPoints;
use serde::{Deserialize, Serialize};

/// How the level of a document bears on its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LevelRanking {
    /// The way in which points and relevance go together.
    pub method: LevelMethod,
    /// What levels and newness are worth.
    pub points: LevelPoints,
    /// With [`LevelMethod::Bands`]: passages are about as relevant as each other where their scores
    /// lie no further apart than this much of the way from the mean of all to the best.
    pub band_percent: u32,
    /// With [`LevelMethod::Points`], and for the shares of streams: a passage is relevant where its
    /// score lies at least so far on the way from the mean of all to the best.
    pub relevance_percent: u32,
}

/// The way in which points and relevance go together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LevelMethod {
    /// Relevance alone.
    Off,
    /// Passages about as relevant as each other are ordered by points.
    #[default]
    Bands,
    /// All relevant passages are ordered by points, as the academic advisor does it.
    Points,
}

impl Default for LevelRanking {
    fn default() -> Self {
        Self {
            method: LevelMethod::default(),
            points: LevelPoints::default(),
            band_percent: 2,
            relevance_percent: 50,
        }
    }
}

impl LevelRanking {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// How many of the passages shown each stream has at least, where it has relevant ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StreamShares {
    /// Of course material.
    pub academic_percent: u32,
    /// Of everything else.
    pub non_academic_percent: u32,
}

impl StreamShares {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
