//! The exception right behind what is shown.
//!
//! `It is not done on the ward where the student works. Exception: with another manager it is.` The first sentence alone sends
//! away who may stay.

use campanile_language::answers;
use campanile_text::{Span, sentences};

use super::marked;
use crate::reply::{Answer, Reply, Source};
use crate::words::{has_one_of, words};

/// More exceptions in a row are for the passage as a whole to tell.
const MOST: usize = 2;

/// An answer with the exceptions that its passage makes right behind it, marked where the passage is given whole. It has no words
/// in short then: they are the rule's.
pub(super) fn answer(reply: &Reply, answer: &Answer) -> Option<Answer> {
    let source = reply.source(answer.source?)?;
    if !answer.kind.is_section() {
        let shown = answer.highlight?;
        let last = *behind(source, &[shown]).last()?;
        return Answer::quoting(answer.kind, source, shown.joined(last));
    }
    let mut marks = answer.marks.clone();
    marks.extend(answer.highlight.filter(|_| marks.is_empty()));
    let mut exceptions = behind(source, &marks);
    exceptions.retain(|it| !marks.iter().any(|mark| mark.overlaps(*it)));
    if exceptions.is_empty() {
        return None;
    }
    marks.append(&mut exceptions);
    marked(reply, source.number, answer.kind, marks)
}

/// The sentences right behind places of a source that are exceptions, up to the first that is none.
fn behind(source: &Source, places: &[Span]) -> Vec<Span> {
    let mut exceptions = Vec::new();
    // The place to come next, and how many exceptions were found behind the one before; `MOST` where there is none to look for.
    let mut place = 0;
    let mut found = MOST;
    for sentence in sentences(&source.text) {
        if places.get(place).is_some_and(|it| it.end <= sentence.start) {
            while places.get(place).is_some_and(|it| it.end <= sentence.start) {
                place += 1;
            }
            found = 0;
        }
        let is_one = found < MOST && sentence.slice(&source.text).is_some_and(is_exception);
        found = if is_one { found + 1 } else { MOST };
        if is_one {
            exceptions.push(sentence);
        }
    }
    exceptions
}

/// Returns `true` if a sentence takes back part of the one before. Its number in a list is not its beginning.
fn is_exception(sentence: &str) -> bool {
    let words = words(sentence);
    let is_number =
        |word: &str| word.bytes().all(|letter| letter.is_ascii_digit() || letter == b'.');
    let begins = words.iter().position(|word| !is_number(&word.lower));
    begins.is_some_and(|begins| has_one_of(&words[begins..], answers::EXCEPTION_SENTENCES))
}
