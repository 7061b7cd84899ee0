//! burn on the browser's WebGPU adapter gives what burn on the CPU gives.

use std::cell::RefCell;

use burn::tensor::{Device, Distribution, Tensor};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen(inline_js = "
    export async function adapter_features() {
        const adapter = await navigator.gpu?.requestAdapter();
        return adapter ? [...adapter.features].join(' ') : 'no adapter';
    }
")]
extern "C" {
    async fn adapter_features() -> wasm_bindgen::JsValue;
}

thread_local! {
    static STARTED: RefCell<Option<Device>> = const { RefCell::new(None) };
}

/// The GPU, which can be started once in a module's life.
pub async fn gpu() -> Device {
    if let Some(device) = STARTED.with_borrow(Clone::clone) {
        return device;
    }
    let device = Device::wgpu_options().init_async().await.unwrap();
    STARTED.set(Some(device.clone()));
    device
}

#[wasm_bindgen_test]
async fn the_adapter_has_what_burn_needs() {
    let features = adapter_features().await.as_string().unwrap();
    assert!(features.contains("timestamp-query"), "{features}");
}

#[wasm_bindgen_test]
async fn a_product_of_matrices_is_the_same_on_both_devices() {
    let cpu = Device::flex();
    let gpu = gpu().await;
    let random = |shape| Tensor::<2>::random(shape, Distribution::Uniform(-1.0, 1.0), &cpu);
    let (left, right) = (random([17, 64]), random([64, 33]));
    let on_gpu = left.clone().to_device(&gpu).matmul(right.clone().to_device(&gpu));
    let there: Vec<f32> = on_gpu.into_data_async().await.unwrap().try_to_vec().unwrap();
    let here: Vec<f32> = left.matmul(right).into_data_async().await.unwrap().try_to_vec().unwrap();
    for (there, here) in there.iter().zip(&here) {
        assert!((there - here).abs() < 1e-4, "{there} on WebGPU, {here} on the CPU");
    }
}
