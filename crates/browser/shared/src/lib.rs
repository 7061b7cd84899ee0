//! What the browser's modules share: reading files of the site, time, progress, values for
//! JavaScript, and the start of a module.
//!
//! Here the engine's traits meet the page. Nothing in this crate decides anything.

mod clock;
mod fetch;
mod start;
mod values;

pub use clock::PageClock;
pub use fetch::PageFetch;
pub use values::{message, report_progress, to_js};
