//! Gets an encoder ready: for the page, with its configuration in one file and its weights as small as they may be, and for
//! passages, which the build alone embeds.
//!
//! Quantising for the page takes a quarter of a minute, so the results are kept for the next build.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;

use campanile_model::quantize::{
    Calibration, EncoderWeights, Precision, SHARD_BYTES, near_words, write_shards,
};
use campanile_model::{EncoderConfig, ModelError, ROWS_IN_PART, Shards, Tokenizer};
use campanile_model_store::{InstalledModel, cache_folder};
use campanile_retrieve::{NEAR_WORDS_FILE, word_part_file};
use rayon::prelude::*;

use crate::LoadError;
use crate::embed::Embedder;
use crate::kept::Kept;
use crate::observer::{Observer, Stage};

/// The file with all numbers of the network and what surrounds it.
pub const CONFIG: &str = "config.json";
/// The tokenizer's file.
pub const TOKENIZER: &str = "tokenizer.json";
/// The ending of files with weights.
pub const WEIGHTS_ENDING: &str = ".safetensors";
/// The form of the weights: to be changed when the quantiser changes.
pub const FORM: &str = "int4-int8-3";
/// The same of the weights that embed passages.
pub const FORM_FOR_PASSAGES: &str = "int8-1";

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
    let EncoderWeights { network, words } = weights(model, &config, observer)?;
    let network = (1..).zip(network);
    files.extend(network.map(|(n, shard)| (format!("model-{n:05}{WEIGHTS_ENDING}"), shard)));
    files.extend(words.into_iter().enumerate().map(|(n, part)| (word_part_file(n), part)));
    Ok(files)
}

/// The smaller weights, as they are kept or made now.
fn weights(
    model: &InstalledModel,
    config: &EncoderConfig,
    observer: &dyn Observer,
) -> Result<EncoderWeights, LoadError> {
    let kept = kept(model, FORM);
    if let Some(mut parts) = kept.read() {
        let network = parts.split_off(config.network.vocab_size.div_ceil(ROWS_IN_PART));
        return Ok(EncoderWeights { network, words: parts });
    }
    let _quantising = observer.begin(&Stage::whole("Quantising the encoder"));
    let published = Shards::new(vec![read(model, WEIGHTS)?])?;
    let tokenizer = Tokenizer::from_json(&read(model, TOKENIZER)?)?;
    let calibration = Calibration::of(config, &tokenizer, &published)?;
    let precision = Precision::INT4_ENCODER;
    let made = EncoderWeights::quantised(config, &published, &calibration, precision, SHARD_BYTES)?;
    let parts: Vec<&[u8]> = made.words.iter().chain(&made.network).map(Vec::as_slice).collect();
    kept.write(&parts, observer);
    Ok(made)
}

/// The weights by which passages are embedded: nobody fetches them, so that they have eight bits throughout. What four bits lose of
/// a question they need not lose of a passage as well.
///
/// # Errors
/// Where the model's weights cannot be read.
pub fn weights_for_passages(
    model: &InstalledModel,
    config: &EncoderConfig,
    observer: &dyn Observer,
) -> Result<Shards, LoadError> {
    let kept = kept(model, FORM_FOR_PASSAGES);
    if let Some(shards) = kept.read() {
        return Ok(Shards::new(shards)?);
    }
    let published = Shards::new(vec![read(model, WEIGHTS)?])?;
    let names = config.tensor_names(&published);
    let made = write_shards(&published, &names, Precision::INT8, SHARD_BYTES)?;
    let shards: Vec<&[u8]> = made.iter().map(Vec::as_slice).collect();
    kept.write(&shards, observer);
    Ok(Shards::new(made)?)
}

/// The page's files, with one of the token vectors of these texts: all that the site searches, and the questions that the
/// page suggests. The encoder starts with it, and asks for parts of the whole table when a question has other words.
/// Without that file where it would be no help, since the texts have most words of the language.
///
/// # Errors
/// Where the tokenizer refuses a text.
pub fn with_near_words(
    embedder: &Embedder,
    texts: &[&str],
) -> Result<Vec<(String, Vec<u8>)>, LoadError> {
    let tokenizer = embedder.encoder.tokenizer();
    let of_texts: Result<Vec<Vec<u32>>, ModelError> =
        texts.par_iter().map(|text| tokenizer.encode(text)).collect();
    let mut tokens: BTreeSet<u32> = of_texts?.into_iter().flatten().collect();
    // With those that stand around a text, and between two.
    tokens.extend(tokenizer.special_texts().iter().filter_map(|text| tokenizer.token_id(text)));
    let mut files = embedder.files.clone();
    let (config, weights) = embedder.network()?;
    if tokens.len() < config.network.vocab_size / 2 {
        files.push((NEAR_WORDS_FILE.to_owned(), near_words(&config, &weights, &tokens)?));
    }
    Ok(files)
}

fn read(model: &InstalledModel, name: &str) -> Result<Vec<u8>, LoadError> {
    let path = model.path(name)?;
    fs::read(path).map_err(|error| LoadError::installed(model, path, error))
}

/// Reads `config.json` and the files beside it; a file may be missing, but not unreadable.
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

/// Where the smaller weights of these published ones are kept, in one form.
fn kept(model: &InstalledModel, form: &str) -> Kept {
    let path = || {
        let published = model.files.iter().find(|file| file.name == WEIGHTS)?;
        let hash = published.sha256.get(..16)?;
        Some(cache_folder()?.join("encoders").join(format!("{}-{hash}-{form}.shards", model.name)))
    };
    Kept { path: path(), what: "the smaller encoder" }
}
