//! From packed weights to what is computed with.

use crate::vector::Vector;

/// Pairs of columns in a vector of codes.
pub(super) const fn pairs(four_bits: bool) -> usize {
    if four_bits { 4 } else { 2 }
}

/// The pairs of 16-bit integers in a vector of codes, in the order of their columns; of 8-bit
/// codes there are but two.
///
/// # Safety
/// The processor has `V`'s instructions.
#[inline(always)]
pub(super) unsafe fn unpack<V: Vector, const FOUR_BITS: bool>(raw: V::Int) -> [V::Int; 4] {
    // SAFETY: the caller has the instructions.
    unsafe {
        if FOUR_BITS {
            let nibble = V::splat(0x000f_000f);
            [
                V::and(raw, nibble),
                V::and(V::shift_right::<8>(raw), nibble),
                V::and(V::shift_right::<4>(raw), nibble),
                V::shift_right::<12>(raw),
            ]
        } else {
            let pairs = [V::and(raw, V::splat(0x00ff_00ff)), V::shift_right::<8>(raw)];
            [pairs[0], pairs[1], raw, raw]
        }
    }
}

/// A vector of scales or minimums, the `index`-th of those at `from`.
///
/// # Safety
/// The processor has `V`'s instructions, and the vector is there.
#[inline(always)]
pub(super) unsafe fn numbers<V: Vector>(from: *const u8, index: usize, half: bool) -> V::Float {
    // SAFETY: as the caller promises.
    unsafe {
        if half {
            V::load_half(from.add(index * 2 * V::LANES))
        } else {
            V::load_float(from.add(index * 4 * V::LANES).cast())
        }
    }
}
