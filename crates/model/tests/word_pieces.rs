//! Our own word pieces against the `tokenizers` crate, token for token.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::fmt::Write as _;

use campanile_model::Tokenizer;
use campanile_unicode::Form::Nfd;
use campanile_unicode::normalized;
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{model_folder, read};
use tokenizers::utils::truncation::{TruncationParams, truncate_encodings};

/// Letters of scripts so new that the crate's table does not yet take their accents off. They
/// are in no published vocabulary.
const NEWER: [char; 21] = [
    '\u{105c9}', '\u{105e4}', '\u{11383}', '\u{11385}', '\u{1138e}', '\u{11391}', '\u{113c5}',
    '\u{113c7}', '\u{113c8}', '\u{11938}', '\u{16121}', '\u{16122}', '\u{16123}', '\u{16124}',
    '\u{16125}', '\u{16126}', '\u{16127}', '\u{16128}', '\u{16d68}', '\u{16d69}', '\u{16d6a}',
];

/// One file, read by both.
struct Both {
    ours: Tokenizer,
    theirs: tokenizers::Tokenizer,
    /// `true` if accents are stripped, for which the text is decomposed and its marks are put in order.
    strips_accents: bool,
}

impl Both {
    fn new(file: &Value) -> Self {
        let bytes = serde_json::to_vec(file).unwrap();
        let mut theirs = tokenizers::Tokenizer::from_bytes(&bytes).unwrap();
        theirs.with_truncation(None).unwrap().with_padding(None);
        let strips_accents = file["normalizer"]["lowercase"] == true;
        Self { ours: Tokenizer::from_json(&bytes).unwrap(), theirs, strips_accents }
    }

    /// Fails where the two disagree on a text, read alone.
    fn check(&self, text: &str) {
        let theirs = self.theirs.encode_fast(text, false).unwrap();
        assert_eq!(self.ours.encode(text).unwrap(), theirs.get_ids(), "{text:?}");
        self.check_spans(text);
    }

    /// Fails where the two say of a token that it is made of other bytes.
    ///
    /// Marks that normalisation puts in another order are beyond both: ours takes the mark that
    /// stood at its place, theirs that of its new neighbour. There only the tokens are compared.
    fn check_spans(&self, text: &str) {
        let theirs = self.theirs.encode(text, false).unwrap();
        let (ids, spans): (Vec<u32>, Vec<_>) =
            self.ours.encode_spans(text).unwrap().into_iter().unzip();
        assert_eq!(ids, theirs.get_ids(), "{text:?}");
        if self.strips_accents && reorders(text) {
            for span in spans {
                assert!(text.get(span).is_some_and(|made_of| !made_of.is_empty()), "{text:?}");
            }
            return;
        }
        let theirs = theirs.get_offsets().iter().map(|&(start, end)| start..end);
        assert_eq!(spans, theirs.collect::<Vec<_>>(), "{text:?}");
    }

    /// Fails where the two disagree on a pair cut to `limit` tokens.
    fn check_pair(&self, first: &str, second: &str, limit: usize) {
        // Cut after all tokens are made. Given the limit beforehand, the crate stops making tokens
        // near it, and so can take two long texts for equally long ones.
        let limits = TruncationParams {
            max_length: limit - self.ours.pair_special_tokens(),
            ..TruncationParams::default()
        };
        let mut encoded = self.theirs.encode_fast(second, false).unwrap();
        encoded.set_type_ids(vec![1; encoded.len()]);
        let first_encoded = self.theirs.encode_fast(first, false).unwrap();
        let (cut, cut_second) = truncate_encodings(first_encoded, Some(encoded), &limits).unwrap();
        let theirs = self.theirs.post_process(cut, cut_second, true).unwrap();
        let ours = self.ours.pair_sequence(first, second, limit).unwrap();
        assert_eq!(ours.ids(), theirs.get_ids(), "{first:?} {second:?}");
        assert_eq!(ours.segments(), theirs.get_type_ids(), "{first:?} {second:?}");
    }
}

/// Returns `true` if the decomposed text is another than that of its characters one by one.
fn reorders(text: &str) -> bool {
    let one_by_one: String =
        text.chars().map(|character| normalized(character.encode_utf8(&mut [0; 4]), Nfd)).collect();
    normalized(text, Nfd) != one_by_one
}

fn minilm() -> Both {
    Both::new(
        &serde_json::from_slice(&read(&model_folder("all-MiniLM-L6-v2"), "tokenizer.json"))
            .unwrap(),
    )
}

/// A tokenizer for which each of the characters is a piece, within a word and at its start.
fn characters(planes: &[char], lowercase: bool) -> Both {
    let mut vocabulary = serde_json::Map::new();
    for token in ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] {
        vocabulary.insert(token.to_owned(), vocabulary.len().into());
    }
    for character in planes {
        for piece in [character.to_string(), format!("##{character}")] {
            let id = vocabulary.len();
            vocabulary.entry(piece).or_insert(id.into());
        }
    }
    Both::new(&json!({
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": lowercase
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary
        }
    }))
}

