#![expect(clippy::unwrap_used)]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::Hit;

/// Chunks of terms from a small alphabet, so that they share many, some with two-byte letters.
fn chunks() -> impl Strategy<Value = Vec<Vec<String>>> {
    proptest::collection::vec(proptest::collection::vec("[a-cß]{1,3}", 0..20), 0..30)
}

fn build(chunks: &[Vec<String>], shard_bytes: usize) -> LexicalIndex {
    let mut builder = LexicalBuilder::new(Bm25Parameters::default());
    for chunk in chunks {
        builder.add_chunk(chunk.iter().cloned());
    }
    builder.finish(shard_bytes)
}

fn open(index: &LexicalIndex) -> (LexicalHead, Vec<PostingsShard>) {
    let head = LexicalHead::decode(&index.head).unwrap();
    let shards = index
        .shards
        .iter()
        .map(|shard| PostingsShard::decode(shard, head.chunk_count()).unwrap())
        .collect();
    (head, shards)
}

fn lists<'a>(
    head: &LexicalHead,
    shards: &'a [PostingsShard],
    terms: &[String],
) -> Vec<&'a [Posting]> {
    terms.iter().filter_map(|term| shards[head.shard_of(term)?].get(term)).collect()
}

/// BM25 as its definition reads, in f64, chunk by chunk.
fn naive(chunks: &[Vec<String>], terms: &[String]) -> BTreeMap<u32, f64> {
    let Bm25Parameters { k1, b } = Bm25Parameters::default();
    let (k1, b) = (f64::from(k1), f64::from(b));
    let total: usize = chunks.iter().map(Vec::len).sum();
    let average = (total as f64 / chunks.len() as f64).max(1.0);
    let mut scores = BTreeMap::new();
    for (number, chunk) in (0u32..).zip(chunks) {
        for term in terms {
            let frequency = chunk.iter().filter(|other| *other == term).count() as f64;
            let containing = chunks.iter().filter(|chunk| chunk.contains(term)).count() as f64;
            let weight = (1.0 + (chunks.len() as f64 - containing + 0.5) / (containing + 0.5)).ln();
            let length = k1 * (1.0 - b + b * chunk.len() as f64 / average);
            if frequency > 0.0 {
                *scores.entry(number).or_default() +=
                    weight * frequency * (k1 + 1.0) / (frequency + length);
            }
        }
    }
    scores
}

proptest! {
    #[test]
    fn chosen_chunks_have_the_scores_they_are_ranked_by(
        chunks in chunks(),
        terms in proptest::collection::vec("[a-cß]{1,3}", 0..6),
    ) {
        let (head, shards) = open(&build(&chunks, 60));
        let lists = lists(&head, &shards, &terms);
        let hits = bm25(&head, &lists, usize::MAX, &|_| true);
        let lists: Vec<_> = lists.into_iter().map(|list| (list, 1.0)).collect();
        // One number too many: there is no such chunk.
        let all: Vec<u32> = (0..=head.chunk_count()).collect();
        let scores = bm25_of(&head, &lists, &all);
        for (chunk, score) in (0u32..).zip(&scores) {
            let ranked = hits.iter().find(|hit| hit.chunk == chunk).map_or(0.0, |hit| hit.score);
            prop_assert_eq!(*score, ranked);
        }
        let highest = highest_bm25(&head, &lists);
        prop_assert!(scores.iter().all(|score| *score <= highest));
    }

    #[test]
    fn every_term_comes_back_with_its_postings(chunks in chunks(), shard_bytes in 1usize..200) {
        let index = build(&chunks, shard_bytes);
        let (head, shards) = open(&index);
        prop_assert_eq!(head.chunk_count() as usize, chunks.len());
        prop_assert_eq!(head.shard_count(), shards.len());
        let mut expected: BTreeMap<&str, BTreeMap<u32, u32>> = BTreeMap::new();
        for (number, chunk) in (0u32..).zip(&chunks) {
            for term in chunk {
                *expected.entry(term).or_default().entry(number).or_default() += 1;
            }
        }
        let terms: Vec<&str> = shards.iter().flat_map(PostingsShard::terms).collect();
        prop_assert_eq!(terms, expected.keys().copied().collect::<Vec<_>>());
        for (term, list) in expected {
            let found = shards[head.shard_of(term).unwrap()].get(term).unwrap();
            let found: BTreeMap<u32, u32> =
                found.iter().map(|posting| (posting.chunk, posting.frequency)).collect();
            prop_assert_eq!(found, list);
        }
    }

    #[test]
    fn scores_equal_the_definition(
        chunks in chunks(),
        terms in proptest::collection::vec("[a-cß]{1,2}", 1..5),
    ) {
        let (head, shards) = open(&build(&chunks, 64));
        let hits = bm25(&head, &lists(&head, &shards, &terms), usize::MAX, &|_| true);
        let expected = naive(&chunks, &terms);
        prop_assert_eq!(hits.len(), expected.len());
        for hit in &hits {
            let score = expected[&hit.chunk];
            prop_assert!((f64::from(hit.score) - score).abs() < 1e-4 * score.max(1.0));
        }
        let rightly_ordered = |pair: &[Hit]| {
            pair[0].score > pair[1].score
                || pair[0].score == pair[1].score && pair[0].chunk < pair[1].chunk
        };
        prop_assert!(hits.windows(2).all(rightly_ordered));
    }

    #[test]
    fn a_limit_keeps_the_best(chunks in chunks(), limit in 0usize..10) {
        let (head, shards) = open(&build(&chunks, 64));
        let terms = ["a".to_owned(), "b".to_owned()];
        let lists = lists(&head, &shards, &terms);
        let all = bm25(&head, &lists, usize::MAX, &|_| true);
        let some = bm25(&head, &lists, limit, &|_| true);
        prop_assert_eq!(&some[..], &all[..limit.min(all.len())]);
    }

    #[test]
    fn shards_of_a_beginning_hold_all_terms_with_it(
        chunks in chunks(),
        shard_bytes in 1usize..60,
        beginning in "[a-cß]{0,3}",
    ) {
        let (head, shards) = open(&build(&chunks, shard_bytes));
        let range = head.shards_of_beginning(&beginning);
        let begins = |shard: &PostingsShard| shard.terms().any(|term| term.starts_with(&beginning));
        for (number, shard) in shards.iter().enumerate() {
            prop_assert!(range.contains(&number) || !begins(shard), "shard {number} of {range:?}");
        }
        // Only the outermost may hold none: what begins a shard is known, what ends it is not.
        prop_assert!(range.clone().skip(1).all(|number| begins(&shards[number])));
    }

    #[test]
    fn the_same_chunks_give_the_same_bytes(chunks in chunks()) {
        prop_assert_eq!(build(&chunks, 64), build(&chunks, 64));
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = LexicalHead::decode(&bytes);
        let _ = LexicalHead::decode(&[b"CLH1", &bytes[..]].concat());
        let _ = PostingsShard::decode(&bytes, 10);
        let _ = PostingsShard::decode(&[b"CPS1", &bytes[..]].concat(), 10);
    }

    #[test]
    fn a_flipped_bit_never_panics(chunks in chunks(), place in any::<prop::sample::Index>(), bit in 0u8..8) {
        let index = build(&chunks, 64);
        let mut head = index.head.clone();
        let at = place.index(head.len());
        head[at] ^= 1 << bit;
        let head = LexicalHead::decode(&head)
            .unwrap_or_else(|_| LexicalHead::decode(&index.head).unwrap());
        for shard in &index.shards {
            let mut shard = shard.clone();
            let at = place.index(shard.len());
            shard[at] ^= 1 << bit;
            if let Ok(shard) = PostingsShard::decode(&shard, head.chunk_count()) {
                let lists: Vec<_> = shard.terms().filter_map(|term| shard.get(term)).collect();
                bm25(&head, &lists, 10, &|_| true);
            }
        }
    }
}

