//! What a page needs to compare devices: the encoder and the reader on each, and the ranking that follows from a
//! vector.

use campanile_browser_shared::{PageClock, PageFetch};
use campanile_model::Reading;
use campanile_retrieve::Engine;
use js_sys::{Function, Uint8Array};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::copied;
use crate::device_encoder::{Device, DeviceEncoder};
use crate::device_reader::DeviceReader;

/// The encoder on one device.
#[wasm_bindgen]
pub struct QuestionEncoder {
    encoder: DeviceEncoder,
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
        let encoder =
            DeviceEncoder::load(place(&device)?, &config, &tokenizer, copied(&weights)).await?;
        Ok(Self { encoder })
    }

    /// Where it runs, in the word that it was opened with.
    #[wasm_bindgen(getter)]
    pub fn device(&self) -> String {
        self.encoder.device().to_owned()
    }

    /// The vector of a question.
    ///
    /// # Errors
    /// Rejects where the model or the device fails.
    pub async fn embed(&mut self, question: String) -> Result<Vec<f32>, JsError> {
        Ok(self.encoder.embed_question(&question).await?)
    }
}

fn place(device: &str) -> Result<Device, JsError> {
    Device::parse(device)
        .ok_or_else(|| JsError::new(&format!("there is no device `{device}`: `webgpu` or `cpu`")))
}

/// The reader on one device.
#[wasm_bindgen]
pub struct PairReader {
    reader: DeviceReader,
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
        let (device, weights) = (place(&device)?, copied(&weights));
        let reader = DeviceReader::load(device, &config, &tokenizer, weights, &adapter).await?;
        Ok(Self { reader })
    }

    /// What it finds in the passages of a question, as [`Reading::to_numbers`] writes it.
    ///
    /// # Errors
    /// Rejects where the model or the device fails.
    pub async fn read(
        &mut self,
        question: String,
        passages: Vec<String>,
    ) -> Result<Vec<f32>, JsError> {
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        Ok(Reading::to_numbers(&self.reader.read(&question, &passages).await?))
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
    /// Opens the site through `read(path, reload) => Promise<Uint8Array>`.
    ///
    /// # Errors
    /// Rejects where the manifest cannot be read or is of a format this module does not know.
    pub async fn open(read: Function) -> Result<Passages, JsError> {
        Ok(Self { engine: Engine::open(PageFetch::new(read), PageClock::default()).await? })
    }

    /// The `count` passages nearest to a vector of length 1, as the search by meaning finds them.
    ///
    /// # Errors
    /// Rejects where the vectors are damaged, or are of another encoder.
    pub async fn nearest(&self, vector: Vec<f32>, count: usize) -> Result<Ranking, JsError> {
        let hits = self.engine.nearest(&vector, count).await?;
        Ok(Ranking {
            chunks: hits.iter().map(|hit| hit.chunk).collect(),
            scores: hits.iter().map(|hit| hit.score).collect(),
        })
    }
}
