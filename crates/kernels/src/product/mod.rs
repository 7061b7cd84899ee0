//! Products of a matrix and its input: what is to be done, cut into tasks.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over registers: one index counts through several arrays and an offset"
)]

mod few;
pub(crate) mod float;
mod many;

use crate::activations::TILE;
use crate::matrix::Weights;
use crate::packed::{GROUPS, Packed};
use crate::threads::{Shared, for_each};
use crate::vector::{Kernel, Vector, dispatch};
use crate::{Activations, Isa, Matrix, Threads};
use few::Few;

/// Tokens from which on weights are widened once and kept.
const MANY: usize = 4;

/// Multiplications that are worth a task of their own.
const TASK: usize = 1 << 18;

/// A part of a product: some rows by some tokens.
#[derive(Clone, Copy)]
struct Part<'a> {
    /// Rows of the whole matrix.
    rows: usize,
    /// Columns of the matrix and its input.
    columns: usize,
    /// The sets of rows that stand side by side, from the first to before the second.
    sets: (usize, usize),
    /// The tokens from the first, a multiple of four, to before the second.
    tokens: (usize, usize),
    input: &'a Activations,
    /// `[tokens, rows]` of the whole product.
    output: Shared,
    /// `true` if sums start from what is there, not from zero.
    add: bool,
}

impl Part<'_> {
    /// Returns the place where a token's products with a set of rows go, and how many of its rows there
    /// are.
    fn output<V: Vector>(&self, token: usize, set: usize) -> (*mut f32, usize) {
        let row = set * GROUPS * V::LANES;
        // SAFETY: the set starts within the token's rows.
        let to = unsafe { self.output.pointer().add(token * self.rows + row) };
        (to, (self.rows - row).min(GROUPS * V::LANES))
    }

    /// Loads the numbers that a token's products with a set of rows are added to.
    ///
    /// # Safety
    /// No other task writes to the same place.
    #[inline(always)]
    unsafe fn start<V: Vector>(&self, token: usize, set: usize) -> [V::Float; GROUPS] {
        // SAFETY: `rows` values are there, or a buffer has room for whole vectors.
        unsafe {
            if !self.add {
                return [V::splat_float(0.0); GROUPS];
            }
            let (from, rows) = self.output::<V>(token, set);
            if rows == GROUPS * V::LANES {
                return std::array::from_fn(|group| V::load_float(from.add(group * V::LANES)));
            }
            let mut whole = [0.0; GROUPS * 16];
            whole.as_mut_ptr().copy_from_nonoverlapping(from, rows);
            std::array::from_fn(|group| V::load_float(whole.as_ptr().add(group * V::LANES)))
        }
    }

    /// Writes a token's products with a set of rows.
    ///
    /// # Safety
    /// No other task writes to the same place.
    #[inline(always)]
    unsafe fn write<V: Vector>(&self, token: usize, set: usize, sums: [V::Float; GROUPS]) {
        let (to, rows) = self.output::<V>(token, set);
        // SAFETY: there is room for `rows` values.
        unsafe {
            if rows == GROUPS * V::LANES {
                for group in 0..GROUPS {
                    V::store_float(to.add(group * V::LANES), sums[group]);
                }
            } else {
                let mut whole = [0.0; GROUPS * 16];
                for group in 0..GROUPS {
                    V::store_float(whole.as_mut_ptr().add(group * V::LANES), sums[group]);
                }
                to.copy_from_nonoverlapping(whole.as_ptr(), rows);
            }
        }
    }
}

/// `output` is `[tokens, rows]`, the input as wide as the matrix: the caller has checked. Products
/// are added to what is there where `add` says so.
pub(crate) fn multiply(
    isa: Isa,
    matrix: &Matrix,
    input: &Activations,
    (output, add): (&mut [f32], bool),
    threads: Threads,
) {
    let (rows, columns, tokens) = (matrix.rows(), matrix.columns(), input.tokens());
    if tokens == 0 || rows == 0 {
        return;
    }
    let sets = rows.div_ceil(GROUPS * matrix.lanes());
    let output = Shared::new(output);
    let whole = Part { rows, columns, sets: (0, sets), tokens: (0, tokens), input, output, add };
    let size = rows.saturating_mul(columns).saturating_mul(tokens);
    let count = threads.count().min(size / TASK).max(1);
    // Twice as many tasks as threads even out what the threads get done; more only cost.
    let count = if count > 1 { 2 * count } else { 1 };
    let across = count.min(sets);
    let down = (count / across).clamp(1, tokens.div_ceil(2 * TILE));
    for_each(threads, across * down, |task| {
        let (column, row) = (task % across, task / across);
        let cut = |total: usize, index: usize, count: usize| total * index / count;
        let token = |index| (cut(tokens.div_ceil(TILE), index, down) * TILE).min(tokens);
        let part = Part {
            sets: (cut(sets, column, across), cut(sets, column + 1, across)),
            tokens: (token(row), token(row + 1)),
            ..whole
        };
        dispatch(isa, Multiply { weights: &matrix.weights, part });
    });
}

struct Multiply<'a> {
    weights: &'a Weights,
    part: Part<'a>,
}

impl Kernel for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let part = self.part;
        // SAFETY: the matrix was packed for these lanes, and the part lies within it.
        unsafe {
            match self.weights {
                Weights::Float32(values) => float::product::<V>(values, part),
                Weights::Int4(packed) => integers::<V, true, 1>(packed, part),
                Weights::Int8(packed) if packed.layout.parts == 1 => {
                    integers::<V, false, 1>(packed, part);
                }
                Weights::Int8(packed) => integers::<V, false, 2>(packed, part),
            }
        }
    }
}

#[inline(always)]
unsafe fn integers<V: Vector, const FOUR_BITS: bool, const PARTS: usize>(
    packed: &Packed,
    part: Part<'_>,
) {
    let (mut token, end) = part.tokens;
    // SAFETY: as the caller promises.
    unsafe {
        if end - token >= MANY {
            return many::product::<V, FOUR_BITS, PARTS>(packed, part);
        }
        if token + 2 <= end {
            V::call(Few::<FOUR_BITS, PARTS, 2> { packed, part, token });
            token += 2;
        }
        if token < end {
            V::call(Few::<FOUR_BITS, PARTS, 1> { packed, part, token });
        }
    }
}
