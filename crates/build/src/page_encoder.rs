//! Gets an encoder ready for the page: its configuration in one file, its weights smaller.
//!
//! Quantising takes a quarter of a minute, so the result is kept for the next build.

use std::fs;
use std::io::ErrorKind;

use campanile_model::quantize::{Calibration, Precision, SHARD_BYTES, write_calibrated_shards};
use campanile_model::{EncoderConfig, Shards, Tokenizer};
use campanile_model_store::{InstalledModel, cache_folder};

use crate::LoadError;
use crate::kept::Kept;
use crate::observer::{Observer, Stage};

/// The file with all numbers of the network and what surrounds it.
pub const CONFIG: &str = "config.json";
/// The tokenizer's file.
pub const TOKENIZER: &str = "tokenizer.json";
/// How the names of files with weights end.
pub const WEIGHTS_ENDING: &str = ".safetensors";
/// What became of the weights: to be changed when the quantiser changes.
pub const FORM: &str = "int4-int8-2";

const WEIGHTS: &str = "model.safetensors";

/// The page's files of an encoder, by name.
///
/// # Errors
/// Where a file of the model cannot be read, or the model cannot be run.
pub fn files(
    model: &InstalledModel,
    observer: &dyn Observer,
) -> Result<Vec<(String, Vec<u8>)>, LoadError> {
    let config = config(model)?;
    let mut files = vec![
        (CONFIG.to_owned(), serde_json::to_vec_pretty(&config)?),
        (TOKENIZER.to_owned(), read(model, TOKENIZER)?),
    ];
    let kept = kept(model);
    let shards = match kept.read() {
        Some(shards) => shards,
        None => {
            let _quantising = observer.begin(&Stage::whole("Quantising the encoder"));
            let weights = Shards::new(vec![read(model, WEIGHTS)?])?;
            let tokenizer = Tokenizer::from_json(&read(model, TOKENIZER)?)?;
            let calibration = Calibration::of(&config, &tokenizer, &weights)?;
            let shards = write_calibrated_shards(
                &config,
                &weights,
                &calibration,
                Precision::INT4_ENCODER,
                SHARD_BYTES,
            )?;
            let parts: Vec<&[u8]> = shards.iter().map(Vec::as_slice).collect();
            kept.write(&parts, observer);
            shards
        }
    };
    files.extend(
        (1..).zip(shards).map(|(n, shard)| (format!("model-{n:05}{WEIGHTS_ENDING}"), shard)),
    );
    Ok(files)
}

fn read(model: &InstalledModel, name: &str) -> Result<Vec<u8>, LoadError> {
    let path = model.path(name)?;
    fs::read(path).map_err(|error| LoadError::installed(model, path, error))
}

/// What `config.json` and the files beside it say; a file may be missing, but not unreadable.
fn config(model: &InstalledModel) -> Result<EncoderConfig, LoadError> {
    let mut failed = None;
    let config = EncoderConfig::from_model_files(|name| {
        let path = model.folder.join(name);
        match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                failed.get_or_insert(LoadError::installed(model, &path, error));
                None
            }
        }
    });
    failed.map_or_else(|| Ok(config?), Err)
}

/// Where the smaller weights of these published ones are kept.
fn kept(model: &InstalledModel) -> Kept {
    let path = || {
        let published = model.files.iter().find(|file| file.name == WEIGHTS)?;
        let hash = published.sha256.get(..16)?;
        Some(cache_folder()?.join("encoders").join(format!("{}-{hash}-{FORM}.shards", model.name)))
    };
    Kept { path: path(), what: "the smaller encoder" }
}
