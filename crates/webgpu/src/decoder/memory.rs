//! The sizes of a decoder, the buffers that it computes in, and its cache of keys and values.

use campanile_model::DecoderConfig;

use crate::device::{Buffer, PART_ALIGNMENT, WebGpu};
use crate::error::WebGpuError;
use crate::kernel;
use crate::kernel::Step;
use crate::product::{CachePrecision, WIDEST};

/// The most tokens that are computed together.
// Four tiles of the product's 32 tokens. A page hears of a stop between two blocks only; a longer block needs more
// memory for its states.
pub(crate) const BLOCK_TOKENS: usize = 128;

/// Tiles of the smallest cache.
// 256 positions: room for instructions and a question before the cache has to grow.
const SMALLEST_TILES: usize = 4;

/// The memory that a step works on. Rows are tokens.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) inputs: Inputs,
    /// The states that run from layer to layer, `[tokens, hidden]`.
    pub(crate) states: Buffer,
    /// Queries, keys and values, `[tokens, projections]`.
    pub(crate) projected: Buffer,
    /// The results of attention, `[tokens, queries]`.
    pub(crate) attended: Buffer,
    /// Gate and up side by side, `[tokens, 2 · wide]`, where they are two products.
    pub(crate) both: Option<Buffer>,
    /// The gated values, `[tokens, wide]`.
    pub(crate) gated: Buffer,
    pub(crate) logits: Buffer,
}

impl Workspace {
    pub(crate) async fn new(
        gpu: &WebGpu,
        shape: &Shape,
        needs_both: bool,
    ) -> Result<Self, WebGpuError> {
        let rows = |width: usize| (4 * BLOCK_TOKENS * width) as u64;
        let both = if needs_both {
            Some(gpu.storage("gate and up", rows(2 * shape.wide)).await?)
        } else {
            None
        };
        Ok(Self {
            inputs: Inputs::new(gpu, BLOCK_TOKENS, shape.width).await?,
            states: gpu.storage("states", rows(shape.hidden)).await?,
            projected: gpu.storage("projections", rows(shape.projections())).await?,
            attended: gpu.storage("attention", rows(shape.queries())).await?,
            both,
            gated: gpu.storage("gated values", rows(shape.wide)).await?,
            logits: gpu.storage("logits", 4 * shape.vocabulary as u64).await?,
        })
    }
}

/// The inputs that change from step to step, in one buffer, so that a step is one write.
#[derive(Debug)]
pub(crate) struct Inputs {
    all: Buffer,
    pub(crate) step: Buffer,
    /// Numbers of tokens.
    pub(crate) tokens: Buffer,
    /// Cosines and sines of each token's position, `[tokens, head]`.
    pub(crate) rotation: Buffer,
    /// The word at which each of the last two begins.
    tokens_at: usize,
    rotation_at: usize,
}

impl Inputs {
    async fn new(gpu: &WebGpu, tokens: usize, width: usize) -> Result<Self, WebGpuError> {
        let step_bytes = (4 * Step::default().words().len()) as u64;
        let token_bytes = (4 * tokens) as u64;
        let rotation_bytes = token_bytes * width as u64;
        let tokens_at = step_bytes.next_multiple_of(PART_ALIGNMENT);
        let rotation_at = tokens_at + token_bytes.next_multiple_of(PART_ALIGNMENT);
        let all = gpu.storage("inputs", rotation_at + rotation_bytes).await?;
        Ok(Self {
            step: all.part(0, step_bytes),
            tokens: all.part(tokens_at, token_bytes),
            rotation: all.part(rotation_at, rotation_bytes),
            tokens_at: (tokens_at / 4) as usize,
            rotation_at: (rotation_at / 4) as usize,
            all,
        })
    }

    /// Writes a step's inputs; `rotation` has a row for each token.
    pub(crate) fn write(&self, gpu: &WebGpu, step: Step, tokens: &[u32], rotation: &[u32]) {
        let mut words = step.words().to_vec();
        // The gap between two parts is written too: one write costs less than three.
        words.resize(self.tokens_at, 0);
        words.extend(tokens);
        words.resize(self.rotation_at, 0);
        words.extend(rotation);
        gpu.write(&self.all, 0, &words);
    }
}

/// Keys and values of the tokens read so far.
#[derive(Debug)]
pub(crate) struct Cache {
    precision: CachePrecision,
    tiles: usize,
    pub(crate) layers: Vec<LayerCache>,
    /// The results of each tile's attention, before they are joined.
    pub(crate) parts: Buffer,
}

/// Those of one layer, in tiles: see `cache.wgsl`.
#[derive(Debug)]
pub(crate) struct LayerCache {
    pub(crate) keys: Buffer,
    pub(crate) values: Buffer,
}

impl Cache {
    /// Room for at least `positions`; what `old` holds is taken over.
    pub(crate) async fn new(
        gpu: &WebGpu,
        shape: &Shape,
        precision: CachePrecision,
        positions: usize,
        old: Option<&Self>,
    ) -> Result<Self, WebGpuError> {
        let tiles = tiles_for(shape, positions);
        let tile_bytes = tile_bytes(shape, precision);
        let mut old_layers = old.into_iter().flat_map(|old| &old.layers);
        // Tiles are the outermost dimension, so that what was there keeps its place.
        let old_words = (old.map_or(0, |old| old.tiles * tile_bytes) / 4) as u32;
        let mut layers = Vec::with_capacity(shape.layers);
        for _ in 0..shape.layers {
            let bytes = (tiles * tile_bytes) as u64;
            let layer = LayerCache {
                keys: gpu.storage("cached keys", bytes).await?,
                values: gpu.storage("cached values", bytes).await?,
            };
            if let Some(old) = old_layers.next() {
                kernel::copy(gpu, &old.keys, &layer.keys, 0, old_words);
                kernel::copy(gpu, &old.values, &layer.values, 0, old_words);
            }
            layers.push(layer);
        }
        let part_bytes = 4 * shape.heads * tiles * (shape.width + 4);
        let parts = gpu.storage("parts of attention", part_bytes as u64).await?;
        Ok(Self { precision, tiles, layers, parts })
    }

    /// Positions that there is room for.
    pub(crate) fn positions(&self) -> usize {
        self.tiles * TILE
    }

    /// Returns the precision in which values are kept.
    pub(crate) fn precision(&self) -> CachePrecision {
        self.precision
    }
}

/// Fails where a cache of so many positions is beyond the device's limits.
pub(crate) fn check_size(
    gpu: &WebGpu,
    shape: &Shape,
    precision: CachePrecision,
    positions: usize,
) -> Result<(), WebGpuError> {
    let bytes = (tiles_for(shape, positions) * tile_bytes(shape, precision)) as u64;
    let limit = gpu.buffer_limit();
    if bytes <= limit {
        return Ok(());
    }
    Err(WebGpuError::OutOfMemory {
        what: format!("the keys of {positions} tokens in one layer"),
        bytes,
        reason: format!("a buffer holds at most {limit} bytes; give the model less to read"),
    })
}

fn tiles_for(shape: &Shape, positions: usize) -> usize {
    let most = shape.positions.div_ceil(TILE);
    // Twice as many each time, since growing copies the cache and binds all dispatches anew.
    positions.div_ceil(TILE).next_power_of_two().max(SMALLEST_TILES).min(most)
}

fn tile_bytes(shape: &Shape, precision: CachePrecision) -> usize {
    TILE * shape.keys() * precision.bytes()
}

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
