//! Where a value came from.

use std::fmt;

use super::RulePlace;

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
