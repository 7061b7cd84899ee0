//! A matrix by many tokens: a prompt, a passage, a batch of them.
//!
//! The weights of a few rows are widened to 16 bits once, into a panel that stays in the fastest
//! cache, and multiplied with tile after tile of tokens, whose sums stay in registers.

use super::few::unpack;
use super::{GROUPS, Part};
use crate::BLOCK;
use crate::lines::Line;
use crate::matrix::Packed;
use crate::vector::{Kernel, Vector};

/// The bytes of a panel: what leaves room beside it in a cache of 48 kB, and fills one of 32.
const PANEL: usize = 32 * 1024;

/// The most tokens of a tile, and lanes of its rows.
const MOST_TOKENS: usize = 12;
const MOST_ROWS: usize = GROUPS * 16;

/// Sums of a tile, `[tokens, groups, lanes]`.
#[repr(C, align(64))]
struct Sums([[f32; MOST_ROWS]; MOST_TOKENS]);

/// # Safety
/// `packed` is packed for `V`, and the part lies within it.
#[inline(always)]
pub(super) unsafe fn product<V: Vector, const FOUR_BITS: bool, const PARTS: usize>(
    packed: &Packed,
    part: Part<'_>,
) {
    let mut panel = [const { Line::ZERO }; PANEL / size_of::<Line>()];
    let panel = panel.as_mut_ptr().cast::<u8>();
    let block_bytes = GROUPS * V::LANES * BLOCK * 2;
    let blocks = part.shape.blocks;
    let chunks = blocks.div_ceil(PANEL / block_bytes).max(1);
    let mut first = part.groups.0;
    while first < part.groups.1 {
        let groups = GROUPS.min(part.groups.1 - first);
        for chunk in 0..chunks {
            let range = (blocks * chunk / chunks, blocks * (chunk + 1) / chunks);
            // SAFETY: the panel has room for the blocks of one chunk of `GROUPS` groups.
            unsafe {
                for group in 0..GROUPS {
                    // A second group that is not there is a copy of the first: its sums are
                    // computed and dropped.
                    let from = first + group.min(groups - 1);
                    widen::<V, FOUR_BITS>(packed, blocks, from, range, panel, group);
                }
                let (token, end) = part.tokens;
                let wide = if V::TILE == 12 { token + (end - token) / 12 * 12 } else { token };
                let tiled = wide + (end - wide) / 4 * 4;
                if wide > token {
                    let tokens = (token, wide);
                    V::call(Tiles::<PARTS, 12> {
                        packed,
                        part,
                        panel,
                        first,
                        groups,
                        range,
                        tokens,
                    });
                }
                if tiled > wide {
                    let tokens = (wide, tiled);
                    V::call(Tiles::<PARTS, 4> {
                        packed,
                        part,
                        panel,
                        first,
                        groups,
                        range,
                        tokens,
                    });
                }
                if end > tiled {
                    let tokens = (tiled, end);
                    V::call(Tiles::<PARTS, 1> {
                        packed,
                        part,
                        panel,
                        first,
                        groups,
                        range,
                        tokens,
                    });
                }
            }
        }
        first += GROUPS;
    }
}

/// Widens a group's blocks into `panel`, `[steps, GROUPS, lanes, 2]`.
#[inline(always)]
unsafe fn widen<V: Vector, const FOUR_BITS: bool>(
    packed: &Packed,
    blocks: usize,
    group: usize,
    range: (usize, usize),
    panel: *mut u8,
    place: usize,
) {
    let vector = 4 * V::LANES;
    let pairs = if FOUR_BITS { 4 } else { 2 };
    let vectors = BLOCK / 2 / pairs;
    // SAFETY: the caller's panel has room, and the group's blocks are there.
    unsafe {
        let bias = V::splat(packed.bias << 16 | packed.bias);
        let mut from =
            packed.codes.bytes().as_ptr().add((group * blocks + range.0) * vectors * vector);
        let mut to = panel.add(place * vector);
        for _ in 0..(range.1 - range.0) * vectors {
            let wide = unpack::<V, FOUR_BITS>(V::load(from));
            for wide in &wide[..pairs] {
                V::store(to, V::subtract(*wide, bias));
                to = to.add(GROUPS * vector);
            }
            from = from.add(vector);
        }
    }
}

/// A panel of rows, to be multiplied with the tokens of a part.
#[derive(Clone, Copy)]
struct Tiles<'a, const PARTS: usize, const TOKENS: usize> {
    packed: &'a Packed,
    part: Part<'a>,
    panel: *const u8,
    first: usize,
    groups: usize,
    range: (usize, usize),
    /// The tokens from the first to before the second, whole tiles of them.
    tokens: (usize, usize),
}

