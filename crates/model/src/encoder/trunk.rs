//! The arithmetic of BERT (Devlin et al. 2019, post-layer-norm) over texts laid end to end: the
//! part that sentence encoders and classifiers share.

use std::ops::Range;

use campanile_kernels::{
    Activations, KeysValues, Threads, Visible, add, attend, gelu, gelu_tanh, relu,
};

use super::config::{Activation, Architecture, BertConfig};
use super::trunk_weights::{Embeddings, Layer, prefix};
use super::{threads, try_map};
use crate::adapter::{LayerChange, Low, LowRank};
use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use crate::tokenizer::TokenSequence;

/// Tokens that are computed together.
///
/// A batch's activations should stay in a core's own cache.
// 256 tokens of MiniLM are 0.4 MB of states, and 1.6 MB inside the feed-forward block.
const BATCH_TOKENS: usize = 256;

/// The options of running a network, none of which changes the network itself.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pass<'a> {
    /// The changes that are added to the products of the layers.
    pub(crate) changes: Option<&'a LowRank>,
    /// `true` if each sequence's first vector is all that is wanted: the last layer then computes no other,
    /// which spares a seventh of six layers' time.
    pub(crate) first_only: bool,
    /// Sees what is multiplied with the matrices of the layers.
    pub(crate) observer: Option<&'a Observer<'a>>,
}

/// Is given a layer's number, the input, and its rows, `[tokens, columns]`.
pub(crate) type Observer<'a> = dyn Fn(usize, Input, &[f32]) + Sync + 'a;

/// An input of a layer's matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    /// The layer's input, from which queries, keys and values are computed.
    States,
    /// The output of attention.
    Attended,
    /// The normalised states, which are widened.
    Normalised,
    /// The widened states, which are made narrow again.
    Wide,
}

impl Pass<'_> {
    fn observe(&self, layer: usize, input: Input, rows: &[f32]) {
        if let Some(observer) = self.observer {
            observer(layer, input, rows);
        }
    }
}

/// A network without a head.
pub(crate) struct Trunk {
    config: BertConfig,
    embeddings: Embeddings,
    layers: Vec<Layer>,
}

impl Trunk {
    /// Reads one tensor at a time from `source`.
    pub(crate) fn load(config: &BertConfig, source: &dyn TensorSource) -> Result<Self, ModelError> {
        let prefix = prefix(config, source);
        Ok(Self {
            embeddings: Embeddings::load(config, prefix, source)?,
            layers: (0..config.num_hidden_layers)
                .map(|number| Layer::load(number, config, prefix, source))
                .collect::<Result<_, _>>()?,
            config: config.clone(),
        })
    }

    /// Takes a part of the table of token vectors out of its file.
    pub(super) fn add_words(&self, part: usize, file: Vec<u8>) -> Result<(), ModelError> {
        self.embeddings.add_words(part, file)
    }

    /// The numbers that fix its shape.
    pub(crate) fn config(&self) -> &BertConfig {
        &self.config
    }

