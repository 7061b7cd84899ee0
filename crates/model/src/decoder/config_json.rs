//! A decoder's `config.json`, in the forms in which such files are written.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::config::{Architecture, DecoderConfig, TokenIds};
use super::rotary::RopeScaling;
use crate::error::ModelError;

/// Base of the rotary wavelengths where a file names none.
// The base of the paper (Su et al. 2021), which the reference takes too.
const DEFAULT_THETA: f64 = 10_000.0;

/// The file's fields. Those that a file may leave out have the value they then stand for.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ConfigJson {
    model_type: String,
    vocab_size: usize,
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    #[serde(default)]
    num_key_value_heads: Option<usize>,
    #[serde(default)]
    head_dim: Option<usize>,
    rms_norm_eps: f64,
    #[serde(default)]
    rope_theta: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rope_scaling: Option<Map<String, Value>>,
    /// The newer place of `rope_theta` and `rope_scaling`.
    #[serde(default, skip_serializing)]
    rope_parameters: Option<Map<String, Value>>,
    max_position_embeddings: usize,
    #[serde(default)]
    tie_word_embeddings: bool,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    bos_token_id: Option<u32>,
    #[serde(default)]
    eos_token_id: Option<TokenIds>,
    // What follows must have the one value that is run.
    #[serde(default, skip_serializing)]
    hidden_act: Option<String>,
    #[serde(default, skip_serializing)]
    mlp_bias: bool,
    #[serde(default, skip_serializing)]
    use_sliding_window: Option<bool>,
    #[serde(default, skip_serializing)]
    sliding_window: Option<usize>,
    #[serde(default, skip_serializing)]
    layer_types: Option<Vec<String>>,
    #[serde(default, skip_serializing)]
    partial_rotary_factor: Option<f64>,
}

impl TryFrom<ConfigJson> for DecoderConfig {
    type Error = ModelError;

    fn try_from(json: ConfigJson) -> Result<Self, ModelError> {
        let architecture = Architecture::from_name(&json.model_type).ok_or_else(|| {
            ModelError::config(format!(
                "`model_type` is \"{}\"; {} are run",
                json.model_type,
                Architecture::ALL.map(|known| format!("\"{}\"", known.name())).join(", ")
            ))
        })?;
        json.refuse_what_is_not_run(architecture)?;
        let (rope_theta, rope_scaling) = json.rope()?;
        let head_dim = match (json.head_dim, architecture) {
            (Some(width), _) => width,
            // The one architecture whose heads do not share out the hidden width.
            (None, Architecture::Qwen3) => 128,
            // Without heads the width is 0, and `check` names the field that is at fault.
            (None, _) => json.hidden_size.checked_div(json.num_attention_heads).unwrap_or(0),
        };
        Ok(Self {
            architecture,
            vocab_size: json.vocab_size,
            hidden_size: json.hidden_size,
            intermediate_size: json.intermediate_size,
            num_hidden_layers: json.num_hidden_layers,
            num_attention_heads: json.num_attention_heads,
            num_key_value_heads: json.num_key_value_heads.unwrap_or(json.num_attention_heads),
            head_dim,
            rms_norm_eps: json.rms_norm_eps,
            rope_theta,
            rope_scaling,
            max_position_embeddings: json.max_position_embeddings,
            tie_word_embeddings: json.tie_word_embeddings,
            attention_bias: json.attention_bias,
            bos_token_id: json.bos_token_id,
            eos_token_id: json.eos_token_id,
        })
    }
}

