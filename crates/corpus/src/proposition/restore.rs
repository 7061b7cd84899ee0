//! Title and headings set in front of a statement that does not name them.

use std::collections::BTreeSet;

use campanile_text::Analyzer;

use super::Rule;
use crate::facts::without_number;
use crate::unit::Part;
use crate::{BlockKind, CONTEXT_BYTES, Document};

/// The names that a statement stands under: title, headings, a table's caption.
pub(super) struct Setting {
    names: Vec<Name>,
    /// All of them, for looking facts up in.
    named: String,
}

struct Name {
    text: String,
    terms: BTreeSet<String>,
}

impl Setting {
    pub(super) fn new(document: &Document, part: &Part, analyzer: &Analyzer) -> Self {
        let section = document.sections.get(part.section as usize);
        let path = section.map(|section| section.path.as_slice()).unwrap_or_default();
        let is_row = part.kind == BlockKind::TableRow;
        let table = document.table_at(part.span.start).filter(|_| is_row);
        let mut texts = vec![document.title.as_str()];
        texts.extend(path.iter().map(String::as_str));
        texts.extend(table.map(|table| table.caption.as_str()));
        let mut names: Vec<Name> = Vec::new();
        for text in &texts {
            let name = Name::new(text, analyzer);
            let is_known = names.iter().any(|known| known.terms == name.terms);
            if !is_known && name.text.contains(char::is_alphanumeric) {
                names.push(name);
            }
        }
        Self { names, named: texts.join(" ") }
    }

    /// All names together.
    pub(super) fn named(&self) -> &str {
        &self.named
    }

    /// The statement behind the names that it lacks.
    pub(super) fn restored(
        &self,
        text: &str,
        analyzer: &Analyzer,
        rules: &mut Vec<Rule>,
    ) -> String {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let own = terms(&text, analyzer);
        let lacks = |name: &&Name| !name.terms.is_subset(&own) || name.terms.is_empty();
        let lacking: Vec<&str> =
            self.names.iter().filter(lacks).map(|name| name.text.as_str()).collect();
        let front = front(&lacking);
        if front.is_empty() {
            return text;
        }
        rules.push(Rule::Restored);
        let mark = if front.ends_with(['?', '!', ':', '.', '…']) { "" } else { ":" };
        format!("{front}{mark} {text}")
    }
}

impl Name {
    fn new(text: &str, analyzer: &Analyzer) -> Self {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // A heading's number says nothing that a sentence could lack.
        let bare = without_number(&text);
        Self { terms: terms(bare, analyzer), text }
    }
}

pub(super) fn terms(text: &str, analyzer: &Analyzer) -> BTreeSet<String> {
    analyzer.analyze(text).into_iter().map(|token| token.term).collect()
}

/// The names in a row, no longer than a chunk's context: those in the middle go first, then words
/// at the end of what remains.
fn front(names: &[&str]) -> String {
    let mut names = names.to_vec();
    let length = |names: &[&str]| names.iter().map(|name| name.len() + 2).sum::<usize>();
    while names.len() > 2 && length(&names) > CONTEXT_BYTES {
        names.remove(1);
    }
    let room = if length(&names) > CONTEXT_BYTES {
        CONTEXT_BYTES / names.len().max(1) - 2
    } else {
        CONTEXT_BYTES
    };
    let cut: Vec<&str> =
        names.iter().map(|name| beginning(name, room)).filter(|name| !name.is_empty()).collect();
    cut.join(", ")
}

/// As many whole words as fit.
fn beginning(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let fitting = text.get(..text.floor_char_boundary(bytes + 1)).unwrap_or_default();
    let end = fitting.rfind(char::is_whitespace).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}
