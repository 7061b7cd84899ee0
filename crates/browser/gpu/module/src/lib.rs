//! The `gpu` module as the page loads it: what `campanile-browser-gpu` exports, linked.
//!
//! Loops become vectors when everything is linked, at the level of this crate, which is 3; the code itself is
//! compiled for size next door. In one crate, the waiting of asynchronous functions took 68 kB more, gzipped.

pub use campanile_browser_gpu::{Helper, PassageReader, Prose};
