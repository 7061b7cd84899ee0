//! A matrix by one or two tokens: what a language model does for every word.
//!
//! Weights are unpacked in registers, and each is used once for every token.

use super::Part;
use super::unpack::{numbers, pairs, unpack};
use crate::BLOCK;
use crate::packed::{GROUPS, Packed};
use crate::vector::{Kernel, Vector};

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
        for set in self.part.sets.0..self.part.sets.1 {
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
        let input = self.part.input;
        // SAFETY: pointers stay within the set's records and the tokens' values, by the shapes
        // that the caller vouches for.
        unsafe {
            let mut from = self.packed.bytes().as_ptr().add(set * blocks * record);
            let mut values: [*const i16; TOKENS] = std::array::from_fn(|t| {
                input.quantised.as_ptr().add((self.token + t) * blocks * BLOCK)
            });
            let mut sums = [[V::splat_float(0.0); GROUPS]; TOKENS];
            for block in 0..blocks {
                let index = |t: usize| (self.token + t) * blocks + block;
                for piece in 0..PARTS {
                    let exact = Self::exact::<V>(from, &values, piece, |t| {
                        let halves = input.sums.as_ptr().add(2 * index(t));
                        let sum =
                            if PARTS == 1 { *halves + *halves.add(1) } else { *halves.add(piece) };
                        -bias * sum
                    });
                    for group in 0..GROUPS {
                        let scale = numbers::<V>(from.add(codes), piece * GROUPS + group, half);
                        for t in 0..TOKENS {
                            let value_scale = *input.scales.get_unchecked(index(t));
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
                            let share = V::splat_float(*input.shares.get_unchecked(index(t)));
                            sums[t][group] = V::add(sums[t][group], V::multiply(minimum, share));
                        }
                    }
                }
                from = from.add(record);
                values = values.map(|values| values.add(BLOCK));
            }
            sums
        }
    }

    /// The integers' products in a block or a half of it, added to what `start` gives for a token.
    #[inline(always)]
    unsafe fn exact<V: Vector>(
        from: *const u8,
        values: &[*const i16; TOKENS],
        piece: usize,
        start: impl Fn(usize) -> i32,
    ) -> [[V::Int; GROUPS]; TOKENS] {
        let pairs = pairs(FOUR_BITS);
        let vectors = BLOCK / 2 / pairs;
        // SAFETY: as the caller promises.
        unsafe {
            let mut exact: [_; TOKENS] = std::array::from_fn(|t| [V::splat(start(t)); GROUPS]);
            for v in piece * vectors / PARTS..(piece + 1) * vectors / PARTS {
                for group in 0..GROUPS {
                    let raw = V::load(from.add((v * GROUPS + group) * 4 * V::LANES));
                    let weights = unpack::<V, FOUR_BITS>(raw);
                    for pair in 0..pairs {
                        for t in 0..TOKENS {
                            let value = V::splat_pair(values[t].add(2 * (v * pairs + pair)));
                            exact[t][group] = V::dot_add(exact[t][group], weights[pair], value);
                        }
                    }
                }
            }
            exact
        }
    }
}
