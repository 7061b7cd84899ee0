//! A GGUF file's tensors under the names and in the order of rows that they have elsewhere.

use super::reader::GgufFile;
use crate::decoder::{Architecture, DecoderConfig};
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorDescription, TensorSource};

/// The tensors outside of layers: the name here, the name in the GGUF file.
const OUTER: [(&str, &str); 3] =
    [("model.embed_tokens", "token_embd"), ("model.norm", "output_norm"), ("lm_head", "output")];

/// A layer's tensors: the part of the name here, the part in the GGUF file.
// The names on the left are those of Hugging Face's files, so that a model has the same names wherever it comes from.
const LAYER: [(&str, &str); 11] = [
    ("input_layernorm", "attn_norm"),
    ("self_attn.q_proj", "attn_q"),
    ("self_attn.k_proj", "attn_k"),
    ("self_attn.v_proj", "attn_v"),
    ("self_attn.q_norm", "attn_q_norm"),
    ("self_attn.k_norm", "attn_k_norm"),
    ("self_attn.o_proj", "attn_output"),
    ("post_attention_layernorm", "ffn_norm"),
    ("mlp.gate_proj", "ffn_gate"),
    ("mlp.up_proj", "ffn_up"),
    ("mlp.down_proj", "ffn_down"),
];

/// A decoder's tensors in a GGUF file.
pub(crate) struct GgufTensors<'a> {
    pub(super) file: &'a GgufFile,
    pub(super) config: DecoderConfig,
}

impl GgufTensors<'_> {
    /// The name in the file.
    fn theirs(&self, name: &str) -> Result<String, ModelError> {
        gguf_name(name).ok_or_else(|| ModelError::MissingTensor {
            name: name.to_owned(),
            present: self.file.names().len(),
        })
    }

    /// The heads whose rows the file has in another order; llama.cpp reorders those of the Llama
    /// architecture only.
    fn permuted_heads(&self, name: &str) -> Option<usize> {
        if self.config.architecture != Architecture::Llama {
            None
        } else if name.contains(".self_attn.q_proj.") {
            Some(self.config.num_attention_heads)
        } else if name.contains(".self_attn.k_proj.") {
            Some(self.config.num_key_value_heads)
        } else {
            None
        }
    }
}

impl TensorSource for GgufTensors<'_> {
    fn names(&self) -> Vec<String> {
        let mut names = self.config.tensor_names();
        names.sort_unstable();
        names
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let stored = self.file.stored(&self.theirs(name)?)?;
        match self.permuted_heads(name) {
            Some(heads) => unpermute(name, &stored, heads),
            None => Ok(stored),
        }
    }

    fn describe(&self, name: &str) -> Result<TensorDescription, ModelError> {
        self.file.describe(&self.theirs(name)?)
    }
}

/// The name that llama.cpp gives to a tensor of ours.
fn gguf_name(name: &str) -> Option<String> {
    let (path, kind) = name.rsplit_once('.')?;
    let find = |list: &[(&str, &'static str)], path: &str| {
        list.iter().find(|(ours, _)| *ours == path).map(|(_, theirs)| *theirs)
    };
    if let Some(theirs) = find(&OUTER, path) {
        return Some(format!("{theirs}.{kind}"));
    }
    let (layer, part) = path.strip_prefix("model.layers.")?.split_once('.')?;
    Some(format!("blk.{layer}.{}.{kind}", find(&LAYER, part)?))
}

/// Puts the rows of a projection, or the values of its bias, back into the order of rotary
/// positions "by halves".
///
/// llama.cpp rotates neighbouring values of a head and stores its rows to match: of a head's
/// `n` rows, the file's row `2j + p` is row `j + p · n/2` elsewhere. Whole rows move, so blocks
/// stay as they are.
fn unpermute(
    name: &str,
    stored: &StoredTensor<'_>,
    heads: usize,
) -> Result<StoredTensor<'static>, ModelError> {
    let rows = stored.shape().first().copied().unwrap_or(0);
    let per_head = rows.checked_div(heads).unwrap_or(0);
    let row_bytes = stored.bytes().len().checked_div(rows).unwrap_or(0);
    // A bias is one long row: it can be cut between values only where these stand alone.
    let whole_rows = stored.shape().len() == 2 || stored.encoding().block_values() == 1;
    if !whole_rows || per_head * heads != rows || !per_head.is_multiple_of(2) {
        return Err(ModelError::tensor(
            name,
            format!("{rows} rows do not make {heads} heads of an even size"),
        ));
    }
    let mut bytes = Vec::with_capacity(stored.bytes().len());
    for row in 0..rows {
        let (head, within) = (row / per_head, row % per_head);
        let (half, pair) = (within / (per_head / 2), within % (per_head / 2));
        let theirs = head * per_head + 2 * pair + half;
        bytes.extend_from_slice(&stored.bytes()[theirs * row_bytes..][..row_bytes]);
    }
    StoredTensor::new(name, stored.shape().to_vec(), stored.encoding(), bytes.into(), vec![])
}
