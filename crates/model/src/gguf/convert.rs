//! A GGUF file of the Llama architecture becomes a folder of ours.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::reader::GgufFile;
use super::tokenizer_json::tokenizer_json;
use super::value::Value;
use crate::decoder::DecoderConfig;
use crate::error::ModelError;
use crate::quantize::{Matrices, write_shards};
use crate::tensor_source::{StoredTensor, TensorSource};

/// The file that holds the chat template of a converted model.
pub const CHAT_TEMPLATE_FILE: &str = "chat_template.jinja";

/// A layer's tensors: the part of the name here, the part in the GGUF file, and which of them
/// the file has permuted.
const LAYER_TENSORS: [(&str, &str, Permuted); 9] = [
    ("input_layernorm", "attn_norm", Permuted::No),
    ("self_attn.q_proj", "attn_q", Permuted::Queries),
    ("self_attn.k_proj", "attn_k", Permuted::Keys),
    ("self_attn.v_proj", "attn_v", Permuted::No),
    ("self_attn.o_proj", "attn_output", Permuted::No),
    ("post_attention_layernorm", "ffn_norm", Permuted::No),
    ("mlp.gate_proj", "ffn_gate", Permuted::No),
    ("mlp.up_proj", "ffn_up", Permuted::No),
    ("mlp.down_proj", "ffn_down", Permuted::No),
];

/// Whether llama.cpp stores a projection's rows in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Permuted {
    No,
    Queries,
    Keys,
}

/// Converts a file into the files of a model of ours, by name: `config.json`, `tokenizer.json`,
/// `chat_template.jinja` where there is one, and `model-00001.safetensors` and so on of at most
/// `shard_bytes` each.
///
/// Quantised blocks are kept byte for byte; matrices that are not quantised become
/// [`crate::Encoding::I8PerRow`]. The same file gives the same bytes.
///
/// # Errors
/// [`ModelError`] where the file is of another architecture, or a part of it is missing.
pub fn convert(
    file: &GgufFile,
    shard_bytes: usize,
) -> Result<BTreeMap<String, Vec<u8>>, ModelError> {
    let config = decoder_config(file)?;
    config.check()?;
    let to_json = |e: serde_json::Error| ModelError::config(e.to_string());
    let mut files = BTreeMap::from([
        ("config.json".to_owned(), serde_json::to_vec_pretty(&config).map_err(to_json)?),
        ("tokenizer.json".to_owned(), serde_json::to_vec(&tokenizer_json(file)?).map_err(to_json)?),
    ]);
    if let Some(template) = file.get("tokenizer.chat_template").and_then(Value::as_text) {
        files.insert(CHAT_TEMPLATE_FILE.to_owned(), template.as_bytes().to_vec());
    }
    let source = LlamaTensors { file, config: &config };
    let shards = write_shards(&source, &config.tensor_names(), Matrices::Int8, shard_bytes)?;
    for (number, shard) in (1..).zip(shards) {
        files.insert(format!("model-{number:05}.safetensors"), shard);
    }
    Ok(files)
}

/// The numbers of the architecture, from the file's metadata.
fn decoder_config(file: &GgufFile) -> Result<DecoderConfig, ModelError> {
    let architecture = file.need("general.architecture", Value::as_text)?;
    if architecture != "llama" {
        return Err(ModelError::config(format!(
            "the GGUF file's architecture is \"{architecture}\"; \"llama\" is run"
        )));
    }
    let frequencies = file.names().iter().any(|name| name == "rope_freqs.weight");
    if frequencies || file.get("llama.rope.scaling.type").is_some() {
        return Err(ModelError::config(
            "the GGUF file scales its rotary positions, which is not run",
        ));
    }
    let number = |key: &str| file.need(&format!("llama.{key}"), Value::as_usize);
    let float = |key: &str| file.need(&format!("llama.{key}"), Value::as_f64);
    let token = |key: &str| {
        let id = file.get(&format!("tokenizer.ggml.{key}"))?.as_usize()?;
        u32::try_from(id).ok()
    };
    let heads = number("attention.head_count")?;
    let hidden = number("embedding_length")?;
    let tokens = file.need("tokenizer.ggml.tokens", Value::as_array)?;
    Ok(DecoderConfig {
        model_type: "llama".to_owned(),
        vocab_size: tokens.len(),
        hidden_size: hidden,
        intermediate_size: number("feed_forward_length")?,
        num_hidden_layers: number("block_count")?,
        num_attention_heads: heads,
        num_key_value_heads: number("attention.head_count_kv").unwrap_or(heads),
        head_dim: file
            .get("llama.attention.key_length")
            .and_then(Value::as_usize)
            .or_else(|| hidden.checked_div(heads)),
        rms_norm_eps: float("attention.layer_norm_rms_epsilon")?,
        rope_theta: float("rope.freq_base").unwrap_or(10_000.0),
        rope_scaling: None,
        max_position_embeddings: number("context_length")?,
        tie_word_embeddings: !file.names().iter().any(|name| name == "output.weight"),
        bos_token_id: token("bos_token_id"),
        eos_token_id: token("eos_token_id").map(Into::into),
    })
}

