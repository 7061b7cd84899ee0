//! A site on this machine, opened to be asked.

use std::path::Path;

use anyhow::Context as _;
use campanile_corpus::Granularity;
use campanile_retrieve::{Engine, PairTask, Retriever, Semantics, SystemClock};
use clap::ValueEnum;
use futures_lite::future::block_on;

use crate::files::SiteFiles;

/// The engine of a site.
pub type SiteEngine = Engine<SiteFiles, SystemClock>;

/// Which searches take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SearchMode {
    /// Keywords and meaning, fused
    Hybrid,
    /// Keywords alone: what the page does at first
    Lexical,
    /// Keywords and the static encoder: what the page does until the encoder has arrived
    Instant,
    /// Meaning alone
    Dense,
}

impl From<SearchMode> for Retriever {
    fn from(mode: SearchMode) -> Self {
        match mode {
            SearchMode::Hybrid | SearchMode::Instant => Self::Hybrid,
            SearchMode::Lexical => Self::Lexical,
            SearchMode::Dense => Self::Dense,
        }
    }
}

impl From<SearchMode> for Semantics {
    fn from(mode: SearchMode) -> Self {
        match mode {
            SearchMode::Instant => Self::Static,
            SearchMode::Hybrid | SearchMode::Lexical | SearchMode::Dense => Self::Encoder,
        }
    }
}

/// Size of the units that are searched. A site has an index over others than passages where
/// `parts` in its settings names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnitSize {
    /// Passages
    Chunk,
    /// Their sentences, list items and table rows
    Sentence,
    /// Statements made from them that can be understood alone
    Proposition,
}

impl From<UnitSize> for Granularity {
    fn from(size: UnitSize) -> Self {
        match size {
            UnitSize::Chunk => Self::Chunk,
            UnitSize::Sentence => Self::Sentence,
            UnitSize::Proposition => Self::Proposition,
        }
    }
}

/// Opens a site, in a folder or on the web, with its encoder unless keywords alone are wanted.
///
/// # Errors
/// Where the folder holds no site, or a part of it is damaged.
pub fn open(site: &Path, mode: SearchMode) -> anyhow::Result<SiteEngine> {
    let engine = block_on(Engine::open(SiteFiles::at(site), SystemClock::default()))
        .with_context(|| format!("cannot open the site `{}`", site.display()))?;
    if mode == SearchMode::Instant {
        block_on(engine.load_instant()).with_context(|| {
            format!(
                "cannot load the static encoder of `{}`\n  way out: build the site again; `--mode lexical` \
                 searches without it",
                site.display()
            )
        })?;
    } else if mode != SearchMode::Lexical {
        block_on(engine.load_encoder(&mut |_, _| {})).with_context(|| {
            format!(
                "cannot load the encoder of `{}`\n  way out: build the site again; `--mode lexical` \
                 searches without it",
                site.display()
            )
        })?;
    }
    if mode == SearchMode::Hybrid {
        for task in [PairTask::Reader, PairTask::Reranker] {
            load_pair_model(&engine, task).with_context(|| {
                format!(
                    "cannot load the {task} of `{}`\n  way out: build the site again; `{task} = \"none\"` in \
                     `[models]` of `campanile.toml` leaves it out",
                    site.display()
                )
            })?;
        }
    }
    Ok(engine)
}

/// Gets the model for a task ready, where the site has one.
pub fn load_pair_model(engine: &SiteEngine, task: PairTask) -> anyhow::Result<()> {
    if engine.pair_model(task).is_some() {
        block_on(engine.load_pair_model(task, &mut |_, _| {}))?;
    }
    Ok(())
}
