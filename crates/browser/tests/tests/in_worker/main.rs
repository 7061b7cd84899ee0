//! One program for all tests: linking each file by itself would take longer than running it.

#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used)]

mod decoder;
mod foreign_bytes;
#[path = "../../../../model/tests/support/made_up.rs"]
mod made_up;
mod unicode;
mod webgpu;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);
