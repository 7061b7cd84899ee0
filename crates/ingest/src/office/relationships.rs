//! Which parts of an Office Open XML package belong together.

use std::collections::BTreeMap;

use super::package::Package;
use crate::IngestError;

/// Longer addresses lead nowhere, and each link repeats its own.
const ADDRESS_BYTES: usize = 4_000;

/// The relationships of one part.
#[derive(Debug, Default)]
pub(super) struct Relationships {
    by_id: BTreeMap<String, Relationship>,
    /// In the order of the file.
    ids: Vec<String>,
}

#[derive(Debug)]
struct Relationship {
    /// The end of the type's address: `hyperlink`, `slide`.
    kind: String,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// The name of a part.
    Part(String),
    /// An address outside of the package.
    Address(String),
}

impl Relationships {
    /// Those of the part `owner`, or of the package itself if that is empty.
    pub(super) fn of(package: &mut Package<'_>, owner: &str) -> Result<Self, IngestError> {
        let (folder, file) = owner.rsplit_once('/').unwrap_or(("", owner));
        let separator = if folder.is_empty() { "" } else { "/" };
        let mut found = Self::default();
        let Some(list) = package.xml(&format!("{folder}{separator}_rels/{file}.rels"))? else {
            return Ok(found);
        };
        for entry in list.elements() {
            let (Some(id), Some(target)) = (entry.attribute("Id"), entry.attribute("Target"))
            else {
                continue;
            };
            if target.len() > ADDRESS_BYTES {
                continue;
            }
            let kind = entry.attribute("Type").and_then(|kind| kind.rsplit('/').next());
            let target = match entry.attribute("TargetMode") {
                Some("External") => Target::Address(target.to_owned()),
                _ => Target::Part(resolved(folder, target)),
            };
            let kind = kind.unwrap_or_default().to_owned();
            found.ids.push(id.to_owned());
            found.by_id.insert(id.to_owned(), Relationship { kind, target });
        }
        Ok(found)
    }

    /// The part behind an id.
    pub(super) fn part(&self, id: &str) -> Option<&str> {
        match &self.by_id.get(id)?.target {
            Target::Part(part) => Some(part),
            Target::Address(_) => None,
        }
    }

    /// The address behind an id.
    pub(super) fn address(&self, id: &str) -> Option<&str> {
        match &self.by_id.get(id)?.target {
            Target::Address(address) => Some(address),
            Target::Part(_) => None,
        }
    }

    /// The parts of a kind, in the order of the file.
    pub(super) fn parts(&self, kind: &str) -> impl Iterator<Item = &str> {
        let of_kind = self.ids.iter().filter_map(|id| self.by_id.get(id));
        of_kind.filter(move |found| found.kind == kind).filter_map(|found| match &found.target {
            Target::Part(part) => Some(part.as_str()),
            Target::Address(_) => None,
        })
    }

    /// The first part of a kind.
    pub(super) fn first(&self, kind: &str) -> Option<&str> {
        self.parts(kind).next()
    }
}

/// The name of a part that a part in `folder` points to.
fn resolved(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let (start, rest) = match target.strip_prefix('/') {
        Some(rest) => ("", rest),
        None => (folder, target.as_str()),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(rest.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn targets_are_relative_to_the_part() {
        let cases = [
            ("ppt/slides", "../notesSlides/n1.xml", "ppt/notesSlides/n1.xml"),
            ("word", "styles.xml", "word/styles.xml"),
            ("word", "/word/styles.xml", "word/styles.xml"),
            ("", "word/document.xml", "word/document.xml"),
            ("", "../../x", "x"),
        ];
        for (folder, target, expected) in cases {
            assert_eq!(resolved(folder, target), expected);
        }
    }
}
