use campanile_model::{CpuDecoder, DecoderBackend, DecoderConfig, Shards};
use campanile_webgpu::{DecoderLoader, DecoderOptions, StartOptions, WebGpu};

use crate::error::ProseError;
use crate::team::TeamMates;

/// Where the model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compute {
    /// The GPU, through WebGPU.
    WebGpu,
    /// The CPU, on this thread.
    Cpu,
}

impl Compute {
    /// From the page's word.
    pub fn parse(name: &str) -> Result<Self, ProseError> {
        match name {
            "webgpu" => Ok(Self::WebGpu),
            "cpu" => Ok(Self::Cpu),
            other => Err(ProseError::UnknownDevice(other.to_owned())),
        }
    }

    /// The page's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::WebGpu => "webgpu",
            Self::Cpu => "cpu",
        }
    }

    /// Begins to load a model; starts the GPU, once for the life of the module.
    ///
    /// On the CPU `helpers` hold a part of the model each.
    pub async fn loader(
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
pub enum Loader {
    /// Waits for all of its weights.
    Cpu { config: DecoderConfig, helpers: Option<TeamMates> },
    /// Takes weights as they arrive.
    WebGpu(Box<DecoderLoader>),
}

impl Loader {
    /// Takes what has arrived whole.
    pub async fn take(&mut self, weights: &mut Shards) -> Result<(), ProseError> {
        if let Self::WebGpu(loader) = self {
            loader.take(weights).await?;
        }
        Ok(())
    }

    /// The model's layers on the device.
    pub async fn finish(self, weights: Shards) -> Result<Box<dyn DecoderBackend>, ProseError> {
        Ok(match self {
            Self::Cpu { config, helpers: None } => Box::new(CpuDecoder::load(&config, &weights)?),
            Self::Cpu { config, helpers: Some(helpers) } => {
                helpers.ready().await?;
                Box::new(CpuDecoder::with_helpers(&config, &weights, Box::new(helpers))?)
            }
            Self::WebGpu(loader) => Box::new(loader.finish().await?),
        })
    }
}
