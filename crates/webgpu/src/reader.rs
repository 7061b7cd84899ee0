use campanile_model::{Adapter, EncoderConfig, ReaderHead, Reading, TensorSource, Tokenizer};

use crate::device::WebGpu;
use crate::encoder::{DeviceChanges, WebGpuEncoder};
use crate::error::WebGpuError;

/// A reader whose encoder is on a GPU: all passages of a question are read in one batch.
///
/// What stands around the layers (words to tokens, and token vectors to the words that answer) is
/// [`ReaderHead`]'s, as on the CPU.
pub struct WebGpuReader {
    config: EncoderConfig,
    tokenizer: Tokenizer,
    adapter: Adapter,
    changes: DeviceChanges,
    encoder: WebGpuEncoder,
}

impl WebGpuReader {
    /// Moves the encoder's weights and the change by which it reads to the device.
    ///
    /// # Errors
    /// As [`WebGpuEncoder::load`] and [`WebGpuEncoder::load_changes`]; [`WebGpuError::Model`] also where the adapter
    /// is none that reads.
    pub async fn load(
        gpu: &WebGpu,
        config: EncoderConfig,
        tokenizer: Tokenizer,
        adapter: Adapter,
        weights: &dyn TensorSource,
    ) -> Result<Self, WebGpuError> {
        ReaderHead::new(&tokenizer, &config.network, &adapter)?;
        let mut encoder = WebGpuEncoder::load(gpu, &config, weights).await?;
        let changes = encoder.load_changes(&adapter).await?;
        Ok(Self { config, tokenizer, adapter, changes, encoder })
    }

    /// Returns what it finds in each passage, at most `spans` places in each.
    ///
    /// # Errors
    /// [`WebGpuError::Model`] where a text cannot be put into tokens, else what the device says.
    pub async fn read(
        &mut self,
        question: &str,
        passages: &[&str],
        spans: usize,
    ) -> Result<Vec<Reading>, WebGpuError> {
        let head = ReaderHead::new(&self.tokenizer, &self.config.network, &self.adapter)?;
        let pairs = head.pairs(question, passages)?;
        let rows = self.encoder.token_vectors(pairs.sequences(), Some(self.changes)).await?;
        Ok(head.readings(&pairs, &rows, spans)?)
    }
}
