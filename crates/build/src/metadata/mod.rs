//! The metadata of each document: settings, sidecar files and front matter put together.
//!
//! Later sources override earlier ones, field by field: `[metadata]` of the settings, the
//! `[[rules]]` in their order, folders' sidecars from the top down, the document's own sidecar, its
//! front matter. Every value remembers its [`Origin`].
//!
//! ```text
//! let sidecars = Sidecars::read(docs, &discovery.sidecars);
//! let resolver = Resolver::new(config, sidecars);
//! let resolved = resolver.resolve(&document.path, &document.metadata);
//! ```

pub mod lint;
#[cfg(test)]
mod properties;
mod resolve;
mod rules;
#[cfg(test)]
mod tests;

use std::fmt;

pub use resolve::{Described, Resolved, Resolver, Sidecars, describe, today};
pub(crate) use rules::with_files;
pub use rules::{MetadataConfigError, RulePlace, RuleTable, Rules, spanned};

/// Where a value came from, the weakest first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// `[metadata]` of the settings.
    Defaults,
    /// A rule of the settings.
    Rule(RulePlace),
    /// A sidecar of a folder or of the document.
    Sidecar {
        /// The file.
        path: String,
    },
    /// The document itself.
    FrontMatter,
    /// It follows from the department, by `[organisation]`.
    Organisation,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Defaults => write!(formatter, "the settings' [metadata]"),
            Self::Rule(place) => place.fmt(formatter),
            Self::Sidecar { path } => write!(formatter, "`{path}`"),
            Self::FrontMatter => write!(formatter, "the document itself"),
            Self::Organisation => write!(formatter, "the department, by [organisation]"),
        }
    }
}
