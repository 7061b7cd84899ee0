//! Mark-up within a line: what it shows, and where it leads.

use super::Reader;
use super::pieces::{Piece, Pieces};
use super::references::Substitution;
use crate::assemble::title_from_path;
use crate::inline::{Inline, InlineText};
use crate::tex;

/// Text that substitutions may put into a page, in bytes; a few lines could ask for gigabytes.
const MOST_SUBSTITUTED: usize = 1_000_000;
/// Substitutions inside one another.
// They may name one another, and themselves.
const DEEPEST: usize = 4;

impl Reader {
    /// The text without its mark-up.
    pub(super) fn line(&mut self, text: &str) -> InlineText {
        let mut inline = Inline::default();
        self.push(&mut inline, text);
        inline.take()
    }

    /// Adds text without its mark-up.
    pub(super) fn push(&mut self, inline: &mut Inline, text: &str) {
        self.push_at(inline, text, 0);
    }

    fn push_at(&mut self, inline: &mut Inline, text: &str, depth: usize) {
        for piece in Pieces::of(text) {
            match piece {
                Piece::Text(text) => inline.push_text(text),
                Piece::Plain(text) => inline.push_text(&unescaped(text)),
                Piece::Note(label) => {
                    // A space has to stand in front of the mark, and is not shown.
                    inline.glue("");
                    self.notes.refer(label);
                }
                Piece::Word(word, name) => match self.references.target(name).cloned() {
                    Some(target) => self.linked(inline, &unescaped(name), &target.address),
                    None => inline.push_text(word),
                },
                Piece::Address(address) => self.linked(inline, address, address),
                Piece::Reference { text, is_anonymous } => {
                    self.reference(inline, text, is_anonymous)
                }
                Piece::Role(role, text) => self.role(inline, role, text),
                Piece::Substitution { name, is_reference } => {
                    self.substitute(inline, name, is_reference, depth);
                }
            }
        }
    }

    fn linked(&mut self, inline: &mut Inline, words: &str, target: &str) {
        let target = Some(target).filter(|target| !target.trim().is_empty());
        let target = target.and_then(|target| self.assembler.report.safe_link(target));
        let is_link = target.is_some();
        target.into_iter().for_each(|target| inline.open_link(target));
        inline.push_text(words);
        if is_link {
            inline.close_link();
        }
    }

    /// `` `words <address>`_ `` and `` `name`_ ``
    fn reference(&mut self, inline: &mut Inline, text: &str, is_anonymous: bool) {
        let (words, target) = titled(text);
        let target = match target {
            Some(name) if name.ends_with('_') && !name.contains('/') => {
                self.address(name.trim_end_matches('_').trim_matches('`'))
            }
            Some(address) => {
                let address: String = unescaped(address).split_whitespace().collect();
                if !is_anonymous {
                    self.references.remember(words, &address);
                }
                Some(address)
            }
            None if is_anonymous => self.references.next_anonymous(),
            None => self.address(text),
        };
        let words = unescaped(words);
        match target {
            Some(target) => self.linked(inline, &words, &target),
            None => inline.push_text(&words),
        }
    }

    fn role(&mut self, inline: &mut Inline, role: &str, text: &str) {
        if matches!(role, "ref" | "numref" | "std:ref" | "any") {
            let (words, label) = titled(text);
            let target = self.references.target(label.unwrap_or(text)).cloned();
            let title = target.as_ref().and_then(|target| target.title.clone());
            let words = label
                .map_or_else(|| title.unwrap_or_else(|| text.to_owned()), |_| words.to_owned());
            let address = target.map_or_else(String::new, |target| target.address);
            return self.linked(inline, &unescaped(&words), &address);
        }
        if role == "sup" && inline.last_character().is_some_and(|last| last.is_ascii_digit()) {
            // 10 to the sixth is not 106.
            let is_number = text.starts_with(|c: char| c.is_ascii_digit());
            inline.push_text(if is_number { "^" } else { "" });
        }
        // A formula is full of backslashes of its own.
        let is_verbatim = matches!(role, "math" | "code" | "eq");
        let text = if is_verbatim { text.to_owned() } else { unescaped(text) };
        let text = if role == "math" { tex::line(&text).unwrap_or(text) } else { text };
        let shown = Shown::of(role, &text);
        match shown.target {
            Some(target) => self.linked(inline, &shown.words, &target),
            None => inline.push_text(&shown.words),
        }
    }

