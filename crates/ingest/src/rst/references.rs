//! Targets of references, collected before the text is read: a target may stand behind them.

use std::collections::{BTreeMap, VecDeque};

use super::marks::{indent, is_blank, title};
use crate::inline::single_spaced;

/// The target of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// An address, or `#` and an anchor of this page.
    pub(super) address: String,
    /// The title it stands above, which a `:ref:` shows.
    pub(super) title: Option<String>,
}

/// The targets and substitutions of a page.
#[derive(Debug, Default)]
pub(super) struct References {
    targets: BTreeMap<String, Target>,
    /// Addresses for references without a name, in the order of the page.
    anonymous: VecDeque<String>,
    substitutions: BTreeMap<String, Substitution>,
}

/// The text that a `|name|` stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Substitution {
    Text(String),
    /// A picture, or a date that only a build knows.
    Nothing,
}

impl References {
    pub(super) fn of(lines: &[&str]) -> Self {
        let mut found = Self::default();
        let mut labels: Vec<String> = Vec::new();
        let mut indirect: Vec<(String, String)> = Vec::new();
        let mut at = 0;
        while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
            at += 1;
            let line = rest.first().map(|line| line.trim_start()).unwrap_or_default();
            if is_blank(line) {
                continue;
            }
            if let Some((name, address)) = target(line) {
                let address = address.to_owned() + &continued(rest);
                match (name, address.strip_suffix('_')) {
                    (Some(name), _) if address.is_empty() => labels.push(name),
                    (Some(name), Some(other)) if !address.contains("://") => {
                        indirect.push((name, plain_name(other.trim_matches('`'))));
                    }
                    (Some(name), _) => {
                        labels.push(name);
                        found.point(&mut labels, &Target { address, title: None });
                    }
                    (None, _) => found.anonymous.push_back(address),
                }
                at += continuation(rest).len();
                continue;
            }
            if let Some((name, substitution)) = substitution(line, rest) {
                found.substitutions.entry(name).or_insert(substitution);
                at += continuation(rest).len();
                continue;
            }
            match title(rest) {
                Some(title) => {
                    at += title.lines - 1;
                    let own = anchor(title.text);
                    let id = labels.last().map_or(own, |label| anchor(label));
                    let title_name = plain_name(title.text);
                    let target =
                        Target { address: format!("#{id}"), title: Some(title.text.to_owned()) };
                    found.point(&mut labels, &target);
                    found.targets.entry(title_name).or_insert(target);
                }
                None => {
                    for label in std::mem::take(&mut labels) {
                        let address = format!("#{}", anchor(&label));
                        found.targets.entry(label).or_insert(Target { address, title: None });
                    }
                }
            }
        }
        // Last, as a name may point to one that the page gives further down.
        for (name, other) in indirect {
            if let Some(target) = found.targets.get(&other).cloned() {
                found.targets.entry(name).or_insert(target);
            }
        }
        found
    }

    fn point(&mut self, labels: &mut Vec<String>, target: &Target) {
        for label in labels.drain(..) {
            self.targets.entry(label).or_insert_with(|| target.clone());
        }
    }

    pub(super) fn target(&self, name: &str) -> Option<&Target> {
        self.targets.get(&plain_name(name))
    }

    /// An address that the page gave to a name in passing: `` `name <address>`_ ``.
    pub(super) fn remember(&mut self, name: &str, address: &str) {
        let target = Target { address: address.to_owned(), title: None };
        self.targets.entry(plain_name(name)).or_insert(target);
    }

    pub(super) fn next_anonymous(&mut self) -> Option<String> {
        self.anonymous.pop_front()
    }

    pub(super) fn substitution(&self, name: &str) -> Option<&Substitution> {
        self.substitutions.get(&plain_name(name))
    }
}

/// `.. _name: address`, `.. __: address` and `__ address`.
pub(super) fn target(line: &str) -> Option<(Option<String>, &str)> {
    if let Some(address) = line.strip_prefix("__ ").or_else(|| line.strip_prefix(".. __:")) {
        return Some((None, address.trim()));
    }
    let rest = line.strip_prefix(".. _")?;
    let (name, address) = match rest.strip_prefix('`') {
        Some(rest) => {
            let (name, rest) = rest.split_once('`')?;
            (name, rest.strip_prefix(':')?)
        }
        None => {
            let end = rest.match_indices(':').map(|(at, _)| at).find(|at| {
                rest.get(at + 1..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            })?;
            (rest.get(..end)?, rest.get(end + 1..)?)
        }
    };
    (!name.is_empty()).then(|| (Some(plain_name(name)), address.trim()))
}

/// The lines that go on below the first one, deeper than it.
fn continuation<'l, 'a>(lines: &'l [&'a str]) -> &'l [&'a str] {
    let [first, below @ ..] = lines else {
        return lines;
    };
    let is_deeper = |line: &&&str| !is_blank(line) && indent(line) > indent(first);
    &below[..below.iter().take_while(is_deeper).count()]
}

fn continued(lines: &[&str]) -> String {
    continuation(lines).iter().map(|line| line.trim()).collect()
}

fn continued_text(lines: &[&str]) -> String {
    continuation(lines).iter().flat_map(|line| [" ", line.trim()]).collect()
}

/// `.. |name| replace:: text`
fn substitution(line: &str, lines: &[&str]) -> Option<(String, Substitution)> {
    let (name, rest) = line.strip_prefix(".. |")?.split_once("| ")?;
    let (directive, text) = rest.split_once("::")?;
    let text = format!("{}{}", text.trim(), continued_text(lines));
    let substitution = match directive.trim() {
        "replace" => Substitution::Text(text),
        "unicode" => Substitution::Text(characters(&text)),
        _ => Substitution::Nothing,
    };
    Some((plain_name(name), substitution))
}

/// `0xA9 Campanile .. a comment` as `© Campanile`.
fn characters(text: &str) -> String {
    let text = text.split(" .. ").next().unwrap_or_default();
    let word = |word: &str| {
        let code =
            ["0x", "U+", "u+", "\\u", "\\x", "x"].iter().find_map(|mark| word.strip_prefix(mark));
        let code =
            code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        code.map_or_else(|| word.to_owned(), |code| code.to_string())
    };
    text.split_whitespace()
        .filter(|part| !part.starts_with(':'))
        .map(word)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A name as names are compared: in lower case, white space as one space.
pub(super) fn plain_name(name: &str) -> String {
    single_spaced(&name.replace('\\', "").to_lowercase())
}

/// The anchor that docutils makes of a title or a label (its function `make_id`).
pub(super) fn anchor(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    let mut id = String::with_capacity(name.len());
    for character in name.to_lowercase().nfkd() {
        match character {
            'a'..='z' | '0'..='9' => id.push(character),
            // Accents and marks vanish with their letter kept.
            other if other.is_ascii() && !id.ends_with('-') => id.push('-'),
            _ => {}
        }
    }
    let id = id.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    id.trim_end_matches('-').to_owned()
}
