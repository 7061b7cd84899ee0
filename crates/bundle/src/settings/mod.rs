//! The tables of `campanile.toml` that a site keeps: how it is searched, ordered and asked for prose.
//!
//! Each setting is said once, here: its name, meaning, default and range. The manifest holds the part
//! that the page needs, one question or experiment may override it, and the guide's list of settings
//! and the JSON Schema for editors are written from the same lines. To add a setting, add it
//! here and use it.

mod definition;
mod tables;

pub use tables::{
    Calibration, DenseMethod, EvidenceOrder, FusionMethod, LevelMethod, Logistic, ModelChoice,
    ProseConfig, ProseOffer, ProseSettings, RankingConfig, SearchConfig, SearchOverrides,
    SearchSettings, UnsupportedProse,
};
