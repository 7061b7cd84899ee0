//! Finds the terms that stand in for a word that no text holds.
//!
//! A word is taken for the beginning of one that is still being typed, where it is the question's
//! last; else for a word with one wrong key, or two in a long one. Codes, numbers and
//! abbreviations are left alone: beside `CS 101` there is always a `CS 102`.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use campanile_index::sort_short;
use campanile_text::{Analyzer, Span, Token, edits, fold, within_one_edit};
use serde::Serialize;

/// Shorter words have too many neighbours to say which was meant: nothing shorter is corrected, and nothing is
/// corrected to it (`redo` is no slip for `red`).
const SHORTEST_WORD: usize = 4;
/// Shorter words have real words a letter away (`grade` and `grace`): there only a letter too
/// many, one too few or two swapped are taken for a slip.
const SHORTEST_REPLACED: usize = 6;
/// A word that is being typed is known by as many letters.
const SHORTEST_BEGINNING: usize = 3;
/// Words of so many letters may hold two edits.
const LONG_WORD: usize = 9;
/// Letters in capitals that make an abbreviation.
const ABBREVIATION: RangeInclusive<usize> = 2..=6;
/// The most terms that stand in for a word that is still being typed. For a misspelled one it is the
/// likeliest alone: on SQuAD, SciFact, Cranfield and the sample campus three were no better.
const MOST_COMPLETIONS: usize = 3;

/// A word of the question that no text holds, and what was searched for in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Correction {
    /// The word as it was typed.
    pub word: String,
    /// The word as it seems to be meant, for a person to read: as a passage spells it, where one does.
    pub instead: String,
    /// The index terms that were searched for, the likeliest first.
    pub terms: Vec<String>,
    /// The word's place in the question.
    pub span: Span,
}

/// A word of the question that may be misspelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suspect {
    /// Its index term.
    pub(crate) term: String,
    /// The word as it was typed, folded.
    pub(crate) word: String,
    pub(crate) span: Span,
    /// `true` if more of the word may follow.
    is_unfinished: bool,
}

/// The words of a question that could be misspelled, if no text holds their terms.
pub(crate) fn suspects(question: &str, tokens: &[Token]) -> Vec<Suspect> {
    let alone = |token: &&Token| {
        let overlaps =
            |other: &&Token| other.span.start < token.span.end && token.span.start < other.span.end;
        // A word that is part of a code or of a compound shares its place with another term.
        tokens.iter().filter(overlaps).count() == 1
    };
    let suspect = |token: &Token| {
        let typed = token.span.slice(question)?;
        let letters = typed.chars().count();
        let is_word = typed.chars().all(char::is_alphabetic);
        let is_abbreviation =
            ABBREVIATION.contains(&letters) && typed.chars().all(char::is_uppercase);
        let is_unfinished = token.span.end as usize == question.len();
        let shortest = if is_unfinished { SHORTEST_BEGINNING } else { SHORTEST_WORD };
        (is_word && !is_abbreviation && letters >= shortest).then(|| Suspect {
            term: token.term.clone(),
            word: fold(typed),
            span: token.span,
            is_unfinished,
        })
    };
    tokens.iter().filter(alone).filter_map(suspect).collect()
}

impl Suspect {
    /// The likeliest terms that it may stand for, of those in `vocabulary` (each with the number
    /// of units that hold it), and how the first may be spelled. `None` where nothing is near.
    pub(crate) fn correction<'v>(
        &self,
        analyzer: &Analyzer,
        vocabulary: impl Iterator<Item = (&'v str, usize)>,
    ) -> Option<Correction> {
        let is_word = |term: &str| {
            term.chars().all(char::is_alphabetic) && term.chars().count() >= SHORTEST_BEGINNING
        };
        // Extended, not collected: collecting sorts first, and a page would have one more copy of the sort.
        let mut terms = BTreeMap::new();
        terms.extend(vocabulary.filter(|(term, _)| is_word(term)));
        let vocabulary = terms;
        let near = match self.completed(&vocabulary) {
            Some(near) => near,
            None => vec![self.respelled(analyzer, &vocabulary)?],
        };
        let instead = near.first()?.spelled.clone();
        let terms = near.into_iter().map(|near| near.term).collect();
        Some(Correction { word: self.word.clone(), instead, terms, span: self.span })
    }

    /// Terms that go on where the word stops.
    fn completed(&self, vocabulary: &BTreeMap<&str, usize>) -> Option<Vec<Near>> {
        if !self.is_unfinished {
            return None;
        }
        let goes_on = vocabulary.range(self.word.as_str()..);
        let goes_on = goes_on.take_while(|(term, _)| term.starts_with(&self.word));
        let near = goes_on.map(|(term, &units)| Near::new(term, term, 0, units));
        let mut near: Vec<Near> = near.collect();
        sort_short(&mut near, Near::order);
        near.truncate(MOST_COMPLETIONS);
        (!near.is_empty()).then_some(near)
    }

