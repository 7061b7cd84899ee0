//! Questions, embedded by a network of their own.

use super::file::{ChangedNetwork, opened, part};
use super::low_rank::LowRank;
use crate::encoder::BertConfig;
use crate::error::ModelError;

/// The task that its file names.
const TASK: &str = "query";
/// The matrix whose columns tell how wide the network is.
const FIRST: &str = "attention.query";

/// Changes by which an encoder embeds questions, and questions alone.
///
/// A sentence encoder puts texts side by side that say the same. A question says something else than its answer, the more so in
/// a student's words, so the question's side learns where its answers lie (two encoders for the two sides: [Karpukhin et al.
/// 2020](https://arxiv.org/abs/2004.04906)). Passages keep the encoder's own vectors: an index is the same with such an adapter and without.
///
/// It has no head; [`Encoder::with_query_adapter`](crate::Encoder::with_query_adapter) runs it.
pub struct QueryAdapter {
    changed: ChangedNetwork,
}

impl QueryAdapter {
    /// Reads the bytes of its file, which `training/FORMAT.md` defines.
    ///
    /// # Errors
    /// As [`Adapter::read`](super::Adapter::read); [`ModelError::Adapter`] too where it is for another task.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let (fields, mut tensors) = opened(bytes)?;
        fields.expect_task(TASK)?;
        let layers = fields.layers()?;
        let first = layers.first().ok_or_else(|| ModelError::adapter("it changes no layer"))?;
        let hidden = tensors.columns(&format!("{}down", part(*first, FIRST)))?;
        let changed = ChangedNetwork::read(&fields, &mut tensors, hidden)?;
        tensors.finish()?;
        Ok(Self { changed })
    }

    /// The SHA-256 of the published weights that it was trained on, in hexadecimal.
    pub fn trunk(&self) -> &str {
        &self.changed.trunk
    }

    /// Fails where it cannot be a change to a network of this shape.
    ///
    /// # Errors
    /// [`ModelError::Adapter`], which says both shapes.
    pub fn check(&self, config: &BertConfig) -> Result<(), ModelError> {
        self.changed.check(config)
    }

    /// What it adds to the matrices of each layer.
    pub(crate) fn changes(&self) -> &LowRank {
        &self.changed.low_rank
    }
}
