//! Campanile in the browser: the `core` module, which finds and answers.
//!
//! It is a thin surface over the same crates that run natively. JavaScript gives it one function
//! that reads a file of the site. Everything else (verification, ranking, answering) happens here,
//! in a worker. The language model is in the `gpu` module, so a page that never writes prose never
//! downloads it.
//!
//! ```js
//! const reach = (address) => (path, reload) => readBytes(path, reload, address);
//! const core = await Core.open(reach("./"), reach);
//! await core.load_encoder((loaded, total) => showProgress(loaded, total));
//! const asked = await core.ask("How late may I hand in coursework?");
//! show(asked.result());
//! const prompt = asked.prompt();
//! ```
//!
//! The types of what crosses to the page are Rust's: `wasm-bindgen` writes them into the module's
//! TypeScript declarations, against which the page's JavaScript is checked. A span in them counts
//! UTF-16 code units, as JavaScript's strings do, and no longer bytes.

mod asked;
mod page;
mod surface;
mod utf16;

pub use asked::Asked;
pub use page::{AskResult, SourceDocument};
pub use surface::Core;
