//! Mark-up within a line, and where it leads.

use super::Reader;
use super::pieces::{Piece, Pieces};
use super::references::Substitution;
use super::roles::{Shown, titled};
use crate::address::safe;
use crate::inline::{Inline, InlineText};

/// Text that substitutions may put into a page, in bytes; a few lines could ask for gigabytes.
const MOST_SUBSTITUTED: usize = 1_000_000;
/// Substitutions inside one another.
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
        match safe(target) {
            Some(target) => {
                inline.open_link(target.to_owned());
                inline.push_text(words);
                inline.close_link();
            }
            None => {
                if !target.trim().is_empty() {
                    self.assembler.report.dropped_links.push(target.to_owned());
                }
                inline.push_text(words);
            }
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
