//! Headers and footers.

use std::collections::BTreeMap;

use super::{Line, QualityOptions, lines, plain};
use crate::Document;

/// The number of lines from either end of a document that may be a header or a footer.
const EDGE_LINES: usize = 4;
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
    /// Counts the lines at the edges of these documents.
    pub fn of<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Self {
        let mut found = Self::default();
        for document in documents {
            found.documents += 1;
            let lines = lines(document);
            let edges = edges(&lines).into_iter();
            let mut own: Vec<String> = edges.map(|line| plain(line.text)).collect();
            own.sort_unstable();
            own.dedup();
            for line in own {
                let first = document.path.clone();
                found.lines.entry(line).or_insert(Seen { first, documents: 0 }).documents += 1;
            }
        }
        found
    }

    /// Returns `true` if enough documents have this line, and another one keeps it.
    pub(super) fn repeats(
        &self,
        text: &str,
        document: &Document,
        options: &QualityOptions,
    ) -> bool {
        self.lines.get(&plain(text)).is_some_and(|seen| {
            seen.documents >= options.repeated_documents
                && seen.documents * 100 >= self.documents * usize::from(options.repeated_percent)
                && seen.first != document.path
        })
    }
}

/// The lines at the edges that may be furniture: no fields (`Language: English`), no facts.
pub(super) fn edges<'a>(lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let is_edge = |index: usize| index < EDGE_LINES || index + EDGE_LINES >= lines.len();
    let is_furniture = |text: &str| {
        text.split_whitespace().count() <= LONGEST_WORDS
            && text.contains(char::is_alphabetic)
            && !text.contains([':', '@'])
            && (!text.contains(char::is_numeric) || text.contains('©'))
    };
    let edges = lines.iter().enumerate().filter(|(index, _)| is_edge(*index));
    edges.map(|(_, line)| *line).filter(|line| is_furniture(line.text)).collect()
}
