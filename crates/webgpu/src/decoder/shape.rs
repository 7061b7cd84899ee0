//! The sizes of a decoder, as the kernels need them.

use campanile_model::DecoderConfig;

use crate::error::WebGpuError;
use crate::heads::WIDEST;

/// Positions of a tile of the cache: as many as a workgroup has threads.
pub(crate) const TILE: usize = 64;

/// Sizes that are fixed for a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) hidden: usize,
    pub(crate) wide: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) key_heads: usize,
    pub(crate) width: usize,
    pub(crate) vocabulary: usize,
    pub(crate) epsilon: f32,
    pub(crate) positions: usize,
}

impl Shape {
    /// The sizes of a model.
    ///
    /// # Errors
    /// [`WebGpuError::Unsupported`] where the kernels are not made for them.
    pub(crate) fn new(config: &DecoderConfig) -> Result<Self, WebGpuError> {
        config.check()?;
        let shape = Self {
            hidden: config.hidden_size,
            wide: config.intermediate_size,
            layers: config.num_hidden_layers,
            heads: config.num_attention_heads,
            key_heads: config.num_key_value_heads,
            width: config.head_dim,
            vocabulary: config.vocab_size,
            epsilon: config.rms_norm_eps as f32,
            positions: config.max_position_embeddings,
        };
        if !shape.width.is_multiple_of(4) || shape.width > WIDEST {
            return Err(WebGpuError::Unsupported {
                reason: format!(
                    "heads are {} wide; the GPU's kernels take multiples of 4 up to {WIDEST}",
                    shape.width
                ),
            });
        }
        Ok(shape)
    }

    /// Values of all queries.
    pub(crate) fn queries(&self) -> usize {
        self.heads * self.width
    }

    /// Values of all keys, and of all values.
    pub(crate) fn keys(&self) -> usize {
        self.key_heads * self.width
    }

    /// Values of queries, keys and values together.
    pub(crate) fn projections(&self) -> usize {
        self.queries() + 2 * self.keys()
    }
}
