//! Campanile in the browser: the `gpu` module, which writes prose, and reads passages on WebGPU.
//!
//! It holds the language model, or the reader if the page has a graphics processor that is faster
//! at it. Each of the two has a worker of its own. The module is fetched when somebody asks for
//! prose, or once an answer stands. The page decides the device beforehand, because the runtime
//! cannot recover from a graphics adapter that lacks what it needs. The model answers a question
//! with a known answer before it is trusted.
//!
//! ```js
//! const prose = await Prose.open(read, { device: "webgpu" }, (loaded, total) => show(loaded, total));
//! const request = { system, user, evidence: [passage, question], max_tokens: 160 };
//! const { text, stopped } = await prose.generate(request, (piece) => {
//!   append(piece);
//!   return !stopPressed;
//! });
//! ```

mod device;
mod error;
mod grounded;
mod load;
mod reading;
mod surface;
mod team;
mod turn;

pub use reading::PassageReader;
pub use surface::Prose;
pub use team::Helper;
