//! Numbers of 8 and 4 bits for blocks of 32 values, by search.
//!
//! Rounding to the nearest step of a scale that just covers the largest value is not the best
//! that a block can do: a few values clipped may cost less than coarser steps for all. For every
//! candidate scale the values are rounded, and the scale that then fits them best follows by
//! least squares; the candidate with the smallest squared error wins, each value's error counted
//! by its weight. Scales are compared after they are rounded to `f16`, as they are stored.

use half::f16;

/// Values in a block.
pub(super) const BLOCK: usize = 32;

/// The numbers of steps of a scale that the largest value may take: the range that is searched for 4 bits.
// At 8 the largest value just fits. With fewer, steps are coarser than need be; with more, it is clipped. The search
// lifts the mean cosine of MiniLM's vectors to their originals from 0.965 to 0.970 (docs/concepts/neural-core.md).
const LARGEST_STEPS: [f32; 25] = {
    let mut steps = [0.0; 25];
    let mut i = 0;
    while i < steps.len() {
        steps[i] = 5.0 + i as f32 * 0.175;
        i += 1;
    }
    steps
};

/// Sums over a block of values `x`, whole numbers `q` and weights `w`.
#[derive(Default)]
struct Sums {
    w: f32,
    wx: f32,
    wq: f32,
    wxq: f32,
    wqq: f32,
    wxx: f32,
}

impl Sums {
    fn of(values: &[f32; BLOCK], weights: &[f32; BLOCK], quants: &[f32; BLOCK]) -> Self {
        let mut sums = Self::default();
        for ((&x, &w), &q) in values.iter().zip(weights).zip(quants) {
            sums.w += w;
            sums.wx += w * x;
            sums.wq += w * q;
            sums.wxq += w * x * q;
            sums.wqq += w * q * q;
            sums.wxx += w * x * x;
        }
        sums
    }

    /// The squared error of `scale · q + minimum`.
    fn error(&self, scale: f32, minimum: f32) -> f32 {
        self.wxx
            + scale * (scale * self.wqq + 2.0 * minimum * self.wq - 2.0 * self.wxq)
            + minimum * (minimum * self.w - 2.0 * self.wx)
    }
}

/// The whole numbers nearest to `(x − minimum) / scale`.
fn rounded(values: &[f32; BLOCK], scale: f32, minimum: f32, least: f32, most: f32) -> [f32; BLOCK] {
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    values.map(|x| nearest(((x - minimum) * inverse).clamp(least, most)))
}

/// The whole number nearest to a value below 2²², the even one of two: `f32` has no room for a fraction beside 1.5 · 2²³.
///
/// `round_ties_even` calls libm on baseline x86-64, which lacks SSE4.1's rounding, and keeps the loop from being vectorised.
fn nearest(value: f32) -> f32 {
    const NO_FRACTION: f32 = 1.5 * (1 << 23) as f32;
    value + NO_FRACTION - NO_FRACTION
}

/// As it is read again.
fn stored(value: f32) -> f32 {
    f16::from_f32(value).to_f32()
}

/// The value farthest from 0, with its sign.
fn farthest(values: &[f32; BLOCK]) -> f32 {
    values.iter().fold(0.0, |most: f32, &x| if x.abs() > most.abs() { x } else { most })
}

/// Writes a block as [`crate::Encoding::Q8_0`].
pub(super) fn q8_0(values: &[f32; BLOCK], weights: &[f32; BLOCK], bytes: &mut Vec<u8>) {
    // ±127 and not −128: the range is the same on both sides of 0.
    let widest = farthest(values).abs() / 127.0;
    let sums = Sums::of(values, weights, &rounded(values, widest, 0.0, -127.0, 127.0));
    let fitted = if sums.wqq > 0.0 { sums.wxq / sums.wqq } else { 0.0 };
    let best = best_of(values, weights, [(widest, 0.0), (fitted, 0.0)], -127.0, 127.0);
    bytes.extend(f16::from_f32(best.scale).to_le_bytes());
    bytes.extend(best.quants.map(|q| (q as i8).cast_unsigned()));
}

/// Writes a block as [`crate::Encoding::Q4_0`].
pub(super) fn q4_0(values: &[f32; BLOCK], weights: &[f32; BLOCK], bytes: &mut Vec<u8>) {
    let best = q4_0_fit(values, weights);
    push_q4_0(best.scale, &best.quants, bytes);
}

