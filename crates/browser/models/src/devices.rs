//! Devices to compare: the encoder and the reader on each, and the ranking that follows from a
//! vector.

use campanile_browser_shared::{PageClock, PageFetch, ReadFile};
use campanile_model::{Adapter, Encoder, EncoderConfig, Reader, Reading, Shards, Tokenizer};
use campanile_retrieve::{Engine, SPANS};
use campanile_webgpu::{StartOptions, WebGpu, WebGpuEncoder, WebGpuReader};
use js_sys::Uint8Array;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{copied, load_encoder};

/// The encoder on one device.
#[wasm_bindgen]
pub struct QuestionEncoder {
    encoder: DeviceEncoder,
}

/// An encoder on one of the devices.
enum DeviceEncoder {
    Cpu(Box<Encoder>),
    WebGpu { config: EncoderConfig, tokenizer: Tokenizer, layers: Box<WebGpuEncoder> },
}

#[wasm_bindgen]
impl QuestionEncoder {
    /// Loads `config.json`, `tokenizer.json` and the shards of the weights onto `device`, `"webgpu"`
    /// or `"cpu"`.
    ///
    /// # Errors
    /// Rejects where there is no such device, a file is damaged, or one does not fit the others.
    pub async fn open(
        device: String,
        config: Vec<u8>,
        tokenizer: Vec<u8>,
        weights: Vec<Uint8Array>,
    ) -> Result<QuestionEncoder, JsError> {
        let weights = copied(&weights);
        let encoder = match Device::parse(&device)? {
            Device::Cpu => {
                DeviceEncoder::Cpu(Box::new(load_encoder(&config, &tokenizer, weights)?))
            }
            Device::WebGpu => {
                let config = EncoderConfig::from_json(&config)?;
                let tokenizer = Tokenizer::from_json(&tokenizer)?;
                let gpu = WebGpu::start(StartOptions::default()).await?;
                let layers = WebGpuEncoder::load(&gpu, &config, &Shards::new(weights)?).await?;
                DeviceEncoder::WebGpu { config, tokenizer, layers: Box::new(layers) }
            }
        };
        Ok(Self { encoder })
    }

    /// The device that it runs on, in the word that it was opened with.
    #[wasm_bindgen(getter)]
    pub fn device(&self) -> String {
        match &self.encoder {
            DeviceEncoder::Cpu(_) => "cpu",
            DeviceEncoder::WebGpu { .. } => "webgpu",
        }
        .to_owned()
    }

    /// The vector of a question, `[dimension]`, with the model's prefix for questions before it.
    ///
    /// # Errors
    /// Rejects where the model or the device fails.
    pub async fn embed(&mut self, question: String) -> Result<Vec<f32>, JsError> {
        match &mut self.encoder {
            DeviceEncoder::Cpu(encoder) => Ok(encoder.encode_queries(&[&question])?.concat()),
            DeviceEncoder::WebGpu { config, tokenizer, layers } => {
                let text = format!("{}{question}", config.prefixes.query);
                let tokens = tokenizer.sequence(&text, config.token_limit())?;
                Ok(layers.encode(&[tokens]).await?.concat())
            }
        }
    }
}

/// A device that layers run on.
#[derive(Clone, Copy)]
enum Device {
    /// On the CPU, on this thread.
    Cpu,
    /// On the GPU, through the page's WebGPU.
    WebGpu,
}

impl Device {
    /// From the page's word.
    fn parse(name: &str) -> Result<Self, JsError> {
        match name {
            "cpu" => Ok(Self::Cpu),
            "webgpu" => Ok(Self::WebGpu),
            _ => Err(JsError::new(&format!("there is no device `{name}`: `webgpu` or `cpu`"))),
        }
    }
}

/// The reader on one device.
#[wasm_bindgen]
pub struct PairReader {
    reader: DeviceReader,
}

/// A reader on one of the devices.
enum DeviceReader {
    Cpu { encoder: Box<Encoder>, adapter: Box<Adapter> },
    WebGpu(Box<WebGpuReader>),
}

#[wasm_bindgen]
impl PairReader {
    /// Loads the encoder as [`QuestionEncoder::open`] does, and `adapter.safetensors`.
    ///
    /// # Errors
    /// Rejects where there is no such device, a file is damaged, or one does not fit the others.
    pub async fn open(
        device: String,
        config: Vec<u8>,
        tokenizer: Vec<u8>,
        weights: Vec<Uint8Array>,
        adapter: Vec<u8>,
    ) -> Result<PairReader, JsError> {
        let (device, weights) = (Device::parse(&device)?, copied(&weights));
        let adapter = Adapter::read(&adapter)?;
        let reader = match device {
            Device::Cpu => {
                let encoder = Box::new(load_encoder(&config, &tokenizer, weights)?);
                DeviceReader::Cpu { encoder, adapter: Box::new(adapter) }
            }
            Device::WebGpu => {
                let config = EncoderConfig::from_json(&config)?;
                let tokenizer = Tokenizer::from_json(&tokenizer)?;
                let gpu = WebGpu::start(StartOptions::default()).await?;
                let weights = Shards::new(weights)?;
                let reader = WebGpuReader::load(&gpu, config, tokenizer, adapter, &weights).await?;
                DeviceReader::WebGpu(Box::new(reader))
            }
        };
        Ok(Self { reader })
    }

    /// Returns what it finds in the passages of a question, as [`Reading::to_numbers`] writes it.
    ///
    /// # Errors
    /// Rejects where the model or the device fails.
    pub async fn read(
        &mut self,
        question: String,
        passages: Vec<String>,
    ) -> Result<Vec<f32>, JsError> {
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        let found = match &mut self.reader {
            DeviceReader::Cpu { encoder, adapter } => {
                // For each question anew: it borrows the encoder, which one value cannot hold beside it.
                Reader::new(encoder, adapter)?.read(&question, &passages, SPANS)?
            }
            DeviceReader::WebGpu(reader) => reader.read(&question, &passages, SPANS).await?,
        };
        Ok(Reading::to_numbers(&found))
    }
}

/// The passages of a site.
#[wasm_bindgen]
pub struct Passages {
    engine: Engine<PageFetch, PageClock>,
}

/// Passages by their nearness to a vector, nearest first.
#[wasm_bindgen(getter_with_clone)]
pub struct Ranking {
    /// The passages' numbers in the site.
    pub chunks: Vec<u32>,
    /// Their cosines to the vector.
    pub scores: Vec<f32>,
}

#[wasm_bindgen]
impl Passages {
    /// Opens the site whose files `read` fetches.
    ///
    /// # Errors
    /// Rejects where the manifest cannot be read or is of a format this module does not know.
    pub async fn open(read: ReadFile) -> Result<Passages, JsError> {
        Ok(Self { engine: Engine::open(PageFetch::new(read), PageClock::default()).await? })
    }

    /// The `count` passages nearest to a vector of length 1, as the search by meaning finds them.
    ///
    /// # Errors
    /// Rejects where the vectors are damaged, or are of another encoder.
    pub async fn nearest(&self, vector: Vec<f32>, count: usize) -> Result<Ranking, JsError> {
        let hits = self.engine.nearest(&vector, count).await?;
        Ok(Ranking {
            chunks: hits.iter().map(|hit| hit.id.0).collect(),
            scores: hits.iter().map(|hit| hit.score).collect(),
        })
    }
}
