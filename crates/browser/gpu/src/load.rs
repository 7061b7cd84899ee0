//! The site's language model on its way from the site's files to a device, and the devices: WebGPU,
//! the CPU, and the CPU with several workers, each an instance of this module that holds a part of
//! the rows.
//!
//! Between the workers stands the page's JavaScript. What is multiplied and what comes of it pass
//! through shared memory; this module's own memory is shared with nobody.

use campanile_browser_shared::{PageFetch, ReadFile, message};
use campanile_bundle::{Bundle, Fetch, ModelEntry, ModelFile};
use campanile_model::gguf::CHAT_TEMPLATE_FILE;
use campanile_model::{
    Architecture, ChatTemplate, CpuDecoder, Decoder, DecoderBackend, DecoderConfig, Helpers,
    KNOWN_ANSWER_FILE, KnownAnswer, ModelError, Part, Rows, RowsLoader, Shards, Tokenizer,
};
use campanile_retrieve::Rewording;
use campanile_text::Language;
use campanile_webgpu::{DecoderLoader, DecoderOptions, StartOptions, WebGpu};
use js_sys::Float32Array;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::ProseError;

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";

/// A model with the template of its chats.
pub(crate) struct LanguageModel {
    pub(crate) decoder: Decoder,
    pub(crate) template: ChatTemplate,
    /// The words that the site has it write before a question is searched.
    pub(crate) rewording: Rewording,
    /// The language by which the site's texts are made into terms.
    pub(crate) language: Language,
}

/// Fetches the site's language model, puts it on the device and asks it what it has to know.
pub(crate) async fn load<F: Fetch>(
    fetch: F,
    compute: Compute,
    helpers: Option<TeamMates>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<LanguageModel, ProseError> {
    let bundle = Bundle::open(fetch).await?;
    let entry = prose_of(&bundle)?;
    // The page can show the size before the first byte has come.
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
    // Drivers that compute wrongly do so without an error.
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
async fn load_rows<F: Fetch>(fetch: F, part: Part) -> Result<Rows, ProseError> {
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
    // Before a hundred megabytes are fetched for nothing.
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

/// A device that the model runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compute {
    /// The GPU, through WebGPU.
    WebGpu,
    /// The CPU, on this thread.
    Cpu,
}

impl Compute {
    /// From the page's word.
    pub(crate) fn parse(name: &str) -> Result<Self, ProseError> {
        match name {
            "webgpu" => Ok(Self::WebGpu),
            "cpu" => Ok(Self::Cpu),
            other => Err(ProseError::UnknownDevice(other.to_owned())),
        }
    }

    /// The page's word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::WebGpu => "webgpu",
            Self::Cpu => "cpu",
        }
    }

    /// Begins to load a model; starts the GPU, once for the life of the module.
    ///
    /// On the CPU `helpers` hold a part of the model each.
    async fn loader(
        self,
        config: &DecoderConfig,
        helpers: Option<TeamMates>,
    ) -> Result<Loader, ProseError> {
        Ok(match self {
            Self::Cpu => Loader::Cpu { config: config.clone(), helpers },
            Self::WebGpu => {
                let gpu = WebGpu::start(StartOptions::default()).await?;
                Loader::WebGpu(Box::new(DecoderLoader::new(
                    &gpu,
                    config,
                    DecoderOptions::default(),
                )?))
            }
        })
    }
}

/// A model on its way to the device.
enum Loader {
    /// Waits for all of its weights.
    Cpu { config: DecoderConfig, helpers: Option<TeamMates> },
    /// Takes weights as they arrive.
    WebGpu(Box<DecoderLoader>),
}

impl Loader {
    /// Takes what has arrived whole.
    async fn take(&mut self, weights: &mut Shards) -> Result<(), ProseError> {
        if let Self::WebGpu(loader) = self {
            loader.take(weights).await?;
        }
        Ok(())
    }

