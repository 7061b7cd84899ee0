//! The words of the languages that Campanile reads, each language in a folder of plain files.
//!
//! Rules about questions and documents go by closed lists of words: the months, the negations, the words that begin a
//! question. None of these lists stands in code. Each language has a folder, `languages/en` for English, and the build
//! makes a table of each section of its files; the README tells what a folder has in it, and how a language is added.
//! A mistake in a file ends the build and names the line. Nothing is parsed at run time, and a table that a program
//! does not use is no part of it.
//!
//! Most tables hold the words of all languages together: a question's language is not known, and a word of one language
//! seldom misleads a rule in another. Where it would, a function asks for the [`Language`].
//!
//! ```
//! use campanile_language::{Language, answers, calendar, month, numbers};
//!
//! assert!(answers::NEGATIONS.contains("never") && answers::NEGATIONS.contains("kein"));
//! assert_eq!((month("Sept"), month("März"), month("Monday")), (Some(9), Some(3), None));
//! assert_eq!(calendar::months(Language::German)[2].first(), "März");
//! assert_eq!(numbers::tens(Language::English)[0].first(), "twenty");
//! ```

pub mod literals;

use std::fmt;
use std::str::FromStr;

use campanile_unicode::fold;
use rust_stemmers::Algorithm;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// A list of words.
// One text with spaces between its words: in WebAssembly a slice of texts is 8 bytes larger for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words(&'static str);

impl Words {
    /// The words of a text, with single spaces between them.
    pub const fn of(words: &'static str) -> Self {
        Self(words)
    }

    /// Returns `true` if a word is one of them, letter by letter.
    pub fn contains(self, word: &str) -> bool {
        // Bytes are compared faster than letters, and rules ask this of every word.
        let mut words = self.0.as_bytes().split(|byte| *byte == b' ');
        words.any(|one| one == word.as_bytes()) && !word.is_empty()
    }

    /// The words, in the order of their files.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split(' ').filter(|word| !word.is_empty())
    }

    /// The first word, which is the usual one in a row; empty where there is none.
    pub fn first(self) -> &'static str {
        self.iter().next().unwrap_or_default()
    }

    /// All of them, with spaces between them.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl From<&'static str> for Words {
    fn from(words: &'static str) -> Self {
        Self(words)
    }
}

/// A list of phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrases(&'static str);

impl Phrases {
    /// The phrases of a text, with `|` between them.
    pub const fn of(phrases: &'static str) -> Self {
        Self(phrases)
    }

    /// Returns `true` if a text is one of them, letter by letter.
    pub fn contains(self, text: &str) -> bool {
        self.iter().any(|one| one == text)
    }

    /// The phrases, in the order of their files.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'static str> {
        self.0.split('|')
    }
}

/// A code that no folder of `languages/` has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown language `{found}`: use {}, or `none` for a corpus in any other", known())]
pub struct UnknownLanguage {
    /// The code that was asked for.
    pub found: String,
}

fn known() -> String {
    Language::ALL.map(|language| format!("`{language}`")).join(", ")
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        let lower = code.to_ascii_lowercase();
        let mut all = Self::ALL.into_iter().chain([Self::None]);
        let found = all.find(|language| language.code() == lower);
        found.ok_or_else(|| UnknownLanguage { found: code.to_owned() })
    }
}

/// The month that a word names in any language, in full or cut short: 1 to 12.
pub fn month(word: &str) -> Option<u8> {
    month_in_full(word).or_else(|| place(&calendar::MONTH_ABBREVIATIONS, &fold(word)))
}

/// The month that a word names in full: `Jan` is a person too.
pub fn month_in_full(word: &str) -> Option<u8> {
    place(&calendar::MONTHS, &fold(word))
}

/// The day of the week that a word names in any language, in full or cut short: 1 for Monday.
pub fn weekday(word: &str) -> Option<u8> {
    let word = fold(word);
    place(&calendar::WEEKDAYS, &word).or_else(|| place(&calendar::WEEKDAY_ABBREVIATIONS, &word))
}

/// The row in which a word stands, from 1.
fn place(rows: &[Words], word: &str) -> Option<u8> {
    let place = rows.iter().position(|row| row.contains(word))?;
    u8::try_from(place + 1).ok()
}

/// Returns `true` if `word`, in lower case and without diacritics, is too common in `language` to be looked up.
pub fn is_stop_word(language: Language, word: &str) -> bool {
    stop_words::stop_words(language).binary_search(&word).is_ok()
}
