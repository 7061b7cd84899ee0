//! What is known about each document: settings, sidecar files and front matter put together.
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
mod origin;
#[cfg(test)]
mod properties;
mod resolve;
mod rules;
mod sidecar;
#[cfg(test)]
mod tests;

pub use origin::Origin;
pub use resolve::{Resolved, Resolver};
pub use rules::{MetadataConfigError, RulePlace, RuleTable, Rules, spanned};
pub use sidecar::Sidecars;
