//! Org, the markup of Emacs, by way of HTML.
//!
//! The reader is our own: `orgize` 0.10 is in its tenth trial version and would bring about ten packages (see
//! `docs/concepts/dependencies.md`). Here nothing is an error: what is not understood stays as the words that it is. The syntax
//! followed is that of the Org manual and "Org Syntax".
//!
//! What Org itself would not publish is left out and reported: sections with the tag `noexport`, drafts of programs (`COMMENT`), comments,
//! drawers and time stamps of the writer's own planning.

mod blocks;
mod inline;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use campanile_corpus::Document;
use campanile_corpus::metadata::Field;

use crate::Trouble;
use crate::assemble::DEEPEST_HEADING;
use crate::html::escaped;
use crate::marked::{self, PageNotes, Statements, attribute};
use crate::report::Report;
use inline::Notes;

/// Blocks within blocks: deeper ones are read as text.
const DEEPEST: usize = 24;
/// Words that mark a heading as something to be done, where the page names no others.
const STATES: &[&str] = &["TODO", "DONE", "NEXT", "WAITING", "CANCELLED", "CANCELED"];
/// The longest word of that kind.
const STATE_BYTES: usize = 30;
/// Names of a page's own settings, and what they are called here.
const KEPT: &[(&str, &str)] = &[
    ("author", "author"),
    ("date", "date"),
    ("description", "description"),
    ("keywords", "keywords"),
    ("language", "language"),
    ("title", "title"),
];

pub(crate) fn read(path: &str, source: &str) -> Result<(Document, Report), Trouble> {
    let source = source.replace("\r\n", "\n").replace('\r', "\n").replace('\t', "        ");
    let lines: Vec<&str> = source.lines().map(str::trim_end).collect();
    let mut reader = Reader {
        places: places(&lines),
        own_notes: Notes::of(&lines),
        notes: PageNotes::default(),
        macros: BTreeMap::new(),
        links: BTreeMap::new(),
        states: STATES.iter().map(|state| (*state).to_owned()).collect(),
        hidden_tags: vec!["noexport".to_owned()],
        expanded: 0,
        report: Report::default(),
        statements: Statements::default(),
    };
    reader.settings(&lines);
    let mut page = String::with_capacity(source.len() * 3 / 2);
    if let Some(title) = reader.statements.title.clone() {
        page.push_str(&format!("<h1>{}</h1>\n", escaped(&title)));
    }
    reader.outline(&lines, &mut page);
    page.push_str(&reader.notes.list());
    let Reader { statements, report, .. } = reader;
    marked::read(path, &page, statements, report)
}

/// A reader of one page, with what is known of it so far.
struct Reader {
    /// The anchors of headings by their words and their own names.
    places: BTreeMap<String, String>,
    own_notes: Notes,
    notes: PageNotes,
    /// `#+MACRO: fee 120 euros`
    macros: BTreeMap<String, String>,
    /// `#+LINK: site https://www.example.edu/`
    links: BTreeMap<String, String>,
    states: Vec<String>,
    /// Sections with one of these tags are not published.
    hidden_tags: Vec<String>,
    /// Bytes that macros have put in.
    expanded: usize,
    report: Report,
    statements: Statements,
}

/// A heading: `** TODO [#A] Fees :money:`.
struct Heading<'t> {
    level: usize,
    words: &'t str,
    tags: Vec<&'t str>,
    is_comment: bool,
}

impl Reader {
    /// Takes the settings of the page, wherever they stand in it.
    fn settings(&mut self, lines: &[&str]) {
        let mut states: Vec<String> = Vec::new();
        for line in lines {
            let Some((name, value)) = keyword(line) else { continue };
            let name = name.to_lowercase();
            match name.as_str() {
                "macro" => {
                    if let Some((name, text)) = value.split_once(' ') {
                        self.macros.insert(name.to_lowercase(), text.trim().to_owned());
                    }
                }
                "link" => {
                    if let Some((name, target)) = value.split_once(' ') {
                        self.links.insert(name.to_owned(), target.trim().to_owned());
                    }
                }
                "todo" | "seq_todo" | "typ_todo" => {
                    let words =
                        value.split_whitespace().map(|word| word.split('(').next().unwrap_or(word));
                    states.extend(words.filter(|word| *word != "|").map(str::to_owned));
                }
                "exclude_tags" => {
                    self.hidden_tags = value.split_whitespace().map(str::to_owned).collect();
                }
                _ => self.statement(&name, value),
            }
        }
        if !states.is_empty() {
            self.states = states;
        }
    }

    fn statement(&mut self, name: &str, value: &str) {
        let kept = KEPT.iter().find(|(own, _)| *own == name).map(|(_, field)| (*field).to_owned());
        let field = || {
            let name = name.trim_start_matches("hugo_").replace('-', "_");
            Field::of(&name).map(|_| name)
        };
        let Some(field) = kept.or_else(field) else { return };
        let value = match field.as_str() {
            // `<2026-01-07 Wed>`
            "date" => match day(value) {
                Some(day) => day,
                None => return,
            },
            _ => value,
        };
        // A title may go on over two lines.
        let value = match self.statements.title.as_deref().filter(|_| field == "title") {
            Some(title) => format!("{title} {value}"),
            None => value.to_owned(),
        };
        self.statements.add(&field, &value, &mut self.report);
    }

