//! The numbers of a decoder, from the metadata of a GGUF file.

use super::reader::GgufFile;
use super::tokenizer::CONTROL;
use super::value::Value;
use crate::decoder::{Architecture, DecoderConfig, RopeScaling, TokenIds};
use crate::error::ModelError;
use crate::tensor_source::TensorSource;

/// The tensor that divides each frequency of the rotary positions.
const FREQUENCY_FACTORS: &str = "rope_freqs.weight";

/// Tokens that end an answer wherever they are control tokens: some files name only one token,
/// and not always the one with which their chat template ends a message.
const END_TOKENS: [&str; 4] = ["<|im_end|>", "<|eot_id|>", "<|end|>", "<|endoftext|>"];

/// Reads the configuration, and checks that it is one that is run.
///
/// # Errors
/// [`ModelError::Config`] that names the entry.
pub(super) fn decoder_config(file: &GgufFile) -> Result<DecoderConfig, ModelError> {
    let name = file.need("general.architecture", Value::as_text)?;
    let architecture = Architecture::from_name(name).ok_or_else(|| {
        let known = Architecture::ALL.map(|known| format!("\"{}\"", known.name())).join(", ");
        ModelError::config(format!("the GGUF file's architecture is \"{name}\"; {known} are run"))
    })?;
    let numbers = Numbers { file, architecture };
    let heads = numbers.whole("attention.head_count")?;
    let hidden = numbers.whole("embedding_length")?;
    let head_dim = match numbers.optional("attention.key_length")? {
        Some(width) => width,
        // Without heads the width is 0, and `check` names the field that is at fault.
        None => hidden.checked_div(heads).unwrap_or(0),
    };
    // Both may be left out; where they are given, heads of unequal width or heads that turn in part would be computed
    // wrongly.
    for (key, width) in [("attention.value_length", head_dim), ("rope.dimension_count", head_dim)] {
        if let Some(found) = numbers.optional(key)?.filter(|&found| found != width) {
            return Err(ModelError::config(format!(
                "the GGUF file's `{name}.{key}` is {found}; {width}, the width of a head, is run"
            )));
        }
    }
    // The table may have more rows than there are tokens, to a round number.
    let embedding = file.describe("token_embd.weight")?.shape;
    let config = DecoderConfig {
        architecture,
        vocab_size: embedding.first().copied().unwrap_or(0),
        hidden_size: hidden,
        intermediate_size: numbers.whole("feed_forward_length")?,
        num_hidden_layers: numbers.whole("block_count")?,
        num_attention_heads: heads,
        num_key_value_heads: numbers.optional("attention.head_count_kv")?.unwrap_or(heads),
        head_dim,
        rms_norm_eps: numbers.real("attention.layer_norm_rms_epsilon")?.ok_or_else(|| {
            ModelError::config(format!(
                "the GGUF file has no `{name}.attention.layer_norm_rms_epsilon`"
            ))
        })?,
        rope_theta: numbers.real("rope.freq_base")?.unwrap_or(10_000.0),
        rope_scaling: numbers.rope_scaling()?,
        max_position_embeddings: numbers.whole("context_length")?,
        tie_word_embeddings: !file.has("output.weight"),
        attention_bias: architecture != Architecture::Qwen2 && file.has("blk.0.attn_q.bias"),
        bos_token_id: token(file, "bos_token_id"),
        eos_token_id: end_tokens(file)?,
    };
    config.check()?;
    Ok(config)
}

/// The metadata entries below the architecture's name.
struct Numbers<'a> {
    file: &'a GgufFile,
    architecture: Architecture,
}

