//! Prompts: a conversation as tokens, how much of one is read already, and how likely a text is after one.
//!
//! The keys and values of a token depend on the tokens before it and on nothing else. So the
//! longest beginning that a new prompt has in common with what was read last needs no work: the
//! instructions are computed once, and a follow-up question reuses its conversation. Products are
//! summed in the same order whatever block a token is read in, so reuse does not change a bit.

use super::Decoder;
use crate::chat::{ChatMessage, ChatTemplate, EdgeTokens};
use crate::error::ModelError;

impl Decoder {
    /// The tokens of a conversation, ready for the model's reply.
    ///
    /// Whatever looks like a control token inside of a message is taken out first: a document
    /// that is quoted there cannot end the message or speak for somebody else.
    ///
    /// # Errors
    /// [`ModelError::ChatTemplate`] where the template cannot be filled in.
    pub fn chat_tokens(
        &self,
        template: &ChatTemplate,
        messages: &[ChatMessage],
    ) -> Result<Vec<u32>, ModelError> {
        // Control tokens of the whole vocabulary, not only those of the template: each of them is one for the
        // network.
        let special = self.tokenizer.special_texts();
        let cleaned: Vec<ChatMessage> =
            messages.iter().map(|message| message.without(&special)).collect();
        let text = |id: Option<&u32>| {
            id.and_then(|&id| self.tokenizer.special_text(id)).map(str::to_owned)
        };
        let edges = EdgeTokens {
            begin: text(self.config.bos_token_id.as_ref()),
            end: text(self.config.end_tokens().first()),
        };
        self.tokenizer.encode(&template.render_between(&cleaned, &edges)?)
    }

    /// Reads one block of `prompt` ahead of its use, and returns how many tokens are still to be
    /// read. Called until that is 0, it makes the next prompt that begins with these tokens start
    /// at once; between two calls a page can do other things.
    ///
    /// # Errors
    /// As [`Decoder::start`], and [`ModelError::Device`] where the device fails.
    pub async fn prepare_block(&mut self, prompt: &[u32]) -> Result<usize, ModelError> {
        self.check_prompt(prompt)?;
        let known = common(&self.cached, prompt);
        let unread = &prompt[known..];
        if unread.is_empty() {
            return Ok(0);
        }
        let read = self.read_block(unread, known).await?;
        Ok(unread.len() - read)
    }

    /// Reads `prompt` ahead of its use; see [`Decoder::prepare_block`].
    ///
    /// # Errors
    /// As [`Decoder::prepare_block`].
    pub async fn prepare(&mut self, prompt: &[u32]) -> Result<(), ModelError> {
        while self.prepare_block(prompt).await? > 0 {}
        Ok(())
    }

    /// Forgets what was read, so that the next prompt is read from its first token.
    pub fn forget(&mut self) {
        self.cached.clear();
    }

    /// The tokens whose keys and values are cached.
    pub fn cached_tokens(&self) -> &[u32] {
        &self.cached
    }

    /// All logits after the last of `tokens`, `vocab_size` values: what the model expects next.
    ///
    /// Asked for one text after each of its tokens, this costs one step a token.
    ///
    /// # Errors
    /// As [`Decoder::start`], and [`ModelError::Device`] where the device fails.
    pub async fn logits_after(&mut self, tokens: &[u32]) -> Result<Vec<f32>, ModelError> {
        self.check_prompt(tokens)?;
        let mut read = self.reusable(tokens);
        while read < tokens.len() {
            read += self.read_block(&tokens[read..], read).await?;
        }
        self.backend.logits().await
    }

    /// Returns how many tokens at the beginning of `prompt` need not be read: never all of them, since the
    /// last one's logits are wanted.
    pub(super) fn reusable(&self, prompt: &[u32]) -> usize {
        common(&self.cached, prompt).min(prompt.len().saturating_sub(1))
    }

    /// Reads the first block of `unread` at `position` and returns its length.
    ///
    /// The positions before are cached. The record of what is cached ends at `position` while
    /// the device works, so that it is right even if the future is dropped there.
    pub(super) async fn read_block(
        &mut self,
        unread: &[u32],
        position: usize,
    ) -> Result<usize, ModelError> {
        // At least one: a backend that reads none would be asked for ever.
        let length = unread.len().min(self.backend.block_tokens().max(1));
        let block = &unread[..length];
        self.cached.truncate(position);
        self.backend.reserve(position + length)?;
        self.backend.read(block, position).await?;
        self.cached.extend_from_slice(block);
        Ok(length)
    }

    /// Fails on a prompt that cannot be read, before any work.
    pub(super) fn check_prompt(&self, prompt: &[u32]) -> Result<(), ModelError> {
        let limit = self.config.max_position_embeddings;
        if prompt.is_empty() {
            return Err(ModelError::tokenizer("the prompt is empty"));
        }
        if prompt.len() > limit {
            return Err(ModelError::ContextTooLong { tokens: prompt.len(), limit });
        }
        if let Some(id) = prompt.iter().find(|&&id| id as usize >= self.config.vocab_size) {
            return Err(ModelError::tokenizer(format!(
                "token {id} is beyond the model's vocabulary of {}; tokenizer.json and the weights are not of one model",
                self.config.vocab_size
            )));
        }
        Ok(())
    }

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
            let before = &whole[..prompt.len() + index];
            found.push(log_softmax(&self.logits_after(before).await?, token));
        }
        Ok(found)
    }
}

/// Counts the tokens that two texts have in common at their beginning.
fn common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The logarithm of one token's share; minus infinity for a token that has no logit.
fn log_softmax(logits: &[f32], token: u32) -> f64 {
    let Some(&logit) = logits.get(token as usize) else { return f64::NEG_INFINITY };
    // The highest is taken off first, so that no exponential overflows.
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