/// Writes a block of whole numbers as [`crate::Encoding::Q4_0`].
pub(super) fn push_q4_0(scale: f32, quants: &[f32; BLOCK], bytes: &mut Vec<u8>) {
    bytes.extend(f16::from_f32(scale).to_le_bytes());
    push_nibbles(&quants.map(|q| q + 8.0), bytes);
}

/// The scale of a block in [`crate::Encoding::Q4_0`], as it is stored.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn q4_0_scale(values: &[f32; BLOCK], weights: &[f32; BLOCK]) -> f32 {
    q4_0_fit(values, weights).scale
}

/// The scale that fits a block best, with its whole numbers of -8 to 7.
fn q4_0_fit(values: &[f32; BLOCK], weights: &[f32; BLOCK]) -> Fit {
    let largest = farthest(values);
    let mut best = (f32::INFINITY, 0.0);
    for steps in LARGEST_STEPS {
        // The range reaches one step farther below 0 than above it, so the sign matters.
        for scale in [largest / -steps, largest / steps] {
            let sums = Sums::of(values, weights, &rounded(values, scale, 0.0, -8.0, 7.0));
            if sums.wqq > 0.0 {
                let fitted = sums.wxq / sums.wqq;
                let error = sums.error(fitted, 0.0);
                if error < best.0 {
                    best = (error, fitted);
                }
            }
        }
    }
    let widest = largest / -8.0;
    best_of(values, weights, [(widest, 0.0), (best.1, 0.0)], -8.0, 7.0)
}

/// Writes a block as [`crate::Encoding::Q4_1`].
pub(super) fn q4_1(values: &[f32; BLOCK], weights: &[f32; BLOCK], bytes: &mut Vec<u8>) {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let widest = ((most - least) / 15.0, least);
    let mut best = (f32::INFINITY, widest);
    for steps in LARGEST_STEPS {
        // Twice as many steps, since the range lies on both sides of its middle.
        let scale = (most - least) / (2.0 * steps);
        let mut candidate = (scale, (most + least) / 2.0 - 7.5 * scale);
        // Twice, since the whole numbers follow from the line, and the line that fits best from the whole numbers.
        for _ in 0..2 {
            let quants = rounded(values, candidate.0, candidate.1, 0.0, 15.0);
            let sums = Sums::of(values, weights, &quants);
            let determinant = sums.w * sums.wqq - sums.wq * sums.wq;
            // All values have one number: any line through it fits.
            if determinant <= 0.0 {
                break;
            }
            candidate = (
                (sums.w * sums.wxq - sums.wx * sums.wq) / determinant,
                (sums.wqq * sums.wx - sums.wq * sums.wxq) / determinant,
            );
            let error = sums.error(candidate.0, candidate.1);
            if error < best.0 {
                best = (error, candidate);
            }
        }
    }
    let best = best_of(values, weights, [widest, best.1], 0.0, 15.0);
    bytes.extend(f16::from_f32(best.scale).to_le_bytes());
    bytes.extend(f16::from_f32(best.minimum).to_le_bytes());
    push_nibbles(&best.quants, bytes);
}

/// A block's numbers, as they will be read.
struct Fit {
    scale: f32,
    minimum: f32,
    quants: [f32; BLOCK],
}

/// The candidate `(scale, minimum)` with the smaller error once it is stored in `f16`.
fn best_of(
    values: &[f32; BLOCK],
    weights: &[f32; BLOCK],
    candidates: [(f32, f32); 2],
    least: f32,
    most: f32,
) -> Fit {
    let [first, second] = candidates.map(|(scale, minimum)| {
        let (scale, minimum) = (stored(scale), stored(minimum));
        let quants = rounded(values, scale, minimum, least, most);
        let error: f32 = (values.iter().zip(weights).zip(&quants))
            .map(|((x, w), q)| w * (x - scale * q - minimum).powi(2))
            .sum();
        (error, Fit { scale, minimum, quants })
    });
    // The plain scale wins a tie, and where the search has found nothing.
    if second.0 < first.0 { second.1 } else { first.1 }
}

/// Two numbers a byte: the low nibbles are the first half of the block.
fn push_nibbles(quants: &[f32; BLOCK], bytes: &mut Vec<u8>) {
    let (first, second) = quants.split_at(BLOCK / 2);
    bytes.extend(first.iter().zip(second).map(|(&low, &high)| low as u8 | ((high as u8) << 4)));
}
