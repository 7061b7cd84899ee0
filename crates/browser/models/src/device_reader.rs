//! The reader on a device of the caller's choice.

use campanile_model::{
    Adapter, Encoder, EncoderConfig, Reader, ReaderHead, Reading, Shards, Tokenizer,
};
use campanile_retrieve::SPANS;
use campanile_webgpu::{DeviceChanges, StartOptions, WebGpu, WebGpuEncoder, WebGpuError};

use crate::device_encoder::Device;
use crate::engine;

/// A reader on one of the devices.
pub enum DeviceReader {
    Cpu { encoder: Box<Encoder>, adapter: Box<Adapter> },
    WebGpu(Box<OnWebGpu>),
}

pub struct OnWebGpu {
    config: EncoderConfig,
    tokenizer: Tokenizer,
    adapter: Adapter,
    layers: WebGpuEncoder,
    changes: DeviceChanges,
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
                let mut layers = WebGpuEncoder::load(&gpu, &config, &Shards::new(weights)?).await?;
                let changes = layers.load_changes(&adapter).await?;
                let reader = OnWebGpu { config, tokenizer, adapter, layers, changes };
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
            Self::WebGpu(reader) => {
                let OnWebGpu { config, tokenizer, adapter, layers, changes } = &mut **reader;
                let head = ReaderHead::new(tokenizer, &config.network, adapter)?;
                let pairs = head.pairs(question, passages)?;
                let rows = layers.token_vectors(pairs.sequences(), Some(*changes)).await?;
                Ok(head.readings(&pairs, &rows, SPANS)?)
            }
        }
    }
}
