//! The input of a matrix product, in the forms the kernels need.

use crate::functions::ROUND;
use crate::vector::{Kernel, Vector, dispatch};
use crate::{BLOCK, Isa};

/// The largest quantised activation: 127 · 256, so that a value splits into two signed bytes.
const STEPS: f32 = 32_512.0;

/// The columns that share one sum of quantised values: half a block.
const HALF: usize = BLOCK / 2;

/// Blocks without a larger value become zeros: `STEPS` over it might not be finite, and no sum
/// would notice.
const SMALLEST: f32 = 1e-30;

/// Tokens whose quantised values lie side by side, for a kernel to read them from one place.
pub(crate) const TILE: usize = 4;

/// A block of four tokens, quantised.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Block {
    /// Integers, `[columns / 2, tokens, 2]`.
    pub(crate) pairs: [[[i16; 2]; TILE]; BLOCK / 2],
    /// The numbers that integers are multiplied with.
    pub(crate) scales: [f32; TILE],
    /// Sums of the integers, times their scales.
    pub(crate) shares: [f32; TILE],
    /// Sums of the integers in either half, `[halves, tokens]`.
    pub(crate) sums: [[i32; TILE]; 2],
}

/// `[tokens, columns]` values, as they are and as 16-bit integers.
///
/// Each token's block of 32 columns is scaled by its largest absolute value over 32,512, so the
/// rounding error is 1.5e-5 of that value at most. A block with a NaN or an infinity makes NaN of
/// every product with it.
///
/// Make one and [`set`](Self::set) it again and again: it keeps its memory.
#[derive(Debug, Clone, Default)]
pub struct Activations {
    tokens: usize,
    columns: usize,
    /// `[tokens, columns]`
    pub(crate) values: Vec<f32>,
    /// `[tokens / 4, columns / 32]`, the tokens filled up with zeros; empty where the columns are
    /// not whole blocks.
    pub(crate) blocks: Vec<Block>,
}

impl Activations {
    /// No tokens yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes `values`, `[tokens, columns]`; what is left over after the last whole row is not
    /// used.
    pub fn set(&mut self, values: &[f32], columns: usize) {
        self.set_for(Isa::best(), values, columns);
    }

    pub(crate) fn set_for(&mut self, isa: Isa, values: &[f32], columns: usize) {
        self.columns = columns;
        self.tokens = values.len().checked_div(columns).unwrap_or(0);
        let values = &values[..self.tokens * columns];
        if columns.is_multiple_of(BLOCK) {
            self.values.resize(values.len(), 0.0);
            self.blocks.resize(self.tokens.div_ceil(TILE) * (columns / BLOCK), Block::default());
            dispatch(isa, Quantise { values, out: self });
        } else {
            self.values.clear();
            self.values.extend_from_slice(values);
            self.blocks.clear();
        }
    }

    /// Returns the number of rows.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// Returns how many values a row has.
    pub fn columns(&self) -> usize {
        self.columns
    }
}

/// Copies and quantises whole blocks.
struct Quantise<'a> {
    values: &'a [f32],
    out: &'a mut Activations,
}

impl Kernel for Quantise<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let Activations { columns, values: copies, blocks, .. } = self.out;
        if *columns == 0 {
            return;
        }
        let rows = self.values.chunks(TILE * *columns).zip(copies.chunks_mut(TILE * *columns));
        for ((rows, copies), blocks) in rows.zip(blocks.chunks_mut(*columns / BLOCK)) {
            for (block, out) in blocks.iter_mut().enumerate() {
                let mut integers = [[0; BLOCK]; TILE];
                let rows = rows.chunks_exact(*columns).zip(copies.chunks_exact_mut(*columns));
                for token in 0..TILE {
                    (out.scales[token], out.sums[0][token], out.sums[1][token]) = (0.0, 0, 0);
                }
                for (token, (row, copy)) in rows.enumerate() {
                    let (row, _) = row[block * BLOCK..].as_chunks::<BLOCK>();
                    let (copy, _) = copy[block * BLOCK..].as_chunks_mut::<BLOCK>();
                    let (Some(row), Some(copy)) = (row.first(), copy.first_mut()) else { continue };
                    *copy = *row;
                    // SAFETY: the processor has the instructions.
                    unsafe {
                        let factor;
                        (out.scales[token], factor) = scale_of::<V>(row);
                        let sums = round::<V>(row, factor, &mut integers[token]);
                        (out.sums[0][token], out.sums[1][token]) = (sums[0], sums[1]);
                    }
                }
                for (column, pairs) in out.pairs.iter_mut().enumerate() {
                    for (token, pair) in pairs.iter_mut().enumerate() {
                        *pair = [integers[token][2 * column], integers[token][2 * column + 1]];
                    }
                }
                for (token, share) in out.shares.iter_mut().enumerate() {
                    let sum = out.sums[0][token] + out.sums[1][token];
                    *share = out.scales[token] * sum as f32;
                }
            }
        }
    }
}

/// A block's scale, and what its values are multiplied with.
#[inline(always)]
unsafe fn scale_of<V: Vector>(block: &[f32; BLOCK]) -> (f32, f32) {
    // Without their signs, floats are ordered as their bits are, NaN above infinity above all.
    // SAFETY: the caller has the instructions; vectors are read within the block.
    let largest = unsafe {
        let without_sign = V::splat(i32::MAX);
        let mut largest = V::splat(0);
        for lane in (0..BLOCK).step_by(V::LANES) {
            let bits = V::load(block.as_ptr().add(lane).cast());
            largest = V::greater(largest, V::and(bits, without_sign));
        }
        f32::from_bits(V::greatest(largest).cast_unsigned())
    };
    if !largest.is_finite() {
        (f32::NAN, 0.0)
    } else if largest < SMALLEST {
        (0.0, 0.0)
    } else {
        (largest / STEPS, STEPS / largest)
    }
}

/// Writes a block's values times `factor`, rounded, and returns the sums of its halves.
#[inline(always)]
unsafe fn round<V: Vector>(block: &[f32; BLOCK], factor: f32, to: &mut [i16; BLOCK]) -> [i32; 2] {
    if factor == 0.0 {
        *to = [0; BLOCK];
        return [0; 2];
    }
    // SAFETY: the caller has the instructions; vectors are read and written within the block.
    unsafe {
        let (factor, round) = (V::splat_float(factor), V::splat_float(ROUND));
        let offset = V::splat(0i32.wrapping_sub(ROUND.to_bits().cast_signed()));
        let integers = |column: usize| {
            let value = V::multiply(V::load_float(block.as_ptr().add(column)), factor);
            V::add_int(V::bits(V::add(value, round)), offset)
        };
        let mut sums = [0; 2];
        for (half, sum) in sums.iter_mut().enumerate() {
            let mut lanes = V::splat(0);
            for column in (half * HALF..(half + 1) * HALF).step_by(V::LANES) {
                lanes = V::add_int(lanes, integers(column));
            }
            *sum = V::sum(lanes);
        }
        for column in (0..BLOCK).step_by(2 * V::LANES) {
            let to = to.as_mut_ptr().add(column);
            V::store_narrow(to, integers(column), integers(column + V::LANES));
        }
        sums
    }
}
