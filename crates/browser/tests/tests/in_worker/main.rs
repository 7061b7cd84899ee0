//! One program for all tests: linking burn into each file by itself takes minutes.

#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used)]

mod decoder;
mod foreign_bytes;
mod webgpu;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);