impl Numbers<'_> {
    fn key(&self, key: &str) -> String {
        format!("{}.{key}", self.architecture.name())
    }

    fn get(&self, key: &str) -> Option<&Value> {
        self.file.get(&self.key(key))
    }

    /// A whole number that must be there.
    fn whole(&self, key: &str) -> Result<usize, ModelError> {
        self.file.need(&self.key(key), Value::as_usize)
    }

    /// A whole number that may be left out.
    fn optional(&self, key: &str) -> Result<Option<usize>, ModelError> {
        self.get(key).map(|_| self.whole(key)).transpose()
    }

    /// A number that may be left out.
    fn real(&self, key: &str) -> Result<Option<f64>, ModelError> {
        self.get(key).map(|_| self.file.need(&self.key(key), Value::as_f64)).transpose()
    }

    /// Reads how rotary positions are stretched: by a tensor or by the metadata.
    fn rope_scaling(&self) -> Result<Option<RopeScaling>, ModelError> {
        let kind = self.get("rope.scaling.type").and_then(Value::as_text).unwrap_or("none");
        if self.file.has(FREQUENCY_FACTORS) {
            if kind != "none" {
                return Err(ModelError::config(format!(
                    "the GGUF file stretches rotary positions twice, by `{FREQUENCY_FACTORS}` and by \"{kind}\""
                )));
            }
            let factors = self.file.read(FREQUENCY_FACTORS)?.values;
            return Ok(Some(RopeScaling::FrequencyFactors { factors }));
        }
        let factor = self.real("rope.scaling.factor")?.or(self.real("rope.scale_linear")?);
        match (kind, factor) {
            ("none", None) => Ok(None),
            ("none" | "linear", Some(factor)) => Ok(Some(RopeScaling::Linear { factor })),
            ("yarn", Some(factor)) => self.yarn(factor).map(Some),
            ("linear" | "yarn", None) => Err(ModelError::config(format!(
                "the GGUF file has no `{}`",
                self.key("rope.scaling.factor")
            ))),
            (other, _) => Err(ModelError::config(format!(
                "the GGUF file stretches rotary positions by \"{other}\"; \"linear\", \"yarn\" and a tensor `{FREQUENCY_FACTORS}` are run"
            ))),
        }
    }

    fn yarn(&self, factor: f64) -> Result<RopeScaling, ModelError> {
        // As llama.cpp has it, the entry multiplies the factor that follows from the paper.
        let attention_factor =
            self.real("rope.scaling.attn_factor")?.map(|times| times * (0.1 * factor.ln() + 1.0));
        Ok(RopeScaling::Yarn {
            factor,
            original_max_position_embeddings: match self
                .optional("rope.scaling.original_context_length")?
            {
                Some(length) => length,
                None => self.whole("context_length")?,
            },
            attention_factor,
            beta_fast: self.real("rope.scaling.yarn_beta_fast")?.unwrap_or(32.0),
            beta_slow: self.real("rope.scaling.yarn_beta_slow")?.unwrap_or(1.0),
            mscale: None,
            mscale_all_dim: None,
            truncate: true,
        })
    }
}

fn token(file: &GgufFile, key: &str) -> Option<u32> {
    let id = file.get(&format!("tokenizer.ggml.{key}"))?.as_usize()?;
    u32::try_from(id).ok()
}

/// The tokens that end an answer: those that the file names, and those that are known by name.
fn end_tokens(file: &GgufFile) -> Result<Option<TokenIds>, ModelError> {
    let named = ["eos_token_id", "eot_token_id", "eom_token_id"];
    let mut ids: Vec<u32> = named.into_iter().filter_map(|key| token(file, key)).collect();
    let tokens = file.need("tokenizer.ggml.tokens", Value::as_array)?;
    let kinds = file.need("tokenizer.ggml.token_type", Value::as_array)?;
    for (id, (token, kind)) in (0u32..).zip(tokens.iter().zip(kinds)) {
        let known = token.as_text().is_some_and(|text| END_TOKENS.contains(&text));
        if known && kind.as_usize() == Some(CONTROL) {
            ids.push(id);
        }
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(match ids.as_slice() {
        [] => None,
        [only] => Some(TokenIds::One(*only)),
        _ => Some(TokenIds::Many(ids)),
    })
}
