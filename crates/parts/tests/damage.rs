//! Files of parts are read back as they were written; other bytes are an error, and never a panic.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use campanile_build::parts::{PartText, TextPlace, TextRole, TextVector};
use campanile_bundle::Digest;
use campanile_corpus::metadata::Metadata;
use campanile_parts::texts::{Part, Text};
use campanile_parts::vectors::Vectors;
use campanile_parts::{Facts, PartsError, texts, vectors};
use campanile_text::Span;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

fn facts() -> Facts {
    Facts {
        set: "5e7".to_owned(),
        part: 2,
        of: 2,
        encoder: "tiny".to_owned(),
        identity: "1d".to_owned(),
        language: "en".to_owned(),
        late_interaction: true,
        passage_adapter: true,
        device: "cpu".to_owned(),
    }
}

/// Two parts' texts, of which the second has every other.
fn write(folder: &Path) -> (Part, Vec<TextVector>) {
    let place = TextPlace {
        path: "rules/fees.md".to_owned(),
        title: "Fees".to_owned(),
        headings: vec!["Fees".to_owned(), "Late".to_owned()],
        span: Span::new(3, 9),
        metadata: Some(Metadata::default()),
    };
    let text = |role, text: &str, place| PartText { role, text: text.to_owned(), place };
    let all = [
        text(TextRole::Passage, "of the first part", None),
        text(TextRole::Passage, "Fees\nFünf Euro.", Some(place)),
        text(TextRole::Window, "of the first part, too", None),
        text(TextRole::Piece, "##uro", None),
    ];
    texts::write(folder, &facts(), &all).unwrap();
    let own = |number: usize| Text { role: all[number].role, text: all[number].text.clone() };
    let path = folder.join(texts::file_name(2));
    let part = Part { path, facts: facts(), texts: vec![own(1), own(3)] };
    let vectors = vec![
        TextVector { vector: vec![0.6, -0.8], tokens: Some(vec![1, 2, 255]) },
        TextVector { vector: vec![1.0, 0.0], tokens: None },
    ];
    (part, vectors)
}

#[test]
fn parts_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let (part, given) = write(folder.path());
    assert_eq!(texts::read(&part.path).unwrap(), part);
    let path = folder.path().join(vectors::file_name(2));
    vectors::write(&part, &given, None, &path).unwrap();
    let found = vectors::read(&path).unwrap();
    assert!(found.are_of(&part, None) && found.device().is_none());
    let rows: Vec<TextVector> = found.rows.iter().map(|(_, _, vector)| vector.clone()).collect();
    assert_eq!(rows, given);
    // The same bytes each time, which is what the site's sameness rests on.
    let first = fs::read(&path).unwrap();
    vectors::write(&part, &given, None, &path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), first);

    let card = campanile_bundle::EmbeddingDevice {
        adapter: "A card".to_owned(),
        backend: "Vulkan".to_owned(),
    };
    vectors::write(&part, &given, Some(&card), &path).unwrap();
    let found = vectors::read(&path).unwrap();
    assert!(!found.are_of(&part, None) && found.are_of(&part, Some(&card)));
    assert_eq!(found.device(), Some(card));
}

/// Reads a file with every byte changed once, and cut off at many places: an error, or what was written. What it says about
/// itself may be spoilt in a way that nothing tells; that is held against the other parts later.
fn damaged<T: PartialEq>(
    path: &Path,
    read: impl Fn(&Path) -> Result<T, PartsError>,
    same: impl Fn(&T, &T) -> bool,
) {
    let whole = fs::read(path).unwrap();
    let written = read(path).unwrap();
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::write(path, &bytes).unwrap();
        if let Ok(found) = read(path) {
            assert!(same(&found, &written), "byte {place} of {}", path.display());
        }
        if place % 7 == 0 {
            fs::write(path, &whole[..place]).unwrap();
            assert!(read(path).is_err(), "cut at {place}");
        }
    }
}

#[test]
fn other_bytes_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (part, given) = write(folder.path());
    let path = folder.path().join(vectors::file_name(2));
    vectors::write(&part, &given, None, &path).unwrap();
    damaged(&path, vectors::read, |one: &Vectors, other| one.rows == other.rows);
    damaged(&part.path, texts::read, |one: &Part, other| one.texts == other.texts);
}

/// The file with another byte among its rows, and the hash of those that it has now: nothing tells but decoding it.
fn forged(whole: &[u8], data_bytes: usize, place: usize, value: u8) -> Vec<u8> {
    let (hash, mut bytes) = (Digest::of(&whole[..data_bytes]).to_string(), whole.to_vec());
    bytes[place] = value;
    let forged = Digest::of(&bytes[..data_bytes]).to_string();
    for at in (data_bytes..bytes.len() - hash.len()).rev() {
        if bytes[at..].starts_with(hash.as_bytes()) {
            bytes[at..at + hash.len()].copy_from_slice(forged.as_bytes());
        }
    }
    bytes
}

#[test]
fn wrong_pages_with_right_hashes_break_nothing_down() {
    let folder = tempfile::tempdir().unwrap();
    let (part, given) = write(folder.path());
    let path = folder.path().join(vectors::file_name(2));
    vectors::write(&part, &given, None, &path).unwrap();
    let mut refused = 0;
    for (path, is_texts) in [(&part.path, true), (&path, false)] {
        let whole = fs::read(path).unwrap();
        let data_bytes = data_bytes(path);
        for place in 0..data_bytes {
            for value in [whole[place] ^ 1 << (place % 8), 0, 0x7f, 0x80, 0xff] {
                fs::write(path, forged(&whole, data_bytes, place, value)).unwrap();
                let result =
                    if is_texts { texts::read(path).err() } else { vectors::read(path).err() };
                refused += usize::from(result.is_some());
                if let Some(PartsError::Damaged { reason, .. }) = result {
                    assert!(!reason.contains("that were written"), "{place}: the hash is right");
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

/// Up to where a file's rows go.
fn data_bytes(path: &Path) -> usize {
    let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).unwrap()).unwrap();
    let pairs = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let stated = pairs.iter().find(|pair| pair.key == "campanile.data_bytes").unwrap();
    stated.value.as_ref().unwrap().parse().unwrap()
}

#[test]
fn the_guide_tells_of_each_column_and_fact() {
    const GUIDE: &str = include_str!("../../../docs/guide/parts.md");
    const FACTS: &str = include_str!("../src/facts.rs");
    let columns = [texts::schema(), vectors::schema(384)];
    let columns = columns.iter().flat_map(|schema| schema.fields().iter());
    let names = columns.map(|field| field.name().clone());
    let stated = FACTS.lines().filter_map(|line| line.strip_prefix("/// | `")?.split('`').next());
    for name in names.chain(stated.map(str::to_owned)) {
        let name = format!("`{name}`");
        let is_row = |line: &str| line.starts_with('|') && line.contains(&name);
        assert!(GUIDE.lines().any(is_row), "{name}");
    }
}
