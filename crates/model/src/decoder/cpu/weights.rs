//! A decoder's weights, packed for the processor.

use campanile_kernels::Matrix;

use crate::decoder::config::DecoderConfig;
use crate::decoder::names;
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorSource};
use crate::weights::{matrix, vector};

/// One transformer layer; matrices are `[outputs, inputs]`.
pub(super) struct Layer {
    pub(super) attention_norm: Vec<f32>,
    pub(super) query: Linear,
    pub(super) key: Linear,
    pub(super) value: Linear,
    /// Scales of the norms of each head of queries and of keys.
    pub(super) head_norms: Option<(Vec<f32>, Vec<f32>)>,
    pub(super) attention_output: Linear,
    pub(super) feed_forward_norm: Vec<f32>,
    pub(super) gate: Matrix,
    pub(super) up: Matrix,
    pub(super) down: Matrix,
}

/// A matrix and what is added to its products.
pub(super) struct Linear {
    pub(super) matrix: Matrix,
    pub(super) bias: Option<Vec<f32>>,
}

/// Where the vectors of tokens come from.
pub(super) enum Embedding {
    /// The rows of the output matrix.
    Tied,
    /// A table of their own: read row by row, never multiplied with, so it stays as it is stored.
    Own(StoredTensor<'static>),
}

/// All weights of a decoder.
pub(super) struct Weights {
    pub(super) embedding: Embedding,
    pub(super) layers: Vec<Layer>,
    pub(super) final_norm: Vec<f32>,
    /// `[vocabulary, hidden]`.
    pub(super) output: Matrix,
}

impl Weights {
    /// Reads one tensor at a time.
    pub(super) fn load(
        config: &DecoderConfig,
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        let table = [config.vocab_size, config.hidden_size];
        let (embedding, output) = if config.tie_word_embeddings {
            (Embedding::Tied, matrix(source, names::EMBEDDING, table)?)
        } else {
            let stored = source.stored(names::EMBEDDING)?;
            stored.expect_shape(names::EMBEDDING, &table)?;
            (Embedding::Own(stored.into_owned()), matrix(source, names::OUTPUT, table)?)
        };
        let loader = Loader { config, source };
        let layers = (0..config.num_hidden_layers).map(|layer| loader.layer(layer));
        Ok(Self {
            embedding,
            layers: layers.collect::<Result<_, _>>()?,
            final_norm: vector(source, names::FINAL_NORM, config.hidden_size)?,
            output,
        })
    }

    /// Writes the vector of a token, which is within the vocabulary.
    pub(super) fn embed(&self, token: u32, vector: &mut [f32]) -> Result<(), ModelError> {
        let row = token as usize;
        match &self.embedding {
            Embedding::Tied if row < self.output.rows() => self.output.read_row(row, vector),
            Embedding::Own(table) if table.read_row(row, vector) => (),
            _ => {
                let reason = format!("token {token} has no vector");
                return Err(ModelError::tokenizer(reason));
            }
        }
        Ok(())
    }
}

struct Loader<'a> {
    config: &'a DecoderConfig,
    source: &'a dyn TensorSource,
}

impl Loader<'_> {
    fn layer(&self, layer: usize) -> Result<Layer, ModelError> {
        let config = self.config;
        let hidden = config.hidden_size;
        let head = config.head_dim;
        let queries = config.num_attention_heads * head;
        let keys = config.num_key_value_heads * head;
        let wide = config.intermediate_size;
        let biased = config.has_query_key_value_bias();
        let matrix =
            |part: &str, shape| matrix(self.source, &names::layer_tensor(layer, part), shape);
        let vector =
            |part: &str, length| vector(self.source, &names::layer_tensor(layer, part), length);
        let linear = |part: &str, shape: [usize; 2], bias: Option<&str>| {
            Ok::<_, ModelError>(Linear {
                matrix: matrix(part, shape)?,
                bias: bias.map(|part| vector(part, shape[0])).transpose()?,
            })
        };
        let head_norms = || {
            Ok::<_, ModelError>((vector(names::QUERY_NORM, head)?, vector(names::KEY_NORM, head)?))
        };
        Ok(Layer {
            attention_norm: vector(names::ATTENTION_NORM, hidden)?,
            query: linear(names::QUERY, [queries, hidden], biased.then_some(names::QUERY_BIAS))?,
            key: linear(names::KEY, [keys, hidden], biased.then_some(names::KEY_BIAS))?,
            value: linear(names::VALUE, [keys, hidden], biased.then_some(names::VALUE_BIAS))?,
            head_norms: config.has_query_key_norm().then(head_norms).transpose()?,
            attention_output: linear(
                names::ATTENTION_OUTPUT,
                [hidden, queries],
                config.has_attention_output_bias().then_some(names::ATTENTION_OUTPUT_BIAS),
            )?,
            feed_forward_norm: vector(names::FEED_FORWARD_NORM, hidden)?,
            gate: matrix(names::GATE, [wide, hidden])?,
            up: matrix(names::UP, [wide, hidden])?,
            down: matrix(names::DOWN, [hidden, wide])?,
        })
    }
}
