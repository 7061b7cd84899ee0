use std::error::Error;

use campanile_model::{Decoder, ModelError};
use futures_lite::future::block_on;

/// Says how likely a text is.
pub trait LanguageModel {
    /// Why it cannot say.
    type Error: Error + Send + Sync + 'static;

    /// The natural logarithm of the probability of each token of `text`, after `prompt` and the
    /// tokens before it; none is above 0.
    ///
    /// # Errors
    /// Where the model cannot read the text.
    fn log_probabilities(&mut self, prompt: &str, text: &str) -> Result<Vec<f64>, Self::Error>;
}

/// A language model of the bundle. The token that begins a text, or ends one where the model has
/// none for the beginning, stands before the prompt. Prompt and text are cut into tokens one by
/// one.
impl LanguageModel for Decoder {
    type Error = ModelError;

    fn log_probabilities(&mut self, prompt: &str, text: &str) -> Result<Vec<f64>, ModelError> {
        let config = self.config();
        let begin = config.bos_token_id.or_else(|| config.end_tokens().first().copied());
        let mut before: Vec<u32> = begin.into_iter().collect();
        before.extend(self.tokenizer().encode(prompt)?);
        let text = self.tokenizer().encode(text)?;
        block_on(Decoder::log_probabilities(self, &before, &text))
    }
}

/// The perplexity of a text: how little a language model expected it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Perplexity {
    /// The text's tokens.
    pub tokens: usize,
    /// The mean of `−ln p` over the tokens, in nats.
    pub mean_negative_log_likelihood: f64,
}

impl Perplexity {
    /// From the natural logarithms of the tokens' probabilities; `None` where there are no tokens.
    pub fn new(log_probabilities: &[f64]) -> Option<Self> {
        let tokens = log_probabilities.len();
        let sum: f64 = log_probabilities.iter().sum();
        // Not `-sum`: a sure text has 0, not −0.
        let mean_negative_log_likelihood = (0.0 - sum) / tokens as f64;
        (tokens > 0).then_some(Self { tokens, mean_negative_log_likelihood })
    }

    /// `exp` of the mean: among how many equally likely tokens the model chose, so to speak. At
    /// least 1.
    pub fn perplexity(&self) -> f64 {
        self.mean_negative_log_likelihood.exp()
    }
}

/// The perplexity of an answer after a prompt, such as the question and its passages; `None` for an
/// answer without tokens.
///
/// # Errors
/// Where the model cannot read the texts.
pub fn perplexity<M: LanguageModel>(
    model: &mut M,
    prompt: &str,
    answer: &str,
) -> Result<Option<Perplexity>, M::Error> {
    Ok(Perplexity::new(&model.log_probabilities(prompt, answer)?))
}

#[cfg(test)]
mod tests {
    use super::Perplexity;

    #[test]
    fn a_choice_of_four_is_a_perplexity_of_four() {
        let found = Perplexity::new(&[0.25_f64.ln(); 3]);
        assert!(found.is_some_and(|found| (found.perplexity() - 4.0).abs() < 1e-12));
        assert_eq!(Perplexity::new(&[]), None);
        let sure = Perplexity::new(&[0.0, 0.0]).map(|sure| sure.mean_negative_log_likelihood);
        assert!(sure.is_some_and(|mean| mean.to_bits() == 0));
    }
}
