//! The errors between a file and a vector.

use campanile_model::ModelError;
use thiserror::Error;

use crate::loading::DEVICES;

/// Why a network could not be loaded or run: what was expected, what was found, and what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// A configuration or a tensor that the models' own crate refuses.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The configuration asks for what this crate leaves out.
    #[error("config.json: {reason}; run it with campanile-model")]
    NotRun {
        /// The setting that is asked for, and those that are run.
        reason: String,
    },
    /// The weights do not fill the network.
    #[error("the weights do not fit the network: {reason}")]
    Weights {
        /// The message of burn's store: tensors that are missing, or of another shape.
        reason: String,
    },
    /// An adapter's metadata are missing or are not understood.
    #[error("adapter: {reason}")]
    Adapter {
        /// The fault: what was expected and what was found.
        reason: String,
    },
    /// A text cannot be read.
    #[error("text {number}: {reason}")]
    Text {
        /// Its place among the texts given, from 0.
        number: usize,
        /// The fault, in words.
        reason: String,
    },
    /// There is no device of that name.
    #[error("there is no device `{name}`; there are {}", DEVICES.join(", "))]
    UnknownDevice {
        /// The name that was asked for.
        name: String,
    },
    /// The program was compiled without the device.
    #[error("this program runs without `{name}`; compile it with `--features {name}`")]
    NotCompiled {
        /// The device's name, and the feature's.
        name: String,
    },
    /// The machine has no such device, or no driver for it.
    #[error("`{name}` finds no device here; install its driver, or compute on `cpu`")]
    NoDevice {
        /// The device's name.
        name: String,
    },
    /// The device failed while it computed or while results were read back.
    #[error("the device stopped: {reason}")]
    Device {
        /// The device's own message.
        reason: String,
    },
}

impl ReferenceError {
    /// An error about weights.
    pub(crate) fn weights(reason: impl std::fmt::Display) -> Self {
        Self::Weights { reason: reason.to_string() }
    }

    /// An error about an adapter.
    pub(crate) fn adapter(reason: impl std::fmt::Display) -> Self {
        Self::Adapter { reason: reason.to_string() }
    }

    /// An error from the device.
    pub(crate) fn device(reason: impl std::fmt::Display) -> Self {
        Self::Device { reason: reason.to_string() }
    }
}
