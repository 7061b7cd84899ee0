//! Keeps track of what is in the cache, and how much of a new prompt it saves.
//!
//! The keys and values of a token depend on the tokens before it and on nothing else. So the
//! longest beginning that a new prompt has in common with what was read last needs no work: the
//! instructions are computed once, and a follow-up question reuses its conversation. Products are
//! summed in the same order whatever block a token is read in, so reuse does not change a bit.

use super::Decoder;
use crate::error::ModelError;

impl Decoder {
    /// Reads one block of `prompt` ahead of its use, and returns how many tokens are still to be
    /// read. Called until that is 0, it makes the next prompt that begins with these tokens start
    /// at once; between two calls a page can do other things.
    ///
    /// # Errors
    /// As [`Decoder::start`], and [`ModelError::Device`] where the device fails.
    pub async fn prepare_block(&mut self, prompt: &[u32]) -> Result<usize, ModelError> {
        self.check_prompt(prompt)?;
        let known = common(&self.cached, prompt);
        let unread = prompt.get(known..).unwrap_or_default();
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
        while let Some(unread) = tokens.get(read..).filter(|unread| !unread.is_empty()) {
            read += self.read_block(unread, read).await?;
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
        let length = unread.len().min(self.backend.block_tokens().max(1));
        let block = unread.get(..length).unwrap_or_default();
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
}

/// Counts the tokens that two texts have in common at their beginning.
fn common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
