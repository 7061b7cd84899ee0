//! The backend of a decoder: the seam between the arithmetic and everything around it.
//!
//! The state machine ([`super::Decoder`]) owns the conversation: which tokens are cached, how the
//! next one is chosen, when an answer ends. A backend owns the weights and the cache of keys and
//! values, and does nothing else. So every device gives the same text wherever its logits agree.

use std::future::Future;
use std::pin::Pin;

use crate::error::ModelError;

/// The future of a backend's work: it may wait for a device, and it may fail.
///
/// Not `Send`: a browser's devices belong to one thread.
pub type BackendFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, ModelError>> + 'a>>;

/// Makes tokens that were used before less likely (Keskar et al. 2019): a logit above 0 is
/// divided by `factor`, one below is multiplied by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty<'a> {
    /// Above 1 to discourage; above 0 always.
    pub factor: f32,
    /// The tokens that were used: sorted, each once, all within the vocabulary.
    pub seen: &'a [u32],
}

/// Runs a decoder's layers and holds its cache of keys and values.
///
/// Calls come one at a time, and in this order: [`reserve`](Self::reserve) for the positions that
/// a [`read`](Self::read) needs, the read, and then, after the last block of a prompt and after
/// every token of an answer, [`best`](Self::best) and [`logits`](Self::logits), in any order and
/// more than once where the first answer is not enough. A future
/// that is dropped halfway leaves the positions of its read undefined; the next read starts at or
/// before them.
pub trait DecoderBackend {
    /// Makes room for `tokens` positions in all. What is cached stays.
    ///
    /// Asked before every read, so it returns at once where there is room, and grows in steps
    /// where there is not.
    ///
    /// # Errors
    /// [`ModelError::Device`] where the memory cannot be had.
    fn reserve(&mut self, tokens: usize) -> Result<(), ModelError>;

    /// Reads `tokens` at `position` and after, and overwrites the cache from there on. Positions
    /// before `position` stay as they are and are seen by all of `tokens`.
    ///
    /// There are 1 to [`block_tokens`](Self::block_tokens) tokens, all within the vocabulary.
    fn read<'a>(&'a mut self, tokens: &'a [u32], position: usize) -> BackendFuture<'a, ()>;

    /// The most tokens of one [`read`](Self::read): many enough for fast products, few enough
    /// that a page stays responsive between two reads.
    fn block_tokens(&self) -> usize;

    /// All logits after the last token read, `vocab_size` values.
    ///
    /// On a GPU this reads back a few hundred kilobytes a token, so it is asked for only where
    /// [`best`](Self::best) cannot do: by logit processors, by sampling from more than
    /// [`most_candidates`](Self::most_candidates) tokens, by a constraint that forbids so many, and
    /// by tests.
    fn logits(&mut self) -> BackendFuture<'_, Vec<f32>>;

    /// The `count` tokens with the highest logits after the penalty, as (token, logit): best
    /// first, ties by the lower token. `count` is 1 to [`most_candidates`](Self::most_candidates).
    fn best<'a>(
        &'a mut self,
        count: usize,
        penalty: Option<Penalty<'a>>,
    ) -> BackendFuture<'a, Vec<(u32, f32)>>;

    /// The most candidates that [`best`](Self::best) can hand out; at least 1.
    fn most_candidates(&self) -> usize;

    /// A word for messages: `cpu`, `webgpu`.
    fn device(&self) -> &str;
}
