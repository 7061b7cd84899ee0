//! The reader on a device of the caller's choice.

use campanile_model::{Adapter, Encoder, EncoderConfig, Reader, Reading, Shards, Tokenizer};
use campanile_retrieve::SPANS;
use campanile_webgpu::{StartOptions, WebGpu, WebGpuError, WebGpuReader};

use crate::device_encoder::Device;
use crate::engine;

/// A reader on one of the devices.
pub enum DeviceReader {
    Cpu { encoder: Box<Encoder>, adapter: Box<Adapter> },
    WebGpu(Box<WebGpuReader>),
}

impl DeviceReader {
    /// Puts the encoder and the change by which it reads on a device.
    pub async fn load(
        device: Device,
        config: &[u8],
        tokenizer: &[u8],
        weights: Vec<Vec<u8>>,
        adapter: &[u8],
    ) -> Result<Self, WebGpuError> {
        let adapter = Adapter::read(adapter)?;
        match device {
            Device::Cpu => {
                let encoder = Box::new(engine::load_encoder(config, tokenizer, weights)?);
                Ok(Self::Cpu { encoder, adapter: Box::new(adapter) })
            }
            Device::WebGpu => {
                let config = EncoderConfig::from_json(config)?;
                let tokenizer = Tokenizer::from_json(tokenizer)?;
                let gpu = WebGpu::start(StartOptions::default()).await?;
                let weights = Shards::new(weights)?;
                let reader = WebGpuReader::load(&gpu, config, tokenizer, adapter, &weights).await?;
                Ok(Self::WebGpu(Box::new(reader)))
            }
        }
    }

    /// What it finds in the passages of a question.
    pub async fn read(
        &mut self,
        question: &str,
        passages: &[&str],
    ) -> Result<Vec<Reading>, WebGpuError> {
        match self {
            Self::Cpu { encoder, adapter } => {
                Ok(Reader::new(encoder, adapter)?.read(question, passages, SPANS)?)
            }
            Self::WebGpu(reader) => reader.read(question, passages, SPANS).await,
        }
    }
}
