//! Headings: what a passage is about.

use campanile_questions::QuestionKind;
use campanile_text::sentences;

use super::super::words::{in_the_middle, says_something, word_count};
use super::{Draft, SourcePassage, Template, fact};

/// A first sentence of fewer words says nothing by itself.
const LEAST_WORDS: usize = 6;
const MOST_WORDS: usize = 60;

pub(super) fn draft(passage: &SourcePassage) -> Option<Draft> {
    let heading = passage.heading().filter(|it| it.ends_with('?') || says_something(it))?;
    let first = sentences(&passage.text).first().and_then(|span| span.slice(&passage.text))?;
    let is_row = passage.rows.iter().any(|row| row.line.contains(first));
    if is_row || !(LEAST_WORDS..=MOST_WORDS).contains(&word_count(first)) {
        return None;
    }
    let question = match heading.ends_with('?') {
        true => heading.to_owned(),
        false => format!("What does “{}” say about {}?", passage.title, in_the_middle(heading)),
    };
    let draft = fact(Template::Heading, question, first, first, None);
    Some(Draft { kind: QuestionKind::Descriptive, ..draft })
}
