//! A question whose answer is known, to see whether a device computes rightly.
//!
//! A GPU's driver can be wrong in silence: a faulty shader is only logged, and what follows is
//! fluent nonsense. So whoever prepares a model asks it something on a processor and writes down
//! what it said, and a module asks it the same after loading.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Decoder, GenerateOptions};
use crate::error::ModelError;

/// The file of a model that holds its [`KnownAnswer`] as JSON.
pub const KNOWN_ANSWER_FILE: &str = "known-answer.json";

/// Texts that most models go on with as with one voice.
const BEGINNINGS: [&str; 3] =
    ["The capital of France is", "One, two, three, four,", "Monday, Tuesday, Wednesday,"];
/// The most tokens of an answer.
// The first comes of the prompt's block, the others of the kernels for one token and of the cache.
const TOKENS: usize = 4;
/// A token leads the next best by so much, or rounding might change it.
// Devices that compute rightly differ by 2.5 · 10⁻⁴ of the largest logit (docs/concepts/neural-core.md), which is
// some tens: a hundredth, far below this.
const LEAD: f32 = 0.2;

/// A prompt and the first tokens of the answer to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownAnswer {
    /// The prompt's tokens.
    pub prompt: Cow<'static, [u32]>,
    /// The tokens that a right device answers, greedily.
    pub answer: Cow<'static, [u32]>,
}

impl KnownAnswer {
    /// Reads the bytes of its file.
    ///
    /// # Errors
    /// [`ModelError::Config`] where they are no such answer.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        serde_json::from_slice(bytes)
            .map_err(|error| ModelError::config(format!("{KNOWN_ANSWER_FILE}: {error}")))
    }
}

impl Decoder {
    /// Asks the model on this device, which is taken to compute rightly, until it has said something that no rounding
    /// could change; none where it is undecided about all that it is asked.
    ///
    /// # Errors
    /// As [`Decoder::logits_after`], and [`ModelError::Tokenizer`] where a text cannot be cut into tokens.
    pub async fn known_answer(&mut self) -> Result<Option<KnownAnswer>, ModelError> {
        for text in BEGINNINGS {
            let prompt = self.tokenizer().encode(text)?;
            let mut tokens = prompt.clone();
            while tokens.len() < prompt.len() + TOKENS {
                match decided(&self.logits_after(&tokens).await?) {
                    Some(token) if !self.config().end_tokens().contains(&token) => {
                        tokens.push(token)
                    }
                    _ => break,
                }
            }
            let answer = tokens.split_off(prompt.len());
            if !answer.is_empty() {
                return Ok(Some(KnownAnswer { prompt: prompt.into(), answer: answer.into() }));
            }
        }
        Ok(None)
    }

    /// Asks `known.prompt` and compares; what was cached is forgotten, since it may be wrong.
    ///
    /// # Errors
    /// [`ModelError::WrongAnswer`] where the device answers otherwise, and what
    /// [`Decoder::generate`] returns.
    pub async fn check(&mut self, known: &KnownAnswer) -> Result<(), ModelError> {
        // A cache that a wrong device has filled would answer in its place.
        self.forget();
        let options = GenerateOptions::greedy(known.answer.len());
        let mut generation = self.start(&known.prompt, &options)?;
        while generation.next().await?.is_some() {}
        let found = generation.finish()?.tokens;
        if found == *known.answer {
            return Ok(());
        }
        Err(ModelError::WrongAnswer { expected: known.answer.to_vec(), found })
    }
}

/// The token that leads all others by [`LEAD`].
fn decided(logits: &[f32]) -> Option<u32> {
    match super::backend::best_of(logits, 2).as_slice() {
        [(token, best), (_, next)] if best - next >= LEAD => Some(*token),
        _ => None,
    }
}
