//! A sentence encoder: a text in, a unit vector out.

mod batch;
mod config;
mod forward;
mod gelu;
mod pooling;
mod weights;

use burn::tensor::Device;

pub use config::EncoderConfig;

use self::batch::{Batch, batches};
use self::weights::Weights;
use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use crate::tokenizer::Tokenizer;

/// Tokens that are computed together.
///
/// A batch's activations should stay in a core's own cache.
const BATCH_TOKENS: usize = 256;

/// A BERT encoder with mean pooling, on the CPU.
///
/// It runs on burn-flex, natively and in wasm: one short question embeds faster there than a GPU
/// can be started.
pub struct Encoder {
    config: EncoderConfig,
    tokenizer: Tokenizer,
    weights: Weights,
    device: Device,
}

impl Encoder {
    /// Puts an encoder together; reads one tensor at a time from `weights`.
    ///
    /// # Errors
    /// [`ModelError`] where the configuration does not fit together, or a tensor is missing,
    /// damaged or of another shape.
    pub fn load(
        config: &EncoderConfig,
        tokenizer: Tokenizer,
        weights: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        config.check()?;
        let device = Device::flex();
        if tokenizer.special_tokens() >= config.token_limit() {
            return Err(ModelError::config(format!(
                "`max_tokens` {} leaves no room for a text beside {} special tokens",
                config.token_limit(),
                tokenizer.special_tokens()
            )));
        }
        Ok(Self {
            weights: Weights::load(config, weights, &device)?,
            config: config.clone(),
            tokenizer,
            device,
        })
    }

    /// One unit vector of [`Encoder::dimension`] values for each text, in the order given.
    ///
    /// A text is cut after [`Encoder::max_tokens`] tokens; one without any has the zero vector. Natively all cores take part: each
    /// computes whole batches, which is faster than to share the products of one.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where a text cannot be cut into tokens,
    /// [`ModelError::Device`] where the computation fails.
    pub fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let ids = self.tokenize(texts)?;
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        let groups = batches(&lengths, BATCH_TOKENS);
        let computed = self.compute(&groups, &ids)?;
        let mut vectors = vec![vec![0.0; self.dimension()]; texts.len()];
        for (group, results) in groups.iter().zip(computed) {
            for (&text, vector) in group.texts.iter().zip(results) {
                if let Some(place) = vectors.get_mut(text) {
                    *place = vector;
                }
            }
        }
        Ok(vectors)
    }

    /// Length of a vector: 384 for all-MiniLM-L6-v2.
    pub fn dimension(&self) -> usize {
        self.config.hidden_size
    }

    /// The most tokens of a text that are read, special tokens among them: 256 for
    /// all-MiniLM-L6-v2.
    pub fn max_tokens(&self) -> usize {
        self.config.token_limit()
    }

    /// The most tokens of a text that are read, special tokens left out: 254 for
    /// all-MiniLM-L6-v2. A text whose [`Encoder::count_tokens`] is no higher is read whole.
    pub fn max_text_tokens(&self) -> usize {
        self.max_tokens() - self.tokenizer.special_tokens()
    }

    /// Word pieces of a text, without the special tokens around it and without any limit.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the text cannot be cut into tokens.
    pub fn count_tokens(&self, text: &str) -> Result<usize, ModelError> {
        Ok(self.tokenizer.encode(text)?.len())
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    fn compute_batch(&self, batch: &Batch, ids: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, ModelError> {
        let texts: Vec<&[u32]> =
            batch.texts.iter().map(|&text| ids.get(text).map_or(&[][..], Vec::as_slice)).collect();
        let states =
            forward::last_hidden_states(&self.config, &self.weights, &texts, &self.device)?;
        let hidden = self.config.hidden_size;
        let mut rest = states.as_slice();
        Ok(texts
            .iter()
            .map(|ids| {
                let (rows, after) =
                    rest.split_at_checked(ids.len() * hidden).unwrap_or((rest, &[]));
                rest = after;
                pooling::mean_unit_vector(rows, hidden)
            })
            .collect())
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn tokenize(&self, texts: &[&str]) -> Result<Vec<Vec<u32>>, ModelError> {
        use rayon::prelude::*;
        texts
            .par_iter()
            .map(|text| self.tokenizer.encode_for_model(text, self.max_tokens()))
            .collect()
    }

    #[cfg(target_arch = "wasm32")]
    fn tokenize(&self, texts: &[&str]) -> Result<Vec<Vec<u32>>, ModelError> {
        texts.iter().map(|text| self.tokenizer.encode_for_model(text, self.max_tokens())).collect()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn compute(
        &self,
        groups: &[Batch],
        ids: &[Vec<u32>],
    ) -> Result<Vec<Vec<Vec<f32>>>, ModelError> {
        use rayon::prelude::*;
        groups.par_iter().with_max_len(1).map(|batch| self.compute_batch(batch, ids)).collect()
    }

    #[cfg(target_arch = "wasm32")]
    fn compute(
        &self,
        groups: &[Batch],
        ids: &[Vec<u32>],
    ) -> Result<Vec<Vec<Vec<f32>>>, ModelError> {
        groups.iter().map(|batch| self.compute_batch(batch, ids)).collect()
    }
}
