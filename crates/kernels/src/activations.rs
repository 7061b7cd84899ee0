//! The input of a matrix product, in the forms the kernels need.

use crate::vector::vectorised;
use crate::{BLOCK, Isa};

/// The largest quantised activation: 127 · 256, so that a value splits into two signed bytes.
const STEPS: f32 = 32_512.0;

/// The columns that share one sum of quantised values: half a block.
pub(crate) const HALF: usize = BLOCK / 2;

/// 1.5 · 2²³: adding it rounds a smaller number to the nearest integer, ties to even, and leaves
/// that integer in the low bits.
const ROUND: f32 = 12_582_912.0;

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
    /// `[tokens, columns]`; empty where the columns are not whole blocks.
    pub(crate) quantised: Vec<i16>,
    /// `[tokens, columns / 32]`
    pub(crate) scales: Vec<f32>,
    /// `[tokens, columns / 16]`: sums of the quantised values.
    pub(crate) sums: Vec<i32>,
    /// `[tokens, columns / 32]`: a block's sum of quantised values times its scale.
    pub(crate) shares: Vec<f32>,
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
        self.values.clear();
        self.values.extend_from_slice(values);
        let quantised = if columns.is_multiple_of(BLOCK) { values } else { &[] };
        self.quantised.resize(quantised.len(), 0);
        self.scales.resize(quantised.len() / BLOCK, 0.0);
        self.sums.resize(quantised.len() / HALF, 0);
        self.shares.resize(quantised.len() / BLOCK, 0.0);
        vectorised(isa, quantise, (quantised, self));
    }

    /// How many rows there are.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// How many values a row has.
    pub fn columns(&self) -> usize {
        self.columns
    }
}

/// Quantises whole blocks.
#[inline(always)]
fn quantise((values, out): (&[f32], &mut Activations)) {
    let (blocks, _) = values.as_chunks::<BLOCK>();
    let (quantised, _) = out.quantised.as_chunks_mut::<BLOCK>();
    let (sums, _) = out.sums.as_chunks_mut::<2>();
    let scales = out.scales.iter_mut().zip(out.shares.iter_mut());
    for (((block, quantised), sums), (scale, share)) in
        blocks.iter().zip(quantised).zip(sums).zip(scales)
    {
        *scale = quantise_block(block, quantised);
        for (sum, values) in sums.iter_mut().zip(quantised.as_chunks::<HALF>().0) {
            *sum = values.iter().map(|&value| i32::from(value)).sum();
        }
        *share = *scale * (sums[0] + sums[1]) as f32;
    }
}

/// Quantises one block and returns its scale.
#[inline(always)]
fn quantise_block(block: &[f32; BLOCK], out: &mut [i16; BLOCK]) -> f32 {
    // Without their signs, floats are ordered as their bits are, NaN above infinity above all.
    let mut largest = 0u32;
    for value in block {
        largest = largest.max(value.abs().to_bits());
    }
    let largest = f32::from_bits(largest);
    if !largest.is_finite() {
        *out = [0; BLOCK];
        return f32::NAN;
    }
    // Too small for `STEPS / largest` to be finite: nothing that a sum would notice.
    if largest < 1e-30 {
        *out = [0; BLOCK];
        return 0.0;
    }
    let factor = STEPS / largest;
    for (out, value) in out.iter_mut().zip(block) {
        *out = ((value * factor + ROUND).to_bits().wrapping_sub(ROUND.to_bits())) as i16;
    }
    largest / STEPS
}
