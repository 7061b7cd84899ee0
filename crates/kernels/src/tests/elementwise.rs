//! Norms, activations, softmax, rotary embedding.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::{Numbers, fingerprint};
use crate::elementwise::loops;
use crate::vector::vectorised;
use crate::*;

/// Applies everything in turn to values of many sizes.
fn everything(isa: Isa, len: usize) -> Vec<f32> {
    let mut numbers = Numbers::new(len as u64);
    let mut spread = |len: usize| -> Vec<f32> {
        (0..len).map(|i| numbers.next() * 2f32.powi(i as i32 % 12 - 6)).collect()
    };
    let (scale, shift, other) = (spread(len), spread(len), spread(3 * len));
    let mut all = Vec::new();
    let mut keep = |values: &[f32]| all.extend_from_slice(values);
    let mut on = |body: fn(Isa, &mut [f32])| {
        let mut values = spread(3 * len);
        body(isa, &mut values);
        keep(&values);
    };
    on(|isa, values| vectorised(isa, loops::gelu, values));
    on(|isa, values| vectorised(isa, loops::gelu_tanh, values));
    on(|isa, values| vectorised(isa, loops::relu, values));
    on(|isa, values| vectorised(isa, loops::tanh, values));
    on(|isa, values| vectorised(isa, loops::softmax, values));
    let mut values = other.clone();
    vectorised(isa, loops::layer_norm, (&mut values, &scale, &shift, 1e-5));
    keep(&values);
    vectorised(isa, loops::rms_norm, (&other, &scale, 1e-5, &mut values));
    keep(&values);
    vectorised(isa, loops::silu_product, (&mut values, &other));
    keep(&values);
    vectorised(isa, loops::add, (&mut values, &other));
    vectorised(isa, loops::add_bias, (&mut values, &shift));
    let halves = &other[..3 * (len / 2)];
    vectorised(isa, loops::rotate_halves, (&mut values, 1, len, halves, halves));
    keep(&values);
    all
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    for len in (1..70).chain([384, 576, 1000]) {
        let expected = everything(Isa::Scalar, len);
        for isa in Isa::available() {
            let found = everything(isa, len);
            let same = found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same, "{isa:?} {len}");
        }
    }
}

#[test]
fn every_target_gives_the_same_bits() {
    assert_eq!(fingerprint(&everything(Isa::best(), 389)), 14_829_341_620_607_366_368);
}

fn close(found: &[f32], expected: impl IntoIterator<Item = f64>, tolerance: f64) {
    let mut count = 0;
    for (found, expected) in found.iter().zip(expected) {
        let error = (f64::from(*found) - expected).abs();
        assert!(error <= tolerance * expected.abs().max(1.0), "{found} {expected}");
        count += 1;
    }
    assert_eq!(count, found.len());
}

/// Points of -12 to 12, closer around zero.
fn points() -> Vec<f32> {
    (-1000..=1000).map(|i| i as f32 / 1000.0).map(|t| 12.0 * t * t * t.signum()).collect()
}

/// The error function's integral, by Simpson's rule.
fn erf(x: f64) -> f64 {
    let steps = 400;
    let width = x / f64::from(steps);
    let density = |t: f64| 2.0 / std::f64::consts::PI.sqrt() * (-t * t).exp();
    let inner: f64 = (1..steps)
        .map(|i| if i % 2 == 0 { 2.0 } else { 4.0 } * density(f64::from(i) * width))
        .sum();
    (density(0.0) + inner + density(x)) * width / 3.0
}

fn activated(kernel: fn(&mut [f32]), exact: impl Fn(f64) -> f64, tolerance: f64) {
    let mut values = points();
    kernel(&mut values);
    close(&values, points().into_iter().map(|x| exact(f64::from(x))), tolerance);
}

