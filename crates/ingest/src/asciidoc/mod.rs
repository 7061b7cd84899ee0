//! AsciiDoc, as Asciidoctor understands it, by way of HTML.
//!
//! The reader is our own: `asciidocr` 0.1 brings a logger and a template engine, and reads no conditions and no cells over columns
//! or rows (see `docs/concepts/dependencies.md`). Here nothing is an error: what is not understood stays as the
//! words that it is. The specification followed is the AsciiDoc Language Documentation.

mod attributes;
mod blocks;
mod conditions;
mod inline;
mod lists;
mod references;
mod tables;
#[cfg(test)]
mod tests;

use campanile_corpus::Document;

use crate::Trouble;
use crate::front_matter;
use crate::marked::{self, PageNotes, Statements};
use crate::report::Report;
use attributes::Attributes;
use references::References;

/// Blocks within blocks: deeper ones are read as text.
const DEEPEST: usize = 24;

pub(crate) fn read(path: &str, source: &str) -> Result<(Document, Report), Trouble> {
    let mut report = Report::default();
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    // Site generators put front matter in front of the page.
    let (front_matter, body) = front_matter::split(&source, &mut report);
    let statements = Statements {
        title: front_matter.title,
        link: front_matter.link,
        metadata: front_matter.metadata,
    };
    let lines = conditions::chosen(body, &mut report);
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    let mut reader = Reader {
        attributes: Attributes::default(),
        references: References::of(&lines),
        notes: PageNotes::default(),
        report,
        statements,
        numbers: Vec::new(),
    };
    let start = reader.header(&lines);
    let mut page = String::with_capacity(body.len() * 3 / 2);
    if let Some(title) = reader.attributes.value("doctitle").filter(|title| !title.is_empty()) {
        let title = reader.inline(&title);
        page.push_str(&format!("<h1>{title}</h1>\n"));
    }
    page.push_str(&reader.blocks(lines.get(start..).unwrap_or_default(), Place::default()));
    page.push_str(&reader.notes.list());
    let Reader { statements, report, .. } = reader;
    marked::read(path, &page, statements, report)
}

/// The place of a run of lines in the page.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The number of blocks around it.
    depth: usize,
    /// Items of lists end its paragraphs.
    is_in_list: bool,
}

impl Place {
    fn inside(self) -> Self {
        Self { depth: self.depth + 1, is_in_list: false }
    }
}

/// A reader of one page, with what is known of it so far.
struct Reader {
    attributes: Attributes,
    references: References,
    notes: PageNotes,
    report: Report,
    statements: Statements,
    /// The numbers of the sections that are open, where they are numbered.
    numbers: Vec<usize>,
}

impl Reader {
    /// Reads the head of the page; the number of lines that it takes.
    fn header(&mut self, lines: &[&str]) -> usize {
        let mut at = 0;
        let mut has_title = false;
        while let Some(line) = lines.get(at) {
            if let Some(taken) = self.attribute_entry(lines, at) {
                at = taken;
            } else if line.starts_with("//") && !line.starts_with("///") {
                self.report.comments += 1;
                at += 1;
            } else if line.is_empty() && !has_title {
                at += 1;
            } else if let Some(title) = line.strip_prefix("= ").or_else(|| line.strip_prefix("# "))
                && !has_title
            {
                has_title = true;
                self.attributes.set("doctitle", title.trim());
                at += 1;
                at += self.author_and_revision(lines.get(at..).unwrap_or_default());
            } else {
                break;
            }
        }
        let names = ["author", "revnumber", "revdate", "lang", "description", "keywords"];
        let fields = ["author", "version", "revdate", "language", "description", "keywords"];
        for (name, field) in names.into_iter().zip(fields) {
            if let Some(value) = self.attributes.value(name) {
                // Any other form of a date may be read wrongly.
                let field = if name == "revdate" && is_day(&value) { "date" } else { field };
                self.statements.add(field, &value, &mut self.report);
            }
        }
        for (name, value) in self.attributes.of_metadata() {
            self.statements.add(&name, &value, &mut self.report);
        }
        at
    }

    /// The lines below the title: `Ann Example <ann@example.edu>` and `v1.2, 2026-01-07: remark`.
    fn author_and_revision(&mut self, lines: &[&str]) -> usize {
        let Some(author) = lines
            .first()
            .filter(|line| line.starts_with(char::is_alphabetic) && !line.contains("::"))
        else {
            return 0;
        };
        let names = author.split(';').map(|one| one.split('<').next().unwrap_or_default().trim());
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        self.attributes.set("author", &names.join(", "));
        let Some(revision) = lines.get(1).filter(|line| {
            let number = line.strip_prefix('v').unwrap_or(line);
            number.starts_with(|c: char| c.is_ascii_digit())
        }) else {
            return 1;
        };
        let (number, date) = revision.split_once(',').unwrap_or(match revision.starts_with('v') {
            true => (revision, ""),
            false => ("", revision),
        });
        self.attributes.set("revnumber", number.trim_start_matches('v').trim());
        self.attributes.set("revdate", date.split(": ").next().unwrap_or_default().trim());
        2
    }

    /// Reads `:name: value` with the lines that it goes on over; the place behind it.
    fn attribute_entry(&mut self, lines: &[&str], at: usize) -> Option<usize> {
        let (name, value) = attributes::entry(lines.get(at)?)?;
        let mut value = value.to_owned();
        let mut next = at + 1;
        while let Some(open) = value.strip_suffix('\\').map(str::to_owned)
            && let Some(line) = lines.get(next)
        {
            value = format!("{} {}", open.trim_end().trim_end_matches(" +"), line.trim());
            next += 1;
        }
        self.attributes.define(name, &value);
        Some(next)
    }
}

/// `2026-01-07`
fn is_day(text: &str) -> bool {
    let parts: Vec<usize> = text.split('-').map(str::len).collect();
    parts == [4, 2, 2] && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}
