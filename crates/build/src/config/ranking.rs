//! `[ranking]`: levels of the university and streams of documents.

use campanile_bundle::{LevelMethod, LevelRanking, StreamShares};
use campanile_corpus::metadata::LevelPoints;
use serde::Deserialize;

/// `[ranking]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RankingConfig {
    /// How levels and relevance go together: `bands`, `points` or `off`.
    pub levels: LevelMethod,
    /// Points of a department's document.
    pub department: u32,
    /// Points of a faculty's document.
    pub faculty: u32,
    /// Points of the university's document.
    pub university: u32,
    /// The most points for being new.
    pub freshness: u32,
    /// The years after which a document is no longer new at all.
    pub freshness_years: u32,
    /// How far apart passages of one band may lie, in per cent of the way from the mean to the best.
    pub band_percent: u32,
    /// How far on that way a passage has to lie to be relevant.
    pub relevance_percent: u32,
    /// The least share of course material among the sources shown, in per cent.
    pub academic_percent: u32,
    /// The least share of everything else.
    pub non_academic_percent: u32,
}

impl Default for RankingConfig {
    fn default() -> Self {
        let levels = LevelRanking::default();
        let shares = StreamShares::default();
        Self {
            levels: levels.method,
            department: levels.points.department,
            faculty: levels.points.faculty,
            university: levels.points.university,
            freshness: levels.points.freshness,
            freshness_years: levels.points.freshness_years,
            band_percent: levels.band_percent,
            relevance_percent: levels.relevance_percent,
            academic_percent: shares.academic_percent,
            non_academic_percent: shares.non_academic_percent,
        }
    }
}

impl RankingConfig {
    /// How levels bear on the order of passages.
    pub fn levels(&self) -> LevelRanking {
        LevelRanking {
            method: self.levels,
            points: LevelPoints {
                department: self.department,
                faculty: self.faculty,
                university: self.university,
                freshness: self.freshness,
                freshness_years: self.freshness_years,
            },
            band_percent: self.band_percent,
            relevance_percent: self.relevance_percent,
        }
    }

    /// The least shares of both streams.
    pub fn streams(&self) -> StreamShares {
        StreamShares {
            academic_percent: self.academic_percent,
            non_academic_percent: self.non_academic_percent,
        }
    }
}
