//! Questions that a language model writes about a passage.
//!
//! A small model writes fluent questions and wrong answers, so its reply is taken at its word and
//! nothing is mended: two lines, `Question: …?` and `Answer: …`, and the answer has to stand in the
//! passage. Everything else is dropped and counted.

use campanile_questions::{QuestionKind, folded, on_one_line};

use super::words::word_count;
use super::{Draft, DropReason, SourcePassage, Template};

/// A sentence that a question can be made of has so many words.
const SENTENCE_WORDS: std::ops::RangeInclusive<usize> = 6..=40;

/// The prompt for a model, as chat messages in this order: the instructions, then examples of a passage and
/// its reply, then the passage. Small models go by the examples more than by what they are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WritingPrompt {
    /// The instructions.
    pub system: &'static str,
    /// Messages that a user would send, each with the reply that is wanted.
    pub examples: &'static [(&'static str, &'static str)],
    /// The passage.
    pub user: String,
}

/// A reply is over where one of these comes.
pub const STOP: [&str; 3] = ["\n\n", "\nQuestion:", "\nPassage:"];

const SYSTEM: &str = "You write one question that a student might ask and that the passage answers. \
    Reply with two lines. The first begins with \"Question:\". The second begins with \"Answer:\" and \
    copies a few words of the passage exactly.";

const EXAMPLES: [(&str, &str); 3] = [
    (
        "Passage: Reading room. The reading room opens at 8 a.m. from Monday to Friday.",
        "Question: When does the reading room open?\nAnswer: at 8 a.m. from Monday to Friday",
    ),
    (
        "Passage: Student cards. A lost card is replaced by the Card Office in Hill House within two \
         working days.",
        "Question: Who replaces a lost card?\nAnswer: the Card Office in Hill House",
    ),
    (
        "Passage: Language courses. Courses are free for exchange students, and all others pay 40 \
         pounds a term.",
        "Question: How much do language courses cost a term?\nAnswer: 40 pounds",
    ),
];

/// The prompt for one question about a passage; `None` where no sentence of it is fit to be asked
/// about.
///
/// The model is shown one sentence, the first with a number or else the first of all: small models
/// lose the thread of a whole passage, and invent.
pub fn prompt(passage: &SourcePassage) -> Option<WritingPrompt> {
    let is_row = |sentence: &&str| passage.rows.iter().any(|row| row.line.contains(*sentence));
    let fit: Vec<&str> = campanile_text::sentences(&passage.text)
        .into_iter()
        .filter_map(|span| span.slice(&passage.text))
        .filter(|sentence| SENTENCE_WORDS.contains(&word_count(sentence)) && !is_row(sentence))
        .collect();
    let has_number = |sentence: &&&str| sentence.chars().any(|c| c.is_ascii_digit());
    let sentence = fit.iter().find(has_number).or(fit.first())?;
    let user = format!("Passage: {}. {}", passage.topic(), on_one_line(sentence));
    Some(WritingPrompt { system: SYSTEM, examples: &EXAMPLES, user })
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
    let answer = folded(answer);
    let holds = |text: &&str| folded(text).contains(&answer);
    let spans = campanile_text::sentences(&passage.text);
    let sentence = spans.iter().filter_map(|span| span.slice(&passage.text)).find(holds);
    sentence.or_else(|| Some(passage.text.as_str()).filter(holds)).map(str::to_owned)
}