impl<const PARTS: usize, const TOKENS: usize> Kernel for Tiles<'_, PARTS, TOKENS> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        for token in (self.tokens.0..self.tokens.1).step_by(TOKENS) {
            // SAFETY: the matrix is packed for `V`, and the panel's rows and the tokens are there.
            unsafe { self.tile::<V>(token) };
        }
    }
}

impl<const PARTS: usize, const TOKENS: usize> Tiles<'_, PARTS, TOKENS> {
    #[inline(always)]
    unsafe fn tile<V: Vector>(&self, token: usize) {
        let mut sums = Sums([[0.0; MOST_ROWS]; MOST_TOKENS]);
        let lanes = V::LANES;
        let blocks = self.part.shape.blocks;
        let rows = self.part.rows_from(self.first, self.groups * lanes);
        // SAFETY: as the caller promises.
        unsafe {
            if self.range.0 > 0 {
                for (t, sums) in sums.0.iter_mut().take(TOKENS).enumerate() {
                    let output = self.part.output(token + t, self.first);
                    sums.as_mut_ptr().copy_from_nonoverlapping(output, rows);
                }
            }
            let mut values: [*const i16; TOKENS] = std::array::from_fn(|t| {
                let at = (token + t) * blocks + self.range.0;
                self.part.input.quantised.as_ptr().add(at * BLOCK)
            });
            let mut panel = self.panel;
            for block in self.range.0..self.range.1 {
                self.block::<V>(block, token, panel, &values, &mut sums);
                panel = panel.add(GROUPS * V::LANES * BLOCK * 2);
                values = values.map(|values| values.add(BLOCK));
            }
            for (t, sums) in sums.0.iter().take(TOKENS).enumerate() {
                let output = self.part.output(token + t, self.first);
                output.copy_from_nonoverlapping(sums.as_ptr(), rows);
            }
        }
    }

    /// Adds the products of one block to a tile's sums.
    #[inline(always)]
    unsafe fn block<V: Vector>(
        &self,
        block: usize,
        token: usize,
        panel: *const u8,
        values: &[*const i16; TOKENS],
        sums: &mut Sums,
    ) {
        let vector = 4 * V::LANES;
        let blocks = self.part.shape.blocks;
        let steps = BLOCK / 2 / PARTS;
        let index = |t: usize| (token + t) * blocks + block;
        let group = |place: usize| self.first + place.min(self.groups - 1);
        // SAFETY: as the caller promises.
        unsafe {
            for piece in 0..PARTS {
                let mut exact = [[V::splat(0); TOKENS]; GROUPS];
                for step in piece * steps..(piece + 1) * steps {
                    let weights: [V::Int; GROUPS] = std::array::from_fn(|place| {
                        V::load(panel.add((step * GROUPS + place) * vector))
                    });
                    for t in 0..TOKENS {
                        let pair = V::splat_pair(values[t].add(2 * step));
                        for place in 0..GROUPS {
                            exact[place][t] = V::dot_add(exact[place][t], weights[place], pair);
                        }
                    }
                }
                let scales: [V::Float; GROUPS] = std::array::from_fn(|place| {
                    let slot = ((group(place) * blocks + block) * PARTS + piece) * V::LANES;
                    V::load_float(self.packed.scales.as_ptr().add(slot))
                });
                for t in 0..TOKENS {
                    let scale = V::splat_float(*self.part.input.scales.get_unchecked(index(t)));
                    for place in 0..GROUPS {
                        let sum = sums.0[t].as_mut_ptr().add(place * V::LANES);
                        let step = V::multiply(scales[place], scale);
                        let scaled = V::multiply(V::to_float(exact[place][t]), step);
                        V::store_float(sum, V::add(V::load_float(sum), scaled));
                    }
                }
            }
            if !self.packed.minimums.is_empty() {
                let minimums: [V::Float; GROUPS] = std::array::from_fn(|place| {
                    let slot = (group(place) * blocks + block) * V::LANES;
                    V::load_float(self.packed.minimums.as_ptr().add(slot))
                });
                for t in 0..TOKENS {
                    let share = V::splat_float(*self.part.input.shares.get_unchecked(index(t)));
                    for place in 0..GROUPS {
                        let sum = sums.0[t].as_mut_ptr().add(place * V::LANES);
                        let scaled = V::multiply(minimums[place], share);
                        V::store_float(sum, V::add(V::load_float(sum), scaled));
                    }
                }
            }
        }
    }
}
