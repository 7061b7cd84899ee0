//! A decoder's weights, packed for the processor.

use std::sync::Arc;

use campanile_kernels::Matrix;

use super::rows::Rows;
use crate::decoder::config::DecoderConfig;
use crate::decoder::names;
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorSource};
use crate::weights::{matrix_rows, vector};

/// The vectors that one transformer layer has beside its matrices.
pub(super) struct Layer {
    pub(super) attention_norm: Vec<f32>,
    /// The vectors that are added to queries, keys and values.
    pub(super) biases: Option<[Vec<f32>; 3]>,
    /// Scales of the norms of each head of queries and of keys.
    pub(super) head_norms: Option<(Vec<f32>, Vec<f32>)>,
    pub(super) attention_output_bias: Option<Vec<f32>>,
    pub(super) feed_forward_norm: Vec<f32>,
}

/// The source of the vectors of tokens.
pub(super) enum Embedding {
    /// The rows of the output matrix: those that are multiplied with here, and then the others.
    Tied(Vec<Arc<Matrix>>),
    /// A table of their own: read row by row, never multiplied with, so it stays as it is stored.
    Own(StoredTensor<'static>),
}

/// All weights of a decoder but its matrices.
pub(super) struct Weights {
    pub(super) embedding: Embedding,
    pub(super) layers: Vec<Layer>,
    pub(super) final_norm: Vec<f32>,
}

impl Weights {
    /// Reads one tensor at a time.
    pub(super) fn load(
        config: &DecoderConfig,
        source: &dyn TensorSource,
        rows: &Rows,
    ) -> Result<Self, ModelError> {
        let table = [config.vocab_size, config.hidden_size];
        let stored = source.stored(names::EMBEDDING)?;
        let embedding = if config.tie_word_embeddings {
            let mut pieces: Vec<_> = rows.output().into_iter().collect();
            let ours = pieces.iter().map(|piece| piece.rows()).sum();
            if ours < config.vocab_size {
                let others = ours..config.vocab_size;
                pieces.push(Arc::new(matrix_rows(&stored, names::EMBEDDING, table, others)?));
            }
            Embedding::Tied(pieces)
        } else {
            // The tied table is checked in packing its rows; this one is never packed.
            stored.expect_shape(names::EMBEDDING, &table)?;
            Embedding::Own(stored.into_owned())
        };
        let loader = Loader { config, source };
        let layers = (0..config.num_hidden_layers).map(|layer| loader.layer(layer));
        Ok(Self {
            embedding,
            layers: layers.collect::<Result<_, _>>()?,
            final_norm: vector(source, names::FINAL_NORM, config.hidden_size)?,
        })
    }

    /// Writes the vector of a token, which is within the vocabulary.
    pub(super) fn embed(&self, token: u32, vector: &mut [f32]) -> Result<(), ModelError> {
        let mut row = token as usize;
        let found = match &self.embedding {
            Embedding::Tied(pieces) => pieces.iter().any(|piece| {
                let here = row < piece.rows();
                if here {
                    piece.read_row(row, vector);
                }
                row = row.saturating_sub(piece.rows());
                here
            }),
            Embedding::Own(table) => table.read_row(row, vector),
        };
        if found {
            return Ok(());
        }
        Err(ModelError::tokenizer(format!("token {token} has no vector")))
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
        let vector =
            |part: &str, length| vector(self.source, &names::layer_tensor(layer, part), length);
        let biases = || {
            Ok::<_, ModelError>([
                vector(names::QUERY_BIAS, queries)?,
                vector(names::KEY_BIAS, keys)?,
                vector(names::VALUE_BIAS, keys)?,
            ])
        };
        let head_norms = || {
            Ok::<_, ModelError>((vector(names::QUERY_NORM, head)?, vector(names::KEY_NORM, head)?))
        };
        let output_bias = || vector(names::ATTENTION_OUTPUT_BIAS, hidden);
        Ok(Layer {
            attention_norm: vector(names::ATTENTION_NORM, hidden)?,
            biases: config.has_query_key_value_bias().then(biases).transpose()?,
            head_norms: config.has_query_key_norm().then(head_norms).transpose()?,
            attention_output_bias: config
                .has_attention_output_bias()
                .then(output_bias)
                .transpose()?,
            feed_forward_norm: vector(names::FEED_FORWARD_NORM, hidden)?,
        })
    }
}
