//! HTML that the readers of other markup write, so that it is read like any other page.
//!
//! AsciiDoc and Org are turned into HTML as their own programs would do it. Tables, struck words, formulas and notes then have one
//! reader and one set of rules, as for Markdown.

use std::collections::BTreeMap;

use campanile_corpus::Document;
use scraper::Html;
use serde_json::Value;

use crate::Trouble;
use crate::assemble::{Assembler, title_from_path};
use crate::html::{self, Layout, escaped};
use crate::report::Report;
use crate::sanitize::clean_line;

/// Notes of one page; each is copied behind what refers to it.
const MOST_NOTES: usize = 2_000;

/// What a page states about itself.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    pub(crate) title: Option<String>,
    pub(crate) link: Option<String>,
    pub(crate) metadata: BTreeMap<String, Value>,
}

impl Statements {
    /// Keeps a field under a name, in lower case.
    pub(crate) fn add(&mut self, name: &str, value: &str, report: &mut Report) {
        let value = clean_line(value, report);
        if value.is_empty() {
            return;
        }
        match name {
            "title" => self.title = Some(value),
            "link" => self.link = report.safe_link(&value).or(self.link.take()),
            name => {
                self.metadata.insert(name.to_owned(), Value::String(value));
            }
        }
    }
}

/// The document of a page that was written as HTML.
pub(crate) fn read(
    path: &str,
    source: &str,
    statements: Statements,
    report: Report,
) -> Result<(Document, Report), Trouble> {
    let mut page = html::parse(source)?;
    let numbers = html::list_numbers(&page);
    html::move_notes(&mut page);
    html::write_numbers(&mut page, numbers, Layout::Text);
    let mut assembler = Assembler::default();
    assembler.report.absorb(report);
    html::read_into(&mut assembler, &page, Layout::Text);
    let title = statements
        .title
        .or_else(|| assembler.first_title().map(str::to_owned))
        .unwrap_or_else(|| title_from_path(path));
    Ok(assembler.finish(path, title, statements.link, statements.metadata))
}

/// The notes of a page, and the marks that refer to them.
#[derive(Debug, Default)]
pub(crate) struct PageNotes {
    /// By the name under which several places refer to one note.
    named: BTreeMap<String, usize>,
    /// As HTML, in the order of their numbers.
    notes: Vec<String>,
    marks: usize,
}

impl PageNotes {
    /// The mark of a note with this text, as HTML.
    pub(crate) fn add(&mut self, name: Option<&str>, note: String) -> String {
        if self.notes.len() >= MOST_NOTES {
            return format!(" ({note})");
        }
        let number = self.notes.len();
        if let Some(name) = name {
            self.named.insert(name.to_owned(), number);
        }
        self.notes.push(note);
        self.mark(number)
    }

    /// The mark of a note that was given before.
    pub(crate) fn again(&mut self, name: &str) -> Option<String> {
        let number = self.named.get(name).copied()?;
        (self.marks < 2 * MOST_NOTES).then(|| self.mark(number))
    }

    fn mark(&mut self, number: usize) -> String {
        self.marks += 1;
        let (shown, mark) = (number + 1, self.marks);
        format!(
            "<sup><a class=\"footnote\" id=\"footnote-mark-{mark}\" href=\"#footnote-{shown}\">{shown}</a></sup>"
        )
    }

    /// The list of all notes, for the end of the page.
    pub(crate) fn list(&self) -> String {
        let note = |(number, note): (usize, &String)| {
            let shown = number + 1;
            format!(
                "<div class=\"footnote\" id=\"footnote-{shown}\">{note} <a class=\"footnote-back\" href=\"#footnote-mark-{shown}\">↩</a></div>"
            )
        };
        self.notes.iter().enumerate().map(note).collect()
    }
}

/// A link whose words are HTML already.
pub(crate) fn link(target: &str, words: &str) -> String {
    format!("<a href=\"{}\">{words}</a>", attribute(target))
}

/// A place that links lead to.
pub(crate) fn anchor(id: &str) -> String {
    format!("<a id=\"{}\"></a>", attribute(id))
}

/// A formula in TeX's notation.
pub(crate) fn formula(source: &str) -> String {
    format!("<span class=\"math\">\\({}\\)</span>", escaped(source))
}

/// The length of an address that a text begins with: up to a blank or a sign that ends it.
pub(crate) fn address_length(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '<' | '>' | '"' | '`');
    text.find(ends).unwrap_or(text.len())
}

/// A value between quotation marks.
pub(crate) fn attribute(value: &str) -> String {
    escaped(value).replace('"', "&quot;")
}

/// HTML as it stands, closed where it leaves something open: it must not reach into what follows.
pub(crate) fn raw(lines: &[&str]) -> String {
    let source = lines.join("\n");
    if html::depth(&source) > html::DEEPEST {
        return format!("<p>{}</p>", escaped(&source));
    }
    Html::parse_fragment(&source).root_element().inner_html()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
pub(crate) mod testing {
    use campanile_corpus::{BlockKind, Document};

    /// Each heading as `## words`, each block behind the sign of its kind.
    pub(crate) fn shown(document: &Document) -> String {
        let mut lines = Vec::new();
        for section in &document.sections {
            if section.level > 0 {
                lines.push(format!("{} {}", "#".repeat(section.level.into()), section.heading));
            }
            for block in &section.blocks {
                let sign = match block.kind {
                    BlockKind::Paragraph => "",
                    BlockKind::ListItem => "- ",
                    BlockKind::TableRow => "| ",
                    BlockKind::Code => "` ",
                    BlockKind::Quote => "> ",
                };
                let text = block.span.slice(&document.text).unwrap();
                lines.push(format!("{sign}{}", text.replace('\n', "⏎")));
            }
        }
        lines.join("\n")
    }
}
