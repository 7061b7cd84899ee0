//! The language model as a writer.

use std::cell::RefCell;
use std::ops::ControlFlow;

use campanile_corpus::{PropositionWriter, SentenceInContext, WriterError};
use campanile_model::{ChatMessage, ChatTemplate, Decoder, GenerateOptions, ModelError, Role};
use campanile_model_store::InstalledModel;
use futures_lite::future::block_on;

use crate::language_model;

/// To be changed with the prompt: what another one made the model say is of no use.
pub const PROMPT_VERSION: &str = "1";

const INSTRUCTIONS: &str = "Write the last sentence again so that it can be read alone. Put the name \
                            of the thing in the place of words such as \"it\", \"they\" and \
                            \"this\". Change nothing else.";

/// Context, sentence before, sentence, what is to be written. Small models follow examples rather
/// than instructions.
const EXAMPLES: [[&str; 4]; 4] = [
    [
        "CS 101 Algorithms > Assessment",
        "The course is graded by an exam of 90 minutes.",
        "It takes place in February and may be repeated once.",
        "The exam of CS 101 Algorithms takes place in February and may be repeated once.",
    ],
    [
        "Housing office",
        "",
        "It is open from 9:00 to 12:00.",
        "The housing office is open from 9:00 to 12:00.",
    ],
    [
        "Library > Reading room",
        "Lamps and desks can be booked for a week.",
        "They must not be moved to another room.",
        "Lamps and desks of the reading room must not be moved to another room.",
    ],
    [
        "Travel > Refunds",
        "The refund is paid by the cashier.",
        "If this takes longer than 20 days, write to the dean.",
        "If the refund takes longer than 20 days, write to the dean.",
    ],
];

/// A sentence longer than this is no sentence.
const LONGEST_BYTES: usize = 1_000;
/// An answer has room for twice the sentence, at two bytes a token, and for a name.
const ROOM_TOKENS: usize = 40;

/// A language model that is loaded when it is first asked.
pub struct ModelWriter<'a> {
    model: &'a InstalledModel,
    loaded: RefCell<Option<Loaded>>,
}

struct Loaded {
    decoder: Decoder,
    template: ChatTemplate,
}

/// The hashes of the model's files.
pub fn identity(model: &InstalledModel) -> String {
    model.files.iter().map(|file| file.sha256.as_str()).collect()
}

impl<'a> ModelWriter<'a> {
    /// A writer that has read nothing yet.
    pub fn new(model: &'a InstalledModel) -> Self {
        Self { model, loaded: RefCell::new(None) }
    }
}

impl PropositionWriter for ModelWriter<'_> {
    fn write(&self, sentence: &SentenceInContext<'_>) -> Result<Vec<String>, WriterError> {
        if sentence.sentence.len() > LONGEST_BYTES || sentence.before.len() > LONGEST_BYTES {
            return Ok(Vec::new());
        }
        let mut loaded = self.loaded.borrow_mut();
        let loaded = match &mut *loaded {
            Some(loaded) => loaded,
            None => {
                let (decoder, template) = language_model::loaded(self.model)?;
                loaded.insert(Loaded { decoder, template })
            }
        };
        let answer = loaded.answer(sentence)?;
        Ok(answer.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect())
    }
}

impl Loaded {
    fn answer(&mut self, sentence: &SentenceInContext<'_>) -> Result<String, ModelError> {
        let prompt = self.decoder.chat_tokens(&self.template, &messages(sentence))?;
        let room = ROOM_TOKENS + sentence.sentence.len();
        let options =
            GenerateOptions { stop: vec!["\n\n".to_owned()], ..GenerateOptions::greedy(room) };
        if prompt.len() + room > self.decoder.config().max_position_embeddings {
            return Ok(String::new());
        }
        let answer =
            block_on(self.decoder.generate(&prompt, &options, |_| ControlFlow::Continue(())))?;
        Ok(answer.text)
    }
}

/// The conversation before the answer. Its beginning is always the same, and read once.
fn messages(sentence: &SentenceInContext<'_>) -> Vec<ChatMessage> {
    let mut messages = vec![ChatMessage::new(Role::System, INSTRUCTIONS)];
    for [context, before, sentence, answer] in EXAMPLES {
        let example = SentenceInContext { context, before, sentence };
        messages.push(ChatMessage::new(Role::User, question(&example)));
        messages.push(ChatMessage::new(Role::Assistant, answer));
    }
    messages.push(ChatMessage::new(Role::User, question(sentence)));
    messages
}

fn question(asked: &SentenceInContext<'_>) -> String {
    let SentenceInContext { context, before, sentence } = asked;
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let before =
        if before.is_empty() { String::new() } else { format!("Text: {}\n", line(before)) };
    format!("About: {}\n{before}Rewrite: {}", line(context), line(sentence))
}
