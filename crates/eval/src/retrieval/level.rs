use std::collections::BTreeSet;

use crate::RankedPassage;

/// The unit that counts as one item of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The chunk.
    Passage,
    /// Its document, by path.
    Document,
    /// The document's public address, so that a page and its print edition are one; the path of a
    /// document that has none.
    Link,
}

impl Level {
    /// Returns the prefix of the names of its metrics.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Passage => "",
            Self::Document => "document_",
            Self::Link => "link_",
        }
    }

    /// Returns the item that a passage is at this level.
    pub(super) fn item(self, passage: &RankedPassage) -> Item<'_> {
        match self {
            Self::Passage => Item::Chunk(passage.chunk),
            Self::Document => Item::Address(&passage.document),
            Self::Link => Item::Address(passage.link.as_deref().unwrap_or(&passage.document)),
        }
    }

    /// A ranking's distinct items: each stands where it stands first.
    pub(super) fn fold(self, passages: &[RankedPassage]) -> Vec<Item<'_>> {
        let mut seen = BTreeSet::new();
        passages
            .iter()
            .map(|passage| self.item(passage))
            .filter(|&item| seen.insert(item))
            .collect()
    }
}

/// An item of a ranking at some level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item<'a> {
    Chunk(u32),
    /// A path or a public address.
    Address(&'a str),
}
