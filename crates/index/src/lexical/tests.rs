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
            let ranked = hits.iter().find(|hit| hit.id == chunk).map_or(0.0, |hit| hit.score);
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
            let score = expected[&hit.id];
            prop_assert!((f64::from(hit.score) - score).abs() < 1e-4 * score.max(1.0));
        }
        let rightly_ordered = |pair: &[Hit]| {
            pair[0].score > pair[1].score
                || pair[0].score == pair[1].score && pair[0].id < pair[1].id
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

/// Chunks of terms, each in a field.
fn fielded() -> impl Strategy<Value = Vec<Vec<(String, Field)>>> {
    let field = prop_oneof![Just(Field::Title), Just(Field::Headings), Just(Field::Body)];
    proptest::collection::vec(proptest::collection::vec(("[ab]{1,2}", field), 0..20), 0..20)
}

fn build_fielded(chunks: &[Vec<(String, Field)>], weights: FieldWeights) -> LexicalIndex {
    let mut builder = LexicalBuilder::new(Bm25Parameters::default()).with_fields(weights);
    for chunk in chunks {
        builder.add_chunk_with_fields(chunk.iter().cloned());
    }
    builder.finish(64)
}

fn ranked(index: &LexicalIndex, terms: &[String]) -> Vec<(u32, f32)> {
    let (head, shards) = open(index);
    let hits = bm25(&head, &lists(&head, &shards, terms), usize::MAX, &|_| true);
    let highest = highest_bm25(&head, &[(vec![Posting { chunk: 0, frequency: 1 }], 1.0)]);
    hits.iter().map(|hit| (hit.id, hit.score / highest)).collect()
}

proptest! {
    /// A whole weight is so many repetitions; 0 is none.
    #[test]
    fn a_weight_of_two_is_a_title_that_stands_there_twice(
        chunks in fielded(),
        title in 0u32..4,
        headings in 0u32..4,
    ) {
        let weights = FieldWeights::new(title as f32, headings as f32).unwrap();
        let repeated: Vec<Vec<String>> = chunks
            .iter()
            .map(|chunk| {
                chunk.iter().flat_map(|(term, field)| {
                    let count = match field {
                        Field::Title => title,
                        Field::Headings => headings,
                        Field::Body => 1,
                    };
                    std::iter::repeat_n(term.clone(), count as usize)
                }).collect()
            })
            .collect();
        prop_assert_eq!(build_fielded(&chunks, weights), build(&repeated, 64));
    }

    /// Halves rank as whole weights do in an index where all is said twice.
    #[test]
    fn halves_are_counted_without_rounding(chunks in fielded(), title in 0u32..6) {
        // An even number of words each, so that no length is rounded.
        let even: Vec<Vec<(String, Field)>> =
            chunks.iter().map(|chunk| [&chunk[..], &chunk[..]].concat()).collect();
        let halves = build_fielded(&even, FieldWeights::new(title as f32 / 2.0, 1.0).unwrap());
        let (head, shards) = open(&halves);
        let unit = if title % 2 == 0 { 1 } else { 2 };
        prop_assert_eq!(head.parameters().k1, Bm25Parameters::default().k1 * unit as f32);
        for (number, chunk) in (0u32..).zip(&even) {
            let length: u32 = chunk.iter().map(|(_, field)| match field {
                Field::Title => title,
                Field::Headings | Field::Body => 2,
            }).sum();
            prop_assert_eq!(u32::from(head.lengths()[number as usize]), length / 2);
            for (term, _) in chunk {
                let frequency: u32 = chunk.iter().filter(|(other, _)| other == term).map(|(_, field)| {
                    match field {
                        Field::Title => title * unit / 2,
                        Field::Headings | Field::Body => unit,
                    }
                }).sum();
                let list = shards.iter().find_map(|shard| shard.get(term)).unwrap_or_default();
                let found = list.iter().find(|posting| posting.chunk == number);
                prop_assert_eq!(found.map_or(0, |posting| posting.frequency), frequency);
            }
        }
    }

    /// The unit in which an index counts changes no score but by one factor for all.
    #[test]
    fn the_unit_changes_no_ranking(chunks in fielded()) {
        let bodies: Vec<Vec<(String, Field)>> = chunks
            .iter()
            .map(|chunk| chunk.iter().map(|(term, _)| (term.clone(), Field::Body)).collect())
            .collect();
        let terms = ["a", "b", "ab"].map(str::to_owned);
        let whole = ranked(&build_fielded(&bodies, FieldWeights::default()), &terms);
        // No word stands in a title, and yet the index counts in quarters.
        let quarters = ranked(&build_fielded(&bodies, FieldWeights::new(1.25, 1.0).unwrap()), &terms);
        prop_assert_eq!(whole.len(), quarters.len());
        let scores = |ranked: &[(u32, f32)]| {
            ranked.iter().copied().collect::<BTreeMap<u32, f32>>()
        };
        for ((chunk, left), (other, right)) in scores(&whole).into_iter().zip(scores(&quarters)) {
            prop_assert_eq!(chunk, other);
            prop_assert!((left - right).abs() < 1e-5, "{left} {right}");
        }
    }
}

#[test]
fn a_word_of_a_title_counts_more() {
    let body =
        |words: &[&str]| words.iter().map(|word| ((*word).to_owned(), Field::Body)).collect();
    let mut of_title: Vec<(String, Field)> = body(&["fee", "key", "pay"]);
    of_title.push(("locker".to_owned(), Field::Title));
    let of_body: Vec<(String, Field)> = body(&["fee", "key", "pay", "locker"]);
    let chunks = [of_body, of_title, body(&["hall", "exam", "seat", "desk"])];
    let terms = ["locker".to_owned()];
    let best = |title| {
        ranked(&build_fielded(&chunks, FieldWeights::new(title, 1.0).unwrap()), &terms)[0].0
    };
    assert_eq!(best(1.0), 0, "alike: the first comes first");
    assert_eq!(best(1.5), 1);
    assert_eq!(best(2.0), 1);
    assert_eq!(best(0.5), 0);
    let without = ranked(&build_fielded(&chunks, FieldWeights::new(0.0, 1.0).unwrap()), &terms);
    assert_eq!(without.len(), 1, "a field without weight is not searched");
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
