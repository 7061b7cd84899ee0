//! Tests that run inside a browser, where `cargo xtask test wasm-tests` puts them.
//!
//! They cover what the native tests cannot: 32-bit sizes, no threads, a real WebGPU adapter. All of
//! them run in a worker, as the modules of the page do. They have a package of their own, because
//! the modules are `cdylib`s, which no test can link to.
