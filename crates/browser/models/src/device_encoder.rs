//! The encoder on a device of the caller's choice.

use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};
use campanile_webgpu::{StartOptions, WebGpu, WebGpuEncoder, WebGpuError};

use crate::engine;

/// Where an encoder's layers run.
#[derive(Clone, Copy)]
pub enum Device {
    /// On the CPU, on this thread.
    Cpu,
    /// On the GPU, through the page's WebGPU.
    WebGpu,
}

impl Device {
    /// From the page's word.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "cpu" => Some(Self::Cpu),
            "webgpu" => Some(Self::WebGpu),
            _ => None,
        }
    }
}

/// An encoder on one of the devices.
pub enum DeviceEncoder {
    Cpu(Box<Encoder>),
    WebGpu { config: EncoderConfig, tokenizer: Tokenizer, layers: Box<WebGpuEncoder> },
}

impl DeviceEncoder {
    /// Puts the encoder of these files on a device, which is started for it.
    pub async fn load(
        device: Device,
        config: &[u8],
        tokenizer: &[u8],
        weights: Vec<Vec<u8>>,
    ) -> Result<Self, WebGpuError> {
        match device {
            Device::Cpu => {
                Ok(Self::Cpu(Box::new(engine::load_encoder(config, tokenizer, weights)?)))
            }
            Device::WebGpu => {
                let config = EncoderConfig::from_json(config)?;
                let tokenizer = Tokenizer::from_json(tokenizer)?;
                let gpu = WebGpu::start(StartOptions::default()).await?;
                let layers = WebGpuEncoder::load(&gpu, &config, &Shards::new(weights)?).await?;
                Ok(Self::WebGpu { config, tokenizer, layers: Box::new(layers) })
            }
        }
    }

    /// The page's word for where it runs.
    pub fn device(&self) -> &'static str {
        match self {
            Self::Cpu(_) => "cpu",
            Self::WebGpu { .. } => "webgpu",
        }
    }

    /// The vector of a question, `[dimension]`, with the model's prefix for questions before it.
    pub async fn embed_question(&mut self, question: &str) -> Result<Vec<f32>, WebGpuError> {
        match self {
            Self::Cpu(encoder) => Ok(encoder.encode_queries(&[question])?.concat()),
            Self::WebGpu { config, tokenizer, layers } => {
                let text = format!("{}{question}", config.prefixes.query);
                let tokens = tokenizer.sequence(&text, config.token_limit())?;
                Ok(layers.encode(&[tokens]).await?.concat())
            }
        }
    }
}
