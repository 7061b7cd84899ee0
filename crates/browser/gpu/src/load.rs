use campanile_bundle::{Bundle, Fetch, ModelEntry, ModelFile};
use campanile_model::gguf::CHAT_TEMPLATE_FILE;
use campanile_model::{
    Architecture, ChatTemplate, Decoder, DecoderConfig, KNOWN_ANSWER_FILE, KnownAnswer, Part, Rows,
    RowsLoader, Shards, Tokenizer,
};
use campanile_retrieve::Rewording;
use campanile_text::Language;

use crate::device::Compute;
use crate::error::ProseError;
use crate::team::TeamMates;

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";

/// A model with the template of its chats.
pub struct LanguageModel {
    pub decoder: Decoder,
    pub template: ChatTemplate,
    /// What the site has it write before a question is searched.
    pub rewording: Rewording,
    /// How the site's texts are made into terms.
    pub language: Language,
}

/// Fetches the site's language model, puts it on the device and asks it what it has to know.
pub async fn load<F: Fetch>(
    fetch: F,
    compute: Compute,
    helpers: Option<TeamMates>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<LanguageModel, ProseError> {
    let bundle = Bundle::open(fetch).await?;
    let entry = prose_of(&bundle)?;
    progress(0, entry.bytes);
    let mut files = Files::default();
    let mut loaded = 0;
    for file in entry.files.iter().filter(|file| !is_weights(file)) {
        let bytes = bundle.model_file(file).await?;
        loaded += file.shard.bytes;
        progress(loaded, entry.bytes);
        files.add(&file.name, &bytes)?;
    }
    let config = files.config.ok_or(ProseError::ModelFile(CONFIG))?;
    let tokenizer = files.tokenizer.ok_or(ProseError::ModelFile(TOKENIZER))?;
    let template = files.template.ok_or(ProseError::ModelFile(CHAT_TEMPLATE_FILE))?;
    // Each shard goes to the device before the next is fetched: a GPU's model never lies in main
    // memory as a whole.
    let mut loader = compute.loader(&config, helpers).await?;
    let mut weights = Shards::default();
    for file in entry.files.iter().filter(|file| is_weights(file)) {
        weights.add(&file.shard.path, bundle.model_file(file).await?)?;
        loader.take(&mut weights).await?;
        loaded += file.shard.bytes;
        progress(loaded, entry.bytes);
    }
    let backend = loader.finish(weights).await?;
    let mut decoder = Decoder::with_backend(&config, tokenizer, backend)?;
    if let Some(known) = files.known_answer {
        decoder.check(&known).await?;
    }
    Ok(LanguageModel {
        decoder,
        template,
        rewording: Rewording::of(&bundle.manifest().search),
        language: bundle.manifest().analyzer,
    })
}

/// Reads the same files and packs a part of the rows of every matrix.
pub async fn load_rows<F: Fetch>(fetch: F, part: Part) -> Result<Rows, ProseError> {
    let bundle = Bundle::open(fetch).await?;
    let entry = prose_of(&bundle)?;
    let config = entry.files.iter().find(|file| file.name == CONFIG);
    let config = bundle.model_file(config.ok_or(ProseError::ModelFile(CONFIG))?).await?;
    let mut loader = RowsLoader::new(&DecoderConfig::from_json(&config)?, part)?;
    let mut weights = Shards::default();
    for file in entry.files.iter().filter(|file| is_weights(file)) {
        weights.add(&file.shard.path, bundle.model_file(file).await?)?;
        loader.take(&mut weights)?;
    }
    Ok(loader.finish()?)
}

/// The site's language model, if it is one that can be run.
fn prose_of<F: Fetch>(bundle: &Bundle<F>) -> Result<&ModelEntry, ProseError> {
    let entry = bundle.manifest().prose.as_ref().ok_or(ProseError::NoModel)?;
    if Architecture::from_name(&entry.architecture).is_none() {
        return Err(ProseError::Architecture {
            name: entry.name.clone(),
            architecture: entry.architecture.clone(),
        });
    }
    Ok(entry)
}

fn is_weights(file: &ModelFile) -> bool {
    file.name.ends_with(".safetensors")
}

/// The files of a model that are not weights.
#[derive(Default)]
struct Files {
    config: Option<DecoderConfig>,
    tokenizer: Option<Tokenizer>,
    template: Option<ChatTemplate>,
    known_answer: Option<KnownAnswer>,
}

impl Files {
    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), ProseError> {
        match name {
            CONFIG => self.config = Some(DecoderConfig::from_json(bytes)?),
            TOKENIZER => self.tokenizer = Some(Tokenizer::from_json(bytes)?),
            CHAT_TEMPLATE_FILE => {
                self.template = Some(ChatTemplate::new(&String::from_utf8_lossy(bytes))?);
            }
            KNOWN_ANSWER_FILE => self.known_answer = Some(KnownAnswer::from_json(bytes)?),
            _ => {}
        }
        Ok(())
    }
}
