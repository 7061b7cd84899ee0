//! Every kind of encoder and classifier against transformers, on small random networks.
//!
//! `fixtures/make_encoders.py` says what the folders hold.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use campanile_model::quantize::{
    Calibration, EncoderWeights, Precision, SHARD_BYTES, Storage, near_words,
};
use campanile_model::{
    ClassifierConfig, Encoder, EncoderConfig, ModelError, SequenceClassifier, Shards, TokenRows,
    TokenVectors, Tokenizer,
};
use serde::Deserialize;

/// The largest difference to a computation in double precision.
const TOLERANCE: f32 = 1e-4;

#[derive(Deserialize)]
struct ExpectedTexts {
    texts: Vec<ExpectedText>,
}

#[derive(Deserialize)]
struct ExpectedText {
    query: bool,
    text: String,
    ids: Vec<u32>,
    vector: Vec<f32>,
    tokens: Option<Vec<f32>>,
}

#[derive(Deserialize)]
struct ExpectedPairs {
    pairs: Vec<ExpectedPair>,
}

#[derive(Deserialize)]
struct ExpectedPair {
    first: String,
    second: String,
    ids: Vec<u32>,
    segments: Vec<u32>,
    logits: Vec<f32>,
}

/// A model of the fixtures, whose parts a test may change before it is put together.
struct Model {
    config: serde_json::Value,
    tokenizer: Tokenizer,
    weights: Shards,
    expected: Vec<u8>,
}

impl Model {
    fn read(name: &str) -> Self {
        let folder =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/encoders").join(name);
        let read = |file: &str| std::fs::read(folder.join(file)).unwrap();
        Self {
            config: serde_json::from_slice(&read("config.json")).unwrap(),
            tokenizer: Tokenizer::from_json(&read("tokenizer.json")).unwrap(),
            weights: Shards::new(vec![read("model.safetensors")]).unwrap(),
            expected: read("expected.json"),
        }
    }

    fn with(mut self, field: &str, value: impl Into<serde_json::Value>) -> Self {
        self.config[field] = value.into();
        self
    }

    fn encoder(&self) -> Result<Encoder, ModelError> {
        let config = EncoderConfig::from_json(self.config.to_string().as_bytes())?;
        Encoder::load(&config, self.tokenizer.clone(), &self.weights)
    }

    fn classifier(&self) -> Result<SequenceClassifier, ModelError> {
        let config = ClassifierConfig::from_json(self.config.to_string().as_bytes())?;
        SequenceClassifier::load(&config, self.tokenizer.clone(), &self.weights)
    }

    fn encoder_error(&self) -> String {
        self.encoder().err().map(|e| e.to_string()).unwrap()
    }
}

fn assert_near(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let difference = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    println!("{what:.60}: largest difference {difference:.2e}");
    assert!(difference <= TOLERANCE, "{difference} for {what}");
}

fn encoder_equals_reference(name: &str) {
    let model = Model::read(name);
    let encoder = model.encoder().unwrap();
    let expected: ExpectedTexts = serde_json::from_slice(&model.expected).unwrap();
    let (queries, plain): (Vec<_>, Vec<_>) = expected.texts.iter().partition(|text| text.query);
    let texts = |expected: &[&ExpectedText]| -> Vec<String> {
        expected.iter().map(|text| text.text.clone()).collect()
    };
    let texts = [texts(&plain), texts(&queries)];
    let [plain_texts, query_texts] =
        texts.each_ref().map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>());
    let tokens = encoder.token_vectors(&plain_texts).unwrap();
    let vectors = encoder.encode(&plain_texts).unwrap();
    for ((expected, tokens), vector) in plain.iter().zip(&tokens).zip(&vectors) {
        assert_eq!(tokens.ids, expected.ids, "{:?}", expected.text);
        assert_near(vector, &expected.vector, &expected.text);
        assert_eq!(&encoder.pool(tokens), vector);
        if let Some(expected) = &expected.tokens {
            assert_near(&tokens.vectors, expected, "token vectors");
        }
    }
    let passages = encoder.encode_passages(&plain_texts).unwrap();
    let copied = |rows: TokenRows<'_>| TokenVectors {
        ids: rows.ids.to_vec(),
        vectors: rows.vectors.to_vec(),
    };
    let both = encoder.encode_passages_and(&plain_texts, copied).unwrap();
    for ((vector, tokens), passage) in both.iter().zip(&passages) {
        assert_eq!((vector, &encoder.pool(tokens)), (passage, passage));
    }
    for (expected, vector) in queries.iter().zip(encoder.encode_queries(&query_texts).unwrap()) {
        assert_near(&vector, &expected.vector, &format!("query {}", expected.text));
        let (again, tokens) = encoder.encode_query(&expected.text).unwrap();
        assert_eq!((&again, &encoder.pool(&tokens)), (&vector, &vector));
        assert_eq!(tokens.ids, expected.ids);
    }
}