    fn substitute(&mut self, inline: &mut Inline, name: &str, is_reference: bool, depth: usize) {
        match self.references.substitution(name).cloned() {
            Some(Substitution::Text(text)) => {
                self.substituted += text.len();
                if self.substituted > MOST_SUBSTITUTED || depth >= DEEPEST {
                    self.assembler.report.template_tags += 1;
                    return;
                }
                let address = if is_reference { self.address(name) } else { None };
                match address {
                    Some(address) => self.linked(inline, &unescaped(&text), &address),
                    None => self.push_at(inline, &text, depth + 1),
                }
            }
            Some(Substitution::Nothing) => {}
            None => self.assembler.report.template_tags += 1,
        }
    }
}

/// Text with backslashes taken away: one before white space takes that with it.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.extend(characters.next().filter(|next| !next.is_whitespace())),
            other => out.push(other),
        }
    }
    out
}

/// The words that a role leaves to be shown, and where they lead.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    pub(super) words: String,
    pub(super) target: Option<String>,
}

/// Roles that name something of a program, whose last part may be all that is shown.
const OBJECTS: &[&str] =
    &["attr", "class", "const", "data", "exc", "func", "meth", "mod", "obj", "property", "type"];

impl Shown {
    pub(super) fn words(words: impl Into<String>) -> Self {
        Self { words: words.into(), target: None }
    }

    /// Returns what `` :role:`text` `` shows, but for the roles that lead to a place of this page.
    pub(super) fn of(role: &str, text: &str) -> Self {
        let (words, target) = titled(text);
        let role = role.rsplit(':').next().unwrap_or(role);
        match role {
            "doc" => Self {
                words: target.map_or_else(|| page_name(text), |_| words.to_owned()),
                target: page(target.unwrap_or(text)),
            },
            "download" => {
                Self { words: words.to_owned(), target: Some(target.unwrap_or(text).to_owned()) }
            }
            "pep" | "PEP" | "pep-reference" => Self {
                words: format!("PEP {text}"),
                target: Some(format!("https://peps.python.org/pep-{text:0>4}")),
            },
            "rfc" | "RFC" | "rfc-reference" => Self {
                words: format!("RFC {text}"),
                target: Some(format!("https://datatracker.ietf.org/doc/html/rfc{text}")),
            },
            "guilabel" => Self::words(text.replace('&', "")),
            "menuselection" => Self::words(text.replace('&', "").replace("-->", ">")),
            role if role.starts_with("raw") => Self::words(""),
            role if OBJECTS.contains(&role) && target.is_none() => Self::words(short(text)),
            _ => Self::words(words.strip_prefix('!').unwrap_or(words)),
        }
    }
}

/// `title <target>`, or the text without a target.
fn titled(text: &str) -> (&str, Option<&str>) {
    let found = text.strip_suffix('>').and_then(|text| text.rsplit_once('<'));
    match found {
        Some((words, target)) if words.is_empty() || words.ends_with(char::is_whitespace) => {
            let words = words.trim_end();
            (if words.is_empty() { target } else { words }, Some(target))
        }
        _ => (text, None),
    }
}

/// `~package.module.Name` shows `Name`.
fn short(text: &str) -> &str {
    match text.strip_prefix('~') {
        Some(path) => path.rsplit('.').next().unwrap_or(path),
        None => text.strip_prefix(['!', '.']).unwrap_or(text),
    }
}

/// The words for a page whose title is not known here.
fn page_name(path: &str) -> String {
    title_from_path(path.trim_start_matches('/'))
}

/// The file of a page; `project:page` lies in another project, whose place is not known here.
fn page(path: &str) -> Option<String> {
    (!path.contains(':')).then(|| format!("{path}.rst"))
}
