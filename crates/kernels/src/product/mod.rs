//! Products of a matrix and its input: what is to be done, cut into tasks.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over registers: one index counts through several arrays and an offset"
)]

mod few;
mod float;
mod many;

use few::Few;

use crate::matrix::{Packed, Shape, Weights};
use crate::threads::{Shared, for_each};
use crate::vector::{Kernel, Vector, dispatch};
use crate::{Activations, Isa, Matrix, Threads};

/// Tokens from which on a group's weights are widened once and kept.
const MANY: usize = 4;

/// Groups of rows that are multiplied side by side.
pub(crate) const GROUPS: usize = 2;

/// Multiplications that are worth a task of their own.
const TASK: usize = 1 << 18;

/// A part of a product: some groups of rows by some tokens.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) shape: Shape,
    pub(crate) rows: usize,
    /// The groups of rows from the first to before the second.
    pub(crate) groups: (usize, usize),
    /// The tokens from the first to before the second.
    pub(crate) tokens: (usize, usize),
    pub(crate) input: &'a Activations,
    /// `[tokens, rows]` of the whole product.
    pub(crate) output: Shared,
}

impl Part<'_> {
    /// Where a token's products with a group of rows go.
    pub(crate) fn output(&self, token: usize, group: usize) -> *mut f32 {
        let at = token * self.rows + group * self.shape.lanes;
        // SAFETY: the group starts within the token's rows.
        unsafe { self.output.pointer().add(at) }
    }

    /// How many of the rows from `group` on there are, `most` at the most.
    pub(crate) fn rows_from(&self, group: usize, most: usize) -> usize {
        most.min(self.rows - group * self.shape.lanes)
    }
}

/// `output` is `[tokens, rows]`, the input as wide as the matrix: the caller has checked.
pub(crate) fn multiply(
    isa: Isa,
    matrix: &Matrix,
    input: &Activations,
    output: &mut [f32],
    threads: Threads,
) {
    let shape = matrix.shape();
    let tokens = input.tokens();
    if tokens == 0 || matrix.rows() == 0 {
        return;
    }
    let whole = Part {
        shape,
        rows: matrix.rows(),
        groups: (0, shape.groups),
        tokens: (0, tokens),
        input,
        output: Shared::new(output),
    };
    let size = matrix.rows().saturating_mul(shape.columns).saturating_mul(tokens);
    let count = threads.count().min(size / TASK).max(1);
    // Twice as many tasks as threads even out what the threads get done; more only cost.
    let count = if count > 1 { 2 * count } else { 1 };
    let units = shape.groups.div_ceil(GROUPS);
    let across = count.min(units);
    let down = (count / across).clamp(1, tokens.div_ceil(2 * MANY));
    for_each(threads, across * down, |task| {
        let (column, row) = (task % across, task / across);
        let cut = |total: usize, index: usize, count: usize| total * index / count;
        let group = |index| (cut(units, index, across) * GROUPS).min(shape.groups);
        let part = Part {
            groups: (group(column), group(column + 1)),
            tokens: (cut(tokens, row, down), cut(tokens, row + 1, down)),
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
                Weights::Int8(packed) if packed.parts == 1 => {
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
    // SAFETY: as the caller promises.
    unsafe {
        if part.tokens.1 - part.tokens.0 < MANY {
            let (mut token, end) = part.tokens;
            if token + 2 <= end {
                V::call(Few::<FOUR_BITS, PARTS, 2> { packed, part, token });
                token += 2;
            }
            if token < end {
                V::call(Few::<FOUR_BITS, PARTS, 1> { packed, part, token });
            }
        } else {
            many::product::<V, FOUR_BITS, PARTS>(packed, part);
        }
    }
}
