//! Quantised blocks are read as the gguf package reads them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use campanile_model::{Encoding, StoredTensor};
use serde::Deserialize;

const FIXTURE: &str = include_str!("fixtures/blocks.json");

#[derive(Deserialize)]
struct Case {
    encoding: Encoding,
    bytes: Vec<u8>,
    values: Vec<f32>,
}

#[test]
fn blocks_equal_the_reference() {
    let cases: Vec<Case> = serde_json::from_str(FIXTURE).unwrap();
    assert_eq!(cases.len(), 9);
    for case in cases {
        let shape = vec![2, case.values.len() / 2];
        let tensor =
            StoredTensor::new("case", shape, case.encoding, case.bytes.into(), vec![]).unwrap();
        let decoded = tensor.decode().values;
        for (place, (ours, theirs)) in decoded.iter().zip(&case.values).enumerate() {
            assert_eq!(ours.to_bits(), theirs.to_bits(), "{:?}, value {place}", case.encoding);
        }
        // A row alone is the same as that row of the whole.
        let mut row = vec![0.0; tensor.columns()];
        assert!(tensor.read_row(1, &mut row));
        assert_eq!(row, decoded[tensor.columns()..]);
        assert!(!tensor.read_row(2, &mut row));
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let cases: [(Vec<usize>, Encoding, usize, usize); 7] = [
        (vec![2, 3], Encoding::F32, 23, 0),
        (vec![2, 3], Encoding::F16, 13, 0),
        (vec![2, 31], Encoding::Q4_1, 40, 0),
        (vec![usize::MAX, 2, 32], Encoding::Q4_1, 40, 0),
        (vec![usize::MAX, usize::MAX], Encoding::F32, 0, 0),
        (vec![2, 4], Encoding::I8PerRow, 8, 1),
        (vec![2, 4], Encoding::F32, 32, 2),
    ];
    for (shape, encoding, bytes, scales) in cases {
        let result = StoredTensor::new(
            "weight",
            shape.clone(),
            encoding,
            vec![0; bytes].into(),
            vec![0.0; scales],
        );
        let error = result.err().unwrap().to_string();
        assert!(error.contains("`weight`"), "{shape:?}: {error}");
    }
}
