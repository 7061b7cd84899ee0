//! What is known about each document, put where the other steps look for it.

use std::path::{Path, PathBuf};

use campanile_corpus::{Document, metadata::Metadata};
use serde_json::Value;

use crate::config::Config;
use crate::metadata::{Resolver, Sidecars};

/// The metadata of each document, in the documents' order, and what is wrong with it.
pub struct Described {
    /// One for each document.
    pub metadata: Vec<Metadata>,
    /// Values that are not understood, each with its document and where it stands.
    pub problems: Vec<String>,
}

/// Resolves the metadata of all documents. A stated title or address takes the place of the
/// document's own, and what tells editions apart is told to the step that looks for them.
///
/// # Errors
/// Where a rule in the settings is no rule.
pub fn describe(
    documents: &mut [Document],
    docs: &Path,
    sidecars: &[PathBuf],
    config: &Config,
) -> anyhow::Result<Described> {
    let resolver = Resolver::new(config, Sidecars::read(docs, sidecars))?;
    let mut described =
        Described { metadata: Vec::with_capacity(documents.len()), problems: Vec::new() };
    for document in documents {
        let resolved = resolver.resolve(&document.path, &document.metadata);
        described.problems.extend(resolved.problems.iter().map(|located| {
            format!("`{}`, {}: {}", document.path, located.origin, located.problem)
        }));
        let metadata = resolved.metadata;
        if let Some(title) = &metadata.title {
            document.title.clone_from(title);
        }
        if metadata.link.is_some() {
            document.link.clone_from(&metadata.link);
        }
        tell_editions(document, &metadata);
        described.metadata.push(metadata);
    }
    Ok(described)
}

fn tell_editions(document: &mut Document, metadata: &Metadata) {
    let replaces = metadata.replaces.iter().cloned().map(Value::String).collect::<Vec<_>>();
    let told = [
        ("date", metadata.date.map(|date| Value::String(date.to_string()))),
        ("series", metadata.series.clone().map(Value::String)),
        ("version", metadata.version.clone().map(Value::String)),
        ("supersedes", (!replaces.is_empty()).then_some(Value::Array(replaces))),
    ];
    for (name, value) in told {
        if let Some(value) = value {
            document.metadata.insert(name.to_owned(), value);
        }
    }
}
