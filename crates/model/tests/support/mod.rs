//! Finds models and data for the tests.

#![allow(dead_code, reason = "every test takes what it needs")]

pub mod adapters;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use campanile_model::quantize::{
    Calibration, EncoderWeights, Precision, SHARD_BYTES, write_shards,
};
use campanile_model::{
    Encoder, EncoderConfig, Encoding, Shards, StoredTensor, TensorSource, Tokenizer,
};
use campanile_test_data::SharedFolder;

/// The folder of a model that `campanile model fetch` has put into the cache.
///
/// Fails, and says how to get it, where it is absent: these tests are worth nothing without it.
pub fn model_folder(name: &str) -> PathBuf {
    let cache = std::env::var_os("CAMPANILE_MODELS").map_or_else(default_cache, PathBuf::from);
    let folder = cache.join(name);
    assert!(
        folder.join("tokenizer.json").is_file() || has_gguf(&folder),
        "the model {name} is not in {}: run `cargo xtask test`, which fetches it, or `campanile model fetch {name}`",
        cache.display()
    );
    folder
}

fn has_gguf(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| {
        entries.any(|e| e.is_ok_and(|e| e.path().extension().is_some_and(|x| x == "gguf")))
    })
}

fn default_cache() -> PathBuf {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let base = if cfg!(target_os = "macos") {
        home.join("Library/Caches")
    } else {
        std::env::var_os("XDG_CACHE_HOME").map_or_else(|| home.join(".cache"), PathBuf::from)
    };
    base.join("campanile/models")
}

/// Reads a file of a model.
pub fn read(folder: &Path, name: &str) -> Vec<u8> {
    let path = folder.join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The default encoder with the weights as they were published.
pub fn published_weights(folder: &Path) -> Shards {
    Shards::new(vec![read(folder, "model.safetensors")]).unwrap()
}

/// An encoder with the given weights and the folder's configuration and tokenizer.
pub fn encoder(folder: &Path, weights: &Shards) -> Encoder {
    let config = EncoderConfig::from_json(&read(folder, "config.json")).unwrap();
    let tokenizer = Tokenizer::from_json(&read(folder, "tokenizer.json")).unwrap();
    Encoder::load(&config, tokenizer, weights).unwrap()
}

/// The weights of the default encoder as `campanile` writes them.
pub fn quantised_weights(
    folder: &Path,
    weights: &dyn TensorSource,
    precision: Precision,
) -> Shards {
    let config = EncoderConfig::from_json(&read(folder, "config.json")).unwrap();
    let names = config.tensor_names(weights);
    Shards::new(write_shards(weights, &names, precision, SHARD_BYTES).unwrap()).unwrap()
}

/// Calibrating takes 20 seconds on two cores: it is done once for all tests of a run.
static SITE_WEIGHTS: LazyLock<SharedFolder> = LazyLock::new(|| {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = SharedFolder::new(temporary, "site-weights", || {
        let made = tempfile::tempdir().unwrap();
        let EncoderWeights { network, words } = calibrated();
        write_all(&made.path().join("network"), &network);
        write_all(&made.path().join("words"), &words);
        made
    });
    folder.unwrap()
});

/// The weights of the default encoder as a site has them.
pub fn site_weights() -> EncoderWeights {
    let files = |name: &str| read_all(&SITE_WEIGHTS.path().join(name));
    EncoderWeights { network: files("network"), words: files("words") }
}

fn calibrated() -> EncoderWeights {
    let folder = model_folder("all-MiniLM-L6-v2");
    let weights = published_weights(&folder);
    let config = EncoderConfig::from_json(&read(&folder, "config.json")).unwrap();
    let tokenizer = Tokenizer::from_json(&read(&folder, "tokenizer.json")).unwrap();
    let calibration = Calibration::of(&config, &tokenizer, &weights).unwrap();
    let precision = Precision::INT4_ENCODER;
    EncoderWeights::quantised(&config, &weights, &calibration, precision, SHARD_BYTES).unwrap()
}

/// Writes files that are named for their places.
fn write_all(folder: &Path, files: &[Vec<u8>]) {
    std::fs::create_dir(folder).unwrap();
    for (place, bytes) in files.iter().enumerate() {
        std::fs::write(folder.join(place.to_string()), bytes).unwrap();
    }
}

fn read_all(folder: &Path) -> Vec<Vec<u8>> {
    let count = std::fs::read_dir(folder).unwrap().count();
    (0..count).map(|place| read(folder, &place.to_string())).collect()
}

/// All files of an encoder's weights.
pub fn whole(weights: EncoderWeights) -> Shards {
    Shards::new([weights.words, weights.network].concat()).unwrap()
}

/// A matrix in blocks whose scale just covers the largest value: what a search has to beat.
pub fn nearest_q4_0(matrix: &StoredTensor<'_>) -> StoredTensor<'static> {
    let mut bytes = Vec::new();
    for block in matrix.decode().values.chunks(32) {
        let most = block.iter().fold(0.0f32, |m, &x| if x.abs() > m.abs() { x } else { m });
        let scale = half::f16::from_f32(most / -8.0);
        bytes.extend(scale.to_le_bytes());
        let inverse = if most == 0.0 { 0.0 } else { 1.0 / scale.to_f32() };
        let quant = |x: f32| ((x * inverse).round_ties_even().clamp(-8.0, 7.0) + 8.0) as u8;
        bytes.extend((0..16).map(|i| quant(block[i]) | (quant(block[i + 16]) << 4)));
    }
    StoredTensor::new("t", matrix.shape().to_vec(), Encoding::Q4_0, bytes.into(), vec![]).unwrap()
}

/// The cosine of two vectors.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    let dot = |x: &[f32], y: &[f32]| -> f64 {
        x.iter().zip(y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// The files of SmolLM2-135M-Instruct as a site holds them, converted from the cached GGUF file.
pub fn converted_smollm2() -> std::collections::BTreeMap<String, Vec<u8>> {
    use campanile_model::gguf::{GgufFile, convert};
    let folder = model_folder("smollm2-135m-instruct");
    let file = GgufFile::new(read(&folder, "SmolLM2-135M-Instruct.Q4_1.gguf")).unwrap();
    convert(&file, campanile_model::quantize::SHARD_BYTES).unwrap()
}

/// A decoder on the CPU from the files of a converted model.
pub fn decoder(files: &std::collections::BTreeMap<String, Vec<u8>>) -> campanile_model::Decoder {
    use campanile_model::{Decoder, DecoderConfig};
    let config = DecoderConfig::from_json(&files["config.json"]).unwrap();
    let tokenizer = Tokenizer::from_json(&files["tokenizer.json"]).unwrap();
    let shards = files
        .iter()
        .filter(|(name, _)| name.ends_with(".safetensors"))
        .map(|(_, bytes)| bytes.clone());
    let weights = Shards::new(shards.collect()).unwrap();
    Decoder::load(&config, tokenizer, &weights).unwrap()
}
