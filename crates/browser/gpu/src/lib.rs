//! Campanile in the browser: the `gpu` module, which writes prose, and reads passages on WebGPU.
//!
//! It holds the language model, or the reader if the page has a graphics processor that is faster
//! at it. Each of the two has a worker of its own. The module is fetched when somebody asks for
//! prose, or once an answer stands. The page decides the device beforehand, because the runtime
//! cannot recover from a graphics adapter that lacks what it needs. The model answers a question
//! with a known answer before it is trusted.
//!
//! ```js
//! const prose = await Prose.open(read, "webgpu", (loaded, total) => show(loaded, total));
//! const request = { system, user, evidence: [passage, question], max_tokens: 160 };
//! const { text, stopped } = await prose.generate(request, (piece) => {
//!   append(piece);
//!   return !stopPressed;
//! });
//! ```

mod load;
mod prose;
mod reading;

pub use load::Helper;
pub use prose::{OtherWords, Prose, ProseRequest, ProseResult, ProseTurn};
pub use reading::PassageReader;

use campanile_bundle::BundleError;
use campanile_model::ModelError;
use campanile_webgpu::WebGpuError;
use thiserror::Error;

/// The reason why prose cannot be written.
#[derive(Debug, Error)]
enum ProseError {
    /// The site's files.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The language model.
    #[error("the language model failed: {0}")]
    Model(#[from] ModelError),
    /// The site ships none.
    #[error("this site was built without a language model")]
    NoModel,
    /// The site's language model is of another kind.
    #[error(
        "the language model `{name}` has the architecture `{architecture}`, which this version cannot run"
    )]
    Architecture {
        /// The model.
        name: String,
        /// The architecture that the manifest names.
        architecture: String,
    },
    /// A file of the model is not in the manifest.
    #[error("the language model has no file `{0}` in this site. Build the site again")]
    ModelFile(&'static str),
    /// The GPU.
    #[error(transparent)]
    Device(#[from] WebGpuError),
    /// The page asked for a device that does not exist.
    #[error("there is no device `{0}`: `webgpu` or `cpu`")]
    UnknownDevice(String),
    /// The browser's own messages.
    #[error("the browser does not pass messages within the worker: {0}")]
    Messages(String),
    /// A worker that holds a part of the model did not load it.
    #[error("a worker that was to help could not be started: {0}")]
    Helper(String),
    /// Another text is being written.
    #[error("the language model is writing already")]
    Busy,
}
