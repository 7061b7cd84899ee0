//! A decoder's layers on the CPU, over the packed matrices of `campanile-kernels`.
//!
//! Every result depends on a token and the tokens before it alone, to the bit: not on the block
//! in which it was read, nor on the number of threads, nor on the processor.

mod rows;
mod weights;

use std::future::ready;

use campanile_kernels::{
    KeysValues, Visible, add, add_bias, attend, rms_norm, rotate_halves, silu_product,
};

use super::backend::{BackendFuture, DecoderBackend, Penalty, best_of, penalise};
use super::config::DecoderConfig;
use super::rotary::Rotary;
use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use rows::{
    ATTENTION_OUTPUT, BLOCK_TOKENS, DOWN, GATE_UP, PRODUCTS, Products, QUERY_KEY_VALUE, THREADS,
    computing,
};
use weights::{Layer, Weights};

pub use rows::{Helpers, Part, Rows, RowsLoader};

/// The cache grows by so many positions.
// Growing copies all that is cached. For SmolLM2-135M so many positions are 12 MB (30 layers, twice 192 numbers).
const GROWTH: usize = 256;

/// A decoder's weights and cache in main memory.
pub struct CpuDecoder {
    config: DecoderConfig,
    epsilon: f32,
    rotary: Rotary,
    weights: Weights,
    products: Products,
    /// One for each layer.
    cache: Vec<KeysValues>,
    capacity: usize,
    scratch: Scratch,
    /// `true` if the scratch's logits are those of the last token read.
    logits_are_known: bool,
}

impl CpuDecoder {
    /// Packs the weights; reads one tensor at a time.
    ///
    /// # Errors
    /// [`ModelError`] where the configuration does not fit together, or a tensor is missing,
    /// damaged or of another shape.
    pub fn load(config: &DecoderConfig, weights: &dyn TensorSource) -> Result<Self, ModelError> {
        Self::with_products(config, weights, None)
    }

    /// As [`CpuDecoder::load`], with helpers who hold their parts of all rows: here only the first
    /// part is packed, and the vectors of tokens.
    ///
    /// # Errors
    /// As [`CpuDecoder::load`].
    pub fn with_helpers(
        config: &DecoderConfig,
        weights: &dyn TensorSource,
        helpers: Box<dyn Helpers>,
    ) -> Result<Self, ModelError> {
        Self::with_products(config, weights, Some(helpers))
    }

    fn with_products(
        config: &DecoderConfig,
        weights: &dyn TensorSource,
        helpers: Option<Box<dyn Helpers>>,
    ) -> Result<Self, ModelError> {
        config.check()?;
        let products = Products::load(config, weights, helpers)?;
        Ok(Self {
            epsilon: config.rms_norm_eps as f32,
            rotary: Rotary::new(config),
            weights: Weights::load(config, weights, products.rows())?,
            products,
            cache: (0..config.num_hidden_layers)
                .map(|_| KeysValues::new(config.num_key_value_heads, config.head_dim, 0))
                .collect(),
            capacity: 0,
            scratch: Scratch::default(),
            logits_are_known: false,
            config: config.clone(),
        })
    }

    /// Reads a block of tokens; leaves the last one's state after all layers.
    fn forward(&mut self, tokens: &[u32], position: usize) -> Result<(), ModelError> {
        self.logits_are_known = false;
        let Self { config, epsilon, rotary, weights, products, cache, scratch, .. } = self;
        let hidden = config.hidden_size;
        let states = sized(&mut scratch.states, tokens.len() * hidden);
        for (&token, state) in tokens.iter().zip(states.chunks_exact_mut(hidden)) {
            weights.embed(token, state)?;
        }
        rotary.angles(position, tokens.len(), &mut scratch.cosines, &mut scratch.sines);
        let last = weights.layers.len().saturating_sub(1);
        for (number, (layer, cache)) in weights.layers.iter().zip(cache).enumerate() {
            let (first, last) = (number * PRODUCTS, number == last);
            let pass = Pass { config, epsilon: *epsilon, layer, first, position, last };
            pass.run(scratch, cache, products)?;
        }
        Ok(())
    }

