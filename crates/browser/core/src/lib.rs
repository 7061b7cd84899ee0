//! Campanile in the browser: the `core` module, which finds and answers.
//!
//! It is a thin surface over the same crates that run natively. JavaScript gives it one function
//! that reads a file of the site. Everything else (verification, ranking, answering) happens here,
//! in a worker. The language model is in the `gpu` module, so a page that never writes prose never
//! downloads it.
//!
//! ```js
//! const core = await Core.open((path, reload) => readBytes(path, reload));
//! const reply = await core.ask("How late may I hand in coursework?");
//! await core.load_encoder((loaded, total) => showProgress(loaded, total));
//! ```

mod surface;
mod utf16;

pub use surface::Core;
