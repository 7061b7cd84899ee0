//! The questions that a document's own headings ask.

use crate::{Chunk, Document};

/// The question that a chunk answers, where it is the first of an entry of a FAQ: the entry's heading.
///
/// A long answer is cut into several chunks; the question leads to where the answer begins.
pub fn question_of<'a>(document: &'a Document, chunk: &Chunk) -> Option<&'a str> {
    let section = document.sections.get(chunk.section as usize)?;
    let first = section.blocks.first()?;
    let begins = chunk.span.start <= first.span.start;
    (section.is_question && begins).then_some(section.heading.as_str())
}

/// `true` if a heading or a paragraph asks: one sentence that ends with a question mark.
pub fn asks(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['"', '”', '»', ')', '*']).trim_end();
    let body = text.strip_suffix(['?', '？', '؟']);
    body.is_some_and(|body| {
        body.chars().any(char::is_alphabetic) && !body.contains(['?', '\n']) && !body.contains(". ")
    })
}

#[cfg(test)]
mod tests {
    use super::asks;

    #[test]
    fn a_question_is_one_sentence_with_its_mark() {
        let cases = [
            ("How do I enrol?", true),
            ("“What is a credit?”", true),
            ("Can I (as a guest) borrow books? ", true),
            ("Wie melde ich mich ab?", true),
            ("How to enrol", false),
            ("???", false),
            ("?", false),
            ("Late? Then call us.", false),
            ("Late? Lost? Sick?", false),
            ("You are late. What now?", false),
        ];
        for (text, expected) in cases {
            assert_eq!(asks(text), expected, "{text}");
        }
    }
}
