//! The options of an answer, and what is known of it at its end.

use super::sampling::{RepetitionPenalty, Sampling};
use crate::error::ModelError;

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