fn classifier_equals_reference(name: &str, labels: &[&str]) {
    let model = Model::read(name);
    let classifier = model.classifier().unwrap();
    assert_eq!(classifier.labels(), labels);
    let expected: ExpectedPairs = serde_json::from_slice(&model.expected).unwrap();
    let pairs: Vec<(&str, &str)> =
        expected.pairs.iter().map(|pair| (pair.first.as_str(), pair.second.as_str())).collect();
    let logits = classifier.logits(&pairs).unwrap();
    assert_eq!(logits.len(), pairs.len());
    for (expected, logits) in expected.pairs.iter().zip(logits) {
        let (first, second) = (&expected.first, &expected.second);
        let sequence =
            classifier.tokenizer().pair_sequence(first, second, classifier.max_tokens()).unwrap();
        assert_eq!(sequence.ids(), expected.ids, "{first:?} {second:?}");
        assert_eq!(sequence.segments(), expected.segments, "{first:?} {second:?}");
        assert_near(&logits, &expected.logits, &format!("{first} / {second}"));
    }
}

#[test]
fn bert_with_the_first_tokens_vector_and_prefixes() {
    encoder_equals_reference("bert-cls");
}

#[test]
fn xlm_roberta_with_the_mean_and_a_unigram_tokenizer() {
    encoder_equals_reference("xlm-roberta-mean");
}

#[test]
fn bert_judges_pairs_with_segments() {
    classifier_equals_reference("bert-classifier", &["LABEL_0"]);
}

#[test]
fn roberta_judges_pairs_without_segments() {
    classifier_equals_reference("roberta-classifier", &["contradiction", "entailment", "neutral"]);
}

#[test]
fn a_vector_is_the_same_bits_whatever_stands_beside_its_text() {
    let encoder = Model::read("bert-cls").encoder().unwrap();
    let texts: Vec<String> =
        (0..300).map(|n| "The library opens. ".repeat(n % 7) + &n.to_string()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = encoder.encode(&texts).unwrap();
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&encoder.encode(&[text]).unwrap()[0], vector, "{text:?}");
    }
}

#[test]
fn room_for_text_leaves_out_special_tokens_and_the_longer_prefix() {
    let encoder = Model::read("bert-cls").encoder().unwrap();
    let prefix = encoder.count_tokens("query: ").unwrap();
    assert!(prefix > 0);
    assert_eq!(encoder.max_tokens(), 40);
    assert_eq!(encoder.max_text_tokens(), 40 - 2 - prefix);
}

#[test]
fn what_does_not_fit_is_named() {
    let with = |field, value: i64| Model::read("bert-cls").with(field, value).encoder_error();
    let message = with("num_hidden_layers", 3);
    assert!(message.contains("encoder.layer.2.attention.self.query.weight"), "{message}");
    let message = with("intermediate_size", 96);
    assert!(message.contains("intermediate.dense.weight"), "{message}");
    let message = with("max_position_embeddings", 47);
    assert!(message.contains("position_embeddings"), "{message}");
    let message = with("type_vocab_size", 1);
    assert!(message.contains("token_type_embeddings"), "{message}");
    let message = with("vocab_size", 100);
    assert!(message.contains("tokenizer.json") && message.contains("100"), "{message}");
    let message = with("max_seq_length", 3);
    assert!(message.contains("max_tokens"), "{message}");
    let message = with("num_attention_heads", 5);
    assert!(message.contains("num_attention_heads"), "{message}");
    let message = Model::read("bert-cls").with("model_type", "distilbert").encoder_error();
    assert!(message.contains("distilbert"), "{message}");
    let message = Model::read("bert-cls").with("hidden_act", "silu").encoder_error();
    assert!(message.contains("silu"), "{message}");
    let message = Model::read("bert-cls").with("position_embedding_type", "relative_key");
    assert!(message.encoder_error().contains("relative_key"));
}

