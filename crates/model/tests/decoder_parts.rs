//! A decoder whose matrices are dealt out to several workers gives the same bits as one.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/made_up.rs"]
mod made_up;

use campanile_model::quantize::{Precision, write_shards};
use campanile_model::{
    CpuDecoder, Decoder, DecoderConfig, Helpers, ModelError, Part, Rows, RowsLoader, Shards,
    TensorSource,
};
use futures_lite::future::block_on;
use made_up::MadeUp;
use serde_json::Value;

const FIXTURE: &str = include_str!("fixtures/decoder_random.json");

/// Beside the room for a header, so little that matrices are cut.
const SHARD_BYTES: usize = 64 * 1024 + 2048;

const PRECISIONS: [Precision; 3] = [Precision::UNCHANGED, Precision::INT8, Precision::INT4];

/// Helpers who work when they are waited for.
struct InTurn {
    parts: Vec<Rows>,
    product: usize,
    input: Vec<f32>,
}

impl Helpers for InTurn {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn begin(&mut self, product: usize, input: &[f32]) -> Result<(), ModelError> {
        (self.product, self.input) = (product, input.to_vec());
        Ok(())
    }

    fn end(&mut self, number: usize, output: &mut [f32]) -> Result<(), ModelError> {
        let part = &mut self.parts[number - 1];
        assert_eq!(part.output_length(self.product, self.input.len())?, output.len());
        let (most_in, most_out) = part.most_values();
        assert!(self.input.len() <= most_in && output.len() <= most_out);
        part.multiply(self.product, &self.input, output)
    }
}

fn files(config: &DecoderConfig, precision: Precision) -> Vec<Vec<u8>> {
    let weights = MadeUp(config);
    write_shards(&weights, &weights.names(), precision, SHARD_BYTES).unwrap()
}

/// Loads a part as files arrive.
fn rows(config: &DecoderConfig, files: &[Vec<u8>], part: Part) -> Rows {
    let mut loader = RowsLoader::new(config, part).unwrap();
    let mut shards = Shards::default();
    for (number, file) in files.iter().enumerate() {
        shards.add(&number.to_string(), file.clone()).unwrap();
        loader.take(&mut shards).unwrap();
    }
    assert_eq!(shards.len_bytes(), 0, "every file is given up");
    loader.finish().unwrap()
}

fn in_parts(config: &DecoderConfig, files: &[Vec<u8>], of: usize) -> Decoder {
    let parts = (1..of).map(|number| rows(config, files, Part { number, of })).collect();
    let helpers = InTurn { parts, product: 0, input: Vec::new() };
    let weights = Shards::new(files.to_vec()).unwrap();
    let backend = CpuDecoder::with_helpers(config, &weights, Box::new(helpers)).unwrap();
    Decoder::with_backend(config, made_up::tokenizer(config.vocab_size), Box::new(backend)).unwrap()
}

fn bits(decoder: &mut Decoder, tokens: &[u32]) -> Vec<u32> {
    let logits = block_on(decoder.logits_after(tokens)).unwrap();
    logits.into_iter().map(f32::to_bits).collect()
}

#[test]
fn two_and_three_parts_give_the_bits_of_one() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    // Two blocks of a prompt, and tokens that follow one by one.
    let tokens: Vec<u32> = (0..80).map(|place| place * 7 % 64).collect();
    for case in fixture["cases"].as_array().unwrap() {
        let config = DecoderConfig::from_json(case["config"].to_string().as_bytes()).unwrap();
        for precision in PRECISIONS {
            let files = files(&config, precision);
            let weights = Shards::new(files.clone()).unwrap();
            let tokenizer = made_up::tokenizer(config.vocab_size);
            let mut whole = Decoder::load(&config, tokenizer, &weights).unwrap();
            let mut parts = [2, 3].map(|of| in_parts(&config, &files, of));
            for length in 77..=tokens.len() {
                let expected = bits(&mut whole, &tokens[..length]);
                for decoder in &mut parts {
                    let found = bits(decoder, &tokens[..length]);
                    assert_eq!(found, expected, "{}, {precision:?}", case["name"]);
                }
            }
        }
    }
}

#[test]
fn a_matrix_that_does_not_arrive_is_named() {
    let config = made_up::llama();
    let mut files = files(&config, Precision::INT8);
    files.remove(0);
    let mut loader = RowsLoader::new(&config, Part { number: 1, of: 2 }).unwrap();
    let mut shards = Shards::new(files).unwrap();
    loader.take(&mut shards).unwrap();
    let error = loader.finish().err().unwrap();
    assert!(matches!(error, ModelError::MissingTensor { .. }), "{error}");
}
