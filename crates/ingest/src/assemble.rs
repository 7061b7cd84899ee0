//! Putting a document together, block by block, with the titles and anchors that it does not state.

use std::collections::{BTreeMap, BTreeSet};

use campanile_corpus::{
    Block, BlockKind, Document, Link, Page, Section, Span, Table, TableLine, mark_entries,
};

use crate::anchors::{AnchorRule, Anchors};
use crate::faq::{Entry, entries, with_asked_paragraphs};
use crate::inline::{InlineText, shortened};
use crate::kind::Kind;
use crate::report::Report;
use crate::sanitize::{clean, clean_line};
use crate::table::{TableDraft, written_out};

/// Headings are repeated in every section below them, so they are kept short there; the text has
/// them whole.
// They are embedded and indexed in front of every chunk below them (its *context*), where a whole
// paragraph that somebody set as a heading would drown the chunk.
const HEADING_CHARS: usize = 200;
/// The deepest level of a heading, as in HTML.
pub(crate) const DEEPEST_HEADING: u8 = 6;

/// Takes headings and blocks in the order of the page and lays out text and spans.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    text: String,
    sections: Vec<Section>,
    /// The headings above the current position.
    above: Vec<(u8, String)>,
    links: Vec<Link>,
    tables: Vec<Table>,
    pages: Vec<Page>,
    last: Option<BlockKind>,
    /// Names for headings that state no anchor.
    named: Option<Anchors>,
    anchors: BTreeSet<String>,
    /// Levels that are added to each heading: what is read stands below headings of its own.
    pub(crate) deeper: u8,
    pub(crate) report: Report,
}

impl Assembler {
    /// Headings without an anchor get one by this rule.
    pub(crate) fn with_anchors(rule: AnchorRule) -> Self {
        Self { named: Some(Anchors::new(rule)), ..Self::default() }
    }

    /// Begins a section. A heading without text is none.
    pub(crate) fn heading(&mut self, level: u8, heading: InlineText, anchor: Option<String>) {
        let heading = clean(heading, &mut self.report);
        if heading.text.is_empty() {
            return;
        }
        let level = level.saturating_add(self.deeper).min(DEEPEST_HEADING.max(level));
        let named = self.named.as_mut().map(|anchors| anchors.next(&heading.text));
        let anchor = anchor
            .or(named)
            .filter(|anchor| !anchor.is_empty() && self.anchors.insert(anchor.clone()));
        self.place(&heading, "\n\n");
        self.last = None;
        let short = shortened(&heading.text, HEADING_CHARS);
        while self.above.last().is_some_and(|(above, _)| *above >= level) {
            self.above.pop();
        }
        self.above.push((level, short.clone()));
        let end = self.text.len();
        self.sections.push(Section {
            is_question: false,
            heading: short,
            level,
            path: self.above.iter().map(|(_, heading)| heading.clone()).collect(),
            anchor,
            span: Span::from_range(end..end),
            blocks: Vec::new(),
        });
    }

    /// Adds a block to the current section. A block without text is none.
    pub(crate) fn block(&mut self, kind: BlockKind, block: InlineText) {
        let block = clean(block, &mut self.report);
        self.clean_block(kind, &block);
    }

    /// Adds a table to the current section: its caption as a paragraph, its rows written out, and
    /// the grid beside them.
    ///
    /// A table of questions and answers becomes what it stands for, a FAQ: a section for each of its rows.
    pub(crate) fn table(&mut self, table: TableDraft) {
        self.table_over_pages(table, Vec::new());
    }

    /// The same for a table that goes on over pages: each row is on the page that it begins on.
    pub(crate) fn table_over_pages(&mut self, table: TableDraft, breaks: Vec<PageBreak>) {
        let mut breaks = breaks.into_iter().peekable();
        self.table_with(table, |assembler, row| {
            while let Some(next) = breaks.next_if(|next| next.row <= row) {
                assembler.page(next.number, next.label);
            }
        });
    }

    /// Adds a table; `before` is called before each of its rows, and once more after the last.
    fn table_with(&mut self, table: TableDraft, mut before: impl FnMut(&mut Self, usize)) {
        // Before it is written out: each answer would begin with the name of its column.
        let table = match entries(table) {
            Ok((caption, entries)) => {
                self.faq(caption, entries);
                return before(self, usize::MAX);
            }
            Err(table) => table,
        };
        let (mut table, rows) = written_out(table, &mut self.report);
        self.clean_block(BlockKind::Paragraph, &InlineText::plain(table.caption.as_str()));
        for (row, text) in &rows {
            before(self, usize::try_from(*row).unwrap_or(usize::MAX));
            let span = self.clean_block(BlockKind::TableRow, text);
            table.lines.extend(span.map(|span| TableLine { row: *row, span }));
        }
        before(self, usize::MAX);
        if !table.lines.is_empty() {
            self.tables.push(table);
        }
    }

