#![expect(clippy::unwrap_used)]

use proptest::prelude::{Rng, *};
use proptest::test_runner::{RngAlgorithm, TestRng};

use super::*;

fn rows() -> impl Strategy<Value = (usize, Vec<Vec<f32>>)> {
    (1usize..40).prop_flat_map(|dimension| {
        let row = proptest::collection::vec(-1f32..1.0, dimension);
        (Just(dimension), proptest::collection::vec(row, 1..40))
    })
}

fn exact_dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

proptest! {
    #[test]
    fn what_is_split_is_put_together_again(rows in 0usize..40, of_part in 1usize..9) {
        let vectors: Vec<Vec<f32>> = (0..rows).map(|row| vec![1.0, row as f32, -0.5]).collect();
        let table = VectorTable::from_f32(&vectors, 3).unwrap();
        let mut again = VectorTable::empty(3).unwrap();
        for part in table.split(of_part) {
            prop_assert!((1..=of_part).contains(&part.len()));
            again.append(&part).unwrap();
        }
        prop_assert_eq!(&again, &table);
        let other = VectorTable::from_f32([[1.0, 2.0]], 2).unwrap();
        let refused = again.append(&other).is_err() && again.take(&other, 0).is_none();
        prop_assert!(refused);
    }

    #[test]
    fn a_table_comes_back((dimension, rows) in rows()) {
        let table = VectorTable::from_f32(&rows, dimension).unwrap();
        let encoded = table.encode();
        prop_assert_eq!(encoded.len(), 12 + rows.len() * (dimension + 4));
        prop_assert_eq!(VectorTable::decode(&encoded).unwrap(), table);
    }

    #[test]
    fn search_is_a_sort_of_all_rows((dimension, rows) in rows(), limit in 0usize..50) {
        let table = VectorTable::from_f32(&rows, dimension).unwrap();
        let query = table.query(&rows[0]).unwrap();
        let keep = |row: u32| !row.is_multiple_of(3);
        let mut expected: Vec<(f32, u32)> = (0..rows.len() as u32)
            .filter(|&row| keep(row))
            .map(|row| (table.dot(&query, row).unwrap(), row))
            .collect();
        expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        expected.truncate(limit);
        let found = table.search(&rows[0], limit, &keep).unwrap();
        let found: Vec<_> = found.iter().map(|hit| (hit.score, hit.id)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        let _ = VectorTable::decode(&bytes);
        let _ = VectorTable::decode(&[b"CVT1", &bytes[..]].concat());
        let _ = VectorTable::decode(&[b"CVT1\x02\0\0\0\x03\0\0\0", &bytes[..]].concat());
    }

    #[test]
    fn a_flipped_bit_never_panics((dimension, rows) in rows(), place in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut bytes = VectorTable::from_f32(&rows, dimension).unwrap().encode();
        let at = place.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(table) = VectorTable::decode(&bytes) {
            let _ = table.search(&rows[0], 5, &|_| true);
        }
    }
}

#[test]
fn eight_bits_keep_a_cosine_to_three_decimals() {
    let rows = clustered(300, 384, 10);
    let table = VectorTable::from_f32(&rows, 384).unwrap();
    let query = table.query(&rows[0]).unwrap();
    for (number, row) in (0u32..).zip(&rows) {
        let expected = exact_dot(&rows[0], row);
        assert!((table.dot(&query, number).unwrap() - expected).abs() < 2e-3);
        assert!((table.dot_rows(0, number).unwrap() - expected).abs() < 4e-3);
    }
}

#[test]
fn the_largest_sum_fits() {
    for dimension in [1, 384, 515, 516, 1024, QueryVector::MAX_DIMENSION] {
        let row = normalised(vec![1.0; dimension]);
        let opposite: Vec<f32> = row.iter().map(|value| -value).collect();
        let table = VectorTable::from_f32([&row, &opposite], dimension).unwrap();
        let hits = table.search(&row, 2, &|_| true).unwrap();
        assert!((hits[0].score - 1.0).abs() < 1e-3, "{dimension}: {hits:?}");
        assert!((hits[1].score + 1.0).abs() < 1e-3, "{dimension}: {hits:?}");
    }
}

#[test]
fn a_foreign_value_of_minus_128_cannot_overflow() {
    for dimension in [384usize, QueryVector::MAX_DIMENSION] {
        let mut bytes = VectorTable::from_f32([vec![1f32; dimension]], dimension).unwrap().encode();
        bytes[16..].fill(0x80);
        let table = VectorTable::decode(&bytes).unwrap();
        let hits = table.search(&vec![1.0; dimension], 1, &|_| true).unwrap();
        assert!(hits[0].score < 0.0, "{hits:?}");
    }
}

#[test]
fn zero_rows_and_questions_score_zero() {
    let table = VectorTable::from_f32([[0f32, 0.0], [1.0, 0.0]], 2).unwrap();
    for question in [[0f32, 0.0], [0.0, 1.0]] {
        let hits = table.search(&question, 9, &|_| true).unwrap();
        assert_eq!(
            hits.iter().map(|hit| (hit.id, hit.score)).collect::<Vec<_>>(),
            [(0, 0.0), (1, 0.0)]
        );
    }
}

#[test]
fn wrong_vectors_are_named() {
    let short = VectorTable::from_f32([vec![1f32], vec![1.0, 2.0]], 2).unwrap_err();
    assert_eq!(short, IndexError::Dimension { expected: 2, found: 1 });
    let bad = VectorTable::from_f32([[0f32, 1.0], [f32::NAN, 0.0]], 2).unwrap_err();
    assert_eq!(bad, IndexError::NotFinite { row: 1 });
    let table = VectorTable::from_f32([[0f32, 1.0]], 2).unwrap();
    assert!(table.search(&[1.0], 1, &|_| true).is_err());
    assert!(table.search(&[f32::INFINITY, 0.0], 1, &|_| true).is_err());
    assert!(VectorTable::from_f32::<[f32; 0]>([], 0).is_err());
    assert_eq!(table.dot(&table.query(&[1.0, 0.0]).unwrap(), 1), None);
}

#[test]
fn a_cut_or_lengthened_table_is_refused() {
    let bytes = VectorTable::from_f32([[0f32, 1.0], [1.0, 0.0]], 2).unwrap().encode();
    for length in 0..bytes.len() {
        assert!(VectorTable::decode(&bytes[..length]).is_err(), "{length}");
    }
    assert!(VectorTable::decode(&[&bytes[..], &[0]].concat()).is_err());
}

#[test]
fn damage_is_named() {
    let cases: &[(&[u8], &str)] = &[
        (b"CVT1\0\0\0\0\0\0\0\0", "expected a dimension from 1 to 4096, found 0"),
        (b"CVT1\x02\0\0\0\xff\xff\xff\xff", "bytes of scales, found 0"),
        (b"CVT1\x01\0\0\0\x01\0\0\0\0\0\x80\xbf\0", "expected a scale of at least 0, found -1"),
        (
            b"CVT1\x01\0\0\0\x01\0\0\0\0\0\xc0\x7f\0",
            "expected a scale, a finite number, found infinity or none",
        ),
    ];
    for (bytes, message) in cases {
        let error = VectorTable::decode(bytes).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

proptest! {
    #[test]
    fn every_instruction_set_gives_the_same_sum(
        pairs in proptest::collection::vec((any::<i8>(), -4128i16..=4128, any::<i8>()), 0..900),
    ) {
        let narrow: Vec<i8> = pairs.iter().map(|&(narrow, _, _)| narrow).collect();
        let wide: Vec<i16> = pairs.iter().map(|&(_, wide, _)| wide).collect();
        let row: Vec<i8> = pairs.iter().map(|&(_, _, row)| row).collect();
        let sum = |left: &dyn Fn(usize) -> i32| -> i32 {
            row.iter().enumerate().map(|(place, &value)| left(place) * i32::from(value)).sum()
        };
        for isa in Isa::available() {
            prop_assert_eq!(isa.dot(&wide, &row), sum(&|place| i32::from(wide[place])), "{:?}", isa);
            prop_assert_eq!(isa.dot(&narrow, &row), sum(&|place| i32::from(narrow[place])), "{:?}", isa);
        }
    }
}

/// Random vectors of length 1 around `clusters` centres.
pub(crate) fn clustered(rows: usize, dimension: usize, clusters: usize) -> Vec<Vec<f32>> {
    let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let centres: Vec<Vec<f32>> =
        (0..clusters).map(|_| (0..dimension).map(|_| normal(&mut random)).collect()).collect();
    (0..rows)
        .map(|row| {
            let centre = &centres[row % clusters];
            normalised(centre.iter().map(|c| c + 0.7 * normal(&mut random)).collect())
        })
        .collect()
}

pub(crate) fn normalised(row: Vec<f32>) -> Vec<f32> {
    let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
    row.into_iter().map(|value| value / length).collect()
}

/// About normal: the sum of twelve uniform numbers less six.
fn normal(random: &mut TestRng) -> f32 {
    let sum: f64 = (0..12).map(|_| f64::from(random.next_u32()) / f64::from(u32::MAX)).sum();
    (sum - 6.0) as f32
}
