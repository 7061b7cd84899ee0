//! The places of a page that others refer to, with the words that stand for them.

use std::collections::BTreeMap;

use super::attributes::{Attributes, entry};
use super::blocks::section_title;

#[derive(Debug, Default)]
pub(super) struct References {
    /// Words by the name of the place.
    words: BTreeMap<String, String>,
    /// The name of a section by its title.
    by_title: BTreeMap<String, String>,
}

impl References {
    pub(super) fn of(lines: &[&str]) -> Self {
        let mut found = Self::default();
        let mut attributes = Attributes::default();
        let mut anchor: Option<(String, Option<String>)> = None;
        for line in lines {
            if let Some((name, value)) = entry(line) {
                attributes.define(name, value);
            } else if let Some(own) = block_anchor(line) {
                anchor = Some(own);
            } else if let Some((_, title)) = section_title(line) {
                let title = attributes.filled(title);
                let own = anchor.take();
                let id = own
                    .as_ref()
                    .map_or_else(|| section_id(&title, &attributes), |(id, _)| id.clone());
                let words = own.and_then(|(_, words)| words).unwrap_or_else(|| title.clone());
                found.words.entry(id.clone()).or_insert(words);
                found.by_title.entry(title).or_insert(id);
            } else if let Some(title) = line.strip_prefix('.').filter(|_| anchor.is_some())
                && !title.starts_with(['.', ' '])
            {
                if let Some((id, words)) = anchor.take() {
                    found
                        .words
                        .entry(id)
                        .or_insert_with(|| words.unwrap_or_else(|| title.to_owned()));
                }
            } else if !line.starts_with('[') && !line.is_empty() {
                anchor = None;
            }
        }
        found
    }

    /// The words for a place, and the place's name.
    pub(super) fn find<'a>(&'a self, target: &'a str) -> (Option<&'a str>, String) {
        if let Some(words) = self.words.get(target) {
            return (Some(words), target.to_owned());
        }
        match self.by_title.get(target) {
            Some(id) => (Some(target), id.clone()),
            None => (None, target.to_owned()),
        }
    }
}

/// `[[id]]`, `[[id,words]]`, `[#id]`, `[appendix#id.role]`
fn block_anchor(line: &str) -> Option<(String, Option<String>)> {
    if let Some(inner) = line.strip_prefix("[[").and_then(|line| line.strip_suffix("]]")) {
        let (id, words) =
            inner.split_once(',').map_or((inner, None), |(id, words)| (id, Some(words)));
        return Some((id.trim().to_owned(), words.map(|words| words.trim().to_owned())));
    }
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let first = inner.split(',').next()?;
    let (_, id) = first.split_once('#')?;
    let id = id.split(['.', '%']).next()?.trim();
    (!id.is_empty() && !id.contains(' ')).then(|| (id.to_owned(), None))
}

/// The name that Asciidoctor gives a section of this title.
pub(super) fn section_id(title: &str, attributes: &Attributes) -> String {
    let part = |name: &str| {
        if attributes.is_set(name) {
            attributes.value(name).unwrap_or_default()
        } else {
            "_".to_owned()
        }
    };
    let (prefix, separator) = (part("idprefix"), part("idseparator"));
    let mut id = String::new();
    let lower = title.to_lowercase();
    let parts = lower.split([' ', '.', '-', '_']);
    for word in parts {
        let word: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
        if word.is_empty() {
            continue;
        }
        if !id.is_empty() {
            id.push_str(&separator);
        }
        id.push_str(&word);
    }
    format!("{prefix}{id}")
}
