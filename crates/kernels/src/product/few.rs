//! A matrix by one or two tokens: what a language model does for every word.
//!
//! Weights are unpacked in registers, and each is used once for every token.

use super::Part;
use crate::BLOCK;
use crate::activations::{Block, TILE};
use crate::packed::{GROUPS, Packed, touch};
use crate::vector::{Kernel, Vector};

/// Bytes of the matrix that are brought near at once.
const AHEAD: usize = 16 * 1024;

/// The products of `TOKENS` tokens from `token` on with a part's rows.
pub(super) struct Few<'a, const FOUR_BITS: bool, const PARTS: usize, const TOKENS: usize> {
    pub(super) packed: &'a Packed,
    pub(super) part: Part<'a>,
    pub(super) token: usize,
}

impl<const FOUR_BITS: bool, const PARTS: usize, const TOKENS: usize> Kernel
    for Few<'_, FOUR_BITS, PARTS, TOKENS>
{
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let (first, end) = self.part.sets;
        let bytes = self.packed.layout.blocks * self.packed.layout.record();
        let together = (AHEAD / bytes.max(1)).max(1);
        for set in first..end {
            if (set - first).is_multiple_of(together) {
                touch(self.packed.sets(set, end.min(set + together)));
            }
            // SAFETY: the matrix is packed for `V`, and the part lies within it.
            unsafe {
                let sums = self.rows::<V>(set);
                for t in 0..TOKENS {
                    self.part.write::<V>(self.token + t, set, sums[t]);
                }
            }
        }
    }
}

impl<const FOUR_BITS: bool, const PARTS: usize, const TOKENS: usize>
    Few<'_, FOUR_BITS, PARTS, TOKENS>
{
    /// Products with one set of rows.
    #[inline(always)]
    unsafe fn rows<V: Vector>(&self, set: usize) -> [[V::Float; GROUPS]; TOKENS] {
        let layout = self.packed.layout;
        let (bias, half, minimums) = (layout.bias, layout.half, layout.minimums);
        let (codes, blocks, record) = (layout.codes(), layout.blocks, layout.record());
        let (tile, lane) = (self.token / TILE, self.token % TILE);
        // SAFETY: pointers stay within the set's records and the tile's blocks, by the shapes
        // that the caller vouches for; the tokens are within one tile.
        unsafe {
            let mut from = self.packed.bytes().as_ptr().add(set * blocks * record);
            let mut sums: [_; TOKENS] =
                std::array::from_fn(|t| self.part.start::<V>(self.token + t, set));
            for values in &self.part.input.blocks[tile * blocks..][..blocks] {
                for piece in 0..PARTS {
                    let exact = Self::exact::<V>(from, values, lane, piece, bias, codes);
                    for group in 0..GROUPS {
                        let scale = numbers::<V>(from.add(codes), piece * GROUPS + group, half);
                        for t in 0..TOKENS {
                            let value_scale = *values.scales.get_unchecked(lane + t);
                            let step = V::multiply(scale, V::splat_float(value_scale));
                            let scaled = V::multiply(V::to_float(exact[t][group]), step);
                            sums[t][group] = V::add(sums[t][group], scaled);
                        }
                    }
                }
                if minimums {
                    for group in 0..GROUPS {
                        let minimum = numbers::<V>(from.add(codes), PARTS * GROUPS + group, half);
                        for t in 0..TOKENS {
                            let share = V::splat_float(*values.shares.get_unchecked(lane + t));
                            sums[t][group] = V::add(sums[t][group], V::multiply(minimum, share));
                        }
                    }
                }
                from = from.add(record);
            }
            sums
        }
    }

    /// The integers' products in a block or a half of it, as if they were without their bias.
    #[inline(always)]
    unsafe fn exact<V: Vector>(
        from: *const u8,
        values: &Block,
        lane: usize,
        piece: usize,
        bias: i32,
        codes: usize,
    ) -> [[V::Int; GROUPS]; TOKENS] {
        let pairs = pairs(FOUR_BITS);
        let vector = 4 * V::LANES;
        // SAFETY: as the caller promises.
        unsafe {
            let mut exact: [_; TOKENS] = std::array::from_fn(|t| {
                let sum = |half: usize| *values.sums[half].get_unchecked(lane + t);
                let sum = if PARTS == 1 { sum(0) + sum(1) } else { sum(piece) };
                [V::splat(-bias * sum); GROUPS]
            });
            let mut values = values.pairs.as_ptr().cast::<[i16; 2]>().add(lane);
            values = values.add(piece * BLOCK / 2 / PARTS * TILE);
            let mut from = from.add(piece * codes / PARTS);
            // In a loop as short as this all fits into registers, whatever the compiler's order.
            for _ in 0..codes / PARTS / (GROUPS * vector) {
                for group in 0..GROUPS {
                    let weights = unpack::<V, FOUR_BITS>(V::load(from.add(group * vector)));
                    for pair in 0..pairs {
                        for t in 0..TOKENS {
                            let value = V::splat_pair(values.add(pair * TILE + t));
                            exact[t][group] = V::dot_add(exact[t][group], weights[pair], value);
                        }
                    }
                }
                from = from.add(GROUPS * vector);
                values = values.add(pairs * TILE);
            }
            exact
        }
    }
}

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
