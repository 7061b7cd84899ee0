//! The head of a network that classifies: from the first token's vector to logits.

use campanile_kernels::tanh;

use super::bert_config::{Architecture, BertConfig};
use super::encoder_config::Pooling;
use super::pooling::pool;
use super::trunk_weights::{Linear, prefix};
use crate::error::ModelError;
use crate::tensor_source::TensorSource;

/// Two products with a hyperbolic tangent between, which both architectures have, under
/// different names.
pub(crate) struct Head {
    dense: Linear,
    output: Linear,
    hidden: usize,
    labels: usize,
}

/// A head that makes logits of the vectors of a pair.
pub(crate) enum PairHead<'a> {
    /// One product with the vector that they are pooled into.
    Linear(&'a Linear, Pooling),
    /// A classifier's own.
    Classifier(&'a Head),
}

impl PairHead<'_> {
    /// The logits of a text with these token vectors.
    pub(crate) fn logits(&self, rows: &[f32]) -> Result<Vec<f32>, ModelError> {
        match self {
            Self::Linear(head, pooling) => head.of(&pool(rows, head.inputs(), *pooling, false)),
            Self::Classifier(head) => head.logits(rows),
        }
    }
}

/// The names of the two products' tensors, without their endings.
fn parts(config: &BertConfig, source: &dyn TensorSource) -> [String; 2] {
    match config.model_type {
        Architecture::Bert => {
            [format!("{}pooler.dense", prefix(config, source)), "classifier".to_owned()]
        }
        Architecture::Roberta => ["classifier.dense".to_owned(), "classifier.out_proj".to_owned()],
    }
}

/// The names of the head's tensors in `source`.
pub(super) fn tensor_names(config: &BertConfig, source: &dyn TensorSource) -> Vec<String> {
    let parts = parts(config, source);
    parts.iter().flat_map(|part| [format!("{part}.weight"), format!("{part}.bias")]).collect()
}

impl Head {
    /// A head with `labels` outputs.
    pub(super) fn load(
        config: &BertConfig,
        labels: usize,
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        let hidden = config.hidden_size;
        let [dense, output] = parts(config, source);
        Ok(Self {
            dense: Linear::load(&dense, hidden, hidden, source)?,
            output: Linear::load(&output, hidden, labels, source)?,
            hidden,
            labels,
        })
    }

    /// The logits of a text with these token vectors; zeros where there are none.
    pub(crate) fn logits(&self, rows: &[f32]) -> Result<Vec<f32>, ModelError> {
        let Some(first) = rows.get(..self.hidden) else { return Ok(vec![0.0; self.labels]) };
        let mut pooled = self.dense.of(first)?;
        tanh(&mut pooled);
        self.output.of(&pooled)
    }
}
