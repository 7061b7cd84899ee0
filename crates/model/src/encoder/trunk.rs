//! The arithmetic of BERT (Devlin et al. 2019, post-layer-norm) over texts laid end to end: the
//! part that sentence encoders and classifiers share.

use std::ops::Range;

use campanile_kernels::{
    Activations, KeysValues, Threads, Visible, add, attend, gelu, gelu_tanh, relu,
};

use super::batch::{Batch, batches};
use super::bert_config::{Activation, Architecture, BertConfig};
use super::parallel;
use super::trunk_weights::{Embeddings, Layer, prefix};
use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use crate::tokenizer::TokenSequence;

/// Tokens that are computed together.
///
/// A batch's activations should stay in a core's own cache.
const BATCH_TOKENS: usize = 256;

/// A network without a head.
pub(super) struct Trunk {
    config: BertConfig,
    embeddings: Embeddings,
    layers: Vec<Layer>,
}

impl Trunk {
    /// Reads one tensor at a time from `source`.
    pub(super) fn load(config: &BertConfig, source: &dyn TensorSource) -> Result<Self, ModelError> {
        let prefix = prefix(config, source);
        Ok(Self {
            embeddings: Embeddings::load(config, prefix, source)?,
            layers: (0..config.num_hidden_layers)
                .map(|number| Layer::load(number, config, prefix, source))
                .collect::<Result<_, _>>()?,
            config: config.clone(),
        })
    }

    /// What `reduce` makes of the last layer's vectors, `[tokens, hidden]`, of each sequence.
    ///
    /// A sequence without tokens has no vectors. Natively every core computes whole batches,
    /// which is faster than to share the products of one; where there are fewer batches than
    /// cores, they share those too. Neither changes a bit of the result.
    pub(super) fn each<R: Send>(
        &self,
        sequences: &[TokenSequence],
        reduce: impl Fn(&TokenSequence, &[f32]) -> Result<R, ModelError> + Sync + Send,
    ) -> Result<Vec<R>, ModelError> {
        let lengths: Vec<usize> = sequences.iter().map(|sequence| sequence.ids.len()).collect();
        let groups = batches(&lengths, BATCH_TOKENS);
        let threads = if groups.len() < parallel::threads() { Threads::All } else { Threads::One };
        let computed =
            parallel::try_map(&groups, |batch| self.compute(batch, sequences, threads, &reduce))?;
        let mut results: Vec<Option<R>> = sequences.iter().map(|_| None).collect();
        for (text, result) in computed.into_iter().flatten() {
            if let Some(place) = results.get_mut(text) {
                *place = Some(result);
            }
        }
        sequences
            .iter()
            .zip(results)
            .map(|(sequence, result)| result.map_or_else(|| reduce(sequence, &[]), Ok))
            .collect()
    }

    /// The results of one batch, each with its sequence's index.
    fn compute<R>(
        &self,
        batch: &Batch,
        sequences: &[TokenSequence],
        threads: Threads,
        reduce: impl Fn(&TokenSequence, &[f32]) -> Result<R, ModelError>,
    ) -> Result<Vec<(usize, R)>, ModelError> {
        let texts: Vec<(usize, &TokenSequence)> =
            batch.texts.iter().filter_map(|&text| Some((text, sequences.get(text)?))).collect();
        let mut start = 0;
        let rows: Vec<Range<usize>> = texts
            .iter()
            .map(|(_, sequence)| {
                let rows = start..start + sequence.ids.len();
                start = rows.end;
                rows
            })
            .collect();
        let mut scratch = Scratch::new(&self.config, &rows, threads);
        let hidden = self.config.hidden_size;
        for ((_, sequence), rows) in texts.iter().zip(&rows) {
            let states = &mut scratch.states[values(rows, hidden)];
            let positions = positions(&self.config, &sequence.ids);
            self.embeddings.embed(&sequence.ids, positions, &sequence.segments, states)?;
        }
        for layer in &self.layers {
            scratch.forward(&self.config, layer, &rows)?;
        }
        texts
            .iter()
            .zip(&rows)
            .map(|((text, sequence), rows)| {
                Ok((*text, reduce(sequence, &scratch.states[values(rows, hidden)])?))
            })
            .collect()
    }
}

