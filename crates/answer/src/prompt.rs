use serde::{Deserialize, Serialize};

use crate::reply::{AnswerKind, Reply};

/// Passages longer than this are cut for the language model, at a word: prefill is what a reader
/// waits for.
const PASSAGE_WORDS: usize = 90;
/// How many passages the language model is given.
const PASSAGES: usize = 2;

/// What the language model is asked, as chat messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProsePrompt {
    /// The instructions.
    pub system: String,
    /// The evidence and the question.
    pub user: String,
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
    for source in order.iter().take(PASSAGES).filter_map(|n| reply.sources.get(n - 1)) {
        let cut = cut_words(&source.text, PASSAGE_WORDS);
        evidence.push_str(&format!("[{}] {}: {}\n\n", source.number, source.title, cut));
    }
    Some(ProsePrompt {
        system: "You answer students' questions from the passages given, in two or three plain \
                 sentences. Use only what the passages say. If they do not say it, answer: The \
                 documents do not say."
            .to_owned(),
        user: format!("{evidence}Question: {}", reply.question),
    })
}

fn cut_words(text: &str, limit: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().take(limit).collect();
    words.join(" ")
}
