//! A decoder's layers on the CPU, over the packed matrices of `campanile-kernels`.
//!
//! Every result depends on a token and the tokens before it alone, to the bit: not on the block
//! in which it was read, nor on the number of threads, nor on the processor.

mod scratch;
mod weights;

use std::future::ready;

use campanile_kernels::{
    KernelError, KeysValues, Threads, Visible, add, add_bias, attend, rms_norm, rotate_halves,
    silu_product,
};

use self::scratch::{Scratch, sized};
use self::weights::{Layer, Linear, Weights};
use super::backend::{BackendFuture, DecoderBackend, Penalty};
use super::config::DecoderConfig;
use super::ranking::{best_of, penalise};
use super::rotary::Rotary;
use crate::error::ModelError;
use crate::tensor_source::TensorSource;

/// Tokens read together.
const BLOCK_TOKENS: usize = 64;

/// The cache grows by so many positions.
const GROWTH: usize = 256;

/// All cores natively; in wasm the kernels have one thread.
const THREADS: Threads = Threads::All;

/// A decoder's weights and cache in main memory.
pub struct CpuDecoder {
    config: DecoderConfig,
    epsilon: f32,
    rotary: Rotary,
    weights: Weights,
    /// One for each layer.
    cache: Vec<KeysValues>,
    capacity: usize,
    scratch: Scratch,
    /// Whether the scratch's logits are those of the last token read.
    logits_are_known: bool,
}

