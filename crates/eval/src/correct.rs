//! Correctness of an answer, as far as a set says what is right.

use campanile_questions::{Category, Question};
use campanile_text::Language;

use crate::answers::agreement;
use crate::matching::{folded, holds};

/// Tells if an answer is right; `answer` is `None` for a refusal.
///
/// A refusal is right where the documents do not answer the question. An answer is right where it is or
/// states a gold answer ([`agreement`]), or where it is text of a gold passage or holds one. What is
/// merely contained counts only if the answer comes `from_gold`: a document that the set names, or any
/// where it names none.
///
/// `None` where nobody can tell: a question that has an answer, without any gold answer or passage.
pub(crate) fn is_correct(
    question: &Question,
    answer: Option<&str>,
    from_gold: bool,
    language: Language,
) -> Option<bool> {
    if question.category == Category::Unanswerable {
        return Some(answer.is_none());
    }
    let passages: Vec<&str> =
        question.gold.iter().filter_map(|gold| gold.passage.as_deref()).collect();
    if question.answers.is_empty() && passages.is_empty() {
        return None;
    }
    let Some(answer) = answer else { return Some(false) };
    let words = folded(answer);
    let is_passage = |passage: &&str| holds(answer, passage) || folded(passage).contains(&words);
    Some(
        agreement(answer, &question.answers, from_gold, language).is_some()
            || (from_gold && passages.iter().any(is_passage)),
    )
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use campanile_questions::read_questions;

    #[test]
    fn cases() {
        let keys = r#""category": "answerable", "answers": ["12 euros"], "gold": [{"document": "fees.md", "passage": "Key | 12 euros"}]"#;
        let place =
            r#""category": "answerable", "answers": ["library"], "gold": [{"document": "a.md"}]"#;
        let refused = r#""category": "unanswerable""#;
        let documents = r#""category": "answerable", "gold": [{"document": "fees.md"}]"#;
        let cases = [
            (keys, Some("€12"), false, Some(true)),
            (keys, Some("A key costs 12 euros."), true, Some(true)),
            (place, Some("It is in the library."), true, Some(true)),
            (place, Some("It is in the library."), false, Some(false)),
            (place, Some("the library"), false, Some(true)),
            (keys, Some("Item: Key; Fee: 12 euros"), true, Some(true)),
            (keys, Some("A key costs 120 euros."), true, Some(false)),
            (keys, Some("A locker costs 5 euros."), true, Some(false)),
            (keys, None, true, Some(false)),
            (refused, None, false, Some(true)),
            (refused, Some("12 euros"), false, Some(false)),
            (documents, Some("12 euros"), true, None),
            (documents, None, true, None),
        ];
        for (fields, answer, from_gold, expected) in cases {
            let line = format!(r#"{{"id": "q", "question": "How much?", {fields}}}"#);
            let question = read_questions(&line).unwrap().remove(0);
            let found = is_correct(&question, answer, from_gold, Language::English);
            assert_eq!(found, expected, "{answer:?} to {fields}");
        }
    }
}
