//! The word pieces of a corpus cut texts as the whole vocabulary does.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use campanile_model::{Tokenizer, WordPieces};
use proptest::prelude::*;
use support::{model_folder, read};

fn minilm() -> Tokenizer {
    Tokenizer::from_json(&read(&model_folder("all-MiniLM-L6-v2"), "tokenizer.json")).unwrap()
}

fn part_of(tokenizer: &Tokenizer, texts: &[&str]) -> WordPieces {
    let ids: BTreeSet<u32> =
        texts.iter().flat_map(|text| tokenizer.encode(text).unwrap()).collect();
    tokenizer.word_pieces(&ids).unwrap()
}

/// The ids' and the numbers' sequences are one and the same under other names.
fn assert_agree(tokenizer: &Tokenizer, pieces: &WordPieces, texts: &[&str]) {
    let unknown = tokenizer.token_id("[UNK]").unwrap();
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    for text in texts {
        let mut ids = tokenizer.encode(text).unwrap();
        ids.retain(|&id| id != unknown);
        let numbers = pieces.encode(text);
        assert_eq!(ids.len(), numbers.len(), "{text:?}");
        for (id, number) in ids.into_iter().zip(numbers) {
            assert_eq!(*there.entry(id).or_insert(number), number, "{text:?}");
            assert_eq!(*back.entry(number).or_insert(id), id, "{text:?}");
        }
    }
    assert_eq!(there.len(), pieces.len(), "each piece is used");
}

/// All files of a folder that are text, folders in it included.
fn texts_in(folder: &Path, texts: &mut Vec<String>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            texts_in(&path, texts);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            texts.push(text);
        }
    }
}

#[test]
fn the_sample_campus_is_cut_alike() {
    let tokenizer = minilm();
    let mut texts = Vec::new();
    texts_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/campus"), &mut texts);
    let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    assert!(lines.len() > 500, "{} lines", lines.len());
    let pieces = part_of(&tokenizer, &lines);
    assert_agree(&tokenizer, &pieces, &lines);
    // Spelling, its marks and its front coding together.
    let bytes = pieces.to_bytes();
    assert!(bytes.len() < pieces.len() * 6, "{} bytes, {} pieces", bytes.len(), pieces.len());
    assert!(WordPieces::from_bytes(&bytes).unwrap() == pieces, "the pieces come back");
}

#[test]
fn strange_texts_are_cut_alike() {
    let tokenizer = minilm();
    proptest!(|(texts in proptest::collection::vec("[a-zA-Z0-9' .,#éÀß\u{301}東 \u{200b}]{0,40}", 1..6))| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let pieces = part_of(&tokenizer, &texts);
        assert_agree(&tokenizer, &pieces, &texts);
        prop_assert!(WordPieces::from_bytes(&pieces.to_bytes()).unwrap() == pieces);
    });
}

#[test]
fn unseen_words_are_cut_into_what_there_is_or_passed_over() {
    let tokenizer = minilm();
    let pieces = part_of(&tokenizer, &["the library closes", "a librarian", "un##heard"]);
    let spelt: Vec<&str> = pieces.iter().collect();
    let cut = |text: &str| -> Vec<&str> {
        pieces.encode(text).into_iter().map(|number| spelt[number as usize]).collect()
    };
    assert_eq!(cut("The LIBRARY!"), ["the", "library"], "the mark was never seen");
    assert_eq!(cut("zebra library"), ["library"]);
    assert_eq!(cut(""), [""; 0]);
    assert_eq!(cut(&"a".repeat(101)), [""; 0]);
}

#[test]
fn damage_never_panics() {
    let tokenizer = minilm();
    let bytes = part_of(&tokenizer, &["Opening hours of the library: 9 to 17 o'clock"]).to_bytes();
    for length in 0..bytes.len() {
        assert!(WordPieces::from_bytes(&bytes[..length]).is_err(), "cut at {length}");
    }
    proptest!(|(at in 0..bytes.len(), byte: u8, text: String)| {
        let mut damaged = bytes.clone();
        damaged[at] = byte;
        if let Ok(pieces) = WordPieces::from_bytes(&damaged) {
            prop_assert!(pieces.encode(&text).iter().all(|&n| (n as usize) < pieces.len()));
        }
    });
}
