//! Questions that a language model writes about a passage.
//!
//! A small model writes fluent questions and wrong answers, so its reply is taken at its word and
//! nothing is mended: two lines, `Question: …?` and `Answer: …`, and the answer has to stand in the
//! passage. Everything else is dropped and counted.

use super::draft::{Draft, DropReason};
use super::words::{on_one_line, word_count};
use super::{SourcePassage, Template};
use crate::questions::QuestionKind;

/// Longer passages are cut for the model, at a word.
const PASSAGE_WORDS: usize = 150;

/// What a model is asked, as chat messages: instructions, then the passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WritingPrompt {
    /// The instructions.
    pub system: String,
    /// An example, and the passage.
    pub user: String,
}

/// The prompt for one question about a passage.
pub fn prompt(passage: &SourcePassage) -> WritingPrompt {
    let words: Vec<&str> = passage.text.split_whitespace().take(PASSAGE_WORDS).collect();
    WritingPrompt {
        system: "You write one question that a student might ask and that the passage answers. \
                 Reply with two lines only. The first line begins with \"Question:\". The second \
                 line begins with \"Answer:\" and copies a few words of the passage exactly."
            .to_owned(),
        user: format!(
            "Passage: The reading room opens at 8 a.m. from Monday to Friday. Bags stay in the \
             lockers.\nQuestion: When does the reading room open?\nAnswer: at 8 a.m.\n\nPassage: \
             {}: {}",
            passage.topic(),
            words.join(" ")
        ),
    }
}

/// The draft that a reply holds.
pub(super) fn draft(reply: &str, passage: &SourcePassage) -> Result<Draft, DropReason> {
    const MOST_ANSWER_WORDS: usize = 40;
    let mut lines = reply.lines().map(str::trim).filter(|line| !line.is_empty());
    let question = lines.next().and_then(|line| line.strip_prefix("Question:"));
    let answer = lines.next().and_then(|line| line.strip_prefix("Answer:"));
    let (Some(question), Some(answer), None) = (question, answer, lines.next()) else {
        return Err(DropReason::Unreadable);
    };
    let answer = on_one_line(answer.trim().trim_matches('"').trim_end_matches('.'));
    if answer.is_empty() || word_count(&answer) > MOST_ANSWER_WORDS {
        return Err(DropReason::Unreadable);
    }
    let evidence = evidence(passage, &answer).ok_or(DropReason::AnswerElsewhere)?;
    Ok(Draft {
        template: Template::Model,
        question: on_one_line(question),
        answer,
        kind: QuestionKind::Factual,
        evidence: vec![evidence],
        subject: None,
    })
}

/// The sentence that holds the answer; the whole passage, where it reaches over several.
fn evidence(passage: &SourcePassage, answer: &str) -> Option<String> {
    let answer = super::words::folded(answer);
    let holds = |text: &&str| super::words::folded(text).contains(&answer);
    let spans = campanile_text::sentences(&passage.text);
    let sentence = spans.iter().filter_map(|span| span.slice(&passage.text)).find(holds);
    sentence.or_else(|| Some(passage.text.as_str()).filter(holds)).map(str::to_owned)
}
