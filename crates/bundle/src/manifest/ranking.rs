//! Settings for the bearing that levels of the university and streams of documents have on the order of
//! passages.

use campanile_corpus::metadata::LevelPoints;
use serde::{Deserialize, Serialize};

/// The bearing that the level of a document has on its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LevelRanking {
    /// The way in which points and relevance go together.
    pub method: LevelMethod,
    /// The points that levels and newness are worth.
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

/// The least shares of the two streams, in percent of the passages shown, where they have relevant ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StreamShares {
    /// Of course material.
    pub academic_percent: u32,
    /// Of everything else.
    pub non_academic_percent: u32,
}
