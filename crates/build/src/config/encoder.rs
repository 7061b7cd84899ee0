//! `[encoder]`: the model that turns text into vectors, and what computes them.

use serde::Deserialize;

use super::ModelChoice;

/// `[encoder]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EncoderConfig {
    /// Name of the model, as `campanile model list` prints it.
    pub model: String,
    /// What computes the vectors of a build; `--device` overrides it.
    pub device: DeviceChoice,
    /// The adapter by which it embeds questions: `built-in`, `none`, or the path of a file beside the documents.
    pub query_adapter: ModelChoice,
}

/// What computes the vectors of a build.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// The processor: the same bits on every machine
    #[default]
    Cpu,
    /// The graphics card, through Vulkan, Metal or DirectX 12; fails where there is none
    Gpu,
    /// A graphics card where there is one, and else the processor
    Auto,
    /// NVIDIA's own interface; for a `campanile` that was compiled with `--features cuda`
    Cuda,
    /// AMD's own interface; compiled with `--features rocm`
    Rocm,
    /// Apple's own interface; compiled with `--features metal`
    Metal,
}

impl DeviceChoice {
    /// The name of a backend of burn's own, where it is one.
    pub fn burn_backend(self) -> Option<&'static str> {
        match self {
            Self::Cpu | Self::Gpu | Self::Auto => None,
            Self::Cuda => Some("cuda"),
            Self::Rocm => Some("rocm"),
            Self::Metal => Some("metal"),
        }
    }
}

impl Default for EncoderConfig {
    fn default() -> Self {
        Self {
            model: "all-MiniLM-L6-v2".to_owned(),
            device: DeviceChoice::default(),
            query_adapter: ModelChoice::default(),
        }
    }
}