/// The rows of the position table for a text's tokens.
fn positions(config: &BertConfig, ids: &[u32]) -> impl Iterator<Item = usize> {
    let first = config.first_position();
    // RoBERTa counts what is not padding, even where a text spells the padding token out.
    let padding = match config.model_type {
        Architecture::Bert => None,
        Architecture::Roberta => Some(config.padding_token()),
    };
    let mut next = first;
    ids.iter().map(move |&id| {
        if Some(id) == padding {
            first - 1
        } else {
            next += 1;
            next - 1
        }
    })
}

/// The values of token rows in a matrix of `width` columns.
fn values(rows: &Range<usize>, width: usize) -> Range<usize> {
    rows.start * width..rows.end * width
}

/// The working memory of one batch, used again by every layer.
struct Scratch {
    threads: Threads,
    activations: Activations,
    /// The layer's input and, in the end, its output: `[tokens, hidden]`, as the next four.
    states: Vec<f32>,
    /// Queries, later the results of the two products that are added to the states.
    narrow: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
    attended: Vec<f32>,
    /// `[tokens, intermediate]`.
    wide: Vec<f32>,
    /// Room for the longest text.
    cache: KeysValues,
}

impl Scratch {
    /// Working memory for texts in the given rows.
    fn new(config: &BertConfig, rows: &[Range<usize>], threads: Threads) -> Self {
        let tokens = rows.last().map_or(0, |rows| rows.end);
        let longest = rows.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        let matrix = || vec![0.0; tokens * config.hidden_size];
        let heads = config.num_attention_heads;
        Self {
            threads,
            activations: Activations::new(),
            states: matrix(),
            narrow: matrix(),
            keys: matrix(),
            values: matrix(),
            attended: matrix(),
            wide: vec![0.0; tokens * config.intermediate_size],
            cache: KeysValues::new(heads, config.hidden_size / heads, longest),
        }
    }

    /// One layer, from the states to the states.
    fn forward(
        &mut self,
        config: &BertConfig,
        layer: &Layer,
        rows: &[Range<usize>],
    ) -> Result<(), ModelError> {
        let hidden = config.hidden_size;
        self.activations.set(&self.states, hidden);
        layer.query.apply(&self.activations, &mut self.narrow, self.threads)?;
        layer.key.apply(&self.activations, &mut self.keys, self.threads)?;
        layer.value.apply(&self.activations, &mut self.values, self.threads)?;
        for rows in rows {
            self.attend(config, rows)?;
        }
        self.activations.set(&self.attended, hidden);
        layer.attention_output.apply(&self.activations, &mut self.narrow, self.threads)?;
        add(&mut self.narrow, &self.states);
        layer.attention_norm.apply(&mut self.narrow);
        std::mem::swap(&mut self.narrow, &mut self.states);

        self.activations.set(&self.states, hidden);
        layer.widen.apply(&self.activations, &mut self.wide, self.threads)?;
        match config.hidden_act {
            Activation::Gelu => gelu(&mut self.wide),
            Activation::GeluNew => gelu_tanh(&mut self.wide),
            Activation::Relu => relu(&mut self.wide),
        }
        self.activations.set(&self.wide, config.intermediate_size);
        layer.narrow.apply(&self.activations, &mut self.narrow, self.threads)?;
        add(&mut self.narrow, &self.states);
        layer.output_norm.apply(&mut self.narrow);
        std::mem::swap(&mut self.narrow, &mut self.states);
        Ok(())
    }

    /// Attention of one text to itself.
    fn attend(&mut self, config: &BertConfig, rows: &Range<usize>) -> Result<(), ModelError> {
        let heads = config.num_attention_heads;
        let text = values(rows, config.hidden_size);
        let scale = 1.0 / ((config.hidden_size / heads) as f32).sqrt();
        self.cache.write(0, &self.keys[text.clone()], &self.values[text.clone()]);
        attend(
            &self.narrow[text.clone()],
            heads,
            &self.cache,
            0,
            Visible::All(rows.len()),
            scale,
            &mut self.attended[text],
            self.threads,
        )
        .map_err(|e| ModelError::device("attending to a text", e))
    }
}
