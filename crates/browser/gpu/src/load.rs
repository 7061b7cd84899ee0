use campanile_bundle::{Bundle, Fetch, ModelEntry};
use campanile_model::gguf::CHAT_TEMPLATE_FILE;
use campanile_model::{ChatTemplate, Decoder, DecoderConfig, Shards, Tokenizer};

use crate::device::Compute;
use crate::error::ProseError;

/// The architecture of language models this version runs.
const LLAMA: &str = "llama";

/// A model with the template of its chats.
pub struct LanguageModel {
    pub decoder: Decoder,
    pub template: ChatTemplate,
    pub name: String,
}

/// Fetches the site's language model and puts it on the device.
pub async fn load<F: Fetch>(
    fetch: F,
    compute: Compute,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<LanguageModel, ProseError> {
    let bundle = Bundle::open(fetch).await?;
    let entry = bundle.manifest().prose.as_ref().ok_or(ProseError::NoModel)?;
    if entry.architecture != LLAMA {
        return Err(ProseError::Architecture {
            name: entry.name.clone(),
            architecture: entry.architecture.clone(),
        });
    }
    progress(0, entry.bytes);
    let files = files(&bundle, entry, progress).await?;
    // The GPU is started after the download: a reader who cancels has not waited for it.
    let device = compute.start().await?;
    let decoder = Decoder::load(&files.config, files.tokenizer, &files.weights, &device)?;
    Ok(LanguageModel { decoder, template: files.template, name: entry.name.clone() })
}

struct Files {
    config: DecoderConfig,
    tokenizer: Tokenizer,
    template: ChatTemplate,
    weights: Shards,
}

async fn files<F: Fetch>(
    bundle: &Bundle<F>,
    entry: &ModelEntry,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Files, ProseError> {
    let (mut config, mut tokenizer, mut template) = (None, None, None);
    let mut weights = Shards::default();
    let mut loaded = 0;
    for file in &entry.files {
        let bytes = bundle.model_file(file).await?;
        loaded += file.shard.bytes;
        progress(loaded, entry.bytes);
        match file.name.as_str() {
            "config.json" => config = Some(DecoderConfig::from_json(&bytes)?),
            "tokenizer.json" => tokenizer = Some(Tokenizer::from_json(&bytes)?),
            CHAT_TEMPLATE_FILE => {
                template = Some(ChatTemplate::new(&String::from_utf8_lossy(&bytes))?);
            }
            _ => weights.add(&file.shard.path, bytes)?,
        }
    }
    Ok(Files {
        config: config.ok_or(ProseError::ModelFile("config.json"))?,
        tokenizer: tokenizer.ok_or(ProseError::ModelFile("tokenizer.json"))?,
        template: template.ok_or(ProseError::ModelFile(CHAT_TEMPLATE_FILE))?,
        weights,
    })
}
