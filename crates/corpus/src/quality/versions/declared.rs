//! Editions that documents declare themselves.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Document;

const NEWER: [&str; 3] = ["replaces", "supersedes", "ersetzt"];
const OLDER: [&str; 3] = ["replaced_by", "superseded_by", "ersetzt_durch"];

/// Pairs of a newer and an older document, as they are declared; each once.
pub(super) fn pairs(documents: &[Document]) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    for (place, document) in documents.iter().enumerate() {
        for (name, value) in &document.metadata {
            let name = name.to_lowercase().replace(['-', ' '], "_");
            let (is_newer, is_older) = (NEWER.contains(&&*name), OLDER.contains(&&*name));
            if !is_newer && !is_older {
                continue;
            }
            for other in texts(value).into_iter().filter_map(|n| named(documents, document, n)) {
                if other != place {
                    pairs.insert(if is_newer { (place, other) } else { (other, place) });
                }
            }
        }
    }
    pairs
}

/// The texts of a value or of a list of values.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The document of a path, of a path beside the one that names it, or of a title that only one has.
fn named(documents: &[Document], by: &Document, name: &str) -> Option<usize> {
    let name = name.trim().trim_start_matches("./").trim_start_matches('/');
    let folder = by.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = format!("{folder}/{name}");
    let is_path = |document: &Document| document.path == name || document.path == beside;
    if let Some(found) = documents.iter().position(is_path) {
        return Some(found);
    }
    let lower = name.to_lowercase();
    let mut titled =
        documents.iter().enumerate().filter(|(_, document)| document.title.to_lowercase() == lower);
    let (found, _) = titled.next()?;
    titled.next().is_none().then_some(found)
}
