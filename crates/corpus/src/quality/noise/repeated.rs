//! Headers and footers.

use std::collections::BTreeMap;

use super::{Judged, QualityOptions, plain};
use crate::{BlockKind, Document};

/// How many blocks from either end of a document may be a header or a footer.
const EDGE_BLOCKS: usize = 4;
/// A longer text is content, however often it is said.
const LONGEST_WORDS: usize = 40;

/// The lines at the edges of documents, and how many documents have them.
#[derive(Clone, Debug, Default)]
pub struct Boilerplate {
    lines: BTreeMap<String, Seen>,
    documents: usize,
}

#[derive(Clone, Debug)]
struct Seen {
    /// The path of the first document that has the line; it keeps it.
    first: String,
    documents: usize,
}

impl Boilerplate {
    /// What these documents repeat.
    pub fn of<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Self {
        let mut found = Self::default();
        for document in documents {
            found.documents += 1;
            let mut own: Vec<String> = edges(document).into_iter().map(plain).collect();
            own.sort_unstable();
            own.dedup();
            for line in own {
                let first = document.path.clone();
                found.lines.entry(line).or_insert(Seen { first, documents: 0 }).documents += 1;
            }
        }
        found
    }

    pub(super) fn repeats(&self, judged: &Judged<'_>, options: &QualityOptions) -> bool {
        let Some(seen) = self.lines.get(&plain(judged.text)) else { return false };
        seen.documents >= options.repeated_documents
            && seen.documents * 100 >= self.documents * usize::from(options.repeated_percent)
            && seen.first != judged.document.path
            && edges(judged.document).iter().any(|edge| std::ptr::eq(*edge, judged.text))
            && !judged.section.span.is_empty()
    }
}

/// The blocks at the edges that may be furniture: no fields (`Language: English`), no facts.
fn edges(document: &Document) -> Vec<&str> {
    let blocks: Vec<_> = document.sections.iter().flat_map(|section| &section.blocks).collect();
    let is_edge = |index: &usize| *index < EDGE_BLOCKS || index + EDGE_BLOCKS >= blocks.len();
    let at_edge = blocks.iter().enumerate().filter(|(index, _)| is_edge(index));
    let flowing = at_edge.filter(|(_, block)| {
        matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Quote)
    });
    let texts = flowing.filter_map(|(_, block)| block.span.slice(&document.text));
    let is_line = |text: &&str| {
        text.split_whitespace().count() <= LONGEST_WORDS
            && text.contains(char::is_alphabetic)
            && !text.contains([':', '@'])
            && (!text.contains(char::is_numeric) || text.contains('©'))
    };
    texts.filter(is_line).collect()
}
