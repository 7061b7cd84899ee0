//! Campanile in the browser: the `gpu` module, which writes prose.
//!
//! It holds the language model and nothing else, and is fetched when a reader asks for prose. The
//! page decides the device beforehand, since the runtime cannot recover from an adapter that lacks
//! what it needs; the model answers a question with a known answer before it is trusted.
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
mod surface;
mod team;
mod turn;

pub use surface::Prose;
pub use team::Helper;
