//! The words of a question, as rules about them see it.

use std::collections::BTreeSet;
use std::ops::Range;

use campanile_language::{Phrases, Words, answers};
use campanile_text::{Analyzer, Span};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word in lower case, with a straight apostrophe.
    pub(crate) lower: String,
    /// Its place in the text.
    pub(crate) span: Span,
}

impl Word {
    /// Returns `true` if it is one of a list, which may be written with spaces between its words.
    pub(crate) fn is_one_of(&self, list: impl Into<Words>) -> bool {
        is_one_of(&self.lower, list)
    }
}

/// The terms of a text as the index has them, each once, in its order.
pub(crate) fn terms(text: &str, analyzer: &Analyzer) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for token in analyzer.analyze(text) {
        if !terms.contains(&token.term) {
            terms.push(token.term);
        }
    }
    terms
}

/// The terms of a text, as the index has them.
pub(crate) fn term_set(text: &str, analyzer: &Analyzer) -> BTreeSet<String> {
    analyzer.analyze(text).into_iter().map(|token| token.term).collect()
}

/// The words of a text: letters and digits, with the hyphens, apostrophes and points inside of them.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut start = None;
    let mut end = 0;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, letter) in ends {
        let joins = at == end && matches!(letter, '-' | '\'' | '’' | '.' | '@');
        if letter.is_alphanumeric() {
            start.get_or_insert(at);
            end = at + letter.len_utf8();
        } else if let Some(first) = start
            && !(joins && text[at + letter.len_utf8()..].starts_with(char::is_alphanumeric))
        {
            let lower = text[first..end].to_lowercase().replace('’', "'");
            words.push(Word { lower, span: Span::from_range(first..end) });
            start = None;
        } else if start.is_some() {
            end = at + letter.len_utf8();
        }
    }
    words
}

/// Finds where a phrase first stands among the words: `^` binds it to the first word, and `..` stands for
/// any words between two parts (`what .. cost`).
pub(crate) fn find(words: &[Word], phrase: &str) -> Option<Range<usize>> {
    let (phrase, is_bound) = match phrase.strip_prefix('^') {
        Some(bound) => (bound, true),
        None => (phrase, false),
    };
    let mut parts = phrase.split(" .. ");
    let mut found = part(words, parts.next()?, 0)?;
    if is_bound && found.start > 0 {
        return None;
    }
    for next in parts {
        found.end = part(words, next, found.end)?.end;
    }
    Some(found)
}

fn part(words: &[Word], part: &str, from: usize) -> Option<Range<usize>> {
    let length = part.split(' ').count();
    let is_part = |here: &[Word]| here.iter().map(|word| word.lower.as_str()).eq(part.split(' '));
    let start = from + words.get(from..)?.windows(length).position(is_part)?;
    Some(start..start + length)
}

/// Returns `true` if one of the phrases stands among the words.
pub(crate) fn has_one_of(words: &[Word], phrases: Phrases) -> bool {
    phrases.iter().any(|phrase| find(words, phrase).is_some())
}

/// Returns `true` if a word is one of a list, which may be written with spaces between its words.
pub(crate) fn is_one_of(word: &str, list: impl Into<Words>) -> bool {
    list.into().contains(word)
}

/// Returns `true` if one of the words turns their sentence into its opposite.
pub(crate) fn is_negated(words: &[Word]) -> bool {
    words.iter().any(|word| word.is_one_of(answers::NEGATIONS))
}

/// Returns `true` if one of the words keeps their sentence to some cases, or from some.
pub(crate) fn is_limited(words: &[Word]) -> bool {
    words.iter().any(|word| word.is_one_of(answers::LIMITS))
}

/// Returns `true` if one of the words says when or for whom the rest of their sentence holds.
pub(crate) fn is_conditional(words: &[Word]) -> bool {
    words.iter().any(|word| word.is_one_of(answers::CONDITIONS))
}

#[cfg(test)]
mod tests {
    use super::{find, words};

    #[test]
    fn words_keep_what_is_inside_of_them() {
        let cases: &[(&str, &[&str])] = &[
            ("What’s WEN210?", &["what's", "wen210"]),
            ("part-time, e-mail.", &["part-time", "e-mail"]),
            ("Is it 3.5 (or 4)?", &["is", "it", "3.5", "or", "4"]),
            ("Darf ich? Über …", &["darf", "ich", "über"]),
            ("the students' room", &["the", "students", "room"]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let found = words(text);
            let lower: Vec<&str> = found.iter().map(|word| word.lower.as_str()).collect();
            assert_eq!(lower, *expected, "{text}");
            for word in &found {
                assert!(word.span.slice(text).is_some(), "{text}: {word:?}");
            }
        }
    }

    #[test]
    fn phrases_are_found_in_their_places() {
        let question = words("What does the late registration cost me?");
        let cases = [
            ("what does", Some(0..2)),
            ("^late", None),
            ("late registration", Some(3..5)),
            ("^what .. cost", Some(0..6)),
            ("cost .. what", None),
            ("me", Some(6..7)),
        ];
        for (phrase, expected) in cases {
            assert_eq!(find(&question, phrase), expected, "{phrase}");
        }
    }
}