impl From<DecoderConfig> for ConfigJson {
    fn from(config: DecoderConfig) -> Self {
        Self {
            model_type: config.architecture.name().to_owned(),
            vocab_size: config.vocab_size,
            hidden_size: config.hidden_size,
            intermediate_size: config.intermediate_size,
            num_hidden_layers: config.num_hidden_layers,
            num_attention_heads: config.num_attention_heads,
            num_key_value_heads: Some(config.num_key_value_heads),
            head_dim: Some(config.head_dim),
            rms_norm_eps: config.rms_norm_eps,
            rope_theta: Some(config.rope_theta),
            rope_scaling: config.rope_scaling.map(|scaling| scaling.to_json()),
            max_position_embeddings: config.max_position_embeddings,
            tie_word_embeddings: config.tie_word_embeddings,
            attention_bias: config.attention_bias,
            bos_token_id: config.bos_token_id,
            eos_token_id: config.eos_token_id,
            // Left out of what is written: they have the one value that is run.
            ..Self::default()
        }
    }
}

impl ConfigJson {
    /// Reads a file's bytes; an error names the field.
    pub(super) fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        serde_path_to_error::deserialize(&mut reader)
            .map_err(|error| ModelError::config(format!("`{}`: {}", error.path(), error.inner())))
    }

    /// Fields that would change the arithmetic in a way that is not written here.
    fn refuse_what_is_not_run(&self, architecture: Architecture) -> Result<(), ModelError> {
        let refuse = |reason: String| Err(ModelError::config(reason));
        if let Some(activation) = self.hidden_act.as_ref().filter(|name| *name != "silu") {
            return refuse(format!("`hidden_act` is \"{activation}\"; \"silu\" is run"));
        }
        if self.mlp_bias {
            return refuse("`mlp_bias` is true; false is run".to_owned());
        }
        // Qwen's files give a size and a switch, which is off where it is left out; elsewhere the
        // size alone turns it on.
        let has_switch = architecture != Architecture::Llama;
        let slides =
            self.use_sliding_window.unwrap_or(!has_switch) && self.sliding_window.is_some();
        if slides || self.use_sliding_window == Some(true) {
            return refuse("`sliding_window` is on; only full attention is run".to_owned());
        }
        let mut kinds = self.layer_types.iter().flatten();
        if let Some(kind) = kinds.find(|kind| *kind != "full_attention") {
            return refuse(format!("`layer_types` holds \"{kind}\"; \"full_attention\" is run"));
        }
        if let Some(part) = self.partial_rotary_factor.filter(|&part| part != 1.0) {
            return refuse(format!("`partial_rotary_factor` is {part}; 1 is run"));
        }
        Ok(())
    }

    /// Base and scaling of rotary positions, from whichever field has them.
    fn rope(&self) -> Result<(f64, Option<RopeScaling>), ModelError> {
        let (field, parameters) = match (&self.rope_parameters, &self.rope_scaling) {
            (Some(parameters), _) => ("rope_parameters", flat(parameters)),
            (None, Some(scaling)) => ("rope_scaling", scaling),
            (None, None) => return Ok((self.rope_theta.unwrap_or(DEFAULT_THETA), None)),
        };
        let theta = match parameters.get("rope_theta") {
            None | Some(Value::Null) => self.rope_theta.unwrap_or(DEFAULT_THETA),
            Some(value) => value.as_f64().ok_or_else(|| {
                ModelError::config(format!("`{field}.rope_theta` is {value}, not a number"))
            })?,
        };
        // Newer files have it here, older ones beside `rope_scaling`: ignoring it would turn too much of each head.
        let part = parameters.get("partial_rotary_factor").and_then(Value::as_f64);
        if let Some(part) = part.filter(|&part| part != 1.0) {
            return Err(ModelError::config(format!(
                "`{field}.partial_rotary_factor` is {part}; 1 is run"
            )));
        }
        let scaling = RopeScaling::from_json(field, parameters, self.max_position_embeddings)?;
        Ok((theta, scaling))
    }
}

/// Some files give the parameters once for each kind of layer; only one kind is run.
fn flat(parameters: &Map<String, Value>) -> &Map<String, Value> {
    parameters.get("full_attention").and_then(Value::as_object).unwrap_or(parameters)
}

#[cfg(test)]
mod tests;
