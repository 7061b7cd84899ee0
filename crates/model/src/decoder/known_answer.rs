//! A question whose answer is known, to see whether a device computes rightly.
//!
//! A GPU's driver can be wrong in silence: a faulty shader is only logged, and what follows is
//! fluent nonsense. So a module asks its model once, after loading, what it knows already.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Decoder, GenerateOptions};
use crate::error::ModelError;

/// A prompt and the first tokens of the answer to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownAnswer {
    /// The prompt's tokens.
    pub prompt: Cow<'static, [u32]>,
    /// The tokens that a right device answers, greedily.
    pub answer: Cow<'static, [u32]>,
}

/// For SmolLM2-135M-Instruct in Q4_1, as transformers computes it
/// (`tests/fixtures/make_smollm2.py`). Every token leads by 0.2 at least, so rounding cannot
/// change it.
pub const SMOLLM2_135M_INSTRUCT: KnownAnswer = KnownAnswer {
    prompt: Cow::Borrowed(&[504, 3575, 282, 4649, 314]),
    answer: Cow::Borrowed(&[7042, 30, 198, 198]),
};

impl Decoder {
    /// Asks `known.prompt` and compares; what was cached is forgotten, since it may be wrong.
    ///
    /// # Errors
    /// [`ModelError::WrongAnswer`] where the device answers otherwise, and what
    /// [`Decoder::generate`] returns.
    pub async fn check(&mut self, known: &KnownAnswer) -> Result<(), ModelError> {
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
