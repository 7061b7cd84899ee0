#![expect(clippy::unwrap_used)]

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::vectors::tests::{clustered, normalised};

const DIMENSION: usize = 64;

/// 2,000 rows in 40 clusters; built once for all tests.
static ROWS: LazyLock<Vec<Vec<f32>>> = LazyLock::new(|| clustered(2000, DIMENSION, 40));
static TABLE: LazyLock<Arc<VectorTable>> = LazyLock::new(|| table(&ROWS));
static GRAPH: LazyLock<Graph> = LazyLock::new(|| Graph::build(&TABLE, 7).unwrap());

fn table(rows: &[Vec<f32>]) -> Arc<VectorTable> {
    Arc::new(VectorTable::from_f32(rows, DIMENSION).unwrap())
}

/// A question between two rows of the same cluster, so near it but on none.
fn question(number: usize) -> Vec<f32> {
    let (left, right) = (&ROWS[number], &ROWS[(number + 40) % ROWS.len()]);
    normalised(left.iter().zip(right).map(|(left, right)| left + right).collect())
}

#[test]
fn nineteen_of_twenty_nearest_are_found() {
    let questions = 300;
    let found: usize = (0..questions)
        .map(|number| {
            let question = question(number);
            let exact = TABLE.search(&question, 10, &|_| true).unwrap();
            let near = GRAPH.search(&question, 10, &|_| true).unwrap();
            near.iter().filter(|hit| exact.contains(hit)).count()
        })
        .sum();
    let recall = found as f32 / (10 * questions) as f32;
    assert!(recall >= 0.95, "recall@10 {recall}");
}

/// A filtered search finds what a comparison with every kept row finds, whether little, half or nearly all
/// is kept, but for the few that the walk itself misses.
#[test]
fn a_filter_finds_the_nearest_of_what_it_keeps() {
    for (of, kept) in [(100, 1), (10, 1), (2, 1), (10, 9), (100, 99)] {
        let keep = |row: u32| row % of < kept;
        let (questions, limit) = (60, 10);
        let found: usize = (0..questions)
            .map(|number| {
                let question = question(number);
                let exact = TABLE.search(&question, limit, &keep).unwrap();
                let near = GRAPH.search(&question, limit, &keep).unwrap();
                assert!(near.iter().all(|hit| keep(hit.id)));
                assert_eq!(near.len(), limit);
                near.iter().filter(|hit| exact.contains(hit)).count()
            })
            .sum();
        let recall = found as f32 / (limit * questions) as f32;
        assert!(recall >= 0.95, "{kept} of {of}: recall@10 {recall}");
    }
}

/// A filter that leaves the walk too little to choose from is as good as a scan.
#[test]
fn a_narrow_filter_is_exact() {
    for number in 0..20 {
        let question = question(number);
        let keep = |row: u32| row % 40 == 3;
        let exact = TABLE.search(&question, 80, &keep).unwrap();
        assert_eq!(GRAPH.search(&question, 80, &keep).unwrap(), exact);
    }
}

#[test]
fn the_same_rows_and_seed_give_the_same_bytes() {
    let again = Graph::build(&TABLE, 7).unwrap();
    assert_eq!(GRAPH.encode().unwrap(), again.encode().unwrap());
    let other = Graph::build(&TABLE, 8).unwrap();
    assert_ne!(GRAPH.encode().unwrap(), other.encode().unwrap());
}

#[test]
fn a_decoded_graph_finds_the_same() {
    let encoded = GRAPH.encode().unwrap();
    let decoded = Graph::decode(&encoded, Arc::clone(&TABLE)).unwrap();
    assert_eq!(decoded.encode().unwrap(), encoded);
    for number in 0..50 {
        let question = question(number);
        assert_eq!(
            GRAPH.search(&question, 20, &|_| true).unwrap(),
            decoded.search(&question, 20, &|_| true).unwrap()
        );
    }
}

#[test]
fn the_encoded_graph_holds_no_vectors() {
    let bytes_a_row = GRAPH.encode().unwrap().len() / ROWS.len();
    assert!(bytes_a_row < DIMENSION, "{bytes_a_row} bytes a row");
}