#[test]
fn every_piece_is_written_by_its_id() {
    let Both { ours, theirs, .. } = minilm();
    let expected: Vec<String> =
        (0..ours.vocabulary_size()).map(|id| theirs.id_to_token(id as u32).unwrap()).collect();
    assert_eq!(ours.pieces(), expected);
}

#[test]
fn every_character_of_five_planes_is_cleaned_and_cut_alike() {
    let planes = [0..0x4_0000u32, 0xE_0000..0xE_1000];
    let mut planes: Vec<char> = planes.into_iter().flatten().filter_map(char::from_u32).collect();
    planes.retain(|&character| !NEWER.contains(&character));
    for lowercase in [true, false] {
        let both = characters(&planes, lowercase);
        for chunk in planes.chunks(64) {
            let mut text = String::new();
            for character in chunk {
                write!(text, " a{character}b {character}").unwrap();
            }
            both.check(&text);
        }
    }
}

#[test]
fn marks_in_a_row_are_cut_alike() {
    let marks: Vec<char> =
        (0x300..0x370).chain(0x5b0..0x5c0).chain(0x64b..0x660).filter_map(char::from_u32).collect();
    let both = characters(&marks, false);
    for first in &marks {
        for second in &marks {
            both.check(&format!("{first}{second}{first}"));
        }
    }
}

/// Marks with a place in the order of marks that are kept where accents are stripped: spacing ones
/// (category Mc) of four classes, a note that is decomposed into one, and accents between them.
#[test]
fn marks_in_a_row_are_ordered_alike() {
    let marks = "\u{302e}\u{1b44}\u{1d165}\u{1d16d}\u{1d15e}\u{dca}\u{301}\u{323}a";
    let marks: Vec<char> = marks.chars().collect();
    let kept: Vec<char> = marks.iter().copied().chain(['\u{1d157}', '\u{1d158}']).collect();
    for lowercase in [true, false] {
        let both = characters(&kept, lowercase);
        for first in &marks {
            for second in &marks {
                both.check(&format!("{first}{second}"));
                for third in &marks {
                    both.check(&format!("a{first}{second}{third}"));
                }
            }
        }
    }
    minilm().check("\u{1d15e}\u{dca}");
}

#[test]
fn the_published_vocabulary_cuts_alike() {
    let both = minilm();
    for text in include_str!("fixtures/sentences.txt").lines() {
        both.check(text);
        both.check(&text.to_uppercase());
    }
    let texts = ["", " ", "[CLS] a [MASK]b[SEP", "[[PAD]]", &"x".repeat(101), &"x".repeat(100)];
    for text in texts {
        both.check(text);
    }
    assert_eq!(both.ours.vocabulary_size(), both.theirs.get_vocab_size(true));
    for token in ["[CLS]", "the", "##ing", "absent", "##", ""] {
        assert_eq!(both.ours.token_id(token), both.theirs.token_to_id(token), "{token:?}");
    }
    let ids = both.ours.sequence("It's nine o'clock, isn't it?  Don't ask !", 40).unwrap();
    assert_eq!(both.ours.decode(ids.ids()).unwrap(), both.theirs.decode(ids.ids(), true).unwrap());
}

#[test]
fn pairs_are_cut_alike() {
    let both = [minilm(), characters(&('a'..='z').collect::<Vec<_>>(), true)];
    for both in both {
        for first in [0, 1, 3, 4, 9, 30] {
            for second in [0, 1, 3, 4, 9, 30] {
                for limit in 4..14 {
                    both.check_pair(&"a ".repeat(first), &"b ".repeat(second), limit);
                }
            }
        }
    }
}

#[test]
fn other_kinds_are_read_too() {
    for name in ["xlm-roberta-mean", "roberta-classifier"] {
        let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let file = read(&folder.join("tests/fixtures/encoders").join(name), "tokenizer.json");
        let both = Both::new(&serde_json::from_slice(&file).unwrap());
        both.check("Größe & Länge: 12,5 cm – naïve café, 東京 🎓!");
    }
}

#[test]
fn any_text_is_cut_alike() {
    let both = minilm();
    let texts = prop_oneof![
        any::<String>(),
        "[a-zA-Z' .,\\[\\]#éÀ\u{301}東 \u{200b}]{0,40}",
        "(\\[CLS\\]|\\[SEP\\]|\\[|a| |##){0,20}",
    ];
    proptest!(|(first in texts.clone(), second in texts)| {
        both.check(&first);
        both.check_pair(&first, &second, 24);
    });
}

#[test]
fn damaged_files_never_panic() {
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = read(&folder.join("tests/fixtures/encoders/bert-cls"), "tokenizer.json");
    proptest!(|(at in 0..file.len(), byte: u8)| {
        let mut damaged = file.clone();
        damaged[at] = byte;
        if let Ok(tokenizer) = Tokenizer::from_json(&damaged) {
            let sequence = tokenizer.pair_sequence("A [CLS] naïve text", "and another", 9).unwrap();
            prop_assert_eq!(sequence.ids().len(), sequence.segments().len());
            tokenizer.decode(sequence.ids()).unwrap();
        }
    });
}
