//! Generation, one token at a time: its options, its course, and what is known at its end.

use std::ops::ControlFlow;

use super::Decoder;
use super::answer_text::{Detokenizer, StopStrings};
use super::choice::{Constrained, LogitProcessor, TokenConstraint};
use super::sampling::{Candidates, RepetitionPenalty, Sampler, Sampling};
use crate::error::ModelError;

/// An answer in the making.
///
/// [`Decoder::generate`] runs it to its end. A page's worker calls [`Generation::next`] itself
/// and lets other messages through between two tokens, so that a reader can stop it. Dropping it
/// at any time is safe: what was read stays in the decoder's cache for the next prompt.
pub struct Generation<'a> {
    pub(super) decoder: &'a mut Decoder,
    pub(super) processors: Vec<Box<dyn LogitProcessor + 'a>>,
    pub(super) constraint: Option<Constrained<'a>>,
    pub(super) sampler: Sampler,
    pub(super) candidates: Candidates,
    pub(super) repetition_penalty: Option<RepetitionPenalty>,
    /// The most tokens of the answer, and why there will be no more then.
    limit: usize,
    limited_by: Finish,
    pub(super) prompt: Vec<u32>,
    pub(super) answer: Vec<u32>,
    /// The number of tokens of prompt and answer that have been read.
    read: usize,
    reused: usize,
    pub(super) detokenizer: Detokenizer,
    stop: StopStrings,
    text: String,
    finish: Option<Finish>,
}

impl<'a> Generation<'a> {
    pub(super) fn new(
        decoder: &'a mut Decoder,
        prompt: &[u32],
        options: &GenerateOptions,
    ) -> Result<Self, ModelError> {
        options.check()?;
        decoder.check_prompt(prompt)?;
        let context = decoder.config.max_position_embeddings;
        if prompt.len() >= context {
            return Err(ModelError::ContextTooLong { tokens: prompt.len(), limit: context });
        }
        let room = context - prompt.len();
        // Which of the two ended an answer decides what its reader is told.
        let (limit, limited_by) = if options.max_new_tokens <= room {
            (options.max_new_tokens, Finish::Length)
        } else {
            (room, Finish::Context)
        };
        let reused = decoder.reusable(prompt);
        Ok(Self {
            processors: Vec::new(),
            constraint: None,
            sampler: Sampler::new(options.sampling),
            candidates: options.sampling.candidates(),
            repetition_penalty: options.repetition_penalty,
            limit,
            limited_by,
            prompt: prompt.to_vec(),
            answer: Vec::new(),
            read: reused,
            reused,
            detokenizer: Detokenizer::default(),
            stop: StopStrings::new(options.stop.clone()),
            text: String::new(),
            finish: None,
            decoder,
        })
    }

    /// Lets `processor` change the logits before each choice, after those given before it.
    #[must_use]
    pub fn with_processor(mut self, processor: impl LogitProcessor + 'a) -> Self {
        self.processors.push(Box::new(processor));
        self
    }

    /// Lets `constraint` say which tokens may follow, in the place of one given before it. Call it
    /// before the first [`next`](Self::next).
    #[must_use]
    pub fn with_constraint(mut self, constraint: impl TokenConstraint + 'a) -> Self {
        self.constraint = Some(Constrained::new(constraint));
        self
    }

    /// Tokens of the prompt.
    pub fn prompt_tokens(&self) -> usize {
        self.prompt.len()
    }

    /// Returns how many tokens of the prompt were in the cache already and are not read again.
    pub fn reused_tokens(&self) -> usize {
        self.reused
    }

    /// The next piece of text, or `None` at the answer's end.
    ///
    /// A piece may be empty: a long prompt is read in several steps, a character can take
    /// several tokens, and what may be the beginning of a stop string, or may not be the end of an
    /// answer under a constraint, is held back.
    ///
    /// # Errors
    /// [`ModelError::Device`] where the device fails, [`ModelError::Tokenizer`] where its
    /// answer is no text, [`ModelError::NoToken`] where no token is left to choose.
    pub async fn next(&mut self) -> Result<Option<String>, ModelError> {
        if self.finish.is_some() {
            return Ok(None);
        }
        // Before the last token is read: nobody asks what would follow it.
        if self.answer.len() >= self.limit {
            return self.end(self.limited_by);
        }
        self.read_block().await?;
        if self.read < self.prompt.len() {
            return Ok(Some(String::new()));
        }
        let Some(token) = self.choose().await? else {
            return self.end(Finish::Constraint);
        };
        if self.decoder.ends_answer(token) {
            return self.end(Finish::End);
        }
        self.accept(token).map(Some)
    }

