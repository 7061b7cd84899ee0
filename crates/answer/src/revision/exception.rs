//! Exceptions that follow the answer in its passage.
//!
//! `It is not done on the ward where the student works. Exception: with another manager it is.` The first sentence alone sends
//! away who may stay.

use campanile_language::answers;
use campanile_text::{Span, sentences};

use super::marked;
use crate::reply::{Answer, Reply, Source};
use crate::words::{has_one_of, words};

/// At most so many exceptions in a row are added to an answer.
const MOST: usize = 2;

/// The answer extended to the exceptions that directly follow it; in a section they are marked. The exact words are dropped: they
/// belong to the rule alone.
pub(super) fn answer(reply: &Reply, answer: &Answer) -> Option<Answer> {
    let source = reply.source(answer.source?)?;
    if !answer.kind.is_section() {
        let shown = answer.highlight?;
        let last = *following(source, &[shown]).last()?;
        return Answer::quoting(answer.kind, source, shown.joined(last));
    }
    let mut marks = answer.marks.clone();
    marks.extend(answer.highlight.filter(|_| marks.is_empty()));
    let mut exceptions = following(source, &marks);
    if exceptions.is_empty() {
        return None;
    }
    marks.append(&mut exceptions);
    marked(reply, source.number, answer.kind, marks)
}

/// The exceptions that directly follow the sentences at `places`, without those sentences.
fn following(source: &Source, places: &[Span]) -> Vec<Span> {
    let mut exceptions = Vec::new();
    let mut in_a_row = MOST;
    for sentence in sentences(&source.text) {
        if places.iter().any(|place| place.overlaps(sentence)) {
            in_a_row = 0;
        } else if in_a_row < MOST && sentence.slice(&source.text).is_some_and(is_exception) {
            exceptions.push(sentence);
            in_a_row += 1;
        } else {
            in_a_row = MOST;
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
