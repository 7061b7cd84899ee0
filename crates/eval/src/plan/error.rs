use thiserror::Error;

/// Why an experiment cannot be made of a file.
#[derive(Debug, Error)]
pub enum PlanError {
    /// It is no TOML.
    #[error("the experiment is no valid TOML: {0}")]
    Toml(#[from] toml::de::Error),
    /// A setting is not known, or is of another kind.
    #[error("in `{place}` of the experiment: {source}")]
    Setting {
        /// `configurations.keywords.retriever`.
        place: String,
        /// The problem with it.
        source: toml::de::Error,
    },
    /// A part has to be there.
    #[error("the experiment has no {0}")]
    Missing(&'static str),
    /// A set names neither documents nor a site, or both.
    #[error("the set `{0}` has to name either `documents` or a `site`")]
    Source(String),
    /// A site is there already and cannot be built in another way.
    #[error(
        "the configuration `{configuration}` is built in a way of its own, and the set `{set}` names a \
         site that is built already\n  way out: name its `documents` instead"
    )]
    Built {
        /// The configuration.
        configuration: String,
        /// The set.
        set: String,
    },
    /// The baseline is no configuration.
    #[error("the baseline `{name}` is no configuration; there are: {known}")]
    Baseline {
        /// The name in the file.
        name: String,
        /// All configurations.
        known: String,
    },
    /// Two configurations share a name.
    #[error("the configuration `{0}` is there twice: by its own name and from the grid")]
    Twice(String),
    /// A list of the grid holds nothing.
    #[error("`grid.{0}` lists no value")]
    Empty(String),
    /// More combinations than anyone waits for.
    #[error("the grid has {count} combinations; at most {limit} are run")]
    Large {
        /// The number of combinations.
        count: usize,
        /// The most that are allowed.
        limit: usize,
    },
}
