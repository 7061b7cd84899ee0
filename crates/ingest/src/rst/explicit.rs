//! Constructs that begin with two dots: directives, targets, notes, comments.

use campanile_corpus::BlockKind;

use super::blocks::options;
use super::marks::{dedented, field, indented, is_blank};
use super::notes::is_number;
use super::references::{plain_name, target};
use super::tables::{Listed, listed_cells};
use super::{Place, Reader};
use crate::inline::InlineText;
use crate::tex;

impl Reader {
    /// Reads the construct that the lines begin with, and says how many of them it took.
    pub(super) fn explicit(&mut self, lines: &[&str], place: Place) -> usize {
        let [first, below @ ..] = lines else {
            return 0;
        };
        if first.starts_with("__ ") {
            return 1;
        }
        let rest = first[2..].trim_start();
        if rest.is_empty() && below.first().is_none_or(|line| is_blank(line)) {
            return 1; // It only ends what stands before it.
        }
        let count = 1 + indented(below);
        let below = &lines[1..count];
        if let Some((name, _)) = target(first) {
            self.label = name;
            return count;
        }
        // Substitutions were collected with the references.
        if rest.starts_with('|') && rest.contains("::") {
            return count;
        }
        if let Some((label, text)) = note(rest) {
            self.note(label, text, below, place);
            return count;
        }
        match directive(rest) {
            Some((name, argument)) => self.directive(name, argument, below, place),
            None => {
                let has_words = |line: &&str| line.contains(char::is_alphanumeric);
                let says = has_words(&rest) || below.iter().any(has_words);
                self.assembler.report.comments += usize::from(says);
            }
        }
        count
    }

    /// A footnote that nothing refers to, or a citation, which keeps its name. The number of a footnote would stand alone
    /// in the text, as the marks that lead to it are left out.
    fn note(&mut self, label: &str, text: &str, below: &[&str], place: Place) {
        self.emit_prefix(place.kind);
        if self.notes.holds(label) {
            return;
        }
        if !is_number(label) {
            self.prefix = Some(InlineText::plain(format!("[{label}] ")));
        }
        let below = dedented(below, usize::MAX);
        let body: Vec<&str> = std::iter::once(text).chain(below).collect();
        self.blocks(&body, place.inside(place.kind));
        self.emit_prefix(BlockKind::Paragraph);
    }
}

/// `[label] text`
pub(super) fn note(rest: &str) -> Option<(&str, &str)> {
    let (label, text) = rest.strip_prefix('[')?.split_once(']')?;
    let is_label = !label.is_empty()
        && label
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '#' | '*' | '-' | '_' | '.' | ':' | '+'));
    (is_label && (text.is_empty() || text.starts_with(' '))).then(|| (label, text.trim_start()))
}

/// `name:: argument`
fn directive(rest: &str) -> Option<(&str, &str)> {
    let (name, argument) = rest.split_once("::")?;
    let name = name.trim_end();
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | ':' | '.'));
    (is_name && (argument.is_empty() || argument.starts_with(' ')))
        .then(|| (name, argument.trim_start()))
}

impl Reader {
    /// The address that a name of this page leads to.
    pub(super) fn address(&self, name: &str) -> Option<String> {
        self.references.target(&plain_name(name)).map(|target| target.address.clone())
    }
}

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
            "attention", "caution", "centered", "compound", "danger", "epigraph", "error",
            "header", "highlights", "hint", "important", "line-block", "note", "pull-quote",
            "rubric", "seealso", "tip", "todo", "warning",
        ],
    ),
    (
        Role::Titled,
        &[
            "admonition", "card", "collapse", "dropdown", "grid-item-card", "group-tab", "sidebar",
            "tab", "tab-item", "topic", "versionadded", "versionchanged", "deprecated",
            "versionremoved",
        ],
    ),
    (
        Role::Content,
        &[
            "class", "container", "glossary", "grid", "grid-item", "hlist", "panels", "tab-set",
            "tabs",
        ],
    ),
    (
        Role::Code,
        &[
            "code", "code-block", "doctest", "ipython", "parsed-literal", "productionlist",
            "prompt", "sourcecode", "testcode", "testoutput",
        ],
    ),
    (Role::Formula, &["math"]),
    (Role::Picture, &["figure"]),
    (
        Role::Silent,
        &[
            "codeauthor", "contents", "currentmodule", "default-domain", "default-role", "footer",
            "highlight", "image", "index", "module", "moduleauthor", "py:currentmodule",
            "py:module", "role", "rst-class", "section-numbering", "sectionauthor", "sectnum",
            "tabularcolumns", "target-notes", "testcleanup", "testsetup", "toctree", "youtube",
        ],
    ),
    (
        Role::Generated,
        &[
            "autoclass", "autofunction", "automodule", "autosummary", "bibliography", "date",
            "graphviz", "include", "literalinclude", "mermaid", "plot", "program-output", "raw",
            "uml",
        ],
    ),
];

/// Directives whose argument is what they describe.
const DESCRIBING: &[&str] = &[
    "attribute", "class", "confval", "data", "describe", "envvar", "function", "method", "object",
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
            "csv-table" | "list-table" => self.listed_table(&name, argument, &lines, place),
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
            Some(Role::Code) => {
                let (stated, code) = options(lines);
                // Shown above the code: what it is for, often the system or the file.
                if let Some((_, caption)) = stated.iter().find(|(name, _)| *name == "caption") {
                    self.words(BlockKind::Paragraph, caption);
                }
                self.code(code);
            }
            Some(Role::Formula) => {
                let body: Vec<&str> = argument.iter().chain(content).copied().collect();
                match tex::line(&body.join("\n")) {
                    Some(formula) => self.code(&[&formula]),
                    None => self.code(&body),
                }
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
            // `py:function`, `c:macro` and others of the domains that programs are documented in.
            None if name.contains(':') || DESCRIBING.contains(&name) => {
                argument.iter().for_each(|line| self.words(place.kind, line));
                self.blocks(content, inside);
            }
            // Content that should not have been shown does less harm than a rule that is missing.
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

    /// A table whose cells are given as values or as a list.
    fn listed_table(&mut self, name: &str, title: &str, lines: &[&str], place: Place) {
        match listed_cells(name, lines) {
            Some(Listed { rows, heads, stubs }) => {
                self.cells_table(title, rows, (heads, stubs), place);
            }
            None => {
                self.words(BlockKind::Paragraph, title);
                self.assembler.report.template_tags += 1;
            }
        }
    }
}

/// The lines of a directive's argument, and what stands below it.
fn arguments<'l, 'a>(first: &'a str, lines: &'l [&'a str]) -> (Vec<&'a str>, &'l [&'a str]) {
    let mut argument: Vec<&str> =
        Some(first).filter(|first| !first.is_empty()).into_iter().collect();
    let mut at = 0;
    while let Some(line) = lines.get(at).filter(|line| !is_blank(line)) {
        if argument.is_empty() || field(line).is_some() {
            break;
        }
        argument.push(line);
        at += 1;
    }
    (argument, &lines[at..])
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
