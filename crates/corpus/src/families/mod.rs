//! Families of pages: a hundred programmes of one make beside a dozen pages of rules.
//!
//! A question that names no programme is answered as well, word for word, by a hundred pages that each say it
//! of one programme; the page that says it of all is one among them. So a build learns which documents are
//! of one make ([`alike`]), which of their passages nearly repeat from one to the next, and what tells each
//! from its siblings ([`Name`]); a search decides by it whom a [`Question`] names.
//!
//! Nothing but the documents is asked for: their headings, titles and passages. A subject alone (`biology`)
//! names all pages of that subject; a degree alone (`a master's`) names none.

mod alike;
mod name;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;

use campanile_text::Analyzer;
use serde::{Deserialize, Serialize};

use crate::{ChunkId, Document};
pub use alike::{Passage, alike};
pub use name::{Name, Question};

/// Fewer documents are no family: what four pages say, each may say for itself.
// Chosen on two made-up catalogues of 86 pages, before a real one was looked at (docs/concepts/retrieval.md).
const LEAST_MEMBERS: usize = 8;

/// The families of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFamilies {
    /// No document is in two of them.
    pub families: Vec<PageFamily>,
}

/// Documents of one make.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFamily {
    /// In the order of their documents.
    pub members: Vec<Member>,
    /// Passages that nearly repeat from member to member, by what they are about, in order. A member's other passages
    /// are its own.
    pub repeated: Vec<Vec<ChunkId>>,
}

/// A document of a family.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its number in the site.
    pub document: u32,
    /// The name that tells it from its siblings.
    pub name: Name,
}

impl PageFamilies {
    /// The families among documents, by the passages of all of them, in the order of their numbers. One of
    /// which no passages repeat is none.
    pub fn of(documents: &[Document], passages: &[Passage<'_>], analyzer: &Analyzer) -> Self {
        let family = |members: Vec<usize>| PageFamily {
            repeated: alike::repeated(&members, documents, passages, analyzer),
            ..PageFamily::new(documents, &members, analyzer)
        };
        let mut families: Vec<PageFamily> =
            alike(documents, analyzer).into_iter().map(family).collect();
        families.retain(|family| !family.repeated.is_empty());
        Self { families }
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.families.is_empty()
    }
}

impl PageFamily {
    /// A family of documents, given by their places, without its passages.
    fn new(documents: &[Document], members: &[usize], analyzer: &Analyzer) -> Self {
        let titles: Vec<&str> =
            members.iter().map(|member| documents[*member].title.as_str()).collect();
        let names = name::names(&titles, documents, analyzer);
        let member = |(document, name): (&usize, Name)| {
            Some(Member { document: u32::try_from(*document).ok()?, name })
        };
        let members = members.iter().zip(names).filter_map(member).collect();
        Self { members, repeated: Vec::new() }
    }

    /// The documents that a question names; none where it speaks of the family as a whole, or not of it.
    pub fn named(&self, question: &Question) -> Vec<u32> {
        let names: Vec<&Name> = self.members.iter().map(|member| &member.name).collect();
        question.named(&names).into_iter().map(|place| self.members[place].document).collect()
    }
}

/// Counts the documents that each of the words stands in.
fn document_frequencies(
    words: impl Iterator<Item = String>,
    documents: &[Document],
    analyzer: &Analyzer,
) -> BTreeMap<String, usize> {
    let mut frequencies: BTreeMap<String, usize> = words.map(|word| (word, 0)).collect();
    for document in documents {
        let mut found = words::words(&document.text, analyzer);
        found.extend(words::words(&document.title, analyzer));
        let mut found: Vec<String> = found.into_iter().map(|word| word.key).collect();
        found.sort_unstable();
        found.dedup();
        for word in found {
            if let Some(count) = frequencies.get_mut(&word) {
                *count += 1;
            }
        }
    }
    frequencies
}