    /// The likeliest term of a word that is spelled nearly so.
    fn respelled(&self, analyzer: &Analyzer, vocabulary: &BTreeMap<&str, usize>) -> Option<Near> {
        let letters = self.word.chars().count();
        if letters < SHORTEST_WORD {
            return None;
        }
        let mut near = Vec::new();
        for spelled in within_one_edit(&self.word).filter(|spelled| self.is_plausible(spelled)) {
            let tokens = analyzer.analyze(&spelled);
            // A slip in `which` or `their`: a word that is not searched for at all.
            let [Token { term, .. }] = tokens.as_slice() else { return None };
            if let Some(&units) = vocabulary.get(term.as_str())
                && self.is_plausible_term(term)
            {
                near.push(Near::new(term, &spelled, 1, units));
            }
        }
        // Two edits away there is nearly always something for a short word. For a long one every term is tried, which
        // is dear: so only where nothing is nearer.
        if near.is_empty() && letters >= LONG_WORD {
            let far = |(term, &units): (&&str, &usize)| {
                if !begin_alike(&self.term, term) {
                    return None;
                }
                let edits = edits(&self.term, term, 2)?;
                Some(Near::new(term, term, edits, units))
            };
            near.extend(vocabulary.iter().filter_map(far));
        }
        near.into_iter().min_by(Near::order)
    }

    /// Returns `true` if somebody who meant `spelled` may well have typed this word. The first letter is
    /// hardly ever wrong.
    fn is_plausible(&self, spelled: &str) -> bool {
        let letters = self.word.chars().count();
        let meant = spelled.chars().count();
        let is_replaced = meant == letters && !is_swapped(&self.word, spelled);
        meant >= SHORTEST_WORD
            && begin_alike(&self.word, spelled)
            && (letters >= SHORTEST_REPLACED || !is_replaced)
    }

    /// A short word's stem must be near as well, or an edit can hide in an ending: `hire`, `haire`,
    /// `hair`.
    fn is_plausible_term(&self, term: &str) -> bool {
        self.word.chars().count() >= SHORTEST_REPLACED || edits(&self.term, term, 1).is_some()
    }
}

/// Returns `true` if two words have their first letter in common, or their first two the other way round.
fn begin_alike(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.chars(), right.chars());
    let (first, other) = (left.next(), right.next());
    first == other || (first == right.next() && left.next() == other)
}

/// Returns `true` if two words have the same letters.
fn is_swapped(left: &str, right: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(left) == sorted(right)
}

/// A term near a word.
#[derive(Debug)]
struct Near {
    term: String,
    spelled: String,
    edits: usize,
    units: usize,
}

impl Near {
    fn new(term: &str, spelled: &str, edits: usize, units: usize) -> Self {
        Self { term: term.to_owned(), spelled: spelled.to_owned(), edits, units }
    }

    /// The nearest first, of equally near ones those that more units hold.
    fn order(&self, other: &Self) -> Ordering {
        let frequent = other.units.cmp(&self.units);
        let order = self.edits.cmp(&other.edits).then(frequent);
        order.then_with(|| (&self.term, &self.spelled).cmp(&(&other.term, &other.spelled)))
    }
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::*;

    /// The terms that a site's texts hold, with the number of passages.
    const VOCABULARY: [(&str, usize); 13] = [
        ("accommod", 3),
        ("calendar", 9),
        ("cs102", 4),
        ("exam", 40),
        ("grace", 2),
        ("hair", 1),
        ("librari", 12),
        ("red", 2),
        ("regist", 30),
        ("registr", 8),
        ("scholarship", 7),
        ("school", 5),
        ("which", 1),
    ];

    /// The point of each case, the question, and the terms that stand in, word by word.
    const CASES: &[(&str, &str, &[&[&str]])] = &[
        ("letters swapped", "how to regsiter for it", &[&["regist"]]),
        ("a letter missing", "libary hours of today", &[&["librari"]]),
        ("an edit in the ending", "registratoin for the exam", &[&["registr"]]),
        ("an edit that another stem hides", "the calender of 2026", &[&["calendar"]]),
        ("two edits in a long word", "acomodations for me", &[&["accommod"]]),
        ("being typed", "money for a schol", &[&["scholarship"]]),
        ("being typed, several", "money for a sch", &[&["scholarship", "school"]]),
        ("a misspelled last word", "hours of the libary", &[&["librari"]]),
        ("a short word with another letter", "my grade now", &[]),
        ("a word of three letters that is near", "can I redo this", &[]),
        ("an edit hidden in an ending", "whom to hire here", &[]),
        ("a slip in a word that is not searched for", "whihc one", &[]),
        ("a code", "CS 101 exam", &[]),
        ("a code in one", "cs101 exam", &[]),
        ("a number", "in 2025 exam", &[]),
        ("an abbreviation", "the EXAN form", &[]),
        ("nothing near", "zymurgy for all", &[]),
        ("another beginning", "bibrary hours here", &[]),
    ];

    fn stand_ins(question: &str) -> Vec<Vec<String>> {
        let analyzer = Analyzer::new(Language::English);
        let suspects = suspects(question, &analyzer.analyze(question));
        let known = |suspect: &Suspect| VOCABULARY.iter().any(|(term, _)| *term == suspect.term);
        let unknown = suspects.iter().filter(|suspect| !known(suspect));
        let found =
            unknown.filter_map(|unknown| unknown.correction(&analyzer, VOCABULARY.into_iter()));
        found.map(|correction| correction.terms).collect()
    }

    #[test]
    fn words_are_corrected() {
        for (name, question, expected) in CASES {
            assert_eq!(stand_ins(question), *expected, "{name}");
        }
    }

    #[test]
    fn a_correction_says_where_and_how() {
        let analyzer = Analyzer::new(Language::English);
        let question = "how to regsiter";
        let suspects = suspects(question, &analyzer.analyze(question));
        let found = suspects.iter().find_map(|it| it.correction(&analyzer, VOCABULARY.into_iter()));
        let expected = Correction {
            word: "regsiter".to_owned(),
            instead: "register".to_owned(),
            terms: vec!["regist".to_owned()],
            span: Span::new(7, 15),
        };
        assert_eq!(found, Some(expected));
    }
}
