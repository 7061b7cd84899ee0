use std::cell::RefCell;

use campanile_browser_shared::{PageFetch, ReadFile};
use campanile_bundle::{Bundle, BundleError};
use campanile_model::Reading;
use campanile_retrieve::{ReaderParts, RetrieveError, SPANS};
use campanile_webgpu::{StartOptions, WebGpu, WebGpuError, WebGpuReader};
use thiserror::Error;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// The site's reader on WebGPU: finds the words that answer in the passages of a question, all in one batch.
#[wasm_bindgen]
pub struct PassageReader {
    reader: RefCell<WebGpuReader>,
    device: String,
}

/// The reason why passages cannot be read on WebGPU.
#[derive(Debug, Error)]
enum ReadingError {
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error(transparent)]
    Site(#[from] RetrieveError),
    #[error(transparent)]
    Device(#[from] WebGpuError),
    #[error("other passages are being read")]
    Busy,
}

#[wasm_bindgen]
impl PassageReader {
    /// Fetches the site's encoder and reader and puts them on the
    /// graphics processor.
    ///
    /// # Errors
    /// Rejects where the site has no reader, a file of it cannot be had, or the device cannot be started.
    pub async fn open(read: ReadFile) -> Result<PassageReader, JsError> {
        let mut report = |_, _| {};
        Ok(Self::load(PageFetch::new(read), &mut report).await?)
    }

    /// The adapter's name.
    pub fn adapter(&self) -> String {
        self.device.clone()
    }

    /// Reads passages for a question; the numbers are for `read_with` of the `core` module.
    ///
    /// # Errors
    /// Rejects where the device fails, or other passages are being read.
    pub async fn read(&self, question: String, passages: Vec<String>) -> Result<Vec<f32>, JsError> {
        Ok(Reading::to_numbers(&self.find(&question, &passages).await?))
    }
}

impl PassageReader {
    async fn load(
        fetch: PageFetch,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, ReadingError> {
        let bundle = Bundle::open(fetch).await?;
        // Before some 20 MB are fetched for it: there may be no device.
        let gpu = WebGpu::start(StartOptions::default()).await?;
        let ReaderParts { config, tokenizer, weights, adapter } =
            ReaderParts::fetch(&bundle, report).await?;
        let reader = WebGpuReader::load(&gpu, config, tokenizer, adapter, &weights).await?;
        Ok(Self { reader: RefCell::new(reader), device: gpu.name() })
    }

    #[expect(
        clippy::await_holding_refcell_ref,
        reason = "who comes in the meantime is told that the reader is busy"
    )]
    async fn find(
        &self,
        question: &str,
        passages: &[String],
    ) -> Result<Vec<Reading>, ReadingError> {
        let mut reader = self.reader.try_borrow_mut().map_err(|_| ReadingError::Busy)?;
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        Ok(reader.read(question, &passages, SPANS).await?)
    }
}
