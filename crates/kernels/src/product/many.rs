//! A matrix by many tokens: a prompt, a passage, a batch of them.
//!
//! The weights of some rows are widened to 16 bits once, into a panel that stays in the fastest
//! cache, and multiplied with tile after tile of tokens, whose sums stay in registers.

use std::mem::MaybeUninit;

use super::Part;
use super::few::{numbers, pairs, unpack};
use crate::BLOCK;
use crate::activations::{Block, TILE};
use crate::packed::{GROUPS, Packed, touch};
use crate::vector::{Kernel, Vector};

/// The bytes of a panel: what leaves room beside it in a cache of 48 kB, and fills one of 32.
const PANEL: usize = 32 * 1024;

/// The most tokens of a tile, and rows of a set.
const MOST_TOKENS: usize = 12;
const MOST_ROWS: usize = GROUPS * 16;

#[repr(C, align(64))]
struct Panel(MaybeUninit<[u8; PANEL]>);

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
    let mut panel = Panel(MaybeUninit::uninit());
    let panel = panel.0.as_mut_ptr().cast::<u8>();
    let blocks = packed.layout.blocks;
    let room = PANEL / record::<V>(PARTS);
    let chunks = blocks.div_ceil(room).max(1);
    let sets = (room / blocks.div_ceil(chunks).max(1)).max(1);
    let (mut first, end) = part.sets;
    while first < end {
        let last = end.min(first + sets);
        touch(packed.sets(first, last));
        for chunk in 0..chunks {
            let range = (blocks * chunk / chunks, blocks * (chunk + 1) / chunks);
            // SAFETY: the panel has room for the chunk's blocks of these sets.
            unsafe {
                V::call(Widen::<FOUR_BITS, PARTS> { packed, panel, sets: (first, last), range });
                let tiles = Tiles { part, panel, sets: (first, last), range };
                if packed.layout.minimums {
                    tiles.all::<V, PARTS, true>();
                } else {
                    tiles.all::<V, PARTS, false>();
                }
            }
        }
        first = last;
    }
}

/// Bytes of a block of a panel: integers `[16 steps, groups, lanes, 2]`, then scales and minimums
/// in single precision.
fn record<V: Vector>(parts: usize) -> usize {
    GROUPS * V::LANES * (2 * BLOCK + 4 * (parts + 1))
}

/// Fills a panel with some blocks of some sets of rows.
struct Widen<'a, const FOUR_BITS: bool, const PARTS: usize> {
    packed: &'a Packed,
    panel: *mut u8,
    sets: (usize, usize),
    range: (usize, usize),
}

impl<const FOUR_BITS: bool, const PARTS: usize> Kernel for Widen<'_, FOUR_BITS, PARTS> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let layout = self.packed.layout;
        let vector = 4 * V::LANES;
        let pairs = pairs(FOUR_BITS);
        let parts = PARTS + usize::from(layout.minimums);
        // SAFETY: the caller's panel has room, and the sets' blocks are there.
        unsafe {
            let bias = V::splat(layout.bias << 16 | layout.bias);
            let mut to = self.panel;
            for set in self.sets.0..self.sets.1 {
                let first = (set * layout.blocks + self.range.0) * layout.record();
                let mut from = self.packed.bytes().as_ptr().add(first);
                for _ in self.range.0..self.range.1 {
                    for v in 0..BLOCK / 2 / pairs {
                        for group in 0..GROUPS {
                            let raw = V::load(from.add((v * GROUPS + group) * vector));
                            let wide = unpack::<V, FOUR_BITS>(raw);
                            for pair in 0..pairs {
                                let place = (v * pairs + pair) * GROUPS + group;
                                V::store(to.add(place * vector), V::subtract(wide[pair], bias));
                            }
                        }
                    }
                    let scales = to.add(BLOCK / 2 * GROUPS * vector);
                    for index in 0..parts * GROUPS {
                        let number = numbers::<V>(from.add(layout.codes()), index, layout.half);
                        V::store_float(scales.add(index * vector).cast(), number);
                    }
                    from = from.add(layout.record());
                    to = to.add(record::<V>(PARTS));
                }
            }
        }
    }
}

/// A panel and what it is multiplied with.
#[derive(Clone, Copy)]
struct Tiles<'a> {
    part: Part<'a>,
    panel: *const u8,
    sets: (usize, usize),
    range: (usize, usize),
}

impl Tiles<'_> {
    /// Multiplies the panel with all tokens of the part.
    #[inline(always)]
    unsafe fn all<V: Vector, const PARTS: usize, const MINIMUMS: bool>(self) {
        let (first, end) = self.part.tokens;
        let wide = if V::TILE == 12 { first + (end - first) / 12 * 12 } else { first };
        // SAFETY: as the caller promises.
        unsafe {
            if wide > first {
                V::call(Tiled::<PARTS, MINIMUMS, 3> { tiles: self, tokens: (first, wide) });
            }
            if end > wide {
                V::call(Tiled::<PARTS, MINIMUMS, 1> { tiles: self, tokens: (wide, end) });
            }
        }
    }
}