impl CpuDecoder {
    /// Packs the weights; reads one tensor at a time.
    ///
    /// # Errors
    /// [`ModelError`] where the configuration does not fit together, or a tensor is missing,
    /// damaged or of another shape.
    pub fn load(config: &DecoderConfig, weights: &dyn TensorSource) -> Result<Self, ModelError> {
        config.check()?;
        Ok(Self {
            epsilon: config.rms_norm_eps as f32,
            rotary: Rotary::new(config),
            weights: Weights::load(config, weights)?,
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
        let Self { config, epsilon, rotary, weights, cache, scratch, .. } = self;
        let hidden = config.hidden_size;
        let states = sized(&mut scratch.states, tokens.len() * hidden);
        for (&token, state) in tokens.iter().zip(states.chunks_exact_mut(hidden)) {
            weights.embed(token, state)?;
        }
        rotary.angles(position, tokens.len(), &mut scratch.cosines, &mut scratch.sines);
        let last = weights.layers.len().saturating_sub(1);
        for (number, (layer, cache)) in weights.layers.iter().zip(cache).enumerate() {
            let pass = Pass { config, epsilon: *epsilon, layer, position, last: number == last };
            pass.run(scratch, cache).map_err(computing)?;
        }
        Ok(())
    }

    /// The logits after the last token read.
    fn last_logits(&mut self) -> Result<&[f32], ModelError> {
        let Self { config, epsilon, weights, scratch, .. } = self;
        if scratch.states.len() != config.hidden_size {
            return Err(ModelError::device("computing logits", "no token has been read"));
        }
        if !self.logits_are_known {
            let normed = sized(&mut scratch.normed, config.hidden_size);
            rms_norm(&scratch.states, &weights.final_norm, *epsilon, normed);
            scratch.input.set(normed, config.hidden_size);
            let logits = sized(&mut scratch.logits, config.vocab_size);
            weights.output.multiply(&scratch.input, logits, THREADS).map_err(computing)?;
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
    /// Position of the block's first token.
    position: usize,
    /// Whether it is the last layer, after which nobody asks for any token but the last: the
    /// others only leave their keys and values there.
    last: bool,
}

impl Pass<'_> {
    fn run(&self, scratch: &mut Scratch, cache: &mut KeysValues) -> Result<(), KernelError> {
        self.keys_and_values(scratch, cache)?;
        let mut position = self.position;
        if self.last {
            position += scratch.states.len() / self.config.hidden_size - 1;
            scratch.keep_last(self.config.hidden_size, self.config.head_dim / 2);
        }
        self.attention(scratch, cache, position)?;
        self.feed_forward(scratch)
    }

    /// Normalises the states, and writes their keys and values to the cache.
    fn keys_and_values(
        &self,
        scratch: &mut Scratch,
        cache: &mut KeysValues,
    ) -> Result<(), KernelError> {
        let (config, layer) = (self.config, self.layer);
        let tokens = scratch.states.len() / config.hidden_size;
        let width = config.num_key_value_heads * config.head_dim;
        let normed = sized(&mut scratch.normed, scratch.states.len());
        rms_norm(&scratch.states, &layer.attention_norm, self.epsilon, normed);
        scratch.input.set(normed, config.hidden_size);
        let keys = sized(&mut scratch.keys, tokens * width);
        layer.key.apply(&scratch.input, keys)?;
        let values = sized(&mut scratch.values, tokens * width);
        layer.value.apply(&scratch.input, values)?;
        if let Some((_, scale)) = &layer.head_norms {
            let normed = sized(&mut scratch.normed_heads, tokens * width);
            rms_norm(keys, scale, self.epsilon, normed);
            keys.copy_from_slice(normed);
        }
        let (cosines, sines) = (&scratch.cosines, &scratch.sines);
        rotate_halves(keys, config.num_key_value_heads, config.head_dim, cosines, sines);
        cache.write(self.position, keys, values);
        Ok(())
    }

    /// Adds to the states what they see in the cache.
    fn attention(
        &self,
        scratch: &mut Scratch,
        cache: &KeysValues,
        position: usize,
    ) -> Result<(), KernelError> {
        let (config, layer) = (self.config, self.layer);
        let heads = config.num_attention_heads;
        let (tokens, width) = (scratch.input.tokens(), heads * config.head_dim);
        let queries = sized(&mut scratch.queries, tokens * width);
        layer.query.apply(&scratch.input, queries)?;
        let attended = sized(&mut scratch.attended, tokens * width);
        if let Some((scale, _)) = &layer.head_norms {
            rms_norm(queries, scale, self.epsilon, attended);
            queries.copy_from_slice(attended);
        }
        rotate_halves(queries, heads, config.head_dim, &scratch.cosines, &scratch.sines);
        let scale = 1.0 / (config.head_dim as f32).sqrt();
        let visible = Visible::Before;
        attend(queries, heads, cache, position, visible, scale, attended, THREADS)?;
        scratch.input.set(attended, width);
        let output = sized(&mut scratch.output, scratch.states.len());
        layer.attention_output.apply(&scratch.input, output)?;
        add(&mut scratch.states, output);
        Ok(())
    }

    /// Adds to the states `down(silu(gate) · up)` of themselves.
    fn feed_forward(&self, scratch: &mut Scratch) -> Result<(), KernelError> {
        let (config, layer) = (self.config, self.layer);
        let wide = config.intermediate_size;
        let normed = sized(&mut scratch.normed, scratch.states.len());
        rms_norm(&scratch.states, &layer.feed_forward_norm, self.epsilon, normed);
        scratch.input.set(normed, config.hidden_size);
        let tokens = scratch.input.tokens();
        let gate = sized(&mut scratch.gate, tokens * wide);
        layer.gate.multiply(&scratch.input, gate, THREADS)?;
        let up = sized(&mut scratch.up, tokens * wide);
        layer.up.multiply(&scratch.input, up, THREADS)?;
        silu_product(gate, up);
        scratch.input.set(gate, wide);
        let output = sized(&mut scratch.output, scratch.states.len());
        layer.down.multiply(&scratch.input, output, THREADS)?;
        add(&mut scratch.states, output);
        Ok(())
    }
}

impl Linear {
    fn apply(
        &self,
        input: &campanile_kernels::Activations,
        output: &mut [f32],
    ) -> Result<(), KernelError> {
        self.matrix.multiply(input, output, THREADS)?;
        if let Some(bias) = &self.bias {
            add_bias(output, bias);
        }
        Ok(())
    }
}

fn computing(error: KernelError) -> ModelError {
    ModelError::device("computing a layer", error)
}