    /// The logits after the last token read.
    fn last_logits(&mut self) -> Result<&[f32], ModelError> {
        let Self { config, epsilon, weights, products, scratch, .. } = self;
        if scratch.states.len() != config.hidden_size {
            return Err(ModelError::device("computing logits", "no token has been read"));
        }
        if !self.logits_are_known {
            let normed = sized(&mut scratch.normed, config.hidden_size);
            rms_norm(&scratch.states, &weights.final_norm, *epsilon, normed);
            let logits = sized(&mut scratch.logits, config.vocab_size);
            products.multiply(weights.layers.len() * PRODUCTS, normed, logits)?;
            self.logits_are_known = true;
        }
        Ok(&self.scratch.logits)
    }

    fn last_best(
        &mut self,
        count: usize,
        penalty: Option<Penalty<'_>>,
    ) -> Result<Vec<(u32, f32)>, ModelError> {
        let logits = self.last_logits()?;
        let Some(penalty) = penalty else { return Ok(best_of(logits, count)) };
        // Taken out, since the logits are borrowed from the same scratch.
        let mut penalised = std::mem::take(&mut self.scratch.penalised);
        penalised.clear();
        penalised.extend_from_slice(self.last_logits()?);
        penalise(&mut penalised, penalty);
        let best = best_of(&penalised, count);
        self.scratch.penalised = penalised;
        Ok(best)
    }
}

impl DecoderBackend for CpuDecoder {
    fn reserve(&mut self, tokens: usize) -> Result<(), ModelError> {
        if tokens > self.capacity {
            self.capacity = tokens.next_multiple_of(GROWTH);
            for cache in &mut self.cache {
                cache.grow(self.capacity);
            }
        }
        Ok(())
    }

    fn read<'a>(&'a mut self, tokens: &'a [u32], position: usize) -> BackendFuture<'a, ()> {
        Box::pin(async move { self.forward(tokens, position) })
    }

    fn block_tokens(&self) -> usize {
        BLOCK_TOKENS
    }

    fn logits(&mut self) -> BackendFuture<'_, Vec<f32>> {
        Box::pin(ready(self.last_logits().map(<[f32]>::to_vec)))
    }

    fn best<'a>(
        &'a mut self,
        count: usize,
        penalty: Option<Penalty<'a>>,
    ) -> BackendFuture<'a, Vec<(u32, f32)>> {
        Box::pin(ready(self.last_best(count, penalty)))
    }

    fn most_candidates(&self) -> usize {
        self.config.vocab_size
    }

    fn device(&self) -> &str {
        "cpu"
    }
}

/// A block's way through one layer.
struct Pass<'a> {
    config: &'a DecoderConfig,
    epsilon: f32,
    layer: &'a Layer,
    /// Number of the layer's first product.
    first: usize,
    /// Position of the block's first token.
    position: usize,
    /// `true` if it is the last layer, after which nobody asks for any token but the last: the others only
    /// leave their keys and values there.
    last: bool,
}

