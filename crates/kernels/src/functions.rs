//! Functions whose results would differ from one processor or library to another: sums and maxima in one fixed order,
//! and exponentials from plain multiplications and additions.

const LANES: usize = 16;

/// The sum of `term` over `values`.
#[inline(always)]
pub(crate) fn sum_of(values: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += term(*value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane += term(*value);
    }
    fold(lanes, |a, b| a + b)
}

/// The sum of `values`.
#[inline(always)]
pub(crate) fn sum(values: &[f32]) -> f32 {
    sum_of(values, |value| value)
}

/// The largest of `values`; negative infinity for none. NaN is passed over.
#[inline(always)]
pub(crate) fn largest(values: &[f32]) -> f32 {
    let more = |a: f32, b: f32| if b > a { b } else { a };
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = more(*lane, *value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = more(*lane, *value);
    }
    fold(lanes, more)
}

#[inline(always)]
fn fold(mut lanes: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] = join(lanes[lane], lanes[lane + width]);
        }
        width /= 2;
    }
    lanes[0]
}

/// The value at which the argument of `exp` is held, so that its power of two stays a normal number.
const LOWEST: f32 = -87.3;
const HIGHEST: f32 = 88.3;

/// 1.5 · 2²³: adding it rounds a smaller number to the nearest integer, ties to even, and leaves
/// that integer in the low bits.
pub(crate) const ROUND: f32 = 12_582_912.0;

/// ln 2 in two parts; the first has few enough bits for its multiples to be exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// `(eʳ - 1 - r) / r²`, interpolated at Chebyshev's points of |r| <= ln 2 / 2; with it `eʳ` is
/// within 1e-8.
const TAIL: [f32; 5] = [0.5, 0.166_665_77, 0.041_666_554, 0.008_363_233, 0.001_392_625_1];

/// eˣ within 2e-7 of its value for -87.3 <= x <= 88.3, and its value at the nearer end beyond.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let x = if x < LOWEST { LOWEST } else { x };
    let x = if x > HIGHEST { HIGHEST } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let count = shifted - ROUND;
    let r = x - count * LN_2_HIGH - count * LN_2_LOW;
    let mut tail = TAIL[4];
    for coefficient in [TAIL[3], TAIL[2], TAIL[1], TAIL[0]] {
        tail = tail * r + coefficient;
    }
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    (tail * (r * r) + r + 1.0) * power
}

/// 1 / (1 + e⁻ˣ).
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent, within 2e-7.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x) + 1.0)
}

/// Numerator of the error function, lowest power of `x²` first, times `x`.
///
/// The coefficients are our own least-squares fit to the error function on 0 to 4, reweighted
/// until the largest error was smallest (5.4e-8 before rounding to single precision).
const NUMERATOR: [f32; 7] = [
    1.128_378_6, 0.213_944_85, 0.052_433_487, 0.004_293_060_4, 1.555_370_8e-4, -1.990_324e-6,
    1.921_722_7e-8,
];

/// Denominator, lowest power of `x²` first.
const DENOMINATOR: [f32; 5] = [1.0, 0.522_931_34, 0.120_799_68, 0.015_551_104, 0.001_098_040_3];

/// The error function, within 5e-7: an odd polynomial over an even one. Beyond 4 the function is
/// 1 in single precision.
#[inline(always)]
pub(crate) fn erf(x: f32) -> f32 {
    let x = if x < -4.0 { -4.0 } else { x };
    let x = if x > 4.0 { 4.0 } else { x };
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
