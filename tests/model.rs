//! Models from the command line: what is in them, and what becomes of them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;

use support::{campanile, folder, text, tree};

const ENCODER: &str = "all-MiniLM-L6-v2";

#[test]
fn an_encoder_is_converted_and_looked_at() {
    let place = folder(&[]);
    let output = place.path().join("encoder");
    let run = campanile(&["model", "convert", ENCODER, "-o", text(&output), "--json"]);
    let summary = run.expect_code(0).json();
    assert_eq!(summary["licence"], "Apache-2.0");
    let files = tree(&output);
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(names, ["README.md", "config.json", "model-00001.safetensors", "tokenizer.json"]);
    assert!(files.values().map(Vec::len).sum::<usize>() < 14_000_000);
    assert_eq!(tree(place.path()).len(), files.len(), "nothing is left beside it");

    let inspected = campanile(&["model", "inspect", text(&output), "--json", "--tensors"]);
    let inspected = inspected.expect_code(0).json();
    assert_eq!(inspected["licence"], "Apache-2.0");
    assert_eq!(inspected["problem"], serde_json::Value::Null);
    assert_eq!(inspected["encodings"]["q4_0"]["tensors"], 38);
    assert_eq!(inspected["tensors"].as_array().unwrap().len(), 101);

    // A second time gives the same bytes; a folder in use is left alone.
    let again = place.path().join("again");
    campanile(&["model", "convert", ENCODER, "-o", text(&again)]).expect_code(0);
    assert!(tree(&again) == files);
    campanile(&["model", "convert", ENCODER, "-o", text(&again)])
        .expect_code(1)
        .says(&[text(&again), "new or empty"]);
}

#[test]
fn a_language_model_is_converted_block_for_block() {
    let place = folder(&[]);
    let output = place.path().join("model");
    let run = campanile(&["model", "convert", "smollm2-135m-instruct", "-o", text(&output)]);
    let printed = run.expect_code(0).stdout;
    assert!(printed.contains("96.6 MB as published, 96.6 MB now"), "{printed}");
    let shards = tree(&output);
    assert!(shards.values().all(|bytes| bytes.len() <= 24_000_000));
    let printed = campanile(&["model", "inspect", text(&output)]).expect_code(0).stdout;
    for part in ["llama", "134.5 million", "q4_1", "8192 tokens", "Chat template yes", "yes"] {
        assert!(printed.contains(part), "no {part:?} in:\n{printed}");
    }
}

#[test]
fn what_cannot_be_run_is_told_with_its_reason() {
    let config = r#"{"model_type": "mamba", "architectures": ["MambaForCausalLM"]}"#;
    let header = r#"{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;
    let model = folder(&[("config.json", config), ("tokenizer.json", "{}")]);
    let mut weights = (header.len() as u64).to_le_bytes().to_vec();
    weights.extend(header.as_bytes());
    weights.extend([0; 4]);
    fs::write(model.path().join("model.safetensors"), weights).unwrap();
    let inspected = campanile(&["model", "inspect", text(model.path()), "--json"]);
    let inspected = inspected.expect_code(0).json();
    assert_eq!(inspected["architecture"], "MambaForCausalLM");
    assert!(inspected["problem"].as_str().unwrap().contains("mamba"), "{inspected}");
    let output = model.path().join("out");
    campanile(&["model", "convert", text(model.path()), "-o", text(&output)])
        .expect_code(1)
        .says(&["cannot convert", "mamba"]);
    assert!(!output.exists());
    assert_eq!(tree(model.path()).len(), 3, "nothing is left behind");
}

#[test]
fn what_is_no_model_is_named() {
    let empty = folder(&[("notes.gguf", "GGML, an older format")]);
    campanile(&["model", "inspect", "nothing"]).expect_code(1).says(&["`nothing`", "model list"]);
    campanile(&["model", "inspect", text(empty.path())])
        .expect_code(1)
        .says(&["notes.gguf", "does not begin with `GGUF`"]);
    let none = folder(&[("readme.txt", "")]);
    campanile(&["model", "convert", text(none.path()), "-o", "/tmp/never-written"])
        .expect_code(1)
        .says(&["no weights", "save_pretrained"]);
}
