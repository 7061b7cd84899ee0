//! Language models that follow instructions, on this machine.

use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use campanile_answer::ProsePrompt;
use campanile_grounding::{Continuation, Grounds, repeats_from};
use campanile_model::{
    ChatMessage, ChatTemplate, Decoder, GenerateOptions, ModelError, Role, TokenConstraint,
};
use campanile_retrieve::{Phrasing, Rewording, RewordingPrompt};
use campanile_text::Analyzer;
use futures_lite::future::block_on;

/// A language model that follows instructions, as the page has it: it writes prose about passages, says
/// how likely an answer is, and judges.
///
/// It always takes the likeliest token, so the same prompt gives the same text.
pub struct ChatModel {
    decoder: RefCell<Decoder>,
    template: ChatTemplate,
}

impl ChatModel {
    /// A decoder and the way in which it wants conversations written.
    pub fn new(decoder: Decoder, template: ChatTemplate) -> Self {
        Self { decoder: RefCell::new(decoder), template }
    }

    /// The model's reply to a prompt, at most `max_tokens` long.
    ///
    /// # Errors
    /// Where the prompt does not fit into the model.
    pub fn write(&self, prompt: &ProsePrompt, max_tokens: usize) -> Result<String, ModelError> {
        Ok(self.write_from(prompt, max_tokens, None)?.text)
    }

    /// The same, where the reply may state only what `grounds` do, with what it cost. With grounds it ends where it
    /// would say the same [again](repeats_from).
    ///
    /// # Errors
    /// As [`ChatModel::write`].
    pub fn write_from(
        &self,
        prompt: &ProsePrompt,
        max_tokens: usize,
        grounds: Option<&Grounds>,
    ) -> Result<Written, ModelError> {
        let tokens = self.tokens(&messages(prompt))?;
        let options = GenerateOptions::greedy(max_tokens);
        let mut decoder = self.decoder.borrow_mut();
        let started = Instant::now();
        block_on(decoder.prepare(&tokens))?;
        let reading = started.elapsed();
        let started = Instant::now();
        let mut grounded = grounds.map(Grounded::by);
        let mut generation = decoder.start(&tokens, &options)?;
        if let Some(grounded) = &mut grounded {
            generation = generation.with_constraint(grounded);
        }
        let mut text = String::new();
        let mut repeated = None;
        while let Some(piece) = block_on(generation.next())? {
            text.push_str(&piece);
            repeated = grounds.and_then(|_| repeats_from(&text));
            if repeated.is_some() {
                break;
            }
        }
        let reply = generation.finish()?;
        let text = reply.text.get(..repeated.unwrap_or(reply.text.len())).unwrap_or_default();
        Ok(Written {
            text: text.trim().to_owned(),
            tokens: reply.tokens.len(),
            reading,
            writing: started.elapsed(),
            grounding: grounded.map(|grounded| grounded.spent).unwrap_or_default(),
        })
    }

    /// The natural logarithms of the probabilities that the model gives to a text's tokens as its reply to a prompt.
    ///
    /// # Errors
    /// Where prompt and text do not fit into the model.
    pub fn log_probabilities(
        &self,
        prompt: &ProsePrompt,
        text: &str,
    ) -> Result<Vec<f64>, ModelError> {
        let before = self.tokens(&messages(prompt))?;
        let mut decoder = self.decoder.borrow_mut();
        let text = decoder.tokenizer().encode(text)?;
        block_on(decoder.log_probabilities(&before, &text))
    }

    /// The reply to a message, which begins with `begin` and goes on as far as the first `end`, or has `max_tokens`.
    ///
    /// # Errors
    /// As [`ChatModel::write`].
    pub fn continue_reply(
        &self,
        message: &str,
        begin: &str,
        end: &str,
        max_tokens: usize,
    ) -> Result<String, ModelError> {
        let mut tokens = self.tokens(&[ChatMessage::new(Role::User, message)])?;
        let mut decoder = self.decoder.borrow_mut();
        tokens.extend(decoder.tokenizer().encode(begin)?);
        let mut reply = begin.to_owned();
        block_on(decoder.generate(&tokens, &GenerateOptions::greedy(max_tokens), |piece| {
            reply.push_str(piece);
            if piece.contains(end) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }))?;
        // A piece may hold more than the end.
        if let Some((whole, _)) = reply.split_once(end) {
            reply = format!("{whole}{end}");
        }
        Ok(reply)
    }

    fn tokens(&self, messages: &[ChatMessage]) -> Result<Vec<u32>, ModelError> {
        self.decoder.borrow().chat_tokens(&self.template, messages)
    }
}

/// A reply and what it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The reply.
    pub text: String,
    /// Its tokens.
    pub tokens: usize,
    /// The time it took to read the prompt.
    pub reading: Duration,
    /// The time it took to write the tokens.
    pub writing: Duration,
    /// The part of that which went into looking at what may follow.
    pub grounding: Duration,
}

/// A constraint that lets a text state nothing but what its grounds do, and takes its time.
struct Grounded<'a> {
    continuation: Continuation<'a>,
    spent: Duration,
}

impl<'a> Grounded<'a> {
    fn by(grounds: &'a Grounds) -> Self {
        Self { continuation: Continuation::new(grounds), spent: Duration::ZERO }
    }

    fn timed(&mut self, ask: impl FnOnce(&mut Continuation<'a>) -> bool) -> bool {
        let started = Instant::now();
        let answer = ask(&mut self.continuation);
        self.spent += started.elapsed();
        answer
    }
}

impl TokenConstraint for Grounded<'_> {
    fn allows(&mut self, text: &str, piece: &str) -> bool {
        self.timed(|continuation| continuation.allows(text, piece))
    }

    fn may_end(&mut self, text: &str) -> bool {
        self.timed(|continuation| continuation.may_end(text))
    }
}

impl fmt::Debug for ChatModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChatModel").finish_non_exhaustive()
    }
}

fn messages(prompt: &ProsePrompt) -> Vec<ChatMessage> {
    let examples = prompt.examples.iter().map(|turn| (turn.user.as_str(), turn.reply.as_str()));
    ChatMessage::conversation(&prompt.system, examples, &prompt.user)
}

/// The question in other ways as the model writes them; what loses a name or a code of the question is
/// dropped.
///
/// # Errors
/// Where the question does not fit into the model.
pub fn write_phrasings(
    question: &str,
    rewording: Rewording,
    model: &ChatModel,
    analyzer: &Analyzer,
) -> Result<Vec<Phrasing>, ModelError> {
    let mut found = Vec::new();
    for task in rewording.tasks() {
        let RewordingPrompt { system, user, max_tokens } = task.prompt(question);
        let answer =
            model.write(&ProsePrompt { system, user, ..ProsePrompt::default() }, max_tokens)?;
        found.extend(task.read(question, &answer, analyzer));
    }
    Ok(found)
}
