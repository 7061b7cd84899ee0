//! Texts are cut before the merges as the reference cuts them.

use std::collections::BTreeMap;

use serde::Deserialize;
use tokenizers::tokenizer::{
    NormalizedString, Normalizer as _, OffsetReferential, OffsetType, PreTokenizedString,
    PreTokenizer as _,
};
use tokenizers::{NormalizerWrapper, PreTokenizerWrapper};

use super::{GgufFile, replace_text, tiny};
use crate::gguf::tokenizer::Rules;

const FIXTURE: &str = include_str!("../../../tests/fixtures/pieces.json");

#[derive(Deserialize)]
struct Case {
    text: String,
    pieces: Vec<String>,
}

fn rules(name: &str) -> Rules {
    let mut file = tiny("llama");
    replace_text(&mut file, "tokenizer.ggml.pre", name);
    Rules::of(&GgufFile::new(file.finish()).unwrap()).unwrap()
}

fn pieces(rules: Rules, text: &str) -> Vec<String> {
    let mut normalized = NormalizedString::from(text);
    let normalizer: Option<NormalizerWrapper> = serde_json::from_value(rules.normalizer()).unwrap();
    if let Some(normalizer) = normalizer {
        normalizer.normalize(&mut normalized).unwrap();
    }
    let mut cut = PreTokenizedString::from(normalized);
    let steps: PreTokenizerWrapper = serde_json::from_value(rules.pre_tokenizer()).unwrap();
    steps.pre_tokenize(&mut cut).unwrap();
    let splits = cut.get_splits(OffsetReferential::Normalized, OffsetType::Byte);
    splits.into_iter().map(|(piece, ..)| piece.to_owned()).collect()
}

#[test]
fn texts_are_cut_as_by_the_reference() {
    let fixture: BTreeMap<String, Vec<Case>> = serde_json::from_str(FIXTURE).unwrap();
    assert_eq!(fixture.len(), 4);
    for (name, cases) in fixture {
        let rules = rules(&name);
        for case in cases {
            assert_eq!(pieces(rules, &case.text), case.pieces, "{name}: {:?}", case.text);
        }
    }
}

#[test]
fn a_file_without_rules_has_the_default_ones() {
    let mut file = tiny("llama");
    file.metadata.retain(|entry| !super::contains(entry, "tokenizer.ggml.pre"));
    let file = GgufFile::new(file.finish()).unwrap();
    assert_eq!(Rules::of(&file).unwrap(), Rules::Default);
    // llama.cpp cuts punctuation off first, then words, then numbers into threes.
    let cut = pieces(Rules::Default, "It's 12345 (ok)");
    assert_eq!(cut, ["It", "'", "s", "Ġ", "123", "45", "Ġ", "(", "ok", ")"]);
}