    /// Adds the entries of a FAQ, each as a section below its topic.
    fn faq(&mut self, caption: InlineText, entries: Vec<Entry>) {
        self.block(BlockKind::Paragraph, caption);
        // Entries stand side by side, and beside the heading of another topic before them.
        let above = self.above.last().map_or(0, |(level, _)| *level);
        let level = |below: u8| above.saturating_add(below).min(DEEPEST_HEADING);
        let mut topic = String::new();
        for entry in entries {
            if entry.topic != topic {
                topic.clone_from(&entry.topic);
                self.heading(level(1), InlineText::plain(entry.topic), None);
            }
            let known = self.sections.len();
            self.heading(level(2), entry.question, None);
            // A question without text has begun no section.
            if let Some(section) = self.sections.get_mut(known) {
                section.is_question = true;
            }
            self.block(BlockKind::Paragraph, entry.answer);
            self.block(BlockKind::Paragraph, InlineText::plain(entry.further));
        }
    }

    /// Begins a page: number `number` of the file, from 1, called `label` if it says so itself. What
    /// goes on from the page before stays with that page.
    pub(crate) fn page(&mut self, number: u32, label: Option<String>) {
        let end = self.text.len();
        self.pages.push(Page { number, label, span: Span::from_range(end..end) });
    }

    /// Adds a block that is clean already, and says where it went; `None` if it has no text.
    fn clean_block(&mut self, kind: BlockKind, block: &InlineText) -> Option<Span> {
        if block.text.is_empty() {
            return None;
        }
        // A blank line would make a paragraph of each item and each row.
        let is_next_of_kind =
            self.last == Some(kind) && matches!(kind, BlockKind::ListItem | BlockKind::TableRow);
        let span = self.place(block, if is_next_of_kind { "\n" } else { "\n\n" });
        self.last = Some(kind);
        if self.sections.is_empty() {
            self.sections.push(Section::default());
        }
        if let Some(section) = self.sections.last_mut() {
            if section.blocks.is_empty() {
                section.span = span;
            }
            section.span = section.span.joined(span);
            section.blocks.push(Block { kind, span });
        }
        Some(span)
    }

    /// Returns `true` if any block was added.
    pub(crate) fn has_text(&self) -> bool {
        self.sections.iter().any(|section| !section.blocks.is_empty())
    }

    /// Returns `true` if a block has so many words, or there is a table.
    pub(crate) fn has_block_of(&self, words: usize) -> bool {
        let has_words = |block: &Block| {
            let text = block.span.slice(&self.text).unwrap_or_default();
            text.split_whitespace().nth(words.saturating_sub(1)).is_some()
        };
        !self.tables.is_empty()
            || self.sections.iter().flat_map(|section| &section.blocks).any(has_words)
    }

    /// The first heading of the first level.
    pub(crate) fn first_title(&self) -> Option<&str> {
        self.sections
            .iter()
            .find(|section| section.level == 1)
            .map(|section| section.heading.as_str())
    }

    /// The heading that the document begins with.
    pub(crate) fn opening_heading(&self) -> Option<&str> {
        let first = self.sections.first().filter(|section| section.level > 0);
        first.map(|section| section.heading.as_str())
    }

    /// The document, and what was noticed.
    pub(crate) fn finish(
        self,
        path: &str,
        title: String,
        link: Option<String>,
        metadata: BTreeMap<String, serde_json::Value>,
    ) -> (Document, Report) {
        let pages = with_ends(self.pages, &self.text);
        let sections = with_asked_paragraphs(self.sections, &self.text);
        let mut document = Document {
            path: path.to_owned(),
            title: clean_title(&title, path),
            link,
            text: self.text,
            sections,
            links: self.links,
            tables: self.tables,
            pages,
            metadata,
        };
        // Last, since only all sections together tell a FAQ from a question here and there.
        mark_entries(&mut document);
        (document, self.report)
    }

    fn place(&mut self, inline: &InlineText, separator: &str) -> Span {
        if !self.text.is_empty() {
            self.text.push_str(separator);
        }
        let start = self.text.len();
        self.text.push_str(&inline.text);
        for (range, target) in &inline.links {
            self.links.push(Link {
                span: Span::from_range(start + range.start..start + range.end),
                target: target.clone(),
            });
        }
        Span::from_range(start..self.text.len())
    }
}

/// A row of a table that begins a page.
#[derive(Clone, Debug)]
pub(crate) struct PageBreak {
    /// Its number among the table's rows.
    pub(crate) row: usize,
    /// The page's number in the file, from 1.
    pub(crate) number: u32,
    /// What the page calls itself.
    pub(crate) label: Option<String>,
}

