//! Names of pages: what a page is called beside its siblings, and what a question calls it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use campanile_text::{Analyzer, fold};
use serde::{Deserialize, Serialize};

use super::document_frequencies;
use super::words::{Degree, Word, degree_of_phrase, degree_of_word, is_general_degree, words};
use crate::Document;

/// A question names a page by at least this share of its name, each word weighed by how rare it is.
// Two of three words that are equally rare have two thirds. Chosen with the other thresholds on made-up catalogues.
const LEAST_SHARE: f32 = 0.6;

/// A name of several words is never said by one of them: a computer is not computer science.
const LEAST_WORDS: usize = 2;

/// The inverse document frequency of a word that one document of four holds. What more hold is an ordinary word
/// ("education"), and names a page only together with its degree.
// 100 ln 4, rounded.
const LEAST_WEIGHT: u16 = 139;

/// So many letters may stand for a longer word (`bio`, `stats`), of which at least [`LEAST_REST`] follow: the market
/// begins marketing, and means something else.
const BEGINNING: RangeInclusive<usize> = 3..=5;

/// See [`BEGINNING`].
const LEAST_REST: usize = 3;

/// Shorter stems begin too much.
// "stat" begins statistics, statute and status.
const SHORTEST_STEM: usize = 5;

/// A name that tells a page from its siblings: the words of its title that most of them do not share.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Name {
    /// In the title's order, each with its inverse document frequency in hundredths.
    words: Vec<(String, u16)>,
    degrees: Vec<Degree>,
}

/// A title or a question, read for names.
struct Reading {
    words: Vec<Word>,
    degrees: Vec<Degree>,
    /// The words of "Master of Public Health" behind "of", where they may be a name.
    behind_of: Vec<Word>,
}

/// A question, read for the pages that it names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    keys: BTreeSet<String>,
    /// Words that may be the beginnings of others: `econ`.
    short: BTreeSet<String>,
    /// Stems of words that it misspells.
    stems: BTreeSet<String>,
    /// Words in capitals, which may be initials: `CS`.
    capitals: BTreeSet<String>,
    degrees: Vec<Degree>,
}

/// The words of a name that a question says.
struct Said<'a> {
    words: BTreeSet<&'a str>,
    /// `true` if that is all of it.
    is_whole: bool,
}