#[test]
fn a_cut_file_is_refused() {
    let index = build(&[vec!["exam".to_owned(), "hall".to_owned()], vec!["exam".to_owned()]], 999);
    for length in 0..index.head.len() {
        assert!(LexicalHead::decode(&index.head[..length]).is_err(), "head of {length}");
    }
    let shard = &index.shards[0];
    let whole_terms = (0..shard.len())
        .filter(|&length| PostingsShard::decode(&shard[..length], 2).is_ok())
        .count();
    // A shard cut exactly between two terms is a shorter shard: the bundle's hash catches that.
    assert_eq!(whole_terms, 2);
}

#[test]
fn damage_is_named() {
    let cases: &[(&[u8], &str)] = &[
        (b"CPS2", "byte 0: expected the letters `CPS1`, found `CPS2`"),
        (b"CPS1\x01\x01a\x01\x01", "byte 5: expected a shared length of at most 0, found 1"),
        (b"CPS1\x00\x01\xff\x01\x01", "expected a term in UTF-8"),
        (b"CPS1\x00\x00\x01\x01", "expected a term behind ``, found ``"),
        (b"CPS1\x00\x01a\x7f\x01", "expected the number of postings of at most 1, found 127"),
        (b"CPS1\x00\x01a\x01\x05", "expected a chunk below 2, found 0 + 2"),
        (b"CPS1\x00\x01b\x01\x01\x00\x01a\x01\x01", "expected a term behind `b`, found `a`"),
    ];
    for (bytes, message) in cases {
        let error = PostingsShard::decode(bytes, 2).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_short_separator_divides_shards() {
    let chunk = ["examination", "examiner", "zoology"].map(String::from);
    let (head, shards) = open(&build(&[chunk.to_vec()], 1));
    assert_eq!(shards.len(), 3);
    assert_eq!(head.shard_of("examination"), Some(0));
    assert_eq!(head.shard_of("examine"), Some(1));
    assert_eq!(head.shard_of("examiner"), Some(1));
    assert_eq!(head.shard_of("zebra"), Some(2));
    assert_eq!(shards[1].get("examine"), None);
}

#[test]
fn an_empty_index_answers_nothing() {
    let (head, shards) = open(&build(&[], 100));
    assert!(shards.is_empty());
    assert_eq!(head.shard_of("exam"), None);
    assert!(bm25::<Vec<Posting>>(&head, &[], 10, &|_| true).is_empty());
    let stray = vec![Posting { chunk: 7, frequency: 1 }];
    assert!(bm25(&head, &[stray], 10, &|_| true).is_empty());
}
