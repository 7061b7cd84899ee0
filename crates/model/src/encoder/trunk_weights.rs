//! A network's tensors: their names, and the parts that they are loaded into.

use campanile_kernels::{Activations, Matrix, Threads, add_bias, layer_norm};

use super::config::{Architecture, BertConfig};
use super::words::WordTable;
use crate::adapter::{Change, Low};
use crate::error::ModelError;
use crate::tensor_source::{HostTensor, TensorSource};
use crate::weights;

/// The tensors before the first layer.
const EMBEDDING_TENSORS: [&str; 5] =
    [WORDS, POSITIONS, SEGMENTS, "embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias"];
const WORDS: &str = "embeddings.word_embeddings.weight";
const POSITIONS: &str = "embeddings.position_embeddings.weight";
const SEGMENTS: &str = "embeddings.token_type_embeddings.weight";

/// The parts of a layer with a weight and a bias each.
const LAYER_PARTS: [&str; 8] = [
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
];

/// Returns what stands before the names of the network's tensors in `source`: nothing in a sentence
/// encoder's files, the architecture's name where a head was trained on top.
pub(super) fn prefix(config: &BertConfig, source: &dyn TensorSource) -> &'static str {
    let prefix = match config.model_type {
        Architecture::Bert => "bert.",
        Architecture::Roberta => "roberta.",
    };
    // A table that every encoder has in one piece.
    let positions = format!("{prefix}{POSITIONS}");
    if source.names().binary_search(&positions).is_ok() { prefix } else { "" }
}

/// The name of the table of token vectors in `source`.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn words_tensor(config: &BertConfig, source: &dyn TensorSource) -> String {
    format!("{}{WORDS}", prefix(config, source))
}

/// The full name of a layer's tensor.
fn layer_tensor(prefix: &str, layer: usize, name: &str) -> String {
    format!("{prefix}encoder.layer.{layer}.{name}")
}

/// The names of the network's tensors in `source`.
pub(super) fn tensor_names(config: &BertConfig, source: &dyn TensorSource) -> Vec<String> {
    let prefix = prefix(config, source);
    let mut names: Vec<String> =
        EMBEDDING_TENSORS.iter().map(|name| format!("{prefix}{name}")).collect();
    for layer in 0..config.num_hidden_layers {
        for part in LAYER_PARTS {
            names.push(layer_tensor(prefix, layer, &format!("{part}.weight")));
            names.push(layer_tensor(prefix, layer, &format!("{part}.bias")));
        }
    }
    names
}

/// Token, position and segment vectors, which stay in main memory in their stored encoding.
///
/// A text needs a few hundred of the 30,522 rows: reading those alone spares the page 35 MB and
/// the time to convert them.
pub(super) struct Embeddings {
    words: WordTable,
    words_name: String,
    positions: HostTensor,
    segments: HostTensor,
    norm: LayerNorm,
}

impl Embeddings {
    pub(super) fn load(
        config: &BertConfig,
        prefix: &str,
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        let hidden = config.hidden_size;
        let name = |name: &str| format!("{prefix}{name}");
        let words_name = name(WORDS);
        let words = WordTable::load(&words_name, [config.vocab_size, hidden], source)?;
        let stored = source.stored(&name(SEGMENTS))?;
        // Where the file is silent the weights tell: BERT has two rows, RoBERTa one.
        let segments = config.type_vocab_size.unwrap_or_else(|| stored.rows().max(1));
        stored.expect_shape(&name(SEGMENTS), &[segments, hidden])?;
        Ok(Self {
            // Kept as stored: rows are read as tokens come, the two small tables below are decoded at once.
            words,
            words_name,
            positions: source
                .read_shaped(&name(POSITIONS), &[config.max_position_embeddings, hidden])?,
            segments: stored.decode(),
            norm: LayerNorm::load(&name("embeddings.LayerNorm"), config, source)?,
        })
    }

    /// Takes a part of the table of token vectors out of its file.
    pub(super) fn add_words(&self, part: usize, file: Vec<u8>) -> Result<(), ModelError> {
        self.words.add(&self.words_name, part, file)
    }

