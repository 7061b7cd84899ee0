#![expect(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::{Bm25Parameters, LexicalBuilder, VectorTable};

fn site(chunks: &[&str], vectors: &[[f32; 8]]) -> Sketch {
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    for chunk in chunks {
        lexical.add_chunk(chunk.split_whitespace().map(str::to_owned));
    }
    let vectors = VectorTable::from_f32(vectors, 8).unwrap();
    sketch(&lexical, Some(&vectors)).unwrap()
}

fn towards(axis: usize) -> [f32; 8] {
    let mut vector = [-0.1; 8];
    vector[axis] = 0.9;
    vector
}

#[test]
fn a_sketch_counts_chunks_and_not_words() {
    let sketch = site(&["exam exam date", "exam fee", "library"], &[]);
    assert_eq!(sketch.chunk_count(), 3);
    assert_eq!(sketch.terms().collect::<Vec<_>>(), ["date", "exam", "fee", "library"]);
    assert_eq!(["exam", "fee", "tutor"].map(|term| sketch.chunks_with(term)), [2, 1, 0]);
    assert_eq!(sketch.nearness(&towards(0)), None);
}

#[test]
fn a_question_is_for_the_site_that_speaks_of_it() {
    let physics = site(&["laser safety", "exam date"], &[towards(0), towards(1)]);
    let law = site(&["moot court", "exam date"], &[towards(2), towards(1)]);
    let arts = site(&["kiln rota", "exam date"], &[towards(3), towards(1)]);
    let cases: [(&[&str], Option<usize>, Option<usize>); 5] = [
        (&["laser"], None, Some(0)),
        (&["kiln", "date"], None, Some(2)),
        (&[], Some(2), Some(1)),
        (&["moot"], Some(2), Some(1)),
        (&["exam"], Some(1), None),
    ];
    for (terms, axis, expected) in cases {
        let terms: Vec<String> = terms.iter().map(|&term| term.to_owned()).collect();
        let sites = [&physics, &law, &arts].map(|sketch| Candidate { sketch, terms: &terms });
        let found = beliefs(&sites, axis.map(towards).as_ref().map(|vector| &vector[..]));
        assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{found:?}");
        let most = found.iter().copied().fold(0.0, f32::max);
        match expected {
            Some(expected) => assert_eq!(found[expected], most, "{terms:?}: {found:?}"),
            None => assert!(found.iter().all(|belief| (belief - 1.0 / 3.0).abs() < 1e-6)),
        }
    }
}

proptest! {
    #[test]
    fn it_comes_back_as_it_was(
        chunks in proptest::collection::vec("[a-zäß]{1,6}( [a-zäß]{1,6}){0,5}", 1..12),
        axes in proptest::collection::vec(0usize..8, 0..12),
    ) {
        let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
        let vectors: Vec<[f32; 8]> = axes.into_iter().map(towards).collect();
        let sketch = site(&chunks, &vectors);
        let bytes = sketch.encode();
        prop_assert_eq!(&Sketch::decode(&bytes).unwrap(), &sketch);
        for end in 0..bytes.len() {
            // A cut between two centroids leaves a whole sketch, of fewer.
            if let Ok(cut) = Sketch::decode(&bytes[..end]) {
                prop_assert_eq!(cut.encode(), &bytes[..end]);
            }
        }
    }

    #[test]
    fn no_bytes_are_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let all = [&MAGIC[..], &bytes].concat();
        if let Ok(sketch) = Sketch::decode(&all) {
            prop_assert_eq!(sketch.encode(), all);
        }
    }
}

#[test]
fn damage_is_named() {
    let cases: [(&[u8], &str); 5] = [
        (b"CSK2", "expected the letters `CSK1`"),
        (b"CSK1\x01\x01\x01\x01a\x01\x00", "whole letters of the term before"),
        (b"CSK1\x01\x01\x00\x01a\x02\x00", "1 to 1 chunks"),
        (b"CSK1\x01\x02\x00\x01b\x01\x00\x01a\x01\x00", "a term behind the one before it"),
        (b"CSK1\x01\x01\x00\x01a\x01\x00\x07", "the end"),
    ];
    for (bytes, expected) in cases {
        let error = Sketch::decode(bytes).unwrap_err().to_string();
        assert!(error.contains("sketch") && error.contains(expected), "{error}");
    }
}