/// Multiplies a panel with some tokens, `QUADS` times four at once.
struct Tiled<'a, const PARTS: usize, const MINIMUMS: bool, const QUADS: usize> {
    tiles: Tiles<'a>,
    /// From the first, which begins four, to before the second.
    tokens: (usize, usize),
}

impl<const PARTS: usize, const MINIMUMS: bool, const QUADS: usize> Kernel
    for Tiled<'_, PARTS, MINIMUMS, QUADS>
{
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let (sets, range) = (self.tiles.sets, self.tiles.range);
        for token in (self.tokens.0..self.tokens.1).step_by(QUADS * TILE) {
            let mut panel = self.tiles.panel;
            for set in sets.0..sets.1 {
                // SAFETY: the matrix is packed for `V`; the panel, the rows and tokens are there.
                unsafe {
                    self.tile::<V>(set, token, panel);
                    panel = panel.add((range.1 - range.0) * record::<V>(PARTS));
                }
            }
        }
    }
}

impl<const PARTS: usize, const MINIMUMS: bool, const QUADS: usize>
    Tiled<'_, PARTS, MINIMUMS, QUADS>
{
    /// Multiplies a set of rows with a tile of tokens.
    #[inline(always)]
    unsafe fn tile<V: Vector>(&self, set: usize, token: usize, mut panel: *const u8) {
        let Tiles { part, range, .. } = self.tiles;
        let blocks = part.columns / BLOCK;
        // Tokens that fill up the last tile are zeros, and what comes of them is dropped.
        let present = (QUADS * TILE).min(self.tokens.1 - token);
        let mut sums = Sums([[0.0; MOST_ROWS]; MOST_TOKENS]);
        // SAFETY: as the caller promises.
        unsafe {
            if part.add || range.0 > 0 {
                for t in 0..present {
                    let (from, rows) = part.output::<V>(token + t, set);
                    sums.0[t].as_mut_ptr().copy_from_nonoverlapping(from, rows);
                }
            }
            let mut values: [*const Block; QUADS] = std::array::from_fn(|quad| {
                part.input.blocks.as_ptr().add((token / TILE + quad) * blocks + range.0)
            });
            for _ in range.0..range.1 {
                Self::block::<V>(panel, values.map(|block| &*block), &mut sums);
                panel = panel.add(record::<V>(PARTS));
                values = values.map(|block| block.add(1));
            }
            for t in 0..present {
                let (to, rows) = part.output::<V>(token + t, set);
                to.copy_from_nonoverlapping(sums.0[t].as_ptr(), rows);
            }
        }
    }

    /// Adds the products of one block to a tile's sums.
    #[inline(always)]
    unsafe fn block<V: Vector>(panel: *const u8, values: [&Block; QUADS], sums: &mut Sums) {
        // SAFETY: as the caller promises.
        unsafe {
            let numbers = panel.add(GROUPS * V::LANES * 2 * BLOCK).cast::<f32>();
            for piece in 0..PARTS {
                let exact = Self::exact::<V>(panel, values, piece);
                for quad in 0..QUADS {
                    for t in 0..TILE {
                        let scale = V::splat_float(values[quad].scales[t]);
                        let share = V::splat_float(values[quad].shares[t]);
                        for group in 0..GROUPS {
                            let number = |index: usize| {
                                V::load_float(numbers.add((index * GROUPS + group) * V::LANES))
                            };
                            let at = sums.0[quad * TILE + t].as_mut_ptr().add(group * V::LANES);
                            let step = V::multiply(number(piece), scale);
                            let scaled = V::multiply(V::to_float(exact[quad][t][group]), step);
                            let mut sum = V::add(V::load_float(at), scaled);
                            if MINIMUMS {
                                sum = V::add(sum, V::multiply(number(PARTS), share));
                            }
                            V::store_float(at, sum);
                        }
                    }
                }
            }
        }
    }

    /// The integers' products in a block, or in a half of it.
    #[inline(always)]
    unsafe fn exact<V: Vector>(
        panel: *const u8,
        values: [&Block; QUADS],
        piece: usize,
    ) -> [[[V::Int; GROUPS]; TILE]; QUADS] {
        let steps = BLOCK / 2 / PARTS;
        // SAFETY: as the caller promises.
        unsafe {
            let mut exact = [[[V::splat(0); GROUPS]; TILE]; QUADS];
            for step in piece * steps..(piece + 1) * steps {
                let weights: [V::Int; GROUPS] = std::array::from_fn(|group| {
                    V::load(panel.add((step * GROUPS + group) * 4 * V::LANES))
                });
                for quad in 0..QUADS {
                    for t in 0..TILE {
                        let value = V::splat_pair(&values[quad].pairs[step][t]);
                        for group in 0..GROUPS {
                            exact[quad][t][group] =
                                V::dot_add(exact[quad][t][group], weights[group], value);
                        }
                    }
                }
            }
            exact
        }
    }
}
