//! Directives, and what each does to its arguments and its content.

use campanile_corpus::BlockKind;

use super::cells;
use super::lists::options;
use super::marks::{dedented, is_blank};
use super::{Place, Reader};

/// The way in which a directive is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Its content is prose, and may begin on its own line.
    Prose,
    /// The same, under a title.
    Titled,
    /// The argument is no text, the content is.
    Content,
    /// As it stands.
    Code,
    /// The same, and it may begin on the directive's line.
    Formula,
    /// The caption of a picture.
    Picture,
    /// Nothing that a reader sees.
    Silent,
    /// Something that only a build can fill in.
    Generated,
}

/// The directives of docutils, of Sphinx and of its common extensions.
const DIRECTIVES: &[(Role, &[&str])] = &[
    (
        Role::Prose,
        &[
            "attention",
            "caution",
            "centered",
            "compound",
            "danger",
            "epigraph",
            "error",
            "header",
            "highlights",
            "hint",
            "important",
            "line-block",
            "note",
            "pull-quote",
            "rubric",
            "seealso",
            "tip",
            "todo",
            "warning",
        ],
    ),
    (
        Role::Titled,
        &[
            "admonition",
            "card",
            "collapse",
            "dropdown",
            "grid-item-card",
            "group-tab",
            "sidebar",
            "tab",
            "tab-item",
            "topic",
            "versionadded",
            "versionchanged",
            "deprecated",
            "versionremoved",
        ],
    ),
    (
        Role::Content,
        &[
            "class",
            "container",
            "glossary",
            "grid",
            "grid-item",
            "hlist",
            "panels",
            "tab-set",
            "tabs",
        ],
    ),
    (
        Role::Code,
        &[
            "code",
            "code-block",
            "doctest",
            "ipython",
            "parsed-literal",
            "productionlist",
            "prompt",
            "sourcecode",
            "testcode",
            "testoutput",
        ],
    ),
    (Role::Formula, &["math"]),
    (Role::Picture, &["figure"]),
    (
        Role::Silent,
        &[
            "codeauthor",
            "contents",
            "currentmodule",
            "default-domain",
            "default-role",
            "footer",
            "highlight",
            "image",
            "index",
            "module",
            "moduleauthor",
            "py:currentmodule",
            "py:module",
            "role",
            "rst-class",
            "section-numbering",
            "sectionauthor",
            "sectnum",
            "tabularcolumns",
            "target-notes",
            "testcleanup",
            "testsetup",
            "toctree",
            "youtube",
        ],
    ),
    (
        Role::Generated,
        &[
            "autoclass",
            "autofunction",
            "automodule",
            "autosummary",
            "bibliography",
            "date",
            "graphviz",
            "include",
            "literalinclude",
            "mermaid",
            "plot",
            "program-output",
            "raw",
            "uml",
        ],
    ),
];

/// Directives whose argument is what they describe.
const DESCRIBING: &[&str] = &[
    "attribute",
    "class",
    "confval",
    "data",
    "describe",
    "envvar",
    "function",
    "method",
    "object",
    "option",
];

fn role(name: &str) -> Option<Role> {
    let has = |(_, names): &&(Role, &[&str])| names.contains(&name);
    DIRECTIVES.iter().find(has).map(|(role, _)| *role)
}

impl Reader {
    /// Reads a directive; `below` is set in as the page has it.
    pub(super) fn directive(&mut self, name: &str, argument: &str, below: &[&str], place: Place) {
        let name = name.to_lowercase();
        let lines = dedented(below, usize::MAX);
        match name.as_str() {
            "title" => self.title = Some(argument.to_owned()),
            "meta" => self.meta(&lines),
            "only" => self.only(argument, &lines, place),
            "table" => self.table_directive(argument, &lines, place),
            "csv-table" => self.csv_table(argument, &lines, place),
            "list-table" => self.list_table(argument, &lines, place),
            _ => self.by_role(&name, argument, &lines, place),
        }
    }

