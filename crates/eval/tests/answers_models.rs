//! The metrics that ask a model, over small models with made-up weights.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../model/tests/support/made_up.rs"]
mod made_up;

use std::path::PathBuf;

use campanile_eval::answers::{
    Embed, TokenWeights, bert_score_of, perplexity, sentence_similarity,
};
use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};
use futures_lite::future::block_on;

fn encoder() -> Encoder {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../model/tests/fixtures/encoders/xlm-roberta-mean");
    let read = |file: &str| std::fs::read(folder.join(file)).unwrap();
    let config = EncoderConfig::from_json(&read("config.json")).unwrap();
    let tokenizer = Tokenizer::from_json(&read("tokenizer.json")).unwrap();
    Encoder::load(&config, tokenizer, &Shards::new(vec![read("model.safetensors")]).unwrap())
        .unwrap()
}

#[test]
fn an_encoder_embeds_texts_and_their_pieces() {
    let encoder = encoder();
    let text = "when is the library open";
    let pieces = Embed::tokens(&encoder, text).unwrap();
    assert_eq!(pieces.len(), encoder.count_tokens(text).unwrap());
    let ids: Vec<u32> = pieces.iter().map(|piece| piece.token).collect();
    assert_eq!(ids, encoder.tokenizer().encode(text).unwrap());
    assert!(pieces.iter().all(|piece| piece.vector.len() == encoder.dimension()));
    assert!(Embed::tokens(&encoder, "").unwrap().is_empty());
    assert_eq!(Embed::sentences(&encoder, &[text]).unwrap(), encoder.encode(&[text]).unwrap());

    let golds = ["the fee", text];
    let similarity = sentence_similarity(text, &golds, &encoder).unwrap().unwrap();
    assert!((similarity - 1.0).abs() < 1e-6, "{similarity}");
    let same = bert_score_of(text, &golds, &encoder, TokenWeights::Equal).unwrap();
    assert!((same.f1 - 1.0).abs() < 1e-6, "{same:?}");
    let other = bert_score_of("the fee", &golds[1..], &encoder, TokenWeights::Equal).unwrap();
    assert!(other.f1 < 1.0 - 1e-3, "{other:?}");
}

#[test]
fn a_decoder_says_how_likely_an_answer_is() {
    let (prompt, answer) = ([1, 2], [3, 5, 6]);
    let text = |ids: &[usize]| {
        let words: Vec<String> = ids.iter().map(|&id| made_up::word(id)).collect();
        words.join(" ")
    };
    let mut decoder = made_up::decoder(&made_up::llama());
    let found = perplexity(&mut decoder, &text(&prompt), &text(&answer)).unwrap().unwrap();
    let ids = |ids: &[usize]| ids.iter().map(|&id| id as u32).collect::<Vec<_>>();
    let logs = block_on(decoder.log_probabilities(&ids(&prompt), &ids(&answer))).unwrap();
    assert_eq!(found.tokens, 3);
    let mean = -logs.iter().sum::<f64>() / 3.0;
    assert!((found.mean_negative_log_likelihood - mean).abs() < 1e-12);
    assert_eq!(perplexity(&mut decoder, &text(&prompt), "").unwrap(), None);

    // This model has no token that begins a text, so there must be a prompt.
    assert!(perplexity(&mut decoder, "", &text(&answer)).is_err());
    let mut config = made_up::llama();
    config.bos_token_id = Some(1);
    let mut beginning = made_up::decoder(&config);
    let found = perplexity(&mut beginning, "", &text(&answer)).unwrap().unwrap();
    assert_eq!(found.tokens, 3);
}