#[test]
fn activations_follow_their_definitions() {
    activated(gelu, |x| x / 2.0 * (1.0 + erf(x / 2f64.sqrt())), 1e-6);
    let cube = |x: f64| (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
    activated(gelu_tanh, |x| x / 2.0 * (1.0 + cube(x).tanh()), 5e-7);
    activated(tanh, f64::tanh, 3e-7);
    activated(relu, |x| x.max(0.0), 0.0);
    let silu = |values: &mut [f32]| silu_product(values, &vec![0.5; values.len()]);
    activated(silu, |x| 0.5 * x / (1.0 + (-x).exp()), 5e-7);
}

#[test]
fn products_are_added_in_the_order_of_the_rows() {
    for columns in [1, 2, 7, 33, 100] {
        for rows in [0, 1, 7, 8, 9, 16, 41] {
            let rows = Numbers::new((columns * 50 + rows) as u64).vector(rows * columns);
            let mut expected = vec![0.25; columns * columns];
            for row in rows.chunks_exact(columns) {
                for (line, sums) in expected.chunks_exact_mut(columns).enumerate() {
                    for column in line..columns {
                        sums[column] += row[line] * row[column];
                    }
                }
            }
            // However the lines are shared out.
            for (isa, at_once) in Isa::available().into_iter().flat_map(|isa| [(isa, 1), (isa, 5)])
            {
                let mut found = vec![0.25; columns * columns];
                for (part, lines) in found.chunks_mut(columns * at_once).enumerate() {
                    vectorised(isa, loops::add_products, (lines, part * at_once, &rows, columns));
                }
                let same = found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{isa:?} {columns} {at_once}");
            }
        }
    }
}

#[test]
fn scaled_sums_and_products_have_the_same_bits_everywhere() {
    for len in [0, 1, 7, 8, 9, 64, 1000] {
        let mut numbers = Numbers::new(len as u64);
        let (target, other) = (numbers.vector(len), numbers.vector(len));
        let expected = target.iter().zip(&other).map(|(t, o)| f64::from(t + -0.3 * o));
        let wide = |values: &[f32]| values.iter().map(|v| f64::from(*v)).collect::<Vec<_>>();
        let (a, b) = (wide(&target), wide(&other));
        let sum: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        let scalar = vectorised(Isa::Scalar, loops::dot64, (&a, &b));
        assert!((scalar - sum).abs() < 1e-9, "{len}: {scalar} {sum}");
        for isa in Isa::available() {
            let mut found = target.clone();
            vectorised(isa, loops::add_scaled, (&mut found, -0.3, &other));
            close(&found, expected.clone(), 0.0);
            let found = vectorised(isa, loops::dot64, (&a, &b));
            assert_eq!(found.to_bits(), scalar.to_bits(), "{isa:?} {len}");
        }
    }
}

#[test]
fn the_exponential_holds_over_its_range() {
    for step in -8700..=8830 {
        let x = step as f32 / 100.0;
        let exact = f64::from(x).exp();
        let error = (f64::from(crate::functions::exp(x)) / exact - 1.0).abs();
        assert!(error < 2e-7, "exp({x}) is off by {error:e}");
    }
    assert!(crate::functions::exp(f32::NAN).is_nan());
    assert!(crate::functions::exp(f32::NEG_INFINITY) < 1.3e-38);
}

#[test]
fn norms_follow_their_definitions() {
    for count in [1, 7, 64, 100] {
        let mut numbers = Numbers::new(count as u64);
        let (values, scale, shift) =
            (numbers.vector(3 * count), numbers.vector(count), numbers.vector(count));
        let wide = |slice: &[f32]| slice.iter().map(|v| f64::from(*v)).collect::<Vec<_>>();
        let (scale64, shift64) = (wide(&scale), wide(&shift));
        let mut layer = values.clone();
        layer_norm(&mut layer, &scale, &shift, 1e-5);
        let mut rms = vec![0.0; values.len()];
        rms_norm(&values, &scale, 1e-5, &mut rms);
        for (row, found) in values.chunks_exact(count).map(wide).zip(layer.chunks_exact(count)) {
            let mean = row.iter().sum::<f64>() / count as f64;
            let variance = row.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count as f64;
            let normal = row.iter().map(|v| (v - mean) / (variance + 1e-5).sqrt());
            close(found, normal.zip(&scale64).zip(&shift64).map(|((v, a), b)| v * a + b), 2e-6);
        }
        for (row, found) in values.chunks_exact(count).map(wide).zip(rms.chunks_exact(count)) {
            let mean = row.iter().map(|v| v * v).sum::<f64>() / count as f64;
            close(found, row.iter().zip(&scale64).map(|(v, a)| v / (mean + 1e-5).sqrt() * a), 2e-6);
        }
    }
}

#[test]
fn softmax_sums_to_one() {
    let values = Numbers::new(3).vector(77);
    let mut found = values.clone();
    softmax(&mut found);
    let total: f64 = values.iter().map(|v| f64::from(*v).exp()).sum();
    close(&found, values.iter().map(|v| f64::from(*v).exp() / total), 1e-7);
    softmax(&mut []);
}

#[test]
fn halves_are_rotated() {
    let mut values = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let (cosines, sines) = ([1.0, 0.0], [0.0, 1.0]);
    rotate_halves(&mut values, 2, 4, &cosines, &sines);
    assert_eq!(values, [1.0, -4.0, 3.0, 2.0, 5.0, -8.0, 7.0, 6.0]);
}

#[test]
fn sums_and_biases() {
    let mut values = vec![1.0, 2.0, 3.0, 4.0];
    add(&mut values, &[1.0, 1.0, 1.0, 1.0]);
    add_bias(&mut values, &[10.0, 20.0]);
    assert_eq!(values, [12.0, 23.0, 14.0, 25.0]);
}

#[test]
fn empty_parameters_do_nothing() {
    let mut values = [1.0, 2.0];
    layer_norm(&mut values, &[], &[], 1e-5);
    rms_norm(&[1.0, 2.0], &[], 1e-5, &mut values);
    add_bias(&mut values, &[]);
    rotate_halves(&mut values, 0, 0, &[], &[]);
    assert_eq!(values, [1.0, 2.0]);
}