/// A GGUF file's tensors under the names and in the order of rows that the architecture has
/// elsewhere.
struct LlamaTensors<'a> {
    file: &'a GgufFile,
    config: &'a DecoderConfig,
}

impl TensorSource for LlamaTensors<'_> {
    fn names(&self) -> Vec<String> {
        let mut names = self.config.tensor_names();
        names.sort_unstable();
        names
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let (theirs, permuted) = gguf_name(name).ok_or_else(|| ModelError::MissingTensor {
            name: name.to_owned(),
            present: self.file.names().len(),
        })?;
        let stored = self.file.stored(&theirs)?;
        let heads = match permuted {
            Permuted::No => return Ok(stored),
            Permuted::Queries => self.config.num_attention_heads,
            Permuted::Keys => self.config.num_key_value_heads,
        };
        unpermute(name, &stored, heads)
    }
}

/// The name that llama.cpp gives to a tensor of ours.
fn gguf_name(name: &str) -> Option<(String, Permuted)> {
    match name {
        "model.embed_tokens.weight" => Some(("token_embd.weight".to_owned(), Permuted::No)),
        "model.norm.weight" => Some(("output_norm.weight".to_owned(), Permuted::No)),
        "lm_head.weight" => Some(("output.weight".to_owned(), Permuted::No)),
        _ => {
            let (layer, part) = name.strip_prefix("model.layers.")?.split_once('.')?;
            let part = part.strip_suffix(".weight")?;
            let (_, theirs, permuted) = LAYER_TENSORS.iter().find(|(ours, ..)| *ours == part)?;
            Some((format!("blk.{layer}.{theirs}.weight"), *permuted))
        }
    }
}

/// Puts the rows of a projection back into the order of rotary positions "by halves".
///
/// llama.cpp rotates neighbouring values of a head and stores its rows to match: of a head's
/// `n` rows, the file's row `2j + p` is row `j + p · n/2` elsewhere. Whole rows move, so blocks
/// stay as they are.
fn unpermute(
    name: &str,
    stored: &StoredTensor<'_>,
    heads: usize,
) -> Result<StoredTensor<'static>, ModelError> {
    let rows = stored.rows();
    let per_head = rows.checked_div(heads).unwrap_or(0);
    if stored.shape().len() != 2 || per_head * heads != rows || !per_head.is_multiple_of(2) {
        return Err(ModelError::tensor(
            name,
            format!("{rows} rows do not make {heads} heads of an even size"),
        ));
    }
    let row_bytes = stored.row_bytes();
    let mut bytes = Vec::with_capacity(stored.bytes().len());
    for row in 0..rows {
        let (head, within) = (row / per_head, row % per_head);
        let (half, pair) = (within / (per_head / 2), within % (per_head / 2));
        let theirs = head * per_head + 2 * pair + half;
        let source = stored
            .bytes()
            .get(theirs * row_bytes..(theirs + 1) * row_bytes)
            .ok_or_else(|| ModelError::tensor(name, format!("row {theirs} is missing")))?;
        bytes.extend_from_slice(source);
    }
    StoredTensor::new(name, stored.shape().to_vec(), stored.encoding(), Cow::Owned(bytes), vec![])
}
