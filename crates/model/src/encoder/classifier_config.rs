//! The configuration of a sequence classifier.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bert_config::BertConfig;
use super::classifier_head;
use super::trunk_weights;
use crate::error::ModelError;
use crate::tensor_source::TensorSource;

/// Labels beyond which a configuration is taken for damaged.
const LABEL_LIMIT: usize = 4096;

/// The configuration of a cross-encoder or of a model of natural language inference, from a
/// Hugging Face `config.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassifierConfig {
    /// The network below the head.
    #[serde(flatten)]
    pub network: BertConfig,
    /// The most tokens of a pair that are read, special tokens among them; where the file is
    /// silent, as many as there are positions.
    #[serde(default, alias = "max_seq_length", skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// The labels' names by number; two unnamed ones where the file is silent, as the reference
    /// has it.
    #[serde(default = "default_labels")]
    pub id2label: BTreeMap<usize, String>,
}

fn default_labels() -> BTreeMap<usize, String> {
    (0..2).map(|label| (label, format!("LABEL_{label}"))).collect()
}

impl ClassifierConfig {
    /// Reads the bytes of a `config.json` and checks that the numbers fit together.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the field.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        let config: Self =
            serde_json::from_slice(bytes).map_err(|e| ModelError::config(e.to_string()))?;
        config.check()?;
        Ok(config)
    }

    /// Checks that the numbers fit together.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the field.
    pub fn check(&self) -> Result<(), ModelError> {
        self.network.check()?;
        if self.max_tokens == Some(0) {
            return Err(ModelError::config("`max_tokens` must be above 0"));
        }
        let labels = self.id2label.len();
        if labels == 0 || labels > LABEL_LIMIT || !self.id2label.keys().copied().eq(0..labels) {
            return Err(ModelError::config(format!(
                "`id2label` has {labels} labels; run are 1 to {LABEL_LIMIT}, numbered from 0 without a gap"
            )));
        }
        Ok(())
    }

    /// The most tokens of a pair that are read.
    pub fn token_limit(&self) -> usize {
        let positions = self.network.positions();
        self.max_tokens.map_or(positions, |tokens| tokens.min(positions))
    }

    /// The names of the tensors that the classifier reads from `source`; it may hold others.
    pub fn tensor_names(&self, source: &dyn TensorSource) -> Vec<String> {
        let mut names = trunk_weights::tensor_names(&self.network, source);
        names.extend(classifier_head::tensor_names(&self.network, source));
        names
    }
}