    fn by_role(&mut self, name: &str, argument: &str, lines: &[&str], place: Place) {
        let (argument, rest) = arguments(argument, lines);
        let (_, content) = options(rest);
        let inside = place.inside(place.kind);
        match role(name) {
            Some(Role::Silent) => {}
            Some(Role::Generated) => self.assembler.report.template_tags += 1,
            Some(Role::Code) => self.code(options(lines).1),
            Some(Role::Formula) => {
                let body: Vec<&str> = argument.iter().chain(content).copied().collect();
                self.code(&body);
            }
            Some(Role::Content) => self.blocks(options(lines).1, inside),
            Some(Role::Picture) => self.blocks(content, inside),
            Some(Role::Prose) => {
                // Without options the argument is the first line of the content.
                let body: Vec<&str> = argument.iter().chain(content).copied().collect();
                self.blocks(&body, inside);
            }
            Some(Role::Titled) => {
                let title = format!("{}{}", since(name), argument.join(" "));
                self.words(place.kind, title.trim());
                self.blocks(content, inside);
            }
            None if name.contains(':') || DESCRIBING.contains(&name) => {
                argument.iter().for_each(|line| self.words(place.kind, line));
                self.blocks(content, inside);
            }
            None => {
                self.assembler.report.template_tags += 1;
                self.blocks(options(lines).1, inside);
            }
        }
    }

    /// Facts about the page.
    fn meta(&mut self, lines: &[&str]) {
        for (name, value) in options(lines).0 {
            // `:description lang=en: words`
            let name = name.split(' ').next().unwrap_or_default();
            self.field(name, &value);
        }
    }

    /// Content for some formats: for those that no reader of the page sees it is left out.
    fn only(&mut self, condition: &str, lines: &[&str], place: Place) {
        let for_print = ["latex", "man", "texinfo", "text", "epub"];
        let mut words =
            condition.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let is_for_print = words.clone().count() > 0 && words.all(|word| for_print.contains(&word));
        if is_for_print || condition == "not html" {
            self.assembler.report.template_tags += 1;
            return;
        }
        let has_titles = place.has_titles;
        self.blocks(lines, Place { has_titles, ..place.inside(place.kind) });
    }

    /// A table with a title above it.
    fn table_directive(&mut self, title: &str, lines: &[&str], place: Place) {
        let (_, content) = options(lines);
        self.words(BlockKind::Paragraph, title);
        self.blocks(content, place.inside(place.kind));
    }

    fn csv_table(&mut self, title: &str, lines: &[&str], place: Place) {
        let (options, content) = options(lines);
        let option = |wanted: &str| {
            options.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str())
        };
        if option("file").or(option("url")).is_some() {
            self.words(BlockKind::Paragraph, title);
            self.assembler.report.template_tags += 1;
            return;
        }
        let delimiter = match option("delim") {
            Some("tab") => '\t',
            Some("space") => ' ',
            Some(other) => other.chars().next().unwrap_or(','),
            None => ',',
        };
        let quote = option("quote").and_then(|quote| quote.chars().next()).unwrap_or('"');
        let mut rows = Vec::new();
        let mut heads = count(option("header-rows"));
        if let Some(header) = option("header") {
            rows.extend(cells::csv(header, delimiter, quote).into_iter().take(1));
            heads += rows.len();
        }
        rows.extend(cells::csv(&content.join("\n"), delimiter, quote));
        let stubs = count(option("stub-columns"));
        self.cells_table(title, rows, (heads, stubs), place);
    }

    fn list_table(&mut self, title: &str, lines: &[&str], place: Place) {
        let (options, content) = options(lines);
        let number = |wanted: &str| {
            count(options.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str()))
        };
        let rows = super::lists::items(content)
            .iter()
            .map(|row| super::lists::items(row).iter().map(|cell| cell.join("\n")).collect())
            .collect();
        self.cells_table(title, rows, (number("header-rows"), number("stub-columns")), place);
    }
}

/// The lines of a directive's argument, and what stands below it.
fn arguments<'l, 'a>(first: &'a str, lines: &'l [&'a str]) -> (Vec<&'a str>, &'l [&'a str]) {
    let mut argument: Vec<&str> =
        Some(first).filter(|first| !first.is_empty()).into_iter().collect();
    let mut at = 0;
    while let Some(line) = lines.get(at).filter(|line| !is_blank(line)) {
        if argument.is_empty() || super::marks::field(line).is_some() {
            break;
        }
        argument.push(line);
        at += 1;
    }
    (argument, lines.get(at..).unwrap_or_default())
}

/// Returns the words that a note on a version says before its number.
fn since(name: &str) -> &'static str {
    match name {
        "versionadded" => "New in version ",
        "versionchanged" => "Changed in version ",
        "versionremoved" => "Removed in version ",
        "deprecated" => "Deprecated since version ",
        _ => "",
    }
}

fn count(value: Option<&str>) -> usize {
    value.and_then(|value| value.trim().parse().ok()).unwrap_or(0)
}
