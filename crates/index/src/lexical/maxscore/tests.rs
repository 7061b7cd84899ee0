#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::*;
use crate::lexical::{Bm25Parameters, LexicalBuilder, PostingsShard, bm25_weighted};

/// Terms with the percentage of chunks that they stand in, as uneven as in texts: the first stands in nearly every chunk, the last in few.
const TERMS: [(&str, u32); 6] = [("a", 90), ("b", 70), ("c", 40), ("d", 15), ("e", 5), ("f", 2)];

/// For each chunk, how often it repeats each term.
fn chunks() -> impl Strategy<Value = Vec<[usize; TERMS.len()]>> {
    let frequencies =
        TERMS.map(|(_, percent)| prop_oneof![100 - percent => Just(0usize), percent => 1usize..6]);
    proptest::collection::vec(frequencies, 0..300)
}

struct Built {
    head: LexicalHead,
    shard: PostingsShard,
}

fn build(chunks: &[[usize; TERMS.len()]], parameters: Bm25Parameters) -> Built {
    let mut builder = LexicalBuilder::new(parameters);
    for frequencies in chunks {
        let repeated = TERMS.iter().zip(frequencies);
        builder.add_chunk(
            repeated.flat_map(|((term, _), &times)| std::iter::repeat_n((*term).to_owned(), times)),
        );
    }
    let index = builder.finish(usize::MAX);
    let head = LexicalHead::decode(&index.head).unwrap();
    let bytes = index.shards.first().cloned().unwrap_or_else(|| b"CPS1".to_vec());
    let shard = PostingsShard::decode(&bytes, head.chunk_count()).unwrap();
    Built { head, shard }
}

/// Scores every chunk to the end, and sorts all of them.
fn everything(head: &LexicalHead, lists: &[List<'_>], keep: &dyn Fn(u32) -> bool) -> Vec<Hit> {
    let mut hits: Vec<Hit> = (0..head.chunk_count()).map(|id| Hit { id, score: 0.0 }).collect();
    for list in lists {
        for posting in list.postings {
            hits[posting.chunk as usize].score += head.contribution(list.weight, *posting);
        }
    }
    hits.retain(|hit| hit.score > 0.0 && keep(hit.id));
    best_of(hits, usize::MAX)
}

fn lists(shard: &PostingsShard, weights: [f32; TERMS.len()]) -> Vec<List<'_>> {
    let mut lists: Vec<List<'_>> = TERMS
        .iter()
        .zip(weights)
        .filter_map(|((term, _), weight)| Some(List { postings: shard.get(term)?, weight }))
        .collect();
    lists.sort_by_key(|list| list.postings.len());
    lists
}

proptest! {
    #[test]
    fn the_best_are_those_of_scoring_everything(
        chunks in chunks(),
        weights in proptest::array::uniform6(0.01f32..8.0),
        limit in 0usize..40,
        divisor in 1u32..5,
        k1 in 0f32..3.0,
        b in 0f32..=1.0,
    ) {
        let built = build(&chunks, Bm25Parameters { k1, b });
        let lists = lists(&built.shard, weights);
        let keep = |chunk: u32| chunk.is_multiple_of(divisor);
        let all = everything(&built.head, &lists, &keep);
        let found = best(&built.head, &lists, limit, &keep);
        prop_assert_eq!(&found[..], &all[..limit.min(all.len())]);
    }

    #[test]
    fn a_part_of_postings_begins_where_it_should(
        chunks in proptest::collection::btree_set(0u32..500, 0..60),
        chunk in 0u32..510,
    ) {
        let postings: Vec<Posting> =
            chunks.iter().map(|&chunk| Posting { chunk, frequency: 1 }).collect();
        let expected = postings.partition_point(|posting| posting.chunk < chunk);
        prop_assert_eq!(from(&postings, chunk), &postings[expected..]);
    }
}

/// 400 chunks with a frequent term, 20 of them with a rare one.
fn rare_and_frequent() -> Built {
    let chunk = |number: usize| {
        let mut frequencies = [0; TERMS.len()];
        frequencies[0] = 1 + number % 3;
        frequencies[4] = usize::from(number.is_multiple_of(20));
        frequencies
    };
    let chunks: Vec<_> = (0..400).map(chunk).collect();
    build(&chunks, Bm25Parameters::default())
}

#[test]
fn a_frequent_term_is_looked_up_and_not_read() {
    let built = rare_and_frequent();
    let mut weights = [1.0; TERMS.len()];
    weights[0] = 0.05;
    let lists = lists(&built.shard, weights);
    let mut begun =
        Everything { scores: vec![0.0; built.head.lengths().len()], touched: Vec::new() };
    begun.add(&built.head, &lists[0], &|_| true);
    let candidates = begun.candidates(most(&lists[1..]), lists[1].postings.len(), 10).unwrap();
    // Of the rare term's twenty chunks, those that are not too long to catch up.
    assert!((10..=20).contains(&candidates.len()), "{} candidates", candidates.len());
}

#[test]
fn a_stand_in_weighs_less() {
    let built = rare_and_frequent();
    let list = built.shard.get("e").unwrap();
    let whole = bm25_weighted(&built.head, &[(list, 1.0)], 100, &|_| true);
    let half = bm25_weighted(&built.head, &[(list, 0.5)], 100, &|_| true);
    assert_eq!(whole.len(), half.len());
    for (whole, half) in whole.iter().zip(&half) {
        assert!((whole.score - 2.0 * half.score).abs() < 1e-5 * whole.score);
    }
    assert!(bm25_weighted(&built.head, &[(list, 0.0)], 100, &|_| true).is_empty());
}
