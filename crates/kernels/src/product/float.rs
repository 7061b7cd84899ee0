//! Products in single precision: unquantised matrices, and the tile that attention shares with them.

use super::Part;
use crate::packed::GROUPS;
use crate::vector::{Kernel, Vector};

/// # Safety
/// `values` are packed for `V`, and the part lies within them.
#[inline(always)]
pub(super) unsafe fn product<V: Vector>(values: &[f32], part: Part<'_>) {
    let (token, end) = part.tokens;
    let wide = if V::TILE == 12 { token + (end - token) / 12 * 12 } else { token };
    let tiled = wide + (end - wide) / 4 * 4;
    // SAFETY: as the caller promises; the tokens are within the part.
    unsafe {
        if wide > token {
            V::call(Rows::<12> { values, part, tokens: (token, wide) });
        }
        if tiled > wide {
            V::call(Rows::<4> { values, part, tokens: (wide, tiled) });
        }
        if end > tiled {
            V::call(Rows::<1> { values, part, tokens: (tiled, end) });
        }
    }
}

/// The products of a part's rows with whole tiles of tokens, from the first to before the second.
struct Rows<'a, const TOKENS: usize> {
    values: &'a [f32],
    part: Part<'a>,
    tokens: (usize, usize),
}

impl<const TOKENS: usize> Kernel for Rows<'_, TOKENS> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let Self { values, part, tokens } = self;
        let count = part.columns;
        let stride = GROUPS * V::LANES;
        for set in part.sets.0..part.sets.1 {
            for token in (tokens.0..tokens.1).step_by(TOKENS) {
                // SAFETY: the matrix is packed for `V`; the rows and tokens are there.
                unsafe {
                    let input = std::array::from_fn(|t| {
                        part.input.values.as_ptr().add((token + t) * count)
                    });
                    let start = values.as_ptr().add(set * count * stride);
                    let sums = std::array::from_fn(|t| part.start::<V>(token + t, set));
                    let sums =
                        tile::<V, TOKENS, GROUPS>(input, Columns { start, stride, count }, sums);
                    for t in 0..TOKENS {
                        part.write::<V>(token + t, set, sums[t]);
                    }
                }
            }
        }
    }
}

/// The right-hand side of a tile: in each of `count` steps, vectors that follow each other.
#[derive(Clone, Copy)]
pub(crate) struct Columns {
    /// The first step's vectors.
    pub(crate) start: *const f32,
    /// Values from one step to the next.
    pub(crate) stride: usize,
    /// The number of steps.
    pub(crate) count: usize,
}

/// `sums[t] + Σ_step values[t][step] · columns[step]` for each token `t`, added up in order.
///
/// # Safety
/// `values` are good for `count` values each, `columns` for `GROUPS` vectors in each step.
#[inline(always)]
pub(crate) unsafe fn tile<V: Vector, const TOKENS: usize, const GROUPS: usize>(
    values: [*const f32; TOKENS],
    columns: Columns,
    mut sums: [[V::Float; GROUPS]; TOKENS],
) -> [[V::Float; GROUPS]; TOKENS] {
    // SAFETY: as the caller promises.
    unsafe {
        let mut from = columns.start;
        for step in 0..columns.count {
            let weights: [_; GROUPS] =
                std::array::from_fn(|group| V::load_float(from.add(group * V::LANES)));
            // The last step may be followed by less than a stride.
            from = from.wrapping_add(columns.stride);
            for (sums, values) in sums.iter_mut().zip(values) {
                let value = V::splat_float(*values.add(step));
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = V::add(*sum, V::multiply(weight, value));
                }
            }
        }
        sums
    }
}
