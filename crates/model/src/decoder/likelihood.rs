//! Measures how likely a text is that somebody else wrote.

use super::Decoder;
use crate::error::ModelError;

impl Decoder {
    /// The natural logarithm of the probability of each token of `text`, after `prompt` and the
    /// tokens of `text` before it; `[text tokens]`, none of them above 0.
    ///
    /// A model gives no probability to a text's first token without something before it, so the
    /// prompt has at least one token: the one that begins every text
    /// ([`bos_token_id`](super::DecoderConfig::bos_token_id)) where there is nothing else. This
    /// costs one step a token of `text`.
    ///
    /// # Errors
    /// As [`Decoder::logits_after`], and [`ModelError::Tokenizer`] where a token of `text` is of
    /// another vocabulary.
    pub async fn log_probabilities(
        &mut self,
        prompt: &[u32],
        text: &[u32],
    ) -> Result<Vec<f64>, ModelError> {
        self.check_prompt(prompt)?;
        let whole: Vec<u32> = prompt.iter().chain(text).copied().collect();
        self.check_prompt(&whole)?;
        let mut found = Vec::with_capacity(text.len());
        for (index, &token) in text.iter().enumerate() {
            let before = whole.get(..prompt.len() + index).unwrap_or_default();
            found.push(log_softmax(&self.logits_after(before).await?, token));
        }
        Ok(found)
    }
}

/// The logarithm of one token's share; minus infinity for a token that has no logit.
fn log_softmax(logits: &[f32], token: u32) -> f64 {
    let Some(&logit) = logits.get(token as usize) else { return f64::NEG_INFINITY };
    let highest = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let total: f64 = logits.iter().map(|&other| libm::exp(f64::from(other) - highest)).sum();
    f64::from(logit) - highest - libm::log(total)
}

#[cfg(test)]
mod tests {
    use super::log_softmax;

    #[test]
    fn shares_add_up_to_one_however_large_the_logits_are() {
        for shift in [-1000.0_f32, 0.0, 1000.0] {
            let logits: Vec<f32> = [0.5, -3.0, 2.0, 2.0].iter().map(|one| one + shift).collect();
            let total: f64 = (0..4).map(|token| log_softmax(&logits, token).exp()).sum();
            assert!((total - 1.0).abs() < 1e-12, "{total} at {shift}");
        }
        assert!((log_softmax(&[1.0, 1.0], 0) + std::f64::consts::LN_2).abs() < 1e-12);
        assert_eq!(log_softmax(&[1.0], 7), f64::NEG_INFINITY);
    }
}
