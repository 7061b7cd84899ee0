//! The single-precision product that unquantised matrices and attention share.

use crate::vector::Vector;

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
