//! Greedy generation, one token at a time.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use burn::tensor::{Int, Tensor};

use super::Decoder;
use super::cache::Cache;
use super::detokenizer::Detokenizer;
use super::forward::{Block, best_next_token, forward};
use crate::error::ModelError;

/// How long an answer may become, and what ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenerateOptions {
    /// The most tokens of an answer.
    pub max_new_tokens: usize,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self { max_new_tokens: 128 }
    }
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model ended it.
    End,
    /// It reached [`GenerateOptions::max_new_tokens`].
    Length,
    /// The model holds no more tokens.
    Context,
    /// The caller stopped it.
    Stopped,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Its text.
    pub text: String,
    /// Its tokens, without the one that ended it.
    pub tokens: Vec<u32>,
    /// Why it ended.
    pub finish: Finish,
}

/// An answer in the making.
///
/// [`Decoder::generate`] runs it to its end. A page's worker calls [`Generation::next`] itself
/// and lets other messages through between two tokens, so that a reader can stop it.
pub struct Generation<'a> {
    decoder: &'a mut Decoder,
    cache: Cache,
    capacity: usize,
    /// The most tokens that are still to come, and why there will be no more then.
    limit: usize,
    limited_by: Finish,
    /// What is to be read before the next token is known.
    pending: VecDeque<Block>,
    position: usize,
    tokens: Vec<u32>,
    detokenizer: Detokenizer,
    finish: Option<Finish>,
}

impl<'a> Generation<'a> {
    pub(super) fn new(
        decoder: &'a mut Decoder,
        prompt: &[u32],
        options: &GenerateOptions,
    ) -> Result<Self, ModelError> {
        let context = decoder.config.max_position_embeddings;
        if prompt.is_empty() {
            return Err(ModelError::tokenizer("the prompt is empty"));
        }
        if prompt.len() >= context {
            return Err(ModelError::ContextTooLong { tokens: prompt.len(), limit: context });
        }
        if let Some(id) = prompt.iter().find(|&&id| id as usize >= decoder.config.vocab_size) {
            return Err(ModelError::tokenizer(format!(
                "token {id} is beyond the model's vocabulary of {}; tokenizer.json and the weights are not of one model",
                decoder.config.vocab_size
            )));
        }
        let room = context - prompt.len();
        let (limit, limited_by) = if options.max_new_tokens <= room {
            (options.max_new_tokens, Finish::Length)
        } else {
            (room, Finish::Context)
        };
        let capacity = decoder.shapes.capacity(prompt.len(), limit);
        Ok(Self {
            cache: Cache::new(&decoder.config, capacity, &decoder.device),
            capacity,
            limit,
            limited_by,
            pending: decoder.shapes.prompt_blocks(prompt, capacity).into(),
            position: prompt.len(),
            tokens: Vec::new(),
            detokenizer: Detokenizer::default(),
            finish: None,
            decoder,
        })
    }

    /// The next piece of text, or `None` at the answer's end.
    ///
    /// A piece may be empty: a long prompt is read in several steps, and a character can take
    /// several tokens.
    ///
    /// # Errors
    /// [`ModelError::Device`] where the device fails, [`ModelError::Tokenizer`] where its
    /// answer is no text.
    pub async fn next(&mut self) -> Result<Option<String>, ModelError> {
        if self.finish.is_some() {
            return Ok(None);
        }
        if self.tokens.len() >= self.limit {
            return Ok(self.end(self.limited_by));
        }
        let Some(block) = self.pending.pop_front() else {
            return Ok(self.end(Finish::End));
        };
        let states = self.read(&block)?;
        if !self.pending.is_empty() {
            return Ok(Some(String::new()));
        }
        let id = self.choose(states, &block).await?;
        if self.decoder.ends_answer(id) {
            return Ok(self.end(Finish::End));
        }
        self.accept(id).map(Some)
    }

    /// The answer as it stands.
    pub fn finish(mut self) -> Generated {
        let finish = self.finish.unwrap_or(Finish::Stopped);
        // What was held back is part of the text all the same.
        self.detokenizer.finish();
        Generated { text: self.detokenizer.text().to_owned(), tokens: self.tokens, finish }
    }

    /// Ends the answer; a last piece may have been held back.
    fn end(&mut self, finish: Finish) -> Option<String> {
        self.finish = Some(finish);
        Some(self.detokenizer.finish()).filter(|piece| !piece.is_empty())
    }

    /// Runs a block through the model.
    fn read(&mut self, block: &Block) -> Result<Tensor<2>, ModelError> {
        let decoder = &*self.decoder;
        forward(&decoder.config, &decoder.weights, &mut self.cache, block, &decoder.device)
    }

    /// The token that follows the last real one of a block.
    async fn choose(&self, states: Tensor<2>, block: &Block) -> Result<u32, ModelError> {
        let row = block.real.saturating_sub(1);
        let best = best_next_token(&self.decoder.config, &self.decoder.weights, states, row);
        read_token(best).await
    }

    /// Takes a token into the answer; returns the text that became certain.
    fn accept(&mut self, id: u32) -> Result<String, ModelError> {
        self.tokens.push(id);
        let shapes = self.decoder.shapes;
        let block = shapes.answer_block(id, self.position, self.capacity);
        self.pending.push_back(block);
        self.position += 1;
        self.detokenizer.push(id, &self.decoder.tokenizer)
    }
}

/// Brings one token to main memory: the only thing that is read back.
async fn read_token(token: Tensor<2, Int>) -> Result<u32, ModelError> {
    const DOING: &str = "reading the next token";
    let data = token.into_data_async().await.map_err(|e| ModelError::device(DOING, e))?;
    let value = data.iter::<i64>().next();
    value
        .and_then(|value| u32::try_from(value).ok())
        .ok_or_else(|| ModelError::device(DOING, format!("{value:?} is no token")))
}

impl Decoder {
    /// Answers `prompt`, always with the likeliest token, and hands each piece of text to
    /// `on_text` as it comes; [`ControlFlow::Break`] from it stops the answer.
    ///
    /// # Errors
    /// [`ModelError::ContextTooLong`] before any work where the prompt fills the model;
    /// [`ModelError::Device`] where the device fails.
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
        Ok(generation.finish())
    }
}
