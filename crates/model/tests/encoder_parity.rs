//! all-MiniLM-L6-v2 against sentence-transformers, on a hundred sentences.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;

use campanile_model::quantize::{EncoderWeights, Precision, near_words};
use campanile_model::{Encoder, EncoderConfig, ModelError, Shards, TensorSource};
use support::{
    cosine, encoder, model_folder, published_weights, quantised_weights, read, site_weights, whole,
};

const SENTENCES: &str = include_str!("fixtures/sentences.txt");
const REFERENCE: &[u8] = include_bytes!("fixtures/minilm.safetensors");

fn sentences() -> Vec<&'static str> {
    SENTENCES.trim_end_matches('\n').split('\n').collect()
}

fn reference() -> Vec<Vec<f32>> {
    let vectors = Shards::new(vec![REFERENCE.to_vec()]).unwrap().read("vectors").unwrap();
    vectors.values.chunks(384).map(<[f32]>::to_vec).collect()
}

/// The cosine to the reference, sentence by sentence.
fn cosines(encoder: &Encoder) -> Vec<f64> {
    let sentences = sentences();
    let vectors = encoder.encode(&sentences).unwrap();
    let reference = reference();
    assert_eq!((vectors.len(), reference.len()), (100, 100));
    let pairs = vectors.iter().zip(&reference);
    pairs.map(|(ours, theirs)| cosine(ours, theirs)).collect()
}

fn lowest(cosines: &[f64]) -> f64 {
    cosines.iter().copied().fold(f64::INFINITY, f64::min)
}

#[test]
fn vectors_equal_the_reference() {
    let folder = model_folder("all-MiniLM-L6-v2");
    let encoder = encoder(&folder, &published_weights(&folder));
    assert_eq!(encoder.dimension(), 384);
    assert_eq!((encoder.max_tokens(), encoder.max_text_tokens()), (256, 254));
    let cosines = cosines(&encoder);
    println!("f32: lowest cosine {:.8}", lowest(&cosines));
    for (sentence, cosine) in sentences().iter().zip(&cosines) {
        assert!(*cosine >= 0.9999, "{cosine:.6} for {sentence:?}");
    }
}

#[test]
fn small_weights_stay_near_the_reference() {
    let folder = model_folder("all-MiniLM-L6-v2");
    let published = published_weights(&folder);
    // Weights, bytes at most, cosine at the mean and at the lowest.
    let int8 = quantised_weights(&folder, &published, Precision::INT8);
    let cases = [
        ("int8", int8, 24_100_000, 0.998, 0.99),
        // The lowest is a line of dots and dashes; a sentence has 0.97 and more.
        ("as a site has them", whole(site_weights()), 13_800_000, 0.985, 0.9),
    ];
    for (name, small, bytes, at_the_mean, at_the_lowest) in cases {
        let cosines = cosines(&encoder(&folder, &small));
        let mean = cosines.iter().sum::<f64>() / 100.0;
        println!(
            "{name}: {} bytes, cosine {mean:.6} at the mean, {:.6} at the lowest",
            small.len_bytes(),
            lowest(&cosines)
        );
        assert!(small.len_bytes() <= bytes, "{name}: {}", small.len_bytes());
        assert!(mean >= at_the_mean, "{name}: {mean}");
        assert!(lowest(&cosines) >= at_the_lowest, "{name}: {}", lowest(&cosines));
    }
}

#[test]
fn token_vectors_come_when_a_text_needs_them() {
    let folder = model_folder("all-MiniLM-L6-v2");
    let weights = site_weights();
    let all = whole(weights.clone());
    let EncoderWeights { network, words } = weights;
    assert_eq!(words.len(), 30);
    let exact = encoder(&folder, &all);
    let config = EncoderConfig::from_json(&read(&folder, "config.json")).unwrap();
    let sentences = sentences();
    let (near, far) = sentences.split_at(50);
    let ids = near.iter().map(|text| exact.tokenizer().encode_for_model(text, 256).unwrap());
    let tokens: BTreeSet<u32> = ids.flatten().collect();
    let near_file = near_words(&config, &all, &tokens).unwrap();
    assert!(near_file.len() < 200_000, "{}", near_file.len());
    let start = || {
        let files = network.iter().chain([&near_file]).cloned();
        encoder(&folder, &Shards::new(files.collect()).unwrap())
    };

    let ours = start();
    assert_eq!(ours.encode(near).unwrap(), exact.encode(near).unwrap());
    let mut fetched = BTreeSet::new();
    for text in far {
        let vector = match ours.encode(&[text]) {
            Err(ModelError::WordsMissing { parts }) => {
                for part in parts {
                    assert!(fetched.insert(part), "{part} is asked for once");
                    ours.add_words(part, words[part].clone()).unwrap();
                }
                ours.encode(&[text])
            }
            other => other,
        };
        assert_eq!(vector.unwrap(), exact.encode(&[text]).unwrap(), "{text}");
    }
    assert!(fetched.len() > 3, "{fetched:?}");

    // The file of another part, one that is cut short, and one beyond the table.
    let ours = start();
    let error = ours.add_words(3, words[4].clone()).unwrap_err();
    assert!(matches!(error, ModelError::MissingTensor { .. }), "{error}");
    let error = ours.add_words(3, words[3][..1000].to_vec()).unwrap_err();
    assert!(matches!(error, ModelError::Shard { .. }), "{error}");
    let error = ours.add_words(30, words[3].clone()).unwrap_err();
    assert!(matches!(error, ModelError::MissingTensor { .. }), "{error}");
    let outside = near_words(&config, &all, &BTreeSet::from([30_522])).unwrap_err();
    assert!(matches!(outside, ModelError::Tensor { .. }), "{outside}");
}

#[test]
fn a_vector_does_not_depend_on_the_texts_beside_it() {
    let folder = model_folder("all-MiniLM-L6-v2");
    let encoder = encoder(&folder, &published_weights(&folder));
    let sentences = sentences();
    let together = encoder.encode(&sentences).unwrap();
    for index in [0, 5, 49, 93, 94] {
        let alone = encoder.encode(&sentences[index..=index]).unwrap();
        assert_eq!(alone[0], together[index], "line {index}");
    }
    assert!(encoder.encode(&[]).unwrap().is_empty());
}

#[test]
fn token_counts_equal_the_reference() {
    let folder = model_folder("all-MiniLM-L6-v2");
    let encoder = encoder(&folder, &published_weights(&folder));
    let file = safetensors::SafeTensors::deserialize(REFERENCE).unwrap();
    let bytes = file.tensor("tokens").unwrap();
    let expected = bytes
        .data()
        .chunks(4)
        .map(|b| usize::try_from(i32::from_le_bytes(b.try_into().unwrap())).unwrap());
    for (sentence, expected) in sentences().iter().zip(expected) {
        let ids = encoder.tokenizer().encode_for_model(sentence, encoder.max_tokens()).unwrap();
        assert_eq!(ids.len(), expected, "{sentence:?}");
        let whole = encoder.count_tokens(sentence).unwrap() + 2;
        assert_eq!(whole.min(256), expected, "{sentence:?}");
    }
}
