//! Constructs that begin with two dots: directives, targets, notes, comments.

use campanile_corpus::BlockKind;

use super::marks::{dedented, indented, is_blank};
use super::references::{plain_name, target};
use super::{Place, Reader};
use crate::inline::InlineText;

impl Reader {
    /// Reads the construct that the lines begin with, and says how many of them it took.
    pub(super) fn explicit(&mut self, lines: &[&str], place: Place) -> usize {
        let [first, below @ ..] = lines else {
            return 0;
        };
        if first.starts_with("__ ") {
            return 1;
        }
        let rest = first.get(2..).unwrap_or_default().trim_start();
        if rest.is_empty() && below.first().is_none_or(|line| is_blank(line)) {
            return 1; // It only ends what stands before it.
        }
        let count = 1 + indented(below);
        let below = lines.get(1..count).unwrap_or_default();
        if let Some((name, _)) = target(first) {
            self.label = name;
            return count;
        }
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

    /// A footnote, or a citation, which keeps its name. The number of a footnote would stand alone
    /// in the text, as the marks that lead to it are left out.
    fn note(&mut self, label: &str, text: &str, below: &[&str], place: Place) {
        let is_number = label.starts_with('#')
            || label == "*"
            || label.bytes().all(|byte| byte.is_ascii_digit());
        self.emit_prefix(place.kind);
        if !is_number {
            self.prefix = Some(InlineText::plain(format!("[{label}] ")));
        }
        let below = dedented(below, usize::MAX);
        let body: Vec<&str> = std::iter::once(text).chain(below).collect();
        self.blocks(&body, place.inside(place.kind));
        self.emit_prefix(BlockKind::Paragraph);
    }
}

/// `[label] text`
fn note(rest: &str) -> Option<(&str, &str)> {
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