/// Lets each page end where the next one begins, separators aside.
fn with_ends(mut pages: Vec<Page>, text: &str) -> Vec<Page> {
    let mut end = text.len();
    // Backwards, as a page ends where the next one begins.
    for page in pages.iter_mut().rev() {
        let start = page.span.start as usize;
        let own = &text[start..end];
        let leading = own.len() - own.trim_start_matches('\n').len();
        let length = own.trim_matches('\n').len();
        page.span = Span::from_range(start + leading..start + leading + length);
        end = start;
    }
    pages
}

/// A title as it may stand in a prompt, wherever it came from: a heading, a field of the file, its name.
/// Characters that are left out of it are told where it stands, and not a second time here.
fn clean_title(title: &str, path: &str) -> String {
    let cleaned = |text: &str| {
        Some(clean_line(text, &mut Report::default())).filter(|title| !title.is_empty())
    };
    cleaned(title)
        .or_else(|| cleaned(&title_from_path(path)))
        .unwrap_or_else(|| "Untitled".to_owned())
}

/// Names that are given once each.
#[derive(Debug, Default)]
pub(crate) struct UniqueNames {
    /// Each name in use, and how many numbers have been tried behind it.
    used: BTreeMap<String, usize>,
}

impl UniqueNames {
    /// The name, or the name with the first free number behind it, counted from `first`.
    pub(crate) fn take(&mut self, plain: String, first: usize) -> String {
        // Counting on from the last try keeps a page of a million equal headings quick.
        let mut tried = self.used.get(&plain).copied().unwrap_or(0);
        let mut name = plain.clone();
        while self.used.contains_key(&name) {
            name = format!("{plain}-{}", first + tried);
            tried += 1;
        }
        self.used.insert(plain, tried);
        self.used.entry(name.clone()).or_insert(0);
        name
    }
}

/// A title for a document that states none: its file's name, or its folder's for an index page.
pub(crate) fn title_from_path(path: &str) -> String {
    let mut parts = path.rsplit('/').filter(|part| !part.is_empty());
    let file = parts.next().unwrap_or_default();
    // A file within a file (`mail.eml#fees.pdf`) is called by its own name.
    let outer = file.split_once('#').filter(|(outer, _)| Kind::of(outer).is_some());
    let file = outer.map_or(file, |(_, inner)| inner);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let plain = stem.trim_matches('_').to_ascii_lowercase();
    let is_index = matches!(plain.as_str(), "index" | "readme" | "default");
    let name = match parts.next() {
        Some(folder) if is_index => folder,
        _ => stem,
    };
    let words: Vec<&str> = name
        .split(|character: char| character.is_whitespace() || matches!(character, '-' | '_' | '+'))
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    let mut characters = line.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use campanile_corpus::BlockKind;

    use super::{Assembler, title_from_path};
    use crate::inline::InlineText;

    #[test]
    fn pages_hold_what_begins_on_them() {
        let mut assembler = Assembler::default();
        assembler.page(1, Some("i".to_owned()));
        assembler.heading(1, InlineText::plain("Rules"), None);
        assembler.block(BlockKind::Paragraph, InlineText::plain("From page one to two."));
        assembler.page(2, None);
        assembler.page(3, None);
        assembler.block(BlockKind::Paragraph, InlineText::plain("On page three."));
        let (document, _) = assembler.finish("a.pdf", String::new(), None, Default::default());
        let pages: Vec<_> = document
            .pages
            .iter()
            .map(|page| (page.number, page.span.slice(&document.text).unwrap_or("?")))
            .collect();
        assert_eq!(pages, [(1, "Rules\n\nFrom page one to two."), (2, ""), (3, "On page three.")]);
        let page_of = |words: &str| {
            let offset = u32::try_from(document.text.find(words)?).ok()?;
            document.page_at(offset).map(|page| page.number)
        };
        assert_eq!(page_of("two"), Some(1));
        assert_eq!(page_of("three"), Some(3));
    }

    #[test]
    fn file_names_become_titles() {
        let cases = [
            ("travel/travel-guide_faq.md", "Travel guide faq"),
            ("travel/index.md", "Travel"),
            ("a/b/README.md", "B"),
            ("index.html", "Index"),
            ("Exam Rules 2024.txt", "Exam Rules 2024"),
            ("übersicht.md", "Übersicht"),
            ("v1.2.md", "V1.2"),
            ("a/mail.eml#fee-list.pdf", "Fee list"),
            ("C#.md", "C#"),
            ("---.md", "---.md"),
        ];
        for (path, expected) in cases {
            assert_eq!(title_from_path(path), expected, "{path}");
        }
    }
}
