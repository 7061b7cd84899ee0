//! The `core` module as the page loads it: what `campanile-browser-core` exports, linked.
//!
//! Loops become vectors when everything is linked, at the level of this crate, which is 3; the code itself is
//! compiled for size next door, and the two rooms with the loops that a page waits for, `index` and `kernels`, for speed.

pub use campanile_browser_core::Core;
