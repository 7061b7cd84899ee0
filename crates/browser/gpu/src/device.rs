use burn::tensor::Device;

use crate::error::ProseError;

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

    /// Starts it; the GPU once for the life of the module.
    pub async fn start(self) -> Result<Device, ProseError> {
        match self {
            Self::Cpu => Ok(Device::flex()),
            Self::WebGpu => Device::wgpu_options()
                .init_async()
                .await
                .map_err(|error| ProseError::Device(error.to_string())),
        }
    }
}