#[test]
fn small_graphs_find_every_row() {
    for rows in [0, 1, 2, 31, 33, 99] {
        let table = table(&ROWS[..rows]);
        let graph = Graph::build(&table, 1).unwrap();
        let graph = Graph::decode(&graph.encode().unwrap(), Arc::clone(&table)).unwrap();
        let hits = graph.search(&question(0), 1000, &|_| true).unwrap();
        assert_eq!(hits, table.search(&question(0), 1000, &|_| true).unwrap(), "{rows} rows");
    }
}

#[test]
fn equal_rows_are_no_trouble() {
    let table = table(&vec![ROWS[0].clone(); 300]);
    let graph = Graph::build(&table, 1).unwrap();
    assert_eq!(graph.search(&ROWS[0], 10, &|_| true).unwrap().len(), 10);
}

#[test]
fn a_graph_over_another_table_is_refused() {
    let encoded = GRAPH.encode().unwrap();
    let error = Graph::decode(&encoded, table(&ROWS[..10])).unwrap_err();
    assert!(
        error.to_string().contains("expected 10 rows, as in the vector table, found 2000"),
        "{error}"
    );
}

#[test]
fn a_question_of_another_length_is_refused() {
    assert_eq!(
        GRAPH.search(&[1.0], 10, &|_| true).unwrap_err(),
        IndexError::Dimension { expected: DIMENSION, found: 1 }
    );
}

#[test]
fn damage_is_named() {
    let two = table(&ROWS[..2]);
    let cases: &[(&[u8], &str)] = &[
        (b"CGR1\x02\x00\x00", "expected a row below 2 not named before, found 0"),
        (b"CGR1\x02\x00\x05", "expected a row below 2 not named before, found 5"),
        (b"CGR1\x02\x00\x01\x01\x03\x00\x00", "expected a layer of 1 to 2 points, found 3"),
        (b"CGR1\x02\x00\x01\x01\x00\x00\x00", "expected a layer of 1 to 2 points, found 0"),
        (b"CGR1\x02\x00\x01\x00\x01\x02\x00", "expected a neighbour below 2, found 0 + 2"),
        (b"CGR1\x02\x00\x01\x01\x01\x00\x00\x01\x01", "expected a neighbour below 1, found 0 + 1"),
        (b"CGR1\x02\x00\x01\x00\x01\x01", "byte 10"),
        (b"CGR1\x02\x00\x01\x00\x00\x00\x00", "expected the end, found 1 more bytes"),
    ];
    for (bytes, message) in cases {
        let error = Graph::decode(bytes, Arc::clone(&two)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Walks a damaged graph that passed the checks: any hits will do, a panic will not.
fn walk(bytes: &[u8], table: &Arc<VectorTable>) {
    if let Ok(graph) = Graph::decode(bytes, Arc::clone(table)) {
        for number in 0..5 {
            assert!(graph.search(&question(number), 10, &|_| true).unwrap().len() <= 10);
        }
    }
}

static SMALL: LazyLock<(Arc<VectorTable>, Vec<u8>)> = LazyLock::new(|| {
    let table = table(&ROWS[..150]);
    let encoded = Graph::build(&table, 3).unwrap().encode().unwrap();
    (table, encoded)
});

#[test]
fn a_cut_graph_is_refused() {
    let (table, encoded) = &*SMALL;
    for length in 0..encoded.len() {
        assert!(Graph::decode(&encoded[..length], Arc::clone(table)).is_err(), "{length}");
    }
}

proptest! {
    #[test]
    fn flipped_bits_never_panic(flips in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..4)) {
        let (table, encoded) = &*SMALL;
        let mut bytes = encoded.clone();
        for (place, bit) in flips {
            let at = place.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        walk(&bytes, table);
    }

    #[test]
    fn any_bytes_are_refused_or_walked(bytes in proptest::collection::vec(0u8..4, 0..40)) {
        let three = table(&ROWS[..3]);
        walk(&[b"CGR1\x03\x00\x01\x02", &bytes[..]].concat(), &three);
    }
}
