//! Products in single precision: unquantised matrices, and attention's scores and sums.

use super::{GROUPS, Part};
use crate::vector::Vector;

/// Groups of rows side by side for a single token, where an addition has to wait for the one
/// before.
const GROUPS_ALONE: usize = 4;

/// The right-hand side of a tile: `GROUPS` vectors for each of `count` steps.
#[derive(Clone, Copy)]
pub(crate) struct Columns<const GROUPS: usize> {
    /// The first step's vectors.
    pub(crate) start: [*const f32; GROUPS],
    /// Values from one step to the next.
    pub(crate) stride: usize,
    /// How many steps.
    pub(crate) count: usize,
}

/// `Σ_step values[t][step] · columns[step]` for each token `t`, added up in order.
///
/// # Safety
/// `values` are good for `count` values each, `columns` for a vector in each step.
#[inline(always)]
pub(crate) unsafe fn tile<V: Vector, const TOKENS: usize, const GROUPS: usize>(
    values: [*const f32; TOKENS],
    columns: Columns<GROUPS>,
) -> [[V::Float; GROUPS]; TOKENS] {
    // SAFETY: as the caller promises.
    unsafe {
        let mut sums = [[V::splat_float(0.0); GROUPS]; TOKENS];
        let mut from = columns.start;
        for step in 0..columns.count {
            let weights = from.map(|from| V::load_float(from));
            from = from.map(|from| from.wrapping_add(columns.stride));
            for t in 0..TOKENS {
                let value = V::splat_float(*values[t].add(step));
                for group in 0..GROUPS {
                    sums[t][group] = V::add(sums[t][group], V::multiply(weights[group], value));
                }
            }
        }
        sums
    }
}

/// # Safety
/// `values` are packed for `V`, and the part lies within them.
#[inline(always)]
pub(super) unsafe fn product<V: Vector>(values: &[f32], part: Part<'_>) {
    let (mut token, end) = part.tokens;
    // SAFETY: as the caller promises; the tokens are within the part.
    unsafe {
        while V::TILE == 12 && token + 12 <= end {
            groups::<V, 12, GROUPS>(values, part, token);
            token += 12;
        }
        while token + 4 <= end {
            groups::<V, 4, GROUPS>(values, part, token);
            token += 4;
        }
        while token < end {
            groups::<V, 1, GROUPS_ALONE>(values, part, token);
            token += 1;
        }
    }
}

#[inline(always)]
unsafe fn groups<V: Vector, const TOKENS: usize, const GROUPS: usize>(
    values: &[f32],
    part: Part<'_>,
    token: usize,
) {
    let (mut group, end) = part.groups;
    // SAFETY: as the caller promises.
    unsafe {
        while group + GROUPS <= end {
            rows::<V, TOKENS, GROUPS>(values, part, token, group);
            group += GROUPS;
        }
        while group < end {
            rows::<V, TOKENS, 1>(values, part, token, group);
            group += 1;
        }
    }
}

#[inline(always)]
unsafe fn rows<V: Vector, const TOKENS: usize, const GROUPS: usize>(
    values: &[f32],
    part: Part<'_>,
    token: usize,
    first: usize,
) {
    let count = part.shape.columns;
    // SAFETY: as the caller promises.
    unsafe {
        let input = std::array::from_fn(|t| part.input.values.as_ptr().add((token + t) * count));
        let start =
            std::array::from_fn(|group| values.as_ptr().add((first + group) * count * V::LANES));
        let sums = tile::<V, TOKENS, GROUPS>(input, Columns { start, stride: V::LANES, count });
        for t in 0..TOKENS {
            for group in 0..GROUPS {
                let output = part.output(token + t, first + group);
                let count = part.rows_from(first + group, V::LANES);
                if count == V::LANES {
                    V::store_float(output, sums[t][group]);
                } else {
                    let mut whole = [0.0; 16];
                    V::store_float(whole.as_mut_ptr(), sums[t][group]);
                    output.copy_from_nonoverlapping(whole.as_ptr(), count);
                }
            }
        }
    }
}
