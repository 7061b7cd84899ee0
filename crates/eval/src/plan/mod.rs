//! The plan of an experiment: what it compares, as a TOML file says it.
//!
//! ```toml
//! title = "What each part is worth"
//! baseline = "default"
//!
//! [sets.campus]
//! documents = "campus"               # built once for each way of building
//! questions = "questions.jsonl"      # `sample = 1000` asks so many of them, always the same
//!
//! [configurations.default]           # what is not named is as the site has it
//! [configurations.keywords]
//! retriever = "lexical"
//! [configurations.windows]
//! build.chunks.strategy = "fixed"    # any setting of campanile.toml
//!
//! [grid]                             # every combination of these, each a configuration
//! granularity = ["chunk", "sentence"]
//! retriever = ["lexical", "dense", "hybrid"]
//! ```

mod error;
mod grid;
mod read;
mod settings;

pub use error::PlanError;
pub use read::{Plan, PlannedConfiguration, PlannedSet, Source, read_plan};
pub use settings::{
    Answers, JudgeChoice, LanguageModelSettings, ModelWord, RetrieverName, ScoreSettings, Settings,
};
