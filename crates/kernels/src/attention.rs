//! Scaled dot-product attention with grouped queries, and the keys and values that it looks back at.

use crate::functions::{exp, largest, sum};
use crate::product::float::{Columns, tile};
use crate::threads::{Shared, for_each};
use crate::vector::{Kernel, Vector, dispatch};
use crate::{Isa, KernelError, Threads};

/// Which positions a token sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visible {
    /// Token `i` of the input, at `position + i`, sees itself and everything before.
    Before,
    /// Every token sees the first `n` positions.
    All(usize),
}

impl Visible {
    fn positions(self, position: usize, token: usize) -> usize {
        match self {
            Self::Before => position.saturating_add(token).saturating_add(1),
            Self::All(positions) => positions,
        }
    }
}

/// Tokens from which on a tile is several tokens of one head; below, several heads of one token.
const MANY: usize = 4;

/// Tokens of a task.
const TASK: usize = 48;

/// `output = softmax(queries · keysᵀ · scale) · values`, head by head.
///
/// Queries and output are `[tokens, query_heads * width]`; each head of the cache serves
/// `query_heads / heads` query heads in a row. A token that sees nothing gets zeros.
///
/// # Errors
/// [`KernelError::Heads`], [`KernelError::Length`] and [`KernelError::Positions`] where shapes do
/// not fit.
#[expect(clippy::too_many_arguments, reason = "the operation's operands, each another thing")]
pub fn attend(
    queries: &[f32],
    query_heads: usize,
    cache: &KeysValues,
    position: usize,
    visible: Visible,
    scale: f32,
    output: &mut [f32],
    threads: Threads,
) -> Result<(), KernelError> {
    let attention = Attention { query_heads, cache, position, visible, scale, threads };
    attention.run(Isa::best(), queries, output)
}

/// All of [`attend`] but its input and output.
pub(crate) struct Attention<'a> {
    pub(crate) query_heads: usize,
    pub(crate) cache: &'a KeysValues,
    pub(crate) position: usize,
    pub(crate) visible: Visible,
    pub(crate) scale: f32,
    pub(crate) threads: Threads,
}

impl Attention<'_> {
    pub(crate) fn run(
        &self,
        isa: Isa,
        queries: &[f32],
        output: &mut [f32],
    ) -> Result<(), KernelError> {
        let Self { query_heads, cache, position, visible, scale, threads } = *self;
        let (heads, width) = (cache.heads(), cache.width());
        if heads == 0 || query_heads == 0 || !query_heads.is_multiple_of(heads) {
            return Err(KernelError::Heads { query_heads, heads });
        }
        let row = query_heads * width;
        let tokens = queries.len().checked_div(row).unwrap_or(0);
        for (what, found) in [("queries", queries.len()), ("attention's output", output.len())] {
            if found != tokens * row {
                return Err(KernelError::Length { what, expected: tokens * row, found });
            }
        }
        if tokens == 0 {
            return Ok(());
        }
        cache.check(visible.positions(position, tokens - 1))?;
        let output = Shared::new(output);
        let group = query_heads / heads;
        let rows = |head: usize, token: usize, count: usize, stride: usize| {
            let start = token * row + head * width;
            Rows { queries: &queries[start..], output, start, stride, count, cache, scale }
        };
        if tokens < MANY {
            for_each(threads, tokens * heads, |task| {
                let (token, head) = (task / heads, task % heads);
                let seen = visible.positions(position, token);
                let rows = rows(head * group, token, group, width);
                dispatch(isa, rows.of(head, |_| seen));
            });
        } else {
            let chunks = tokens.div_ceil(TASK);
            for_each(threads, chunks * query_heads, |task| {
                // The longest rows first, so that no thread is left with one at the end.
                let (chunk, head) = (chunks - 1 - task / query_heads, task % query_heads);
                let first = chunk * TASK;
                let count = TASK.min(tokens - first);
                let rows = rows(head, first, count, row);
                let seen = |index| visible.positions(position, first + index);
                dispatch(isa, rows.of(head / group, seen));
            });
        }
        Ok(())
    }
}

/// Vectors side by side in a tile.
const GROUPS: usize = 2;

/// Rows of queries: several tokens of a head, or several heads of a token.
struct Rows<'a> {
    /// From the first row on; a row is as long as the cache's heads are wide.
    queries: &'a [f32],
    output: Shared,
    /// The place of the first row in the output.
    start: usize,
    /// Numbers from one row to the next, of queries and output.
    stride: usize,
    /// The number of rows.
    count: usize,
    cache: &'a KeysValues,
    scale: f32,
}

