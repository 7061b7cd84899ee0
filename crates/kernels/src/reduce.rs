//! Sums and maxima in one fixed order, whatever the width of the vectors: sixteen partial results
//! side by side, then halves added to halves.

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
