//! Tests what is learned against NumPy's dense solvers (tests/scripts/make_parity.py).

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use campanile_distil::{DistilError, Examples, PrincipalAxes, Ridge, learn};
use proptest::prelude::*;
use serde_json::Value;

fn fixture(part: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("fixtures/parity.json")).unwrap();
    all[part].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect()
}

fn count(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

#[test]
fn rows_are_those_of_the_dense_solution() {
    for case in fixture("ridge") {
        let (pieces, dimension) = (count(&case["pieces"]), count(&case["dimension"]));
        let mut examples = Examples::new(pieces, dimension);
        let targets = numbers(&case["targets"]);
        for (text, target) in
            case["texts"].as_array().unwrap().iter().zip(targets.chunks(dimension))
        {
            let named: Vec<u32> = numbers(text).into_iter().map(|number| number as u32).collect();
            examples.push(&named, target).unwrap();
        }
        let strength = case["strength"].as_f64().unwrap() as f32;
        let rows =
            learn(&examples, &numbers(&case["prior"]), Ridge { strength, steps: 60 }).unwrap();
        let expected = numbers(&case["rows"]);
        assert_eq!(rows.len(), expected.len());
        for (place, (found, expected)) in rows.iter().zip(&expected).enumerate() {
            assert!((found - expected).abs() < 2e-3, "{place}: {found} {expected}");
        }
    }
}

#[test]
fn axes_keep_what_the_eigenvectors_keep() {
    for case in fixture("axes") {
        let (dimension, wanted) = (count(&case["dimension"]), count(&case["count"]));
        let vectors: Vec<Vec<f32>> =
            numbers(&case["vectors"]).chunks(dimension).map(<[f32]>::to_vec).collect();
        let axes = PrincipalAxes::of(&vectors, wanted).unwrap();
        assert_eq!(axes.count(), wanted);
        let square = |v: &Vec<f32>| -> f64 {
            axes.project_from_mean(v).iter().map(|&value| f64::from(value * value)).sum()
        };
        let kept: f64 = vectors.iter().map(square).sum();
        let best = case["kept"].as_f64().unwrap();
        assert!(kept > best * 0.995 && kept < best * 1.0001, "{kept} of {best}");
        // A question's products with two passages differ by the same, from the mean or not.
        let question = axes.project(&vectors[0]);
        let dot = |v: &[f32]| -> f32 { v.iter().zip(&question).map(|(a, b)| a * b).sum() };
        let whole = dot(&axes.project(&vectors[1])) - dot(&axes.project(&vectors[2]));
        let from_mean =
            dot(&axes.project_from_mean(&vectors[1])) - dot(&axes.project_from_mean(&vectors[2]));
        assert!((whole - from_mean).abs() < 1e-3);
    }
}

proptest! {
    /// Texts that are means of rows give the rows back; pieces that no text names keep the prior.
    #[test]
    fn what_is_exact_is_found(rows in proptest::collection::vec(-1f32..1.0, 12), texts in proptest::collection::vec(proptest::collection::vec(0u32..5, 1..6), 30)) {
        let mut examples = Examples::new(6, 2);
        for text in &texts {
            let mean = [0, 1].map(|lane| text.iter().map(|&p| rows[p as usize * 2 + lane]).sum::<f32>() / text.len() as f32);
            examples.push(text, &mean).unwrap();
        }
        let learned = learn(&examples, &rows, Ridge::default()).unwrap();
        for (found, expected) in learned.iter().zip(&rows) {
            prop_assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut examples = Examples::new(2, 2);
    assert_eq!(examples.push(&[2], &[0.0; 2]), Err(DistilError::Piece { count: 2, piece: 2 }));
    assert!(examples.push(&[0], &[0.0; 3]).is_err());
    assert!(examples.push(&[0], &[0.0, f32::NAN]).is_err());
    assert!(examples.is_empty());
    examples.push(&[], &[0.0; 2]).unwrap();
    assert!(examples.is_empty(), "a text without pieces teaches nothing");
    assert!(learn(&examples, &[0.0; 3], Ridge::default()).is_err());
    let weak = Ridge { strength: 0.0, ..Ridge::default() };
    assert!(matches!(learn(&examples, &[0.0; 4], weak), Err(DistilError::Strength { .. })));
    assert_eq!(learn(&examples, &[0.5; 4], Ridge::default()).unwrap(), [0.5; 4]);
    assert!(PrincipalAxes::of(&[vec![0.0, 1.0], vec![0.0]], 1).is_err());
    assert_eq!(PrincipalAxes::of::<Vec<f32>>(&[], 3).unwrap().count(), 0);
}