impl<'a> Rows<'a> {
    /// The rows' attention to `head`; `seen` says how many positions a row sees.
    fn of<S: Fn(usize) -> usize>(self, head: usize, seen: S) -> Attend<'a, S> {
        Attend { rows: self, head, seen }
    }
}

/// The attention that [`Rows::of`] describes.
struct Attend<'a, S> {
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

/// Positions whose keys lie side by side: two of the widest vectors.
const TOGETHER: usize = 32;

/// Values are padded to a multiple of this: one of the widest vectors.
const WIDEST: usize = 16;

/// Keys and values of one layer or text: `heads` of `width` numbers for each position.
#[derive(Debug, Clone)]
pub struct KeysValues {
    heads: usize,
    width: usize,
    capacity: usize,
    /// `[heads, capacity / TOGETHER, width, TOGETHER]`: scores run with lanes over positions.
    keys: Vec<f32>,
    /// `[heads, capacity, padded width]`: weighted sums run with lanes over the width.
    values: Vec<f32>,
}

impl KeysValues {
    /// Room for `capacity` positions, rounded up to a multiple of 32.
    pub fn new(heads: usize, width: usize, capacity: usize) -> Self {
        let capacity = capacity.next_multiple_of(TOGETHER);
        let keys = vec![0.0; heads * width * capacity];
        let values = vec![0.0; heads * padded(width) * capacity];
        Self { heads, width, capacity, keys, values }
    }

    /// Heads of the keys and values.
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// Numbers of a head.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The positions there is room for.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Takes the keys and values of the positions from `position` on, both
    /// `[tokens, heads * width]`; positions beyond the capacity are made room for.
    pub fn write(&mut self, position: usize, keys: &[f32], values: &[f32]) {
        let row = self.heads * self.width;
        let tokens = keys.len().min(values.len()).checked_div(row).unwrap_or(0);
        self.grow(position + tokens);
        let (width, padded, capacity) = (self.width, self.padded_width(), self.capacity);
        for head in 0..self.heads {
            let to_values = &mut self.values[head * capacity * padded..][..capacity * padded];
            let to_keys = &mut self.keys[head * capacity * width..][..capacity * width];
            for token in 0..tokens {
                let at = position + token;
                let from = token * row + head * width;
                to_values[at * padded..][..width].copy_from_slice(&values[from..][..width]);
                let panel = &mut to_keys[at / TOGETHER * TOGETHER * width..][..TOGETHER * width];
                let slots = panel.iter_mut().skip(at % TOGETHER).step_by(TOGETHER);
                for (slot, key) in slots.zip(&keys[from..][..width]) {
                    *slot = *key;
                }
            }
        }
    }

    /// Makes room for `capacity` positions at least; what is written stays.
    pub fn grow(&mut self, capacity: usize) {
        if capacity <= self.capacity {
            return;
        }
        let mut grown = Self::new(self.heads, self.width, capacity);
        for head in 0..self.heads {
            let keys = self.head_keys(head);
            grown.keys[head * grown.capacity * self.width..][..keys.len()].copy_from_slice(keys);
            let values = self.head_values(head);
            let start = head * grown.capacity * self.padded_width();
            grown.values[start..][..values.len()].copy_from_slice(values);
        }
        *self = grown;
    }

    /// A head's keys, `[capacity / TOGETHER, width, TOGETHER]`.
    fn head_keys(&self, head: usize) -> &[f32] {
        let len = self.capacity * self.width;
        &self.keys[head * len..][..len]
    }

    /// A head's values, `[capacity, padded width]`.
    fn head_values(&self, head: usize) -> &[f32] {
        let len = self.capacity * self.padded_width();
        &self.values[head * len..][..len]
    }

    /// Numbers from one position's values to the next's.
    fn padded_width(&self) -> usize {
        padded(self.width)
    }

    /// Refuses more positions than there is room for.
    pub(crate) fn check(&self, positions: usize) -> Result<(), KernelError> {
        if positions > self.capacity {
            return Err(KernelError::Positions { positions, capacity: self.capacity });
        }
        Ok(())
    }
}

fn padded(width: usize) -> usize {
    width.next_multiple_of(WIDEST)
}