    /// The model's layers on the device.
    async fn finish(self, weights: Shards) -> Result<Box<dyn DecoderBackend>, ProseError> {
        Ok(match self {
            Self::Cpu { config, helpers: None } => Box::new(CpuDecoder::load(&config, &weights)?),
            Self::Cpu { config, helpers: Some(helpers) } => {
                // They have loaded their parts meanwhile, as this worker did the whole.
                helpers.ready().await?;
                Box::new(CpuDecoder::with_helpers(&config, &weights, Box::new(helpers))?)
            }
            Self::WebGpu(loader) => Box::new(loader.finish().await?),
        })
    }
}

#[wasm_bindgen(typescript_custom_section)]
const HELPERS: &str = "
/** Workers that hold a `Helper` each, numbered from 1. */
export interface Helpers {
  readonly count: number;
  /** Settles once each has its part of the model. */
  ready(): Promise<void>;
  /** Has all multiply `input`, which is to be copied at once. */
  begin(product: number, input: Float32Array): void;
  /** Waits for the output of one. */
  end(number: number, output: Float32Array): void;
}
";

#[wasm_bindgen]
extern "C" {
    /// The other workers, as the leading worker reaches them.
    #[wasm_bindgen(typescript_type = "Helpers")]
    pub type TeamMates;

    #[wasm_bindgen(method, getter)]
    fn count(this: &TeamMates) -> usize;

    #[wasm_bindgen(method, catch, js_name = ready)]
    async fn wait_until_ready(this: &TeamMates) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = begin)]
    fn send(this: &TeamMates, product: usize, input: &[f32]) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch, js_name = end)]
    fn receive(this: &TeamMates, number: usize, output: &mut [f32]) -> Result<(), JsValue>;
}

impl TeamMates {
    /// Waits until each has its part of the model.
    async fn ready(&self) -> Result<(), ProseError> {
        let ready = self.wait_until_ready().await;
        ready.map(drop).map_err(|reason| ProseError::Helper(message(&reason)))
    }
}

impl Helpers for TeamMates {
    fn count(&self) -> usize {
        TeamMates::count(self)
    }

    fn begin(&mut self, product: usize, input: &[f32]) -> Result<(), ModelError> {
        self.send(product, input).map_err(|reason| lost(&reason))
    }

    fn end(&mut self, number: usize, output: &mut [f32]) -> Result<(), ModelError> {
        self.receive(number, output).map_err(|reason| lost(&reason))
    }
}

fn lost(reason: &JsValue) -> ModelError {
    ModelError::Device { doing: "computing with several workers", reason: message(reason) }
}

/// A part of the rows of every matrix, in a worker that helps.
#[wasm_bindgen]
pub struct Helper {
    rows: Rows,
    input: Vec<f32>,
    output: Vec<f32>,
}

#[wasm_bindgen]
impl Helper {
    /// Reads the site's language model and keeps part `number` of `of`, counted from 0.
    ///
    /// # Errors
    /// Rejects where the model cannot be had.
    pub async fn open(read: ReadFile, number: usize, of: usize) -> Result<Helper, JsError> {
        let rows = load_rows(PageFetch::new(read), Part { number, of }).await?;
        // Made once: a token takes products by the hundred.
        let (input, output) = rows.most_values();
        Ok(Helper { rows, input: vec![0.0; input], output: vec![0.0; output] })
    }

    /// The most values that `multiply` takes.
    pub fn most_input(&self) -> usize {
        self.input.len()
    }

    /// The most values that `multiply` gives.
    pub fn most_output(&self) -> usize {
        self.output.len()
    }

    /// Multiplies all of `input` with the rows of a product, and writes the beginning of `output`.
    ///
    /// # Errors
    /// Where either does not fit the product.
    pub fn multiply(
        &mut self,
        product: usize,
        input: &Float32Array,
        output: &Float32Array,
    ) -> Result<(), JsError> {
        let length = input.length() as usize;
        let places = self.rows.output_length(product, length)?;
        let unfit = || JsError::new("the product is larger than was agreed");
        let own_input = self.input.get_mut(..length).ok_or_else(unfit)?;
        let own_output = self.output.get_mut(..places).ok_or_else(unfit)?;
        // Copied twice, since arithmetic reaches nothing but this module's own memory.
        input.copy_to(own_input);
        self.rows.multiply(product, own_input, own_output)?;
        output.subarray(0, places as u32).copy_from(own_output);
        Ok(())
    }
}
