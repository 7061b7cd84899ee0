use serde::{Deserialize, Serialize};

use crate::reply::{AnswerKind, Reply};

/// Passages longer than this are cut for the language model, at a word: prefill is what a reader
/// waits for.
const PASSAGE_WORDS: usize = 90;
/// How many passages the language model is given.
const PASSAGES: usize = 2;

/// What the language model is told to say where the passages do not answer.
const DECLINED: &str = "The documents do not say";

/// What the language model is asked, as chat messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProsePrompt {
    /// The instructions.
    pub system: String,
    /// The evidence and the question.
    pub user: String,
    /// The numbers of the sources that are the evidence, from 1, in its order; no part of what the model
    /// is sent.
    #[serde(skip)]
    pub sources: Vec<usize>,
}

/// Whether prose says, in the words that the prompt asks for, that the passages do not answer.
pub fn declines(prose: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase).collect()
    };
    letters(prose).starts_with(&letters(DECLINED))
}

/// The prompt for prose about a reply; none where the reply is a refusal: no evidence, no model.
pub fn prose_prompt(reply: &Reply) -> Option<ProsePrompt> {
    if reply.answer.kind == AnswerKind::Refusal {
        return None;
    }
    // The passage that answers comes first, whatever its rank.
    let first = reply.answer.source.unwrap_or(1);
    let mut order: Vec<usize> = (1..=reply.sources.len()).filter(|n| *n != first).collect();
    order.insert(0, first);
    let mut evidence = String::new();
    let mut sources = Vec::new();
    for source in order.iter().take(PASSAGES).filter_map(|n| reply.sources.get(n - 1)) {
        sources.push(source.number);
        let cut = cut_words(&source.text, PASSAGE_WORDS);
        evidence.push_str(&format!("[{}] {}: {}\n\n", source.number, source.title, cut));
    }
    Some(ProsePrompt {
        system: format!(
            "You answer students' questions from the passages given, in two or three plain \
             sentences. Use only what the passages say. If they do not say it, answer: {DECLINED}."
        ),
        user: format!("{evidence}Question: {}", reply.question),
        sources,
    })
}

fn cut_words(text: &str, limit: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().take(limit).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::declines;

    #[test]
    fn only_the_words_asked_for_decline() {
        let cases = [
            ("The documents do not say.", true),
            ("  the documents do not say it anywhere", true),
            ("The documents do not, say", true),
            ("The documents say: 5 euros.", false),
            ("A locker costs 5 euros. The documents do not say more.", false),
            ("", false),
        ];
        for (prose, expected) in cases {
            assert_eq!(declines(prose), expected, "{prose}");
        }
    }
}
