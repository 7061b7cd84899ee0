use campanile_bundle::{Bundle, Fetch};
use campanile_model::gguf::CHAT_TEMPLATE_FILE;
use campanile_model::{Architecture, ChatTemplate, Decoder, DecoderConfig, Shards, Tokenizer};

use crate::device::Compute;
use crate::error::ProseError;

/// What the name of a file of weights ends with.
const WEIGHTS: &str = ".safetensors";

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
    if Architecture::from_name(&entry.architecture).is_none() {
        return Err(ProseError::Architecture {
            name: entry.name.clone(),
            architecture: entry.architecture.clone(),
        });
    }
    progress(0, entry.bytes);
    let mut files = Files::default();
    let mut shards = Vec::new();
    let mut loaded = 0;
    for file in &entry.files {
        if file.name.ends_with(WEIGHTS) {
            shards.push(file);
            continue;
        }
        let bytes = bundle.model_file(file).await?;
        loaded += file.shard.bytes;
        progress(loaded, entry.bytes);
        files.add(&file.name, &bytes)?;
    }
    let config = files.config.ok_or(ProseError::ModelFile("config.json"))?;
    let tokenizer = files.tokenizer.ok_or(ProseError::ModelFile("tokenizer.json"))?;
    let template = files.template.ok_or(ProseError::ModelFile(CHAT_TEMPLATE_FILE))?;
    // Each shard goes to the device before the next is fetched: a GPU's model never lies in main
    // memory as a whole.
    let mut loader = compute.loader(&config).await?;
    let mut weights = Shards::default();
    for file in shards {
        weights.add(&file.shard.path, bundle.model_file(file).await?)?;
        loader.take(&mut weights).await?;
        loaded += file.shard.bytes;
        progress(loaded, entry.bytes);
    }
    let backend = loader.finish(weights).await?;
    let decoder = Decoder::with_backend(&config, tokenizer, backend)?;
    Ok(LanguageModel { decoder, template, name: entry.name.clone() })
}

/// The files of a model that are not weights.
#[derive(Default)]
struct Files {
    config: Option<DecoderConfig>,
    tokenizer: Option<Tokenizer>,
    template: Option<ChatTemplate>,
}

impl Files {
    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), ProseError> {
        match name {
            "config.json" => self.config = Some(DecoderConfig::from_json(bytes)?),
            "tokenizer.json" => self.tokenizer = Some(Tokenizer::from_json(bytes)?),
            CHAT_TEMPLATE_FILE => {
                self.template = Some(ChatTemplate::new(&String::from_utf8_lossy(bytes))?);
            }
            _ => {}
        }
        Ok(())
    }
}