#[test]
fn a_tokenizer_of_another_model_is_named() {
    // RoBERTa's tokenizer knows more tokens than the network has vectors.
    let mut model = Model::read("bert-cls");
    model.tokenizer = Model::read("roberta-classifier").tokenizer;
    let message = model.encoder_error();
    assert!(message.contains("tokenizer.json"), "{message}");
    // A pair's second text is segment 1, which a network without segments has no vector for.
    let mut model = Model::read("roberta-classifier");
    model.tokenizer = Model::read("bert-classifier").tokenizer;
    let classifier = model.classifier().unwrap();
    let message = classifier.logits(&[("one", "two")]).err().map(|e| e.to_string()).unwrap();
    assert!(message.contains("segment 1"), "{message}");
}

#[test]
fn labels_must_fit_the_weights_and_be_numbered_without_a_gap() {
    let model = Model::read("bert-classifier");
    let labels = |json: &str| -> String {
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        let mut model = Model::read("bert-classifier");
        model.config["id2label"] = value;
        model.classifier().err().map(|e| e.to_string()).unwrap()
    };
    assert!(model.classifier().is_ok());
    assert!(labels(r#"{"0": "no", "1": "yes"}"#).contains("`classifier.weight`"));
    assert!(labels(r#"{"0": "no", "2": "yes"}"#).contains("id2label"));
    assert!(labels("{}").contains("id2label"));
}

mod foreign {
    use proptest::prelude::*;

    use super::{ClassifierConfig, Encoder, EncoderConfig, Model, SequenceClassifier};

    proptest! {
        #[test]
        fn damaged_configurations_never_panic(at in 0usize..600, byte: u8) {
            let model = Model::read("bert-classifier");
            let mut json = model.config.to_string().into_bytes();
            let at = at % json.len();
            json[at] = byte;
            if let Ok(config) = EncoderConfig::from_json(&json) {
                let _ = Encoder::load(&config, model.tokenizer.clone(), &model.weights)
                    .map(|encoder| encoder.encode(&["a text"]));
            }
            if let Ok(config) = ClassifierConfig::from_json(&json) {
                let _ = SequenceClassifier::load(&config, model.tokenizer, &model.weights)
                    .map(|classifier| classifier.logits(&[("a", "text")]));
            }
        }

        #[test]
        fn any_texts_have_results(first: String, second: String) {
            let encoder = Model::read("xlm-roberta-mean").encoder().unwrap();
            let vector = &encoder.encode(&[&first]).unwrap()[0];
            prop_assert!(vector.iter().all(|value| value.is_finite()));
            for name in ["bert-classifier", "roberta-classifier"] {
                let classifier = Model::read(name).classifier().unwrap();
                let logits = classifier.logits(&[(&first, &second)]).unwrap();
                prop_assert!(logits[0].iter().all(|value| value.is_finite()));
            }
        }
    }
}

/// Networks whose rows are no whole blocks, or so small that nothing is gained, stay as they are; their table of token
/// vectors comes in parts like any other.
#[test]
fn small_networks_are_written_as_they_are() {
    for name in ["bert-cls", "xlm-roberta-mean"] {
        let model = Model::read(name);
        let config = EncoderConfig::from_json(model.config.to_string().as_bytes()).unwrap();
        let calibration = Calibration::of(&config, &model.tokenizer, &model.weights).unwrap();
        let precision = Precision { embeddings: Storage::Unchanged, ..Precision::INT4_ENCODER };
        let made = EncoderWeights::quantised(
            &config, &model.weights, &calibration, precision, SHARD_BYTES,
        );
        let EncoderWeights { network, words } = made.unwrap();
        let all = Shards::new([network.clone(), words.clone()].concat()).unwrap();
        let load = |weights: &Shards| Encoder::load(&config, model.tokenizer.clone(), weights);
        let texts = ["the fee is due", "exams and lockers"];
        let exact = model.encoder().unwrap().encode(&texts).unwrap();
        assert_eq!(load(&all).unwrap().encode(&texts).unwrap(), exact, "{name}");

        let near = near_words(&config, &all, &BTreeSet::new()).unwrap();
        let parted = load(&Shards::new([network, vec![near]].concat()).unwrap()).unwrap();
        let error = parted.encode(&texts).unwrap_err();
        assert!(matches!(&error, ModelError::WordsMissing { parts } if *parts == [0]), "{error}");
        parted.add_words(0, words[0].clone()).unwrap();
        assert_eq!(parted.encode(&texts).unwrap(), exact, "{name}");
    }
}