    /// The vectors of one text that go into the first layer, `[tokens, hidden]`; `positions`
    /// and `segments` are row numbers, as many as there are ids.
    pub(super) fn embed(
        &self,
        ids: &[u32],
        positions: impl Iterator<Item = usize>,
        segments: &[u32],
        output: &mut [f32],
    ) -> Result<(), ModelError> {
        let words = self.words.rows(ids)?;
        let hidden = self.words.columns();
        let inputs = ids.iter().zip(words).zip(positions).zip(segments);
        for ((((&id, (table, word)), position), &segment), row) in
            inputs.zip(output.chunks_exact_mut(hidden))
        {
            if !table.read_row(word, row) {
                return Err(ModelError::tensor(&self.words_name, format!("no row for token {id}")));
            }
            // The reference's order of the two sums.
            for (table, index, what) in [
                (&self.segments, segment as usize, "segment"),
                (&self.positions, position, "position"),
            ] {
                let shift = table.values.get(index * hidden..(index + 1) * hidden).ok_or_else(|| {
                    ModelError::tokenizer(format!(
                        "token {id} is at {what} {index}, for which the weights hold no vector; tokenizer.json and the weights are not of one model"
                    ))
                })?;
                campanile_kernels::add(row, shift);
            }
        }
        self.norm.apply(output);
        Ok(())
    }
}

/// A matrix `[outputs, inputs]` and the bias to add after.
pub(crate) struct Linear {
    weight: Matrix,
    bias: Vec<f32>,
}

impl Linear {
    /// A matrix and as many biases as it has rows.
    pub(crate) fn new(weight: Matrix, bias: Vec<f32>) -> Self {
        Self { weight, bias }
    }

    /// Reads `name.weight` and `name.bias`.
    pub(crate) fn load(
        name: &str,
        inputs: usize,
        outputs: usize,
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        Ok(Self {
            weight: weights::matrix(source, &format!("{name}.weight"), [outputs, inputs])?,
            bias: weights::vector(source, &format!("{name}.bias"), outputs)?,
        })
    }

    /// `input · (weight + change)ᵀ + bias` for `[tokens, inputs]`, into `[tokens, outputs]`.
    pub(crate) fn apply(
        &self,
        change: Option<&Change>,
        input: &Activations,
        low: &mut Low,
        output: &mut [f32],
        threads: Threads,
    ) -> Result<(), ModelError> {
        let multiplied = self.weight.multiply(input, output, threads);
        let changed = match change {
            Some(change) => multiplied.and_then(|()| change.add(input, low, output, threads)),
            None => multiplied,
        };
        changed.map_err(|e| ModelError::device("multiplying with a weight", e))?;
        add_bias(output, &self.bias);
        Ok(())
    }

    /// Values in a row of its input.
    pub(crate) fn inputs(&self) -> usize {
        self.weight.columns()
    }

    /// [`Linear::apply`] on one thread, without a change, to rows of `inputs` values.
    pub(crate) fn of(&self, rows: &[f32]) -> Result<Vec<f32>, ModelError> {
        let mut input = Activations::new();
        input.set(rows, self.weight.columns());
        let mut output = vec![0.0; input.tokens() * self.weight.rows()];
        self.apply(None, &input, &mut Low::default(), &mut output, Threads::One)?;
        Ok(output)
    }
}

/// Scale and shift of a layer normalisation over the hidden dimension.
pub(super) struct LayerNorm {
    scale: Vec<f32>,
    shift: Vec<f32>,
    epsilon: f32,
}

impl LayerNorm {
    fn load(
        name: &str,
        config: &BertConfig,
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        let vector =
            |part: &str| weights::vector(source, &format!("{name}.{part}"), config.hidden_size);
        Ok(Self {
            scale: vector("weight")?,
            shift: vector("bias")?,
            epsilon: config.layer_norm_eps as f32,
        })
    }

    /// Normalises rows in place.
    pub(super) fn apply(&self, values: &mut [f32]) {
        layer_norm(values, &self.scale, &self.shift, self.epsilon);
    }
}

/// One transformer layer.
pub(super) struct Layer {
    pub(super) query: Linear,
    pub(super) key: Linear,
    pub(super) value: Linear,
    pub(super) attention_output: Linear,
    pub(super) attention_norm: LayerNorm,
    pub(super) widen: Linear,
    pub(super) narrow: Linear,
    pub(super) output_norm: LayerNorm,
}

impl Layer {
    pub(super) fn load(
        number: usize,
        config: &BertConfig,
        prefix: &str,
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let linear = |part: usize, inputs, outputs| {
            let name = layer_tensor(prefix, number, LAYER_PARTS[part]);
            Linear::load(&name, inputs, outputs, source)
        };
        let norm = |part: usize| {
            LayerNorm::load(&layer_tensor(prefix, number, LAYER_PARTS[part]), config, source)
        };
        Ok(Self {
            query: linear(0, hidden, hidden)?,
            key: linear(1, hidden, hidden)?,
            value: linear(2, hidden, hidden)?,
            attention_output: linear(3, hidden, hidden)?,
            attention_norm: norm(4)?,
            widen: linear(5, hidden, wide)?,
            narrow: linear(6, wide, hidden)?,
            output_norm: norm(7)?,
        })
    }
}
