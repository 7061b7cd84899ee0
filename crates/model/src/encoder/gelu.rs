//! The activation of the feed-forward block, written for the vector units of a CPU.
//!
//! burn-flex computes the error function value by value through libm, which takes about a third
//! of an encoder's time. Here bias and activation are one pass over the values, and the error
//! function is a quotient of two polynomials without branches, so that the compiler can use SIMD
//! in native code and in wasm alike.

/// Adds `bias` to every row of `values`, then applies `x · Φ(x)`, the exact (not the `tanh`) GELU.
pub(super) fn add_bias_and_gelu(values: &mut [f32], bias: &[f32]) {
    for row in values.chunks_exact_mut(bias.len().max(1)) {
        for (value, &shift) in row.iter_mut().zip(bias) {
            let x = *value + shift;
            *value = 0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2));
        }
    }
}

/// Numerator of the approximation, lowest power of `x²` first, times `x`.
///
/// The coefficients are our own least-squares fit to the error function on 0 to 4, reweighted
/// until the largest error was smallest (5.4e-8 before rounding to single precision).
const NUMERATOR: [f32; 7] = [
    1.128_378_6,
    0.213_944_85,
    0.052_433_487,
    0.004_293_060_4,
    1.555_370_8e-4,
    -1.990_324e-6,
    1.921_722_7e-8,
];

/// Denominator, lowest power of `x²` first.
const DENOMINATOR: [f32; 5] = [1.0, 0.522_931_34, 0.120_799_68, 0.015_551_104, 0.001_098_040_3];

/// The error function, within 5e-7 of the true value for every `x`.
///
/// A quotient of an odd polynomial of degree 13 and an even one of degree 8; beyond 4 the
/// function is 1 in single precision.
#[inline]
fn erf(x: f32) -> f32 {
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let mut numerator = NUMERATOR[6];
    for i in (0..6).rev() {
        numerator = numerator * square + NUMERATOR[i];
    }
    let mut denominator = DENOMINATOR[4];
    for i in (0..4).rev() {
        denominator = denominator * square + DENOMINATOR[i];
    }
    x * numerator / denominator
}

#[cfg(test)]
mod tests {
    use super::{add_bias_and_gelu, erf};

    /// The error function's integral, by Simpson's rule in double precision.
    fn integrated(x: f64) -> f64 {
        let steps = 2_000;
        let width = x / f64::from(steps);
        let density = |t: f64| 2.0 / std::f64::consts::PI.sqrt() * (-t * t).exp();
        let inner: f64 = (1..steps)
            .map(|i| {
                let weight = if i % 2 == 0 { 2.0 } else { 4.0 };
                weight * density(f64::from(i) * width)
            })
            .sum();
        (density(0.0) + inner + density(x)) * width / 3.0
    }

    #[test]
    fn erf_is_close_to_the_integral() {
        for step in -120..=120 {
            let x = f64::from(step) / 20.0;
            let error = (f64::from(erf(x as f32)) - integrated(x)).abs();
            assert!(error < 5e-7, "erf({x}) is off by {error:e}");
        }
    }

    #[test]
    fn gelu_of_known_values() {
        let mut values = [0.0, 1.0, -1.0, 9.0, -9.0, 0.5];
        add_bias_and_gelu(&mut values, &[0.0, 0.0, 0.0, 1.0, -1.0, 0.5]);
        let expected = [0.0, 0.841_344_7, -0.158_655_25, 10.0, 0.0, 0.841_344_7];
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-5, "{value} {expected}");
        }
    }
}
