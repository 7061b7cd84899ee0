//! Finds an adapter and a model for the tests.

use std::collections::BTreeMap;
use std::path::PathBuf;

use campanile_model::gguf::{GgufFile, convert};
use campanile_model::{DecoderConfig, Shards};
use campanile_webgpu::{StartOptions, WebGpu};
use futures_lite::future::block_on;

/// A device. Fails, and says how to get one, where there is none: the tests are worth nothing
/// without it.
pub fn gpu() -> WebGpu {
    block_on(WebGpu::start(StartOptions::default())).unwrap_or_else(|error| {
        panic!(
            "{error}\nThese tests need a WebGPU adapter, for example Mesa's lavapipe: install \
             mesa-vulkan-drivers, or set VK_DRIVER_FILES to the driver's JSON file"
        )
    })
}

/// The folder of models that `campanile model fetch` fills.
pub fn models() -> PathBuf {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let cache =
        std::env::var_os("XDG_CACHE_HOME").map_or_else(|| home.join(".cache"), PathBuf::from);
    std::env::var_os("CAMPANILE_MODELS")
        .map_or_else(|| cache.join("campanile/models"), PathBuf::from)
}

/// SmolLM2-135M-Instruct as a site holds it.
pub fn smollm2() -> (DecoderConfig, Shards) {
    let path = models().join("smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| {
        panic!("{}: {error}: run `campanile model fetch smollm2-135m-instruct`", path.display())
    });
    let files: BTreeMap<String, Vec<u8>> =
        convert(&GgufFile::new(bytes).unwrap(), campanile_model::quantize::SHARD_BYTES).unwrap();
    let config = DecoderConfig::from_json(&files["config.json"]).unwrap();
    let shards = files.into_iter().filter(|(name, _)| name.ends_with(".safetensors"));
    (config, Shards::new(shards.map(|(_, bytes)| bytes).collect()).unwrap())
}