    /// Reads the headings and what stands below each.
    fn outline(&mut self, lines: &[&str], page: &mut String) {
        // With a title of its own the page's headings stand below it.
        let deeper = usize::from(self.statements.title.is_some());
        let mut at = 0;
        // The level of a section that is not published, with all below it.
        let mut hidden: Option<usize> = None;
        while at < lines.len() {
            let heading = lines.get(at).and_then(|line| self.heading(line));
            let body = at + usize::from(heading.is_some());
            let length = lines.iter().skip(body).take_while(|line| stars(line).is_none()).count();
            let own = lines.get(body..body + length).unwrap_or_default();
            at = body + length;
            if let Some(heading) = heading {
                if hidden.is_some_and(|level| heading.level <= level) {
                    hidden = None;
                }
                let is_hidden = heading.is_comment
                    || heading.tags.iter().any(|tag| self.hidden_tags.iter().any(|own| own == tag));
                if hidden.is_none() && is_hidden {
                    hidden = Some(heading.level);
                }
                if hidden.is_some() {
                    self.report.hidden_words(heading.words);
                } else {
                    self.write_heading(&heading, own, deeper, page);
                }
            }
            if hidden.is_none() {
                page.push_str(&self.blocks(own, 0));
            } else {
                self.report.hidden_words(&own.join(" "));
            }
        }
    }

    fn write_heading(
        &mut self,
        heading: &Heading<'_>,
        body: &[&str],
        deeper: usize,
        page: &mut String,
    ) {
        let level = (heading.level + deeper).min(usize::from(DEEPEST_HEADING));
        let anchor = custom_id(body).map(str::to_owned);
        let anchor = anchor.or_else(|| self.places.get(heading.words).cloned());
        let id = anchor.map(|id| format!(" id=\"{}\"", attribute(&id))).unwrap_or_default();
        let words = self.inline(heading.words);
        page.push_str(&format!("<h{level}{id}>{words}</h{level}>\n"));
    }

    fn heading<'t>(&self, line: &'t str) -> Option<Heading<'t>> {
        let (level, rest) = stars(line)?;
        let (mut words, mut tags) = (rest.trim(), Vec::new());
        let state = words.split(' ').next().unwrap_or_default();
        if state.len() <= STATE_BYTES && self.states.iter().any(|own| own == state) {
            words = words.get(state.len()..).unwrap_or_default().trim_start();
        }
        // `[#A]` says how urgent it is.
        if let Some((_, behind)) = words.strip_prefix("[#").and_then(|rest| rest.split_once(']')) {
            words = behind.trim_start();
        }
        let is_comment = words == "COMMENT" || words.starts_with("COMMENT ");
        let tagged = words.rsplit_once(' ').unwrap_or(("", words));
        if tagged.1.len() > 2 && tagged.1.starts_with(':') && tagged.1.ends_with(':') {
            tags = tagged.1.split(':').filter(|tag| !tag.is_empty()).collect();
            words = tagged.0.trim_end();
        }
        // `[2/5]` counts what is done below.
        let counted = words.rsplit_once('[').filter(|(_, count)| {
            count.strip_suffix(']').is_some_and(|count| {
                count.contains(['/', '%'])
                    && !count.contains(|c: char| !c.is_ascii_digit() && c != '/' && c != '%')
            })
        });
        words = counted.map_or(words, |(words, _)| words.trim_end());
        Some(Heading { level, words, tags, is_comment })
    }
}

/// The number of stars that a heading begins with, and what stands behind them.
fn stars(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('*');
    let level = line.len() - rest.len();
    let is_heading = level > 0 && (rest.starts_with(' ') || rest.is_empty() && level > 3);
    is_heading.then_some((level, rest))
}

/// `#+NAME: value`
fn keyword(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim_start().strip_prefix("#+")?.split_once(':')?;
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| (name, value.trim()))
}

/// The name that a heading states in its drawer of properties.
fn custom_id<'t>(body: &[&'t str]) -> Option<&'t str> {
    let is_drawer = |line: &&&str| {
        let line = line.trim();
        line.starts_with(':') || line.is_empty() || is_planning(line)
    };
    body.iter().take_while(is_drawer).find_map(|line| {
        let (name, value) = line.trim().strip_prefix(':')?.split_once(':')?;
        let value = value.trim();
        (name.eq_ignore_ascii_case("custom_id") && !value.is_empty()).then_some(value)
    })
}

/// `SCHEDULED: <2026-01-07>`: when its writer means to do it.
fn is_planning(line: &str) -> bool {
    ["SCHEDULED:", "DEADLINE:", "CLOSED:", "CLOCK:"]
        .iter()
        .any(|name| line.trim_start().starts_with(name))
}

/// The first day in a text: `2026-01-07`.
fn day(text: &str) -> Option<&str> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let day = text.get(start..start + "2026-01-07".len())?;
    let fits = |(at, byte): (usize, u8)| {
        if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() }
    };
    day.bytes().enumerate().all(fits).then_some(day)
}

/// The anchors of headings, by what links call them.
fn places(lines: &[&str]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((_, words)) = stars(line) else { continue };
        let body = lines.get(at + 1..).unwrap_or_default();
        if let Some(id) = custom_id(body.get(..body.len().min(20)).unwrap_or_default()) {
            found.entry(words.trim().to_owned()).or_insert_with(|| id.to_owned());
            found.entry(format!("#{id}")).or_insert_with(|| id.to_owned());
        }
    }
    found
}