    /// Returns what `reduce` makes of the last layer's vectors, `[tokens, hidden]`, of each sequence.
    ///
    /// A sequence without tokens has no vectors. Natively every core computes whole batches,
    /// which is faster than to share the products of one; where there are fewer batches than
    /// cores, they share those too. Neither changes a bit of the result.
    pub(crate) fn each<R: Send>(
        &self,
        pass: Pass<'_>,
        sequences: &[TokenSequence],
        reduce: impl Fn(&TokenSequence, &[f32]) -> Result<R, ModelError> + Sync + Send,
    ) -> Result<Vec<R>, ModelError> {
        let lengths: Vec<usize> = sequences.iter().map(|sequence| sequence.ids.len()).collect();
        let groups = batches(&lengths, BATCH_TOKENS);
        let threads = if groups.len() < threads() { Threads::All } else { Threads::One };
        let computed =
            try_map(&groups, |batch| self.compute(pass, batch, sequences, threads, &reduce))?;
        let mut results: Vec<Option<R>> = sequences.iter().map(|_| None).collect();
        for (text, result) in computed.into_iter().flatten() {
            results[text] = Some(result);
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
        pass: Pass<'_>,
        batch: &Batch,
        sequences: &[TokenSequence],
        threads: Threads,
        reduce: impl Fn(&TokenSequence, &[f32]) -> Result<R, ModelError>,
    ) -> Result<Vec<(usize, R)>, ModelError> {
        let texts: Vec<(usize, &TokenSequence)> =
            batch.texts.iter().map(|&text| (text, &sequences[text])).collect();
        let (states, rows) = self.states(pass, &texts, threads)?;
        let hidden = self.config.hidden_size;
        texts
            .iter()
            .zip(&rows)
            .map(|((text, sequence), rows)| {
                Ok((*text, reduce(sequence, &states[values(rows, hidden)])?))
            })
            .collect()
    }

    /// The last layer's vectors of some numbered texts, and the rows of each.
    fn states(
        &self,
        pass: Pass<'_>,
        texts: &[(usize, &TokenSequence)],
        threads: Threads,
    ) -> Result<(Vec<f32>, Vec<Range<usize>>), ModelError> {
        let mut start = 0;
        let mut rows: Vec<Range<usize>> = texts
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
        for (number, layer) in self.layers.iter().enumerate() {
            let changes = pass.changes.and_then(|changes| changes.layer(number));
            pass.observe(number, Input::States, &scratch.states);
            scratch.attention_input(&self.config, layer, changes)?;
            let first_only = pass.first_only && number + 1 == self.layers.len();
            let queries =
                if first_only { scratch.keep_first(&self.config, &rows) } else { rows.clone() };
            let observe = |input, rows: &[f32]| pass.observe(number, input, rows);
            scratch.forward(&self.config, layer, changes, &queries, &rows, observe)?;
            rows = queries;
        }
        Ok((scratch.states, rows))
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
            // Never below 0: RoBERTa's first position is its padding token's id plus 1.
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
    /// The working memory of a change.
    low: Low,
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
            low: Low::default(),
            states: matrix(),
            narrow: matrix(),
            keys: matrix(),
            values: matrix(),
            attended: matrix(),
            wide: vec![0.0; tokens * config.intermediate_size],
            cache: KeysValues::new(heads, config.hidden_size / heads, longest),
        }
    }

    /// The keys and values of one layer from its states.
    fn attention_input(
        &mut self,
        config: &BertConfig,
        layer: &Layer,
        changes: Option<&LayerChange>,
    ) -> Result<(), ModelError> {
        let Self { threads, activations, low, keys, values, .. } = self;
        activations.set(&self.states, config.hidden_size);
        layer.key.apply(changes.map(|c| &c.key), activations, low, keys, *threads)?;
        layer.value.apply(changes.map(|c| &c.value), activations, low, values, *threads)
    }

    /// Drops the states of all tokens but each text's first, and says where those are now.
    fn keep_first(&mut self, config: &BertConfig, rows: &[Range<usize>]) -> Vec<Range<usize>> {
        let hidden = config.hidden_size;
        for (text, rows) in rows.iter().enumerate() {
            // A text's first row never stands before its number, since no text is empty: nothing is written over that
            // is still to be copied.
            self.states.copy_within(values(&(rows.start..rows.start + 1), hidden), text * hidden);
        }
        for matrix in [&mut self.states, &mut self.narrow, &mut self.attended] {
            matrix.truncate(rows.len() * hidden);
        }
        self.wide.truncate(rows.len() * config.intermediate_size);
        self.activations.set(&self.states, hidden);
        (0..rows.len()).map(|text| text..text + 1).collect()
    }

