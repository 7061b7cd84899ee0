//! A model as others publish it, in a folder as Hugging Face's libraries write it for one, and how it becomes a model of ours.

use serde::Deserialize;

use crate::config_file::{from_json, to_json};
use crate::decoder::{Architecture, DecoderConfig, names};
use crate::encoder::{ClassifierConfig, EncoderConfig, SpanModel};
use crate::error::ModelError;
use crate::gguf::CHAT_TEMPLATE_FILE;
use crate::quantize::{Precision, stream_shards};
use crate::shards::Shards;
use crate::tensor_source::TensorSource;

/// A published model: its small files as ours need them, and where its weights come from.
pub struct Published<'a> {
    /// The architecture by name: `llama`, `qwen2`, `qwen3`, `bert`, …
    pub architecture: String,
    /// The files besides weights, by name.
    pub small: Vec<(String, Vec<u8>)>,
    /// The tensors that are needed, in the order in which they are read.
    pub names: Vec<String>,
    /// The weights.
    pub tensors: Box<dyn TensorSource + 'a>,
}

impl Published<'_> {
    /// Writes the model's files: the small ones, then `model-00001.safetensors` and so on, of at
    /// most `shard_bytes` each.
    ///
    /// # Errors
    /// [`ModelError`] where a tensor is missing or damaged, and what `write` says.
    pub fn write<E: From<ModelError>>(
        &self,
        precision: Precision,
        shard_bytes: usize,
        mut write: impl FnMut(&str, Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        for (name, bytes) in &self.small {
            write(name, bytes.clone())?;
        }
        let mut number = 0;
        stream_shards(&*self.tensors, &self.names, precision, shard_bytes, |shard| {
            number += 1;
            write(&format!("model-{number:05}.safetensors"), shard)
        })
    }
}

/// The ending of a classifier's name in `architectures` of a `config.json`.
const CLASSIFIER: &str = "ForSequenceClassification";

/// And that of a model that finds answers.
const SPANS: &str = "ForQuestionAnswering";

/// The fields of a `config.json` that tell what kind of model it is of.
#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    model_type: String,
    #[serde(default)]
    architectures: Option<Vec<String>>,
}

/// The chat template in a `tokenizer_config.json`.
#[derive(Deserialize)]
struct TokenizerConfig {
    #[serde(default)]
    chat_template: Option<Templates>,
}

/// One template, or several with names.
#[derive(Deserialize)]
#[serde(untagged)]
enum Templates {
    One(String),
    Many(Vec<NamedTemplate>),
}

#[derive(Deserialize)]
struct NamedTemplate {
    name: String,
    template: String,
}

impl Published<'static> {
    /// Reads the model in a folder: a sentence encoder, a sequence classifier, a
    /// span model or a decoder.
    ///
    /// `read` gives a file's bytes by its path within the folder, or nothing where there is no
    /// such file; `weights` are the folder's safetensors files.
    ///
    /// # Errors
    /// [`ModelError::Config`] where a file is missing or asks for what is not run.
    pub fn from_folder(
        mut read: impl FnMut(&str) -> Option<Vec<u8>>,
        weights: Shards,
    ) -> Result<Self, ModelError> {
        let config = read("config.json").ok_or_else(|| ModelError::config("it is missing"))?;
        let kind: Kind = from_json(&config)?;
        let tokenizer = read("tokenizer.json").ok_or_else(|| {
            ModelError::tokenizer(
                "tokenizer.json is missing; saving the model's fast tokenizer with transformers writes it",
            )
        })?;
        let has = |head: &str| kind.architectures.iter().flatten().any(|a| a.ends_with(head));
        let (is_classifier, finds_spans) = (has(CLASSIFIER), has(SPANS));
        // A decoder is known by its architecture. Encoders share theirs with classifiers, which are known by their
        // head.
        let (architecture, config, names) = if Architecture::from_name(&kind.model_type).is_some() {
            let config = decoder_config(&config, &mut read, &weights)?;
            (config.architecture.name().to_owned(), to_json(&config)?, config.tensor_names())
        } else if is_classifier || finds_spans {
            let config = ClassifierConfig::from_json(&config)?;
            let names = match finds_spans {
                true => SpanModel::tensor_names(&config, &weights),
                false => config.tensor_names(&weights),
            };
            (kind.model_type, to_json(&config)?, names)
        } else {
            let config = EncoderConfig::from_model_files(&mut read)?;
            let names = config.tensor_names(&weights);
            (kind.model_type, to_json(&config)?, names)
        };
        let mut small =
            vec![("config.json".to_owned(), config), ("tokenizer.json".to_owned(), tokenizer)];
        if let Some(template) = chat_template(&mut read)? {
            small.push((CHAT_TEMPLATE_FILE.to_owned(), template.into_bytes()));
        }
        Ok(Self { architecture, small, names, tensors: Box::new(weights) })
    }
}

/// The configuration, with all tokens that end an answer.
fn decoder_config(
    bytes: &[u8],
    read: &mut impl FnMut(&str) -> Option<Vec<u8>>,
    weights: &Shards,
) -> Result<DecoderConfig, ModelError> {
    let mut config = DecoderConfig::from_json(bytes)?;
    if let Some(generation) = read("generation_config.json") {
        config.add_end_tokens(&generation)?;
    }
    // Older files leave the field out and simply lack the matrix.
    config.tie_word_embeddings |= weights.describe(names::OUTPUT).is_err();
    Ok(config)
}

/// The chat template, from the file of its own or from the tokenizer's configuration.
fn chat_template(
    read: &mut impl FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Option<String>, ModelError> {
    // The newer place first: where both are there, the file of its own is what the libraries use.
    if let Some(bytes) = read(CHAT_TEMPLATE_FILE) {
        return String::from_utf8(bytes).map(Some).map_err(ModelError::chat_template);
    }
    let Some(bytes) = read("tokenizer_config.json") else {
        return Ok(None);
    };
    let config: TokenizerConfig = serde_json::from_slice(&bytes)
        .map_err(|e| ModelError::chat_template(format!("tokenizer_config.json: {e}")))?;
    Ok(match config.chat_template {
        None => None,
        Some(Templates::One(template)) => Some(template),
        Some(Templates::Many(list)) => {
            list.into_iter().find(|entry| entry.name == "default").map(|entry| entry.template)
        }
    })
}
