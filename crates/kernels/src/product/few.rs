//! A matrix by one to three tokens: what a language model does for every word.
//!
//! Weights are unpacked in registers, and each is used once for every token.

use super::{GROUPS, Part};
use crate::BLOCK;
use crate::matrix::Packed;
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
        let (mut group, end) = self.part.groups;
        while group < end {
            // SAFETY: the matrix is packed for `V`, and the part lies within it.
            unsafe { self.rows::<V>(group, GROUPS.min(end - group)) };
            group += GROUPS;
        }
    }
}

impl<const FOUR_BITS: bool, const PARTS: usize, const TOKENS: usize>
    Few<'_, FOUR_BITS, PARTS, TOKENS>
{
    /// Products of the groups of rows from `first` on, of which there are `present`.
    #[inline(always)]
    unsafe fn rows<V: Vector>(&self, first: usize, present: usize) {
        let Self { packed, part, token } = *self;
        let blocks = part.shape.blocks;
        let vector = 4 * V::LANES;
        let vectors = if FOUR_BITS { 4 } else { 8 };
        let group_bytes = blocks * vectors * vector;
        // A second group that is not there is a copy of the first, computed and dropped.
        let number = |group: usize| first + group.min(present - 1);
        // SAFETY: every pointer stays within the rows of the group or token, by the shapes that the
        // caller vouches for.
        unsafe {
            let mut codes: [*const u8; GROUPS] = std::array::from_fn(|group| {
                packed.codes.bytes().as_ptr().add(number(group) * group_bytes)
            });
            let mut values: [*const i16; TOKENS] = std::array::from_fn(|t| {
                part.input.quantised.as_ptr().add((token + t) * blocks * BLOCK)
            });
            let mut sums = [[V::splat_float(0.0); TOKENS]; GROUPS];
            for block in 0..blocks {
                let index = |t: usize| (token + t) * blocks + block;
                let value_scale =
                    |t: usize| V::splat_float(*part.input.scales.get_unchecked(index(t)));
                let value_sum =
                    |t: usize, half: usize| *part.input.sums.get_unchecked(2 * index(t) + half);
                for piece in 0..PARTS {
                    let mut exact: [[V::Int; TOKENS]; GROUPS] = std::array::from_fn(|_| {
                        std::array::from_fn(|t| {
                            let sum = if PARTS == 1 {
                                value_sum(t, 0) + value_sum(t, 1)
                            } else {
                                value_sum(t, piece)
                            };
                            V::splat(-packed.bias * sum)
                        })
                    });
                    for v in piece * vectors / PARTS..(piece + 1) * vectors / PARTS {
                        for group in 0..GROUPS {
                            let raw = V::load(codes[group].add(v * vector));
                            let pairs = unpack::<V, FOUR_BITS>(raw);
                            for pair in 0..pairs.len() / if FOUR_BITS { 1 } else { 2 } {
                                let column = v * BLOCK / vectors + 2 * pair;
                                for t in 0..TOKENS {
                                    exact[group][t] = V::dot_add(
                                        exact[group][t],
                                        pairs[pair],
                                        V::splat_pair(values[t].add(column)),
                                    );
                                }
                            }
                        }
                    }
                    for group in 0..GROUPS {
                        let slot = ((number(group) * blocks + block) * PARTS + piece) * V::LANES;
                        let scale = V::load_float(packed.scales.as_ptr().add(slot));
                        for t in 0..TOKENS {
                            let step = V::multiply(scale, value_scale(t));
                            let scaled = V::multiply(V::to_float(exact[group][t]), step);
                            sums[group][t] = V::add(sums[group][t], scaled);
                        }
                    }
                }
                if !packed.minimums.is_empty() {
                    for group in 0..GROUPS {
                        let slot = (number(group) * blocks + block) * V::LANES;
                        let minimum = V::load_float(packed.minimums.as_ptr().add(slot));
                        for t in 0..TOKENS {
                            let sum = V::splat_float(*part.input.shares.get_unchecked(index(t)));
                            sums[group][t] = V::add(sums[group][t], V::multiply(minimum, sum));
                        }
                    }
                }
                codes = codes.map(|codes| codes.add(vectors * vector));
                values = values.map(|values| values.add(BLOCK));
            }
            for group in 0..present {
                let count = part.rows_from(first + group, V::LANES);
                for t in 0..TOKENS {
                    let output = part.output(token + t, first + group);
                    if count == V::LANES {
                        V::store_float(output, sums[group][t]);
                    } else {
                        let mut whole = [0.0; 16];
                        V::store_float(whole.as_mut_ptr(), sums[group][t]);
                        output.copy_from_nonoverlapping(whole.as_ptr(), count);
                    }
                }
            }
        }
    }
}

/// The 16-bit pairs in a vector of codes, in the order of their columns; of 8-bit codes there are
/// but two.
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
