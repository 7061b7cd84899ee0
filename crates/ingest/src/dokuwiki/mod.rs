//! Pages of DokuWiki, which lie as `.txt` files: as HTML, like Markdown, so that tables, lists, notes and struck words have
//! one reader.
//!
//! The syntax is that of DokuWiki's own page "Formatting Syntax" and of the plugins that most wikis have (`WRAP` and
//! others that only draw a frame). Nothing is an error: what is not understood stays as the words that it is.

mod blocks;
mod inline;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use campanile_corpus::Document;

use crate::Trouble;
use crate::assemble::{Assembler, title_from_path};
use crate::html::{self, Layout};
use crate::report::Report;

/// A page that begins with so many lines without a sign of DokuWiki's is a text, whatever comes then.
const SIGN_LINES: usize = 2_000;

/// Returns `true` if a text is a page of DokuWiki: two lines are headings (`===== Fees =====`), or one sign that only
/// DokuWiki has stands beside another of its marks.
pub(crate) fn is_page(source: &str) -> bool {
    let mut headings = 0;
    let mut own: BTreeMap<&str, bool> = BTreeMap::new();
    for line in source.lines().take(SIGN_LINES) {
        // Three apostrophes and `{|` are MediaWiki's, whose headings count the other way round.
        if line.contains("'''") || line.starts_with("{|") {
            return false;
        }
        headings += usize::from(blocks::heading(line).is_some());
        for (name, is_own, has) in SIGNS {
            if has(line) {
                own.insert(name, *is_own);
            }
        }
    }
    let is_own = headings > 0 || own.values().any(|is_own| *is_own);
    headings >= 2 || is_own && own.len() + usize::from(headings > 0) >= 2
}

/// A mark of the syntax: its name, whether texts of other makers hardly have it, and the test of a line.
type Sign = (&'static str, bool, fn(&str) -> bool);

const SIGNS: &[Sign] = &[
    ("table with a head", true, |line| {
        line.starts_with("^ ") && line.trim_end().ends_with(['^', '|'])
    }),
    ("frame", true, |line| line.contains("</WRAP>") || line.starts_with("<WRAP")),
    ("macro", true, |line| inline::macro_length(line.trim()) == Some(line.trim().len())),
    ("link", false, |line| between(line, "[[", "]]")),
    ("note", false, |line| between(line, "((", "))")),
    ("media", false, |line| between(line, "{{", "}}")),
    ("row", false, |line| {
        line.starts_with("| ") && line.trim_end().ends_with('|') && line.matches('|').count() > 2
    }),
    ("item", false, |line| blocks::item(line).is_some()),
    ("slanted", false, |line| between(line, " //", "//")),
    ("break", false, |line| line.contains("\\\\ ") || line.ends_with("\\\\")),
];

fn between(line: &str, open: &str, close: &str) -> bool {
    line.split_once(open).is_some_and(|(_, rest)| rest.find(close).is_some_and(|end| end > 0))
}

pub(crate) fn read(path: &str, source: &str) -> Result<(Document, Report), Trouble> {
    let mut assembler = Assembler::default();
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let page = blocks::rendered(&source, &mut assembler.report);
    let mut page = html::parse(&page)?;
    let numbers = html::list_numbers(&page);
    html::move_notes(&mut page);
    html::write_numbers(&mut page, numbers, Layout::Page);
    html::read_into(&mut assembler, &page, Layout::Text);
    let title = assembler.first_title().or(assembler.opening_heading()).map(str::to_owned);
    let title = title.unwrap_or_else(|| title_from_path(path));
    Ok(assembler.finish(path, title, None, BTreeMap::new()))
}
