//! Writes what a language model is asked about a reply.
//!
//! A prompt is a template, a text that a department may write itself, filled with the visitor, the evidence and the
//! question ([`template`]). Of the evidence it has a budget of words, so that a phone is not kept waiting
//! ([`evidence`]); a department's worked examples can stand before it ([`examples`]). What comes from documents and
//! visitors cannot leave its place in it ([`plain`]).

mod evidence;
mod examples;
mod frame;
mod plain;
mod template;
#[cfg(test)]
mod tests;

use campanile_bundle::WorkedExample;
use serde::{Deserialize, Serialize};

pub use examples::nearest_examples;
pub use frame::PromptFrame;
pub use template::{PromptTemplateError, check_prompt_template};

use crate::reply::{AnswerKind, Reply};
use evidence::Evidence;
use plain::plain;
use template::{Template, fill};

/// A question is cut after so many words.
// A visitor's question is far shorter; what is longer was pasted, and must not crowd out the evidence.
const QUESTION_WORDS: usize = 100;
/// A sentence that answers is named by so many words, as in `training/data/worded.py`.
const FOUND_WORDS: usize = 25;

/// The words that the language model is told to say where the passages do not answer.
const DECLINED: &str = "The documents do not say";

/// The most tokens of an answer in prose, in a page as in the terminal.
pub const PROSE_TOKENS: usize = 200;

/// The instructions of a model that is to answer from memory.
const CLOSED_BOOK: &str = "You answer students' questions in two or three plain sentences.";

/// The prompt for prose, as chat messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ProsePrompt {
    /// The instructions.
    pub system: String,
    /// Worked examples, as turns before the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<ProseTurn>,
    /// The evidence and the question.
    pub user: String,
    /// The texts from which the model may state numbers, dates, codes and addresses: titles and passages as
    /// they are quoted, and the question.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// The numbers of the sources that are the evidence, from 1, in its order; no part of what the model
    /// is sent.
    #[serde(skip)]
    pub sources: Vec<usize>,
}

/// A message and the reply that is wanted, as an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ProseTurn {
    /// The message.
    pub user: String,
    /// The reply.
    pub reply: String,
}

/// Returns `true` if prose says, in the words that the prompt asks for, that the passages do not answer.
pub fn declines(prose: &str) -> bool {
    // By letters alone: a small model changes marks and capitals.
    let letters = |text: &str| -> String {
        text.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase).collect()
    };
    letters(prose).starts_with(&letters(DECLINED))
}

/// The words that answer, as a reader found them; of a sentence that answers as a whole, its beginning.
fn found_words(reply: &Reply) -> &str {
    let sentence = || match reply.answer.kind {
        AnswerKind::Direct => evidence::first_words(&reply.answer.text, FOUND_WORDS),
        _ => "",
    };
    reply.exact_words().unwrap_or_else(sentence)
}

/// The prompt for prose about a reply, after some [examples](nearest_examples); none where the reply is a refusal: no
/// evidence, no model.
// Once for a question that a visitor wants prose for: in a page it is to be small, as the rest of this crate.
#[inline(never)]
pub fn prose_prompt(reply: &Reply, examples: &[&WorkedExample]) -> Option<ProsePrompt> {
    if reply.answer.kind == AnswerKind::Refusal {
        return None;
    }
    let frame = &reply.prompt;
    let template = Template::new(frame.template.as_deref().unwrap_or(template::DEFAULT));
    let labels = template.labels();
    let evidence = Evidence::of(reply, &template, &labels);
    let question = plain(evidence::first_words(&reply.question, QUESTION_WORDS), &labels);
    let value = |name: &str| {
        Some(match name {
            "site" => plain(&frame.site, &[]),
            "reader" => plain(&frame.visitor, &labels),
            "passages" => evidence.passages(|_| true),
            "academic" => evidence.passages(|source| source.level.is_none()),
            "other" => evidence.passages(|source| source.level.is_some()),
            "found" => plain(found_words(reply), &labels),
            "question" => question.clone(),
            _ => return None,
        })
    };
    Some(ProsePrompt {
        system: fill(template.system, &value),
        examples: examples::turns(examples, &template, frame, &labels),
        user: fill(template.user, &value),
        evidence: evidence.quoted().chain([question.clone()]).collect(),
        sources: evidence.numbers(),
    })
}

/// The question alone, for a model that is to answer it from what it knows itself: to compare with, and never for
/// a reader.
pub fn closed_book_prompt(question: &str) -> ProsePrompt {
    let question = plain(evidence::first_words(question, QUESTION_WORDS), &[]);
    ProsePrompt {
        system: CLOSED_BOOK.to_owned(),
        examples: Vec::new(),
        user: format!("Question: {question}"),
        evidence: vec![question],
        sources: Vec::new(),
    }
}
