#![expect(clippy::unwrap_used, reason = "a test may fail")]

use super::*;
use proptest::prelude::*;

fn rows(dimension: usize) -> impl Strategy<Value = Vec<Vec<f32>>> {
    proptest::collection::vec(proptest::collection::vec(-2f32..2.0, dimension), 0..12)
}

proptest! {
    #[test]
    fn a_table_comes_back(rows in rows(6)) {
        let table = ReducedTable::from_f32(&rows, 6).unwrap();
        let bytes = table.encode();
        prop_assert_eq!(bytes.len(), 16 + rows.len() * 4);
        prop_assert_eq!(ReducedTable::decode(&bytes).unwrap(), table);
    }

    /// No row is kept worse than under the scale of its own largest value.
    #[test]
    fn rows_are_kept_to_half_a_step(rows in rows(8)) {
        let table = ReducedTable::from_f32(&rows, 8).unwrap();
        for (number, row) in rows.iter().enumerate() {
            let kept = table.mean(&[number as u32]).unwrap();
            let largest = row.iter().fold(0f32, |most, value| most.max(value.abs()));
            let error: f32 = row.iter().zip(&kept).map(|(a, b)| (a - b) * (a - b)).sum();
            // Scales are 4 % apart, and a number is at most half a step off.
            let step = largest / 7.0 * 1.05;
            prop_assert!(error <= 8.0 * step * step / 4.0 + 1e-6, "{row:?} {kept:?}");
        }
    }

    #[test]
    fn damage_is_told(rows in rows(4), cut in 0usize..100, bit in 0usize..800) {
        let bytes = ReducedTable::from_f32(&rows, 4).unwrap().encode();
        prop_assert!(ReducedTable::decode(&bytes[..cut.min(bytes.len() - 1)]).is_err());
        let mut changed = bytes.clone();
        changed[bit / 8 % bytes.len()] ^= 1 << (bit % 8);
        // Whatever it decodes to, it can be searched.
        if let Ok(table) = ReducedTable::decode(&changed) {
            let query = vec![0.5; table.dimension()];
            prop_assert!(table.search(&query, 5, &|_| true).unwrap().len() <= 5);
        }
    }
}

#[test]
fn the_nearest_rows_come_first() {
    let rows = [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [-1.0, 0.0]];
    let table = ReducedTable::from_f32(&rows, 2).unwrap();
    let hits = table.search(&[0.9, 0.1], 3, &|row| row != 2).unwrap();
    let order: Vec<u32> = hits.iter().map(|hit| hit.id).collect();
    assert_eq!(order, [0, 1, 3]);
    assert!((hits[0].score - 0.9).abs() < 0.03, "{hits:?}");
    let scores = table.scores(&[0.9, 0.1], &[1, 0, 9]).unwrap();
    assert_eq!(scores, [hits[1].score, hits[0].score, 0.0]);
}

#[test]
fn means_count_repeats_and_refuse_strangers() {
    let table = ReducedTable::from_f32(&[[7.0, 0.0], [0.0, 7.0]], 2).unwrap();
    assert_eq!(table.mean(&[0, 0, 0, 1]).unwrap(), [5.25, 1.75]);
    assert_eq!(table.mean(&[]), None);
    assert_eq!(table.mean(&[2]), None);
}

#[test]
fn odd_dimensions_and_strange_numbers_are_refused() {
    assert!(ReducedTable::from_f32(&[[0.0; 3]], 3).is_err());
    assert!(ReducedTable::from_f32(&[[0.0, f32::NAN]], 2).is_err());
    assert!(ReducedTable::from_f32(&[[0.0; 2]], 4).is_err());
    let zeros = ReducedTable::from_f32(&[[0.0; 2]], 2).unwrap();
    assert_eq!(zeros.mean(&[0]).unwrap(), [0.0, 0.0]);
}