/// The names of siblings by their titles, in their order.
pub(super) fn names(titles: &[&str], documents: &[Document], analyzer: &Analyzer) -> Vec<Name> {
    let readings: Vec<Reading> = titles.iter().map(|title| read(title, analyzer)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reading in &readings {
        let words = reading.words.iter().chain(&reading.behind_of);
        let distinct: BTreeSet<&str> = words.map(|word| word.key.as_str()).collect();
        for word in distinct {
            *counts.entry(word).or_default() += 1;
        }
    }
    // What most share is the family's: "Degree requirements for", the institution.
    let shared: BTreeSet<String> = counts
        .into_iter()
        .filter(|(_, count)| 2 * count > titles.len())
        .map(|(word, _)| word.to_owned())
        .collect();
    let own = |words: &[Word]| -> Vec<String> {
        let mut seen = BTreeSet::new();
        let keys = words.iter().map(|word| word.key.clone());
        keys.filter(|key| !shared.contains(key) && seen.insert(key.clone())).collect()
    };
    let names: Vec<(Vec<String>, Vec<Degree>)> = readings
        .into_iter()
        .map(|reading| {
            let mut words = own(&reading.words);
            // "Master of Public Health" has no other name than what stands behind "of".
            if words.is_empty() {
                words = own(&reading.behind_of);
            }
            (words, reading.degrees)
        })
        .collect();
    let all = names.iter().flat_map(|(words, _)| words.iter().cloned());
    let frequencies = document_frequencies(all, documents, analyzer);
    let weighed = |word: String| {
        let held_by = frequencies.get(&word).copied().unwrap_or_default().max(1);
        let weight = rarity(held_by, documents.len());
        (word, weight)
    };
    names
        .into_iter()
        .map(|(words, degrees)| Name { words: words.into_iter().map(weighed).collect(), degrees })
        .collect()
}

/// A word's inverse document frequency in hundredths.
fn rarity(held_by: usize, documents: usize) -> u16 {
    let inverse = (documents + 1) as f64 / held_by.max(1) as f64;
    // Four digits at most: the logarithm of 2^32 is 22.
    (100.0 * inverse.ln()).round().clamp(1.0, 9_999.0) as u16
}

fn read(text: &str, analyzer: &Analyzer) -> Reading {
    let words = words(text, analyzer);
    let gap = |left: &Word, right: &Word| {
        text.get(left.span.end as usize..right.span.start as usize).unwrap_or_default()
    };
    let mut reading = Reading { words: Vec::new(), degrees: Vec::new(), behind_of: Vec::new() };
    let mut rest = words.as_slice();
    while let Some((word, behind)) = rest.split_first() {
        rest = behind;
        let Some(degree) = degree_of_word(word) else {
            reading.words.push(word.clone());
            continue;
        };
        if behind.first().is_none_or(|next| gap(word, next) != " of ") {
            reading.degrees.push(degree);
            continue;
        }
        let next_to = |pair: &[Word]| matches!(pair, [left, right] if gap(left, right) == " ");
        let length = 1 + behind.windows(2).take_while(|pair| next_to(pair)).count();
        let (phrase, others) = behind.split_at(length.min(behind.len()));
        // A question goes on: "the Master of Science take".
        let phrase = phrase.get(..1).filter(|first| is_general_degree(first)).unwrap_or(phrase);
        let others =
            if phrase.len() < length { behind.get(1..).unwrap_or_default() } else { others };
        reading.degrees.push(degree_of_phrase(word, phrase).unwrap_or(degree));
        let is_of = phrase.last().zip(others.first()).is_some_and(|(l, r)| gap(l, r) == " in ");
        if !is_of && !is_general_degree(phrase) {
            reading.behind_of.extend_from_slice(phrase);
        }
        rest = others;
    }
    reading
}

impl Question {
    /// Reads a question. What it abbreviates is said in full in `added`, what it misspells is in `stems`, as index
    /// terms.
    pub fn new(question: &str, added: &[&str], stems: &[&str], analyzer: &Analyzer) -> Self {
        let stems = stems.iter().filter(|stem| stem.len() >= SHORTEST_STEM);
        let stems = stems.map(|stem| (*stem).to_owned()).collect();
        let mut asked = Self { stems, ..Self::default() };
        for text in std::iter::once(&question).chain(added) {
            let Reading { words, degrees, behind_of } = read(text, analyzer);
            asked.degrees.extend(degrees);
            for word in words.into_iter().chain(behind_of) {
                asked.add(word);
            }
        }
        asked
    }

    fn add(&mut self, word: Word) {
        let letters = word.raw.chars().filter(|letter| letter.is_alphabetic()).count();
        // "I" is a capital too.
        if letters >= 2 && word.raw.chars().all(char::is_uppercase) {
            self.capitals.insert(fold(&word.raw));
        }
        if BEGINNING.contains(&word.key.len()) {
            self.short.insert(word.key.clone());
        }
        self.keys.insert(word.key);
    }

    /// The places of the names that the question says.
    pub(super) fn named(&self, names: &[&Name]) -> Vec<usize> {
        let said: Vec<(usize, Said<'_>)> = names
            .iter()
            .enumerate()
            .filter_map(|(place, name)| Some((place, self.said_of(name)?)))
            .collect();
        // A degree alone is looked at last: "a master's" names no page where a subject is named too.
        if said.is_empty() {
            return self.named_by_degree(names);
        }
        // "Marine biology" is not biology, and history not the history of art.
        let is_outdone = |one: &Said<'_>| {
            said.iter().any(|(_, other)| {
                other.words.is_superset(&one.words)
                    && (other.words.len() > one.words.len() || (other.is_whole && !one.is_whole))
            })
        };
        let kept = said.iter().filter(|(_, one)| !is_outdone(one));
        let places: Vec<usize> = kept.map(|(place, _)| *place).collect();
        self.of_degree(places, names)
    }

    /// The words of a name that the question says, where they are enough to name it.
    fn said_of<'a>(&self, name: &'a Name) -> Option<Said<'a>> {
        let all: BTreeSet<&str> = name.words.iter().map(|(word, _)| word.as_str()).collect();
        let said: Vec<&(String, u16)> =
            name.words.iter().filter(|(word, _)| self.says(word)).collect();
        if self.says_initials(name) || said.iter().any(|(word, _)| is_code(word)) {
            return Some(Said { words: all, is_whole: true });
        }
        let weight = |words: &mut dyn Iterator<Item = &(String, u16)>| -> u32 {
            words.map(|(_, weight)| u32::from(*weight)).sum()
        };
        let (of_said, of_all) = (weight(&mut said.iter().copied()), weight(&mut name.words.iter()));
        let is_enough = !said.is_empty()
            && said.len() >= LEAST_WORDS.min(all.len())
            && of_said as f32 >= LEAST_SHARE * of_all as f32;
        let is_rare = of_said >= u32::from(LEAST_WEIGHT);
        let has_degree = || {
            self.degrees.iter().any(|asked| name.degrees.iter().any(|own| own.is_of_level(asked)))
        };
        let is_whole = said.len() == all.len();
        let words = said.into_iter().map(|(word, _)| word.as_str()).collect();
        (is_enough && (is_rare || has_degree())).then_some(Said { words, is_whole })
    }

    fn says(&self, word: &str) -> bool {
        self.keys.contains(word)
            || self.stems.iter().any(|stem| word.starts_with(stem))
            || self
                .short
                .iter()
                .any(|short| word.starts_with(short) && word.len() >= short.len() + LEAST_REST)
    }

    /// Returns `true` if the question has a name's initials in capitals: `CS` for "Computer Science".
    fn says_initials(&self, name: &Name) -> bool {
        let initials: String =
            name.words.iter().filter_map(|(word, _)| word.chars().next()).collect();
        initials.len() >= 2 && self.capitals.contains(&initials)
    }

    /// Those of the degree that the question names, where there are any: of the same one before those of its
    /// level.
    fn of_degree(&self, places: Vec<usize>, names: &[&Name]) -> Vec<usize> {
        let of = |matches: fn(&Degree, &Degree) -> bool| -> Vec<usize> {
            let has = |place: &usize| {
                let own = &names[*place].degrees;
                self.degrees.iter().any(|asked| own.iter().any(|own| matches(own, asked)))
            };
            places.iter().copied().filter(has).collect()
        };
        let (same, of_level) = (of(Degree::is_same), of(Degree::is_of_level));
        if !same.is_empty() {
            same
        } else if !of_level.is_empty() {
            of_level
        } else {
            places
        }
    }

    /// A degree names a page where only pages of one subject lead to it: an MBA.
    fn named_by_degree(&self, names: &[&Name]) -> Vec<usize> {
        let mut places = Vec::new();
        for asked in &self.degrees {
            let has = |name: &Name| name.degrees.iter().any(|own| own.is_same(asked));
            let found: Vec<usize> = (0..names.len()).filter(|place| has(names[*place])).collect();
            let subjects: BTreeSet<Vec<&str>> = found
                .iter()
                .map(|place| names[*place].words.iter().map(|(word, _)| word.as_str()).collect())
                .collect();
            if subjects.len() == 1 {
                places.extend(found);
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// Returns `true` if a word is a code, which is a name by itself: `cs101`.
fn is_code(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}
