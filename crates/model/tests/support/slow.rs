//! A device that takes its time, and can be interrupted.

use campanile_model::{BackendFuture, CpuDecoder, Decoder, DecoderBackend, ModelError, Penalty};
use futures_lite::future::yield_now;

use crate::made_up::{MadeUp, llama, tokenizer};

/// Reads something else first and waits, then reads what it was given: whoever drops the future
/// in between leaves the wrong keys and values behind.
struct Slow {
    inner: CpuDecoder,
    most: usize,
}

impl DecoderBackend for Slow {
    fn reserve(&mut self, tokens: usize) -> Result<(), ModelError> {
        self.inner.reserve(tokens)
    }

    fn read<'a>(&'a mut self, tokens: &'a [u32], position: usize) -> BackendFuture<'a, ()> {
        Box::pin(async move {
            let wrong = vec![63; tokens.len()];
            self.inner.read(&wrong, position).await?;
            yield_now().await;
            self.inner.read(tokens, position).await
        })
    }

    fn block_tokens(&self) -> usize {
        17
    }

    fn logits(&mut self) -> BackendFuture<'_, Vec<f32>> {
        self.inner.logits()
    }

    fn best<'a>(
        &'a mut self,
        count: usize,
        penalty: Option<Penalty<'a>>,
    ) -> BackendFuture<'a, Vec<(u32, f32)>> {
        assert!(count <= self.most);
        self.inner.best(count, penalty)
    }

    fn most_candidates(&self) -> usize {
        self.most
    }

    fn device(&self) -> &str {
        "slow"
    }
}

/// A decoder on such a device, which hands out `most` candidates.
pub fn slow(most: usize) -> Decoder {
    let config = llama();
    let inner = CpuDecoder::load(&config, &MadeUp(&config)).unwrap();
    Decoder::with_backend(&config, tokenizer(64), Box::new(Slow { inner, most })).unwrap()
}
