//! Attention of some rows of queries to one head's keys and values.

use crate::KeysValues;
use crate::keys_values::TOGETHER;
use crate::reduce::{largest, sum};
use crate::threads::Shared;
use crate::tile::{Columns, tile};
use crate::transcendental::exp;
use crate::vector::{Kernel, Vector};

/// Vectors side by side in a tile.
const GROUPS: usize = 2;

/// Rows of queries: several tokens of a head, or several heads of a token.
pub(super) struct Rows<'a> {
    /// From the first row on; a row is as long as the cache's heads are wide.
    pub(super) queries: &'a [f32],
    pub(super) output: Shared,
    /// The place of the first row in the output.
    pub(super) start: usize,
    /// Numbers from one row to the next, of queries and output.
    pub(super) stride: usize,
    /// The number of rows.
    pub(super) count: usize,
    pub(super) cache: &'a KeysValues,
    pub(super) scale: f32,
}

impl<'a> Rows<'a> {
    /// The rows' attention to `head`; `seen` says how many positions a row sees.
    pub(super) fn of<S: Fn(usize) -> usize>(self, head: usize, seen: S) -> Attend<'a, S> {
        Attend { rows: self, head, seen }
    }
}

/// The attention that [`Rows::of`] describes.
pub(super) struct Attend<'a, S> {
    rows: Rows<'a>,
    head: usize,
    seen: S,
}

impl<S: Fn(usize) -> usize> Kernel for Attend<'_, S> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let Self { rows, head, seen } = self;
        let most = (0..rows.count).map(&seen).max().unwrap_or(0);
        let width = rows.cache.width();
        let padded = most.next_multiple_of(TOGETHER);
        let tile = if V::TILE == 12 && rows.count >= 12 { 12 } else { 4 };
        // The tile's queries, then its scores.
        let mut scratch = vec![0.0f32; tile * (width + padded)];
        let mut first = 0;
        while first < rows.count {
            let left = rows.count - first;
            let mut of = |size: usize| {
                let seen: [usize; 12] = std::array::from_fn(|t| seen(first + t.min(left - 1)));
                let tile =
                    TileOf { rows: &rows, head, first, seen, present: left.min(size), padded };
                (tile, scratch.as_mut_ptr())
            };
            // SAFETY: the scratch has room for a tile of so many rows.
            unsafe {
                if tile == 12 && left >= 12 {
                    let (tile, scratch) = of(12);
                    V::call(Tile::<12> { tile, scratch });
                    first += 12;
                } else if left == 1 {
                    let (tile, scratch) = of(1);
                    V::call(Tile::<1> { tile, scratch });
                    first += 1;
                } else {
                    let (tile, scratch) = of(4);
                    V::call(Tile::<4> { tile, scratch });
                    first += 4;
                }
            }
        }
    }
}

/// Some rows that are attended with together.
struct TileOf<'a> {
    rows: &'a Rows<'a>,
    head: usize,
    first: usize,
    /// The positions that each row sees.
    seen: [usize; 12],
    /// The number of rows that the tile really has; the rest repeat the last and are dropped.
    present: usize,
    /// Scores from one row to the next.
    padded: usize,
}

struct Tile<'a, const ROWS: usize> {
    tile: TileOf<'a>,
    /// `[ROWS, width]` for queries, `[ROWS, padded]` for scores.
    scratch: *mut f32,
}

impl<const ROWS: usize> Kernel for Tile<'_, ROWS> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let TileOf { rows, first, seen, present, padded, .. } = self.tile;
        let width = rows.cache.width();
        let most = seen[..ROWS].iter().copied().max().unwrap_or(0);
        // SAFETY: the scratch is as large as its description says, and nothing else uses it.
        let (queries, scores) = unsafe {
            let scores = self.scratch.add(ROWS * width);
            (
                std::slice::from_raw_parts_mut(self.scratch, ROWS * width),
                std::slice::from_raw_parts_mut(scores, ROWS * padded),
            )
        };
        for t in 0..ROWS {
            let from = &rows.queries[(first + t.min(present - 1)) * rows.stride..][..width];
            for (to, query) in queries[t * width..][..width].iter_mut().zip(from) {
                *to = query * rows.scale;
            }
        }
        // SAFETY: the slices are as large as asked for, and the positions within the cache.
        unsafe { self.score::<V>(queries, scores, most) };
        let mut shares = [0.0; ROWS];
        for t in 0..ROWS {
            let (row, rest) = scores[t * padded..][..most].split_at_mut(seen[t]);
            let largest = largest(row);
            for score in row.iter_mut() {
                *score = exp(*score - largest);
            }
            shares[t] = if row.is_empty() { 0.0 } else { 1.0 / sum(row) };
            rest.fill(0.0);
        }
        // SAFETY: as above; the output has room for the rows, which no other task writes.
        unsafe { self.gather::<V>(scores, most, &shares) };
    }
}

