//! A proposition on its way, before it is set in its surroundings.

use campanile_text::Span;

use super::Rule;

/// A statement without its title and headings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) source: Span,
    pub(super) stem: Option<Span>,
    pub(super) text: String,
    pub(super) rules: Vec<Rule>,
    /// `true` if title and headings would add nothing.
    pub(super) stands_alone: bool,
}

impl Draft {
    /// The words under a span as they are.
    pub(super) fn plain(text: &str, source: Span) -> Self {
        let own = source.slice(text).unwrap_or_default();
        Self {
            source,
            stem: None,
            text: own.split_whitespace().collect::<Vec<_>>().join(" "),
            rules: Vec::new(),
            stands_alone: false,
        }
    }

    /// Other words for a span.
    pub(super) fn reworded(source: Span, text: String, rule: Rule) -> Self {
        Self { source, stem: None, text, rules: vec![rule], stands_alone: false }
    }

    /// The same with a stem.
    pub(super) fn with_stem(self, stem: Span) -> Self {
        Self { stem: Some(stem), ..self }
    }
}

/// The text with a capital at its beginning, if that is an ordinary word in small letters.
pub(super) fn capitalised(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    let mut rest = text.chars();
    match rest.next() {
        Some(first) if !word.is_empty() && word.chars().all(char::is_lowercase) => {
            first.to_uppercase().chain(rest).collect()
        }
        _ => text.to_owned(),
    }
}

/// The text with a full stop, unless something else ends it.
pub(super) fn ended(text: &str) -> String {
    let text = text.trim_end_matches([',', ';', ' ']);
    let is_ended = text.ends_with(['.', '!', '?', '…', ':']);
    if is_ended { text.to_owned() } else { format!("{text}.") }
}