impl Pass<'_> {
    fn run(
        &self,
        scratch: &mut Scratch,
        cache: &mut KeysValues,
        products: &mut Products,
    ) -> Result<(), ModelError> {
        self.attention(scratch, cache, products)?;
        self.feed_forward(scratch, products)
    }

    /// Writes keys and values to the cache, and adds to the states what they see there.
    fn attention(
        &self,
        scratch: &mut Scratch,
        cache: &mut KeysValues,
        products: &mut Products,
    ) -> Result<(), ModelError> {
        let (config, layer) = (self.config, self.layer);
        let (heads, key_heads) = (config.num_attention_heads, config.num_key_value_heads);
        let (width, key_width) = (heads * config.head_dim, key_heads * config.head_dim);
        let mut tokens = scratch.states.len() / config.hidden_size;
        let mut position = self.position;

        let normed = sized(&mut scratch.normed, scratch.states.len());
        rms_norm(&scratch.states, &layer.attention_norm, self.epsilon, normed);
        // Taken out and put back, since queries and keys are borrowed from it while other buffers are written.
        let mut projected = std::mem::take(&mut scratch.projected);
        sized(&mut projected, tokens * (width + 2 * key_width));
        products.multiply(self.first + QUERY_KEY_VALUE, normed, &mut projected)?;
        let (mut queries, keys) = projected.split_at_mut(tokens * width);
        let (keys, values) = keys.split_at_mut(tokens * key_width);
        if let Some([query_bias, key_bias, value_bias]) = &layer.biases {
            add_bias(queries, query_bias);
            add_bias(keys, key_bias);
            add_bias(values, value_bias);
        }
        if let Some((_, scale)) = &layer.head_norms {
            self.normalise(keys, scale, &mut scratch.normed_heads);
        }
        rotate_halves(keys, key_heads, config.head_dim, &scratch.cosines, &scratch.sines);
        // Before the last layer drops all tokens but one: later tokens look at the keys of all.
        cache.write(position, keys, values);

        if self.last {
            position += tokens - 1;
            queries = &mut queries[(tokens - 1) * width..];
            tokens = 1;
            scratch.keep_last(config.hidden_size, config.head_dim / 2);
        }
        if let Some((scale, _)) = &layer.head_norms {
            self.normalise(queries, scale, &mut scratch.normed_heads);
        }
        rotate_halves(queries, heads, config.head_dim, &scratch.cosines, &scratch.sines);
        let attended = sized(&mut scratch.attended, tokens * width);
        let scale = 1.0 / (config.head_dim as f32).sqrt();
        let visible = Visible::Before;
        attend(queries, heads, cache, position, visible, scale, attended, THREADS)
            .map_err(computing)?;
        let output = sized(&mut scratch.output, scratch.states.len());
        products.multiply(self.first + ATTENTION_OUTPUT, attended, output)?;
        if let Some(bias) = &layer.attention_output_bias {
            add_bias(output, bias);
        }
        add(&mut scratch.states, output);
        scratch.projected = projected;
        Ok(())
    }

    /// Normalises each head.
    fn normalise(&self, heads: &mut [f32], scale: &[f32], buffer: &mut Vec<f32>) {
        let normed = sized(buffer, heads.len());
        rms_norm(heads, scale, self.epsilon, normed);
        heads.copy_from_slice(normed);
    }

    /// Adds to the states `down(silu(gate) · up)` of themselves.
    fn feed_forward(
        &self,
        scratch: &mut Scratch,
        products: &mut Products,
    ) -> Result<(), ModelError> {
        let wide = self.config.intermediate_size;
        let tokens = scratch.states.len() / self.config.hidden_size;
        let normed = sized(&mut scratch.normed, scratch.states.len());
        rms_norm(&scratch.states, &self.layer.feed_forward_norm, self.epsilon, normed);
        let gated = sized(&mut scratch.gated, 2 * tokens * wide);
        products.multiply(self.first + GATE_UP, normed, gated)?;
        let (gate, up) = gated.split_at_mut(tokens * wide);
        silu_product(gate, up);
        let output = sized(&mut scratch.output, scratch.states.len());
        products.multiply(self.first + DOWN, gate, output)?;
        add(&mut scratch.states, output);
        Ok(())
    }
}

/// The values between two products; nothing is allocated once a block of each length was read.
#[derive(Default)]
struct Scratch {
    /// `[tokens, hidden]`.
    states: Vec<f32>,
    /// `[tokens, hidden]`.
    normed: Vec<f32>,
    /// `[tokens, query heads, head]`, then keys and values of `[tokens, key heads, head]`.
    projected: Vec<f32>,
    /// `[tokens, key heads, head]`.
    normed_heads: Vec<f32>,
    /// `[tokens, query heads, head]`.
    attended: Vec<f32>,
    /// `[tokens, hidden]`: what is added to the states.
    output: Vec<f32>,
    /// `[tokens, intermediate]` of gates, then of what they let through.
    gated: Vec<f32>,
    /// `[tokens, head / 2]`.
    cosines: Vec<f32>,
    /// `[tokens, head / 2]`.
    sines: Vec<f32>,
    /// `[vocabulary]`.
    logits: Vec<f32>,
    /// `[vocabulary]`.
    penalised: Vec<f32>,
}

impl Scratch {
    /// Goes on with the last token alone: its state and its angles.
    fn keep_last(&mut self, hidden: usize, angles: usize) {
        keep_end(&mut self.states, hidden);
        keep_end(&mut self.cosines, angles);
        keep_end(&mut self.sines, angles);
    }
}

/// Gives a buffer its length; what is in it is to be written over.
fn sized(buffer: &mut Vec<f32>, length: usize) -> &mut [f32] {
    buffer.resize(length, 0.0);
    buffer
}

fn keep_end(buffer: &mut Vec<f32>, length: usize) {
    buffer.drain(..buffer.len().saturating_sub(length));
}
