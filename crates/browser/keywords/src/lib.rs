//! Campanile in the browser: the `keywords` module, which finds passages by their words.
//!
//! It is small, so that a first visit sees passages while `core`, many times its size, is on its
//! way. It asks for files and is given them; all waiting is done in JavaScript.
//!
//! ```js
//! const keywords = new Keywords(manifest);
//! for (;;) {
//!   const { needs, sources } = keywords.ask("library hours", "2026-11-22");
//!   if (sources) return sources;
//!   for (const path of needs) keywords.give(path, await readBytes(path));
//! }
//! ```

mod surface;
mod values;

pub use surface::Keywords;
