//! reStructuredText, as docutils and Sphinx understand it.
//!
//! The reader is our own and goes line by line. A grammar such as `rst_parser`'s (0.4, by pest)
//! refuses the whole page at the first slip, knows neither tables nor Sphinx's roles and
//! directives, and descends by recursion without a limit; documents of a department are written by
//! people whom docutils warns and then serves anyway. So here nothing is an error: what is not
//! understood stays as the words that it is.
//!
//! The specification followed is docutils' "reStructuredText Markup Specification"; where it gives
//! a choice (enumerators, marks that do not close), the reader takes the one that keeps the text.
//! Content that only a build can know is left out and counted: included files, generated lists, raw HTML.

mod blocks;
mod explicit;
mod inline;
mod marks;
mod notes;
mod numbers;
mod pieces;
mod references;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use tables::{Listed, listed_cells};

use std::collections::BTreeMap;

use campanile_corpus::{BlockKind, Document};
use serde_json::Value;

use crate::assemble::{Assembler, title_from_path};
use crate::front_matter::unpublished_status;
use crate::head_lines;
use crate::inline::InlineText;
use crate::report::Report;
use crate::sanitize::clean_line;
use notes::Notes;
use numbers::ItemNumber;
use references::References;

/// The distance between tab stops, in columns.
// As docutils takes them.
const TAB: usize = 8;

pub(crate) fn read(path: &str, source: &str) -> (Document, Report) {
    let source = normalised(source);
    let (stated, source) = head_lines::split(&source).unwrap_or((Vec::new(), &source));
    let lines: Vec<&str> = source.lines().map(str::trim_end).collect();
    let (references, notes) = (References::of(&lines), Notes::of(&lines));
    let mut reader = Reader { references, notes, ..Reader::default() };
    for (name, value) in stated.iter().filter(|(_, value)| !value.is_empty()) {
        if name == "status" {
            reader.assembler.report.unpublished = unpublished_status(value);
        }
        reader.field(name, value);
    }
    reader.blocks(&lines, Place::default());
    reader.finish(path)
}

/// Line ends as `\n`, tabs as spaces.
fn normalised(source: &str) -> String {
    let source = source.replace("\r\n", "\n").replace(['\r', '\u{b}', '\u{c}'], "\n");
    if !source.contains('\t') {
        return source;
    }
    let mut out = String::with_capacity(source.len() + 64);
    let mut column = 0;
    for character in source.chars() {
        match character {
            '\t' => {
                let width = TAB - column % TAB;
                out.extend(std::iter::repeat_n(' ', width));
                column += width;
            }
            '\n' => {
                out.push('\n');
                column = 0;
            }
            other => {
                out.push(other);
                column += 1;
            }
        }
    }
    out
}

/// The place of a run of lines in the page.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The kind of its paragraphs.
    kind: BlockKind,
    /// The number of blocks around it.
    depth: usize,
    /// `true` if it may hold titles.
    has_titles: bool,
}

impl Default for Place {
    fn default() -> Self {
        Self { kind: BlockKind::Paragraph, depth: 0, has_titles: true }
    }
}

impl Place {
    /// One block further in.
    fn inside(self, kind: BlockKind) -> Self {
        Self { kind, depth: self.depth + 1, has_titles: false }
    }
}

/// A reader of one page, with what is known of it so far.
#[derive(Default)]
struct Reader {
    assembler: Assembler,
    references: References,
    notes: Notes,
    /// The styles of titles in the order of their first use, which is that of their levels: the
    /// character, and whether it also stands above.
    styles: Vec<(char, bool)>,
    /// The last label, while nothing but labels was read since.
    label: Option<String>,
    /// The text that the next block begins with: a term, the name of a field.
    prefix: Option<InlineText>,
    /// `true` if that is the number of an item and nothing else.
    prefix_is_number: bool,
    /// The number of the item that was read last, while nothing but blank lines was read since.
    last_number: Option<ItemNumber>,
    title: Option<String>,
    link: Option<String>,
    metadata: BTreeMap<String, Value>,
    /// Bytes of text that substitutions put in.
    substituted: usize,
}

impl Reader {
    /// Adds a block, with what was to stand in front of it.
    fn emit(&mut self, kind: BlockKind, text: InlineText) {
        self.label = None;
        let text = match self.prefix.take() {
            // Code keeps its lines, so that a term cannot stand in front of it.
            Some(prefix) if kind != BlockKind::Code => prefix.followed_by(text),
            Some(prefix) => {
                self.assembler.block(BlockKind::ListItem, prefix);
                text
            }
            None => text,
        };
        self.assembler.block(kind, text);
        self.read_notes(Place { kind, ..Place::default() });
    }

    /// Adds what was to stand in front of a block that did not come.
    fn emit_prefix(&mut self, kind: BlockKind) {
        if let Some(prefix) = self.prefix.take() {
            self.assembler.block(kind, prefix);
        }
    }

    /// Keeps a field of the page's head.
    fn field(&mut self, name: &str, value: &str) {
        let value = clean_line(value, &mut self.assembler.report);
        let name = clean_line(name, &mut self.assembler.report).to_lowercase();
        match name.as_str() {
            "" => {}
            "title" => self.title = Some(value),
            "link" => self.link = self.assembler.report.safe_link(&value).or(self.link.take()),
            _ => {
                self.metadata.insert(name, Value::String(value));
            }
        }
    }

    fn finish(mut self, path: &str) -> (Document, Report) {
        self.emit_prefix(BlockKind::Paragraph);
        let title = self
            .title
            .filter(|title| !title.is_empty())
            .or_else(|| self.assembler.first_title().map(str::to_owned))
            .unwrap_or_else(|| title_from_path(path));
        self.assembler.finish(path, title, self.link, self.metadata)
    }
}
