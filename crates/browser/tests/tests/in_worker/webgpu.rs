//! The browser's WebGPU device.

use std::cell::RefCell;

use campanile_webgpu::{StartOptions, WebGpu};

thread_local! {
    static STARTED: RefCell<Option<WebGpu>> = const { RefCell::new(None) };
}

/// The GPU, started once for all tests.
pub async fn gpu() -> WebGpu {
    if let Some(gpu) = STARTED.with_borrow(Clone::clone) {
        return gpu;
    }
    let gpu = WebGpu::start(StartOptions::default()).await.unwrap();
    STARTED.set(Some(gpu.clone()));
    gpu
}
