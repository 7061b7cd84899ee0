//! The errors of a GPU, and the way out.

use campanile_model::ModelError;
use thiserror::Error;

/// Why a model cannot run on WebGPU.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WebGpuError {
    /// There is no adapter, or none that the options allow.
    #[error("no WebGPU adapter: {reason}; run the model on the CPU")]
    NoAdapter {
        /// The system's own message.
        reason: String,
    },
    /// The adapter gave no device.
    #[error("the WebGPU adapter `{adapter}` gave no device: {reason}; run the model on the CPU")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// The adapter's own message.
        reason: String,
    },
    /// A kernel does not compile here.
    #[error(
        "the kernel `{kernel}` does not compile on this device: {reason}; run the model on the CPU"
    )]
    Kernel {
        /// The kernel's name.
        kernel: String,
        /// The compiler's own message.
        reason: String,
    },
    /// The device has no room.
    #[error(
        "the GPU has no room for {bytes} bytes more ({what}): {reason}; close other pages that use the GPU, choose a smaller model, or run it on the CPU"
    )]
    OutOfMemory {
        /// The purpose of the memory.
        what: String,
        /// The number of bytes that was asked for.
        bytes: u64,
        /// The device's own message.
        reason: String,
    },
    /// The device is gone, or refused some work.
    #[error("the GPU failed: {reason}; start it again, or run the model on the CPU")]
    Failed {
        /// The device's own message.
        reason: String,
    },
    /// A model's shape is beyond what the kernels are made for.
    #[error("{reason}; run the model on the CPU")]
    Unsupported {
        /// The thing that was found, and what is allowed.
        reason: String,
    },
    /// The model itself.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl From<WebGpuError> for ModelError {
    fn from(error: WebGpuError) -> Self {
        match error {
            WebGpuError::Model(error) => error,
            other => Self::Device { doing: "computing on WebGPU", reason: other.to_string() },
        }
    }
}