    /// One layer, from the states and the keys and values to the states; `queries` are the texts'
    /// rows of states, `keys` those of keys.
    fn forward(
        &mut self,
        config: &BertConfig,
        layer: &Layer,
        changes: Option<&LayerChange>,
        queries: &[Range<usize>],
        keys: &[Range<usize>],
        observe: impl Fn(Input, &[f32]),
    ) -> Result<(), ModelError> {
        let hidden = config.hidden_size;
        let Self { threads, activations, low, narrow, .. } = self;
        layer.query.apply(changes.map(|c| &c.query), activations, low, narrow, *threads)?;
        for (queries, keys) in queries.iter().zip(keys) {
            self.attend(config, queries, keys)?;
        }
        let Self { threads, activations, low, narrow, .. } = self;
        observe(Input::Attended, &self.attended);
        activations.set(&self.attended, hidden);
        let change = changes.map(|c| &c.attention_output);
        layer.attention_output.apply(change, activations, low, narrow, *threads)?;
        add(&mut self.narrow, &self.states);
        layer.attention_norm.apply(&mut self.narrow);
        // The sum was normalised where the product had put it: the two buffers change their names instead of being
        // copied.
        std::mem::swap(&mut self.narrow, &mut self.states);

        let Self { threads, activations, low, narrow, wide, .. } = self;
        observe(Input::Normalised, &self.states);
        activations.set(&self.states, hidden);
        layer.widen.apply(changes.map(|c| &c.widen), activations, low, wide, *threads)?;
        match config.hidden_act {
            Activation::Gelu => gelu(wide),
            Activation::GeluNew => gelu_tanh(wide),
            Activation::Relu => relu(wide),
        }
        observe(Input::Wide, wide);
        activations.set(wide, config.intermediate_size);
        layer.narrow.apply(changes.map(|c| &c.narrow), activations, low, narrow, *threads)?;
        add(&mut self.narrow, &self.states);
        layer.output_norm.apply(&mut self.narrow);
        std::mem::swap(&mut self.narrow, &mut self.states);
        Ok(())
    }

    /// Attention of some rows of one text to all of it.
    fn attend(
        &mut self,
        config: &BertConfig,
        queries: &Range<usize>,
        keys: &Range<usize>,
    ) -> Result<(), ModelError> {
        let heads = config.num_attention_heads;
        let scale = 1.0 / ((config.hidden_size / heads) as f32).sqrt();
        let (all, keys) = (keys.len(), values(keys, config.hidden_size));
        let queries = values(queries, config.hidden_size);
        self.cache.write(0, &self.keys[keys.clone()], &self.values[keys]);
        attend(
            &self.narrow[queries.clone()],
            heads,
            &self.cache,
            0,
            Visible::All(all),
            scale,
            &mut self.attended[queries],
            self.threads,
        )
        .map_err(|e| ModelError::device("attending to a text", e))
    }
}

/// Texts whose tokens lie end to end in one matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Batch {
    /// Indexes into the list of texts, longest text first.
    texts: Vec<usize>,
}

/// Groups texts of `lengths` tokens into batches of at most `budget` tokens.
///
/// A longer text has a batch of its own, a text without tokens has none. Texts are sorted by
/// length, the longest first: what is left for the last batches is short, so that no core is
/// still busy with a long one when the others are done. There is no padding.
fn batches(lengths: &[usize], budget: usize) -> Vec<Batch> {
    let mut order: Vec<usize> = (0..lengths.len()).filter(|&text| lengths[text] > 0).collect();
    // The number decides among equal lengths, so that the batches are the same everywhere.
    order.sort_by_key(|&text| (std::cmp::Reverse(lengths[text]), text));
    let mut batches: Vec<Batch> = Vec::new();
    let mut room = 0;
    for text in order {
        let needed = lengths[text];
        match batches.last_mut() {
            Some(batch) if needed <= room => {
                batch.texts.push(text);
                room -= needed;
            }
            _ => {
                batches.push(Batch { texts: vec![text] });
                room = budget.saturating_sub(needed);
            }
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::batches;

    #[test]
    fn batches_hold_every_text_once_and_keep_to_the_budget() {
        let lengths: Vec<usize> = (0..200).map(|i| (i * 37) % 120 + 1).collect();
        let grouped = batches(&lengths, 256);
        let mut seen: Vec<usize> = grouped.iter().flat_map(|b| b.texts.clone()).collect();
        for batch in &grouped {
            let tokens: usize = batch.texts.iter().map(|&text| lengths[text]).sum();
            assert!(tokens <= 256, "{tokens}");
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..200).collect::<Vec<_>>());
    }

    #[test]
    fn a_text_beyond_the_budget_stands_alone() {
        let grouped = batches(&[10, 300, 0, 10], 256);
        let texts: Vec<Vec<usize>> = grouped.into_iter().map(|b| b.texts).collect();
        assert_eq!(texts, [vec![1], vec![0, 3]]);
    }
}
