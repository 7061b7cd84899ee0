//! Gathers a sentence encoder's configuration from the files of a sentence-transformers model.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::config::{EncoderConfig, Pooling, Prefixes};
use crate::error::ModelError;

/// `1_Pooling/config.json`: one switch for each way, or in newer files the way's name.
#[derive(Default, Deserialize)]
#[serde(default)]
struct PoolingFile {
    pooling_mode: Option<Pooling>,
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
    pooling_mode_max_tokens: bool,
    pooling_mode_mean_sqrt_len_tokens: bool,
    pooling_mode_weightedmean_tokens: bool,
    pooling_mode_lasttoken: bool,
}

impl PoolingFile {
    fn pooling(&self) -> Option<Pooling> {
        let others = self.pooling_mode_max_tokens
            || self.pooling_mode_mean_sqrt_len_tokens
            || self.pooling_mode_weightedmean_tokens
            || self.pooling_mode_lasttoken;
        match (self.pooling_mode, self.pooling_mode_cls_token, self.pooling_mode_mean_tokens) {
            // The reference joins the vectors of all ways that are on. Run are the mean and the first token's, one of
            // them alone.
            _ if others => None,
            (Some(pooling), _, _) => Some(pooling),
            (None, true, false) => Some(Pooling::Cls),
            (None, false, true) => Some(Pooling::Mean),
            _ => None,
        }
    }
}

/// `sentence_bert_config.json`.
#[derive(Deserialize)]
struct LengthFile {
    max_seq_length: Option<usize>,
}

/// `config_sentence_transformers.json`.
#[derive(Deserialize)]
struct PromptFile {
    #[serde(default)]
    prompts: BTreeMap<String, String>,
}

/// A line of `modules.json`.
#[derive(Deserialize)]
struct Module {
    r#type: String,
}

/// The modules that a sentence encoder may be made of; that vectors are normalised or not is the caller's.
const MODULES: [&str; 3] = ["Transformer", "Pooling", "Normalize"];

impl EncoderConfig {
    /// Reads a model's `config.json` and what sentence-transformers keeps beside it.
    ///
    /// `read` gives a file's bytes by its path within the model's folder, or nothing where there
    /// is no such file. Asked for are `config.json`, which must be there, `modules.json`,
    /// `1_Pooling/config.json`, `sentence_bert_config.json` and
    /// `config_sentence_transformers.json`. Vectors are normalised whatever `modules.json` says,
    /// unless `config.json` itself has `"normalize": false`.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the file, where one is damaged, or asks for a step that
    /// is not run.
    pub fn from_model_files(
        mut read: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, ModelError> {
        let bytes = read("config.json").ok_or_else(|| ModelError::config("the file is missing"))?;
        let mut config = Self::from_json(&bytes)?;
        if let Some(modules) = parse::<Vec<Module>>("modules.json", &mut read)? {
            for module in modules {
                let name = module.r#type.rsplit('.').next().unwrap_or_default();
                if !MODULES.contains(&name) {
                    return Err(ModelError::config(format!(
                        "modules.json asks for the step \"{}\"; run are {MODULES:?}",
                        module.r#type
                    )));
                }
            }
        }
        if let Some(file) = parse::<PoolingFile>("1_Pooling/config.json", &mut read)? {
            config.pooling = file.pooling().ok_or_else(|| {
                ModelError::config(
                    "1_Pooling/config.json asks for another pooling than the mean or the first token's vector",
                )
            })?;
        }
        if let Some(file) = parse::<LengthFile>("sentence_bert_config.json", &mut read)? {
            // The reference takes a null for as much as the network has positions.
            config.max_tokens = file.max_seq_length.unwrap_or_else(|| config.network.positions());
        }
        let prompts = "config_sentence_transformers.json";
        if let Some(PromptFile { mut prompts }) = parse(prompts, &mut read)? {
            let passage = prompts.remove("passage").or_else(|| prompts.remove("document"));
            let query = prompts.remove("query").unwrap_or_default();
            let found = Prefixes { query, passage: passage.unwrap_or_default() };
            if !found.is_empty() {
                config.prefixes = found;
            }
        }
        config.check()?;
        Ok(config)
    }
}

/// The parsed file `name`, where there is one.
fn parse<T: DeserializeOwned>(
    name: &str,
    read: &mut impl FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Option<T>, ModelError> {
    read(name)
        .map(|bytes| serde_json::from_slice(&bytes))
        .transpose()
        .map_err(|e| ModelError::config(format!("{name} cannot be read: {e}")))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::{EncoderConfig, Pooling};

    const NETWORK: &str = r#"{"vocab_size": 9, "hidden_size": 8, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 16, "max_position_embeddings": 512,
        "layer_norm_eps": 1e-12}"#;

    fn config(files: &[(&str, &str)]) -> Result<EncoderConfig, String> {
        EncoderConfig::from_model_files(|name| match name {
            "config.json" => Some(NETWORK.as_bytes().to_vec()),
            _ => files.iter().find(|file| file.0 == name).map(|file| file.1.as_bytes().to_vec()),
        })
        .map_err(|e| e.to_string())
    }

    #[test]
    fn without_further_files_vectors_are_normalised_means() {
        let config = config(&[]).unwrap();
        assert_eq!((config.pooling, config.normalize), (Pooling::Mean, true));
        assert_eq!(config.token_limit(), 256);
        assert!(config.prefixes.is_empty());
    }

    #[test]
    fn further_files_are_heard_and_kept_when_written_again() {
        let config = config(&[
            (
                "1_Pooling/config.json",
                r#"{"pooling_mode_cls_token": true, "word_embedding_dimension": 8}"#,
            ),
            ("sentence_bert_config.json", r#"{"max_seq_length": 128, "do_lower_case": false}"#),
            (
                "config_sentence_transformers.json",
                r#"{"prompts": {"query": "query: ", "document": "passage: "}}"#,
            ),
            ("modules.json", r#"[{"idx": 0, "type": "sentence_transformers.models.Transformer"}]"#),
        ])
        .unwrap();
        assert_eq!((config.pooling, config.max_tokens), (Pooling::Cls, 128));
        assert_eq!(
            (config.prefixes.query.as_str(), config.prefixes.passage.as_str()),
            ("query: ", "passage: ")
        );
        let written = serde_json::to_vec(&config).unwrap();
        assert_eq!(EncoderConfig::from_json(&written).unwrap(), config);
    }

    #[test]
    fn a_named_pooling_is_read_too() {
        let cls = config(&[("1_Pooling/config.json", r#"{"pooling_mode": "cls"}"#)]);
        assert_eq!(cls.unwrap().pooling, Pooling::Cls);
    }

    #[test]
    fn steps_that_are_not_run_are_named() {
        let both = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}"#;
        let message = config(&[("1_Pooling/config.json", both)]).unwrap_err();
        assert!(message.contains("1_Pooling/config.json"), "{message}");
        let dense = r#"[{"type": "sentence_transformers.models.Dense"}]"#;
        let message = config(&[("modules.json", dense)]).unwrap_err();
        assert!(message.contains("models.Dense"), "{message}");
    }
}