    /// The answer as it stands.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokens that were held back are no text.
    pub fn finish(mut self) -> Result<Generated, ModelError> {
        if self.finish.is_none() {
            // What was held back is part of the text all the same.
            self.end(Finish::Stopped)?;
        }
        Ok(Generated {
            text: self.text,
            tokens: self.answer,
            finish: self.finish.unwrap_or(Finish::Stopped),
            prompt_tokens: self.prompt.len(),
            reused_tokens: self.reused,
        })
    }

    /// Reads what comes next: a block of the prompt, or the answer's last token.
    async fn read_block(&mut self) -> Result<(), ModelError> {
        let unread = if self.read < self.prompt.len() {
            &self.prompt[self.read..]
        } else {
            &self.answer[self.read - self.prompt.len()..]
        };
        self.read += self.decoder.read_block(unread, self.read).await?;
        Ok(())
    }

    /// Takes a token into the answer; returns the text that became certain.
    fn accept(&mut self, token: u32) -> Result<String, ModelError> {
        self.answer.push(token);
        let piece = self.detokenizer.push(token, &self.decoder.tokenizer)?;
        Ok(self.deliver(piece))
    }

    /// Passes a piece of text on, up to a stop string and once the answer may end with it.
    fn deliver(&mut self, piece: String) -> String {
        let piece = match &mut self.constraint {
            Some(constraint) => constraint.push(&piece),
            None => piece,
        };
        let (piece, stopped) = self.stop.push(piece);
        if stopped {
            self.finish = Some(Finish::StopString);
        }
        self.text.push_str(&piece);
        piece
    }

    /// Ends the answer; a last piece may have been held back.
    fn end(&mut self, finish: Finish) -> Result<Option<String>, ModelError> {
        self.finish = Some(finish);
        let rest = self.detokenizer.finish(&self.decoder.tokenizer)?;
        let mut piece = self.deliver(rest);
        // Behind a stop string nothing was held back that may be shown.
        if self.finish != Some(Finish::StopString) {
            let held = self.stop.finish();
            self.text.push_str(&held);
            piece.push_str(&held);
        }
        Ok(Some(piece).filter(|piece| !piece.is_empty()))
    }
}

impl Decoder {
    /// Answers `prompt` and hands each piece of text to `on_text` as it comes;
    /// [`ControlFlow::Break`] from it stops the answer.
    ///
    /// # Errors
    /// The errors of [`Decoder::start`] and [`Generation::next`].
    pub async fn generate(
        &mut self,
        prompt: &[u32],
        options: &GenerateOptions,
        mut on_text: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generated, ModelError> {
        let mut generation = self.start(prompt, options)?;
        while let Some(piece) = generation.next().await? {
            if on_text(&piece).is_break() {
                break;
            }
        }
        generation.finish()
    }
}

/// Limits on the length of an answer, the way its tokens are chosen, and what ends it.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerateOptions {
    /// The most tokens of an answer.
    pub max_new_tokens: usize,
    /// The way in which tokens are chosen.
    pub sampling: Sampling,
    /// Makes repetition less likely.
    pub repetition_penalty: Option<RepetitionPenalty>,
    /// Texts that end the answer; they may span tokens. What stands before is delivered, the text
    /// itself and what follows never.
    pub stop: Vec<String>,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self {
            max_new_tokens: 128,
            sampling: Sampling::Greedy,
            repetition_penalty: None,
            stop: Vec::new(),
        }
    }
}

impl GenerateOptions {
    /// Greedy, at most `max_new_tokens` long.
    pub fn greedy(max_new_tokens: usize) -> Self {
        Self { max_new_tokens, ..Self::default() }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        self.sampling.check()?;
        if let Some(penalty) = self.repetition_penalty {
            penalty.check()?;
        }
        if self.stop.iter().any(String::is_empty) {
            return Err(ModelError::options(
                "a stop string is empty, which would end every answer",
            ));
        }
        Ok(())
    }
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model ended it.
    End,
    /// One of [`GenerateOptions::stop`] came.
    StopString,
    /// It reached [`GenerateOptions::max_new_tokens`].
    Length,
    /// The model holds no more tokens.
    Context,
    /// Its constraint allowed no token to follow.
    Constraint,
    /// The caller stopped it.
    Stopped,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Its text.
    pub text: String,
    /// Its tokens, without the one that ended it; with those of a stop string and of what a
    /// constraint held back, which the text does not have.
    pub tokens: Vec<u32>,
    /// Why it ended.
    pub finish: Finish,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// The number of them that were in the cache already.
    pub reused_tokens: usize,
}
