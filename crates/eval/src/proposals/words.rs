//! Small things about words that the templates share.

use std::sync::OnceLock;

use campanile_questions::on_one_line;
use regex::{Captures, Regex};

/// A pattern that is compiled once. One that does not compile matches nothing; a test compiles all.
pub(super) struct Pattern {
    source: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    pub(super) const fn new(source: &'static str) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    pub(super) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.regex()?.captures(text)
    }

    pub(super) fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        Some(self.regex()?.find(text)?.as_str())
    }

    pub(super) fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| Regex::new(self.source).ok()).as_ref()
    }
}

/// A part of a match; empty where it took none.
pub(super) fn part<'t>(captures: &Captures<'t>, name: &str) -> &'t str {
    captures.name(name).map_or("", |found| found.as_str()).trim()
}

pub(super) fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// First words that stand for something said before or for the reader, or begin a clause: no subject
/// of a question that is to be understood alone.
const NO_SUBJECTS: &str = " this that these those it its they their there he she his her we our you i both some \
    such other others each which who if when then here please however otherwise for in on at by to with from of \
    as after before during under between where while since until unless although because only not and or but \
    see what how ";

/// Last words after which a clause goes on.
const NO_ENDS: &str =
    " that which who this it they there not also and or of to for in on at by the a an last next ";

/// Headings that do not tell what is below them, by their first word.
const NO_TOPICS: &str = " contact contacts help address questions why when where who how what if more further see \
    other notes note general overview introduction about ";

fn is_among(word: &str, words: &str) -> bool {
    let word = word.to_lowercase();
    words.split_whitespace().any(|known| known == word)
}

/// Returns `true` if a heading tells what is below it: "Printing" does, "Contact" and "If you cannot come" do
/// not.
pub(super) fn says_something(heading: &str) -> bool {
    let first = heading.split_whitespace().next().unwrap_or_default();
    let first = first.trim_matches(|c: char| !c.is_alphanumeric());
    !first.is_empty() && !heading.ends_with('?') && !is_among(first, NO_TOPICS)
}

/// The subject of a sentence, fit for the middle of a question: `None` where it stands for something
/// else, or is more than a few words.
pub(super) fn subject(text: &str) -> Option<String> {
    const MOST_WORDS: usize = 10;
    let text = on_one_line(text);
    let (first, last) = (text.split(' ').next()?, text.rsplit(' ').next()?);
    let is_clause = text.contains([',', ':', ';', '?', '|'])
        || is_among(first, NO_SUBJECTS)
        || is_among(last, NO_ENDS);
    if is_clause || word_count(&text) > MOST_WORDS {
        return None;
    }
    Some(in_the_middle(&text))
}

/// A text that began a sentence, in the middle of one: its first letter is made small unless the
/// word is a name, an abbreviation or a code.
pub(super) fn in_the_middle(text: &str) -> String {
    let mut words = text.split(' ');
    let (first, next) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_upper = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let is_code = first.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit());
    let is_article = matches!(first, "The" | "A" | "An" | "All" | "Every" | "No");
    let is_name = !is_article && (is_code || is_upper(next));
    if is_name || first.len() < 2 && !is_article {
        return text.to_owned();
    }
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_lowercase().chain(characters).collect())
        .unwrap_or_default()
}

/// Returns `true` if a name is of several, going by its last letters.
pub(super) fn is_plural(name: &str) -> bool {
    name.ends_with('s') && !name.ends_with("ss") && !name.ends_with("us")
}