impl<const ROWS: usize> Tile<'_, ROWS> {
    /// Scores of all positions up to `most`, and of those that fill up the last vectors.
    #[inline(always)]
    unsafe fn score<V: Vector>(&self, queries: &[f32], scores: &mut [f32], most: usize) {
        let TileOf { rows, head, padded, .. } = self.tile;
        let width = rows.cache.width();
        let keys = rows.cache.head_keys(head).as_ptr();
        let scores = scores.as_mut_ptr();
        // SAFETY: as the caller promises; the cache and the scores are whole panels of keys.
        unsafe {
            let values = std::array::from_fn(|t| queries.as_ptr().add(t * width));
            for position in (0..most).step_by(GROUPS * V::LANES) {
                let start = keys.add(position / TOGETHER * TOGETHER * width + position % TOGETHER);
                let columns = Columns { start, stride: TOGETHER, count: width };
                let zeros = [[V::splat_float(0.0); GROUPS]; ROWS];
                let sums = tile::<V, ROWS, GROUPS>(values, columns, zeros);
                for (t, sums) in sums.into_iter().enumerate() {
                    for (group, sum) in sums.into_iter().enumerate() {
                        let at = t * padded + position + group * V::LANES;
                        V::store_float(scores.add(at), sum);
                    }
                }
            }
        }
    }

    /// Writes the sums of the values, weighted by `scores`, times the rows' `shares`.
    #[inline(always)]
    unsafe fn gather<V: Vector>(&self, scores: &[f32], most: usize, shares: &[f32; ROWS]) {
        let width = self.tile.rows.cache.width();
        let mut column = 0;
        // SAFETY: as the caller promises.
        unsafe {
            while column + GROUPS * V::LANES <= width {
                self.columns::<V, GROUPS>(scores, most, shares, column);
                column += GROUPS * V::LANES;
            }
            while column < width {
                self.columns::<V, 1>(scores, most, shares, column);
                column += V::LANES;
            }
        }
    }

    /// [`Self::gather`] for some columns.
    #[inline(always)]
    unsafe fn columns<V: Vector, const GROUPS: usize>(
        &self,
        scores: &[f32],
        most: usize,
        shares: &[f32; ROWS],
        column: usize,
    ) {
        let TileOf { rows, head, first, present, padded, .. } = self.tile;
        let (width, stride) = (rows.cache.width(), rows.cache.padded_width());
        // SAFETY: as the caller promises; values are padded to whole vectors.
        unsafe {
            let start = rows.cache.head_values(head).as_ptr().add(column);
            let values = std::array::from_fn(|t| scores.as_ptr().add(t * padded));
            let zeros = [[V::splat_float(0.0); GROUPS]; ROWS];
            let columns = Columns { start, stride, count: most };
            let sums = tile::<V, ROWS, GROUPS>(values, columns, zeros);
            for t in 0..present {
                let share = V::splat_float(shares[t]);
                let output = rows.output.pointer().add(rows.start + (first + t) * rows.stride);
                for (group, sum) in sums[t].into_iter().enumerate() {
                    let at = column + group * V::LANES;
                    let sum = V::multiply(sum, share);
                    if at + V::LANES <= width {
                        V::store_float(output.add(at), sum);
                    } else {
                        let mut whole = [0.0; 16];
                        V::store_float(whole.as_mut_ptr(), sum);
                        output.add(at).copy_from_nonoverlapping(whole.as_ptr(), width - at);
                    }
                }
            }
        }
    }
}
