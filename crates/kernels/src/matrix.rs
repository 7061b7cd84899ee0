//! Weights, packed for vector units.
//!
//! Rows stand side by side in groups of as many as a vector has 32-bit lanes, so that each lane
//! gathers one row's sum and no sum crosses lanes. A row's columns come in twos, because
//! processors multiply two pairs of 16-bit integers into one 32-bit lane; the group's vectors are
//! so ordered that a mask and a shift widen them:
//!
//! - 8 bits: a vector holds 4 columns of each row, the bytes of a row in the order 0, 2, 1, 3.
//!   Even bytes are columns 0 and 1 as 16-bit numbers, odd bytes columns 2 and 3.
//! - 4 bits: a vector holds 8 columns of each row, columns 0 to 3 in the low halves of its bytes,
//!   4 to 7 in the high ones, each four in the order 0, 2, 1, 3.
//!
//! What is stored is unsigned, `code = integer + bias`.

use crate::activations::HALF;
use crate::lines::Lines;
use crate::vector::{Kernel, Vector, dispatch};
use crate::{Activations, BLOCK, Isa, KernelError, Threads};

/// 32 weights of a row, each `minimum + scale · value`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Int4Block {
    /// Integers of 0 to 15; only the low four bits are kept.
    pub values: [u8; BLOCK],
    /// The step between two integers.
    pub scale: f32,
    /// The weight that the integer 0 stands for.
    pub minimum: f32,
}

/// 32 weights of a row, each `scale · value`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Int8Block {
    /// The integers.
    pub values: [i8; BLOCK],
    /// The steps of the first 16 and of the last 16.
    pub scales: [f32; 2],
}

/// How a matrix stores its weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Single precision.
    Float32,
    /// Signed bytes, a scale for 16 or 32 of them.
    Int8,
    /// Four bits, a scale and a minimum for 32 of them.
    Int4,
}

/// Weights `[rows, columns]`, packed for the processor.
pub struct Matrix {
    isa: Isa,
    rows: usize,
    columns: usize,
    pub(crate) weights: Weights,
}

pub(crate) enum Weights {
    /// `[groups, columns, lanes]`
    Float32(Vec<f32>),
    Int8(Packed),
    Int4(Packed),
}

/// Integers and their scales; missing rows of the last group are zeros.
pub(crate) struct Packed {
    /// `[groups, columns / 32]` pieces in the order that the module's documentation gives.
    pub(crate) codes: Lines,
    /// What was added to every integer.
    pub(crate) bias: i32,
    /// Scales of a block: 1, or 2 where its halves differ.
    pub(crate) parts: usize,
    /// `[groups, columns / 32, parts, lanes]`
    pub(crate) scales: Vec<f32>,
    /// `[groups, columns / 32, lanes]`; empty where the bias says it all.
    pub(crate) minimums: Vec<f32>,
}

impl Matrix {
    /// A 4-bit matrix for this processor; `fill(row, block)` is called in order.
    ///
    /// # Errors
    /// [`KernelError::Columns`] unless `columns` is a multiple of 32, [`KernelError::Memory`].
    pub fn int4(
        rows: usize,
        columns: usize,
        fill: impl FnMut(usize, usize) -> Int4Block,
    ) -> Result<Self, KernelError> {
        Self::int4_for(Isa::best(), rows, columns, fill)
    }

    /// An 8-bit matrix for this processor; `fill(row, block)` is called in order.
    ///
    /// # Errors
    /// [`KernelError::Columns`] unless `columns` is a multiple of 32, [`KernelError::Memory`].
    pub fn int8(
        rows: usize,
        columns: usize,
        fill: impl FnMut(usize, usize) -> Int8Block,
    ) -> Result<Self, KernelError> {
        Self::int8_for(Isa::best(), rows, columns, fill)
    }

    /// A single-precision matrix for this processor; `fill(row, values)` is called in order and
    /// writes the row's `columns` values.
    ///
    /// # Errors
    /// [`KernelError::Memory`].
    pub fn float32(
        rows: usize,
        columns: usize,
        fill: impl FnMut(usize, &mut [f32]),
    ) -> Result<Self, KernelError> {
        Self::float32_for(Isa::best(), rows, columns, fill)
    }

    /// [`Matrix::int4`] for another instruction set.
    ///
    /// # Errors
    /// As [`Matrix::int4`], and [`KernelError::Isa`].
    pub fn int4_for(
        isa: Isa,
        rows: usize,
        columns: usize,
        mut fill: impl FnMut(usize, usize) -> Int4Block,
    ) -> Result<Self, KernelError> {
        let shape = Shape::new(isa, rows, columns, Format::Int4)?;
        let mut codes = Lines::zeros(shape.groups * columns * shape.lanes / 2)?;
        let mut scales = zeros(shape.groups * shape.blocks * shape.lanes)?;
        let mut minimums = zeros(scales.len())?;
        let mut centred = true;
        for row in 0..rows {
            for block in 0..shape.blocks {
                let Int4Block { values, scale, minimum } = fill(row, block);
                let slot = shape.slot(row, block, 1, 0);
                scales[slot] = scale;
                minimums[slot] = minimum;
                centred &= minimum == -8.0 * scale;
                for (column, value) in values.iter().enumerate() {
                    let (byte, high) = shape.nibble(row, block * BLOCK + column);
                    codes.bytes_mut()[byte] |= (value & 15) << (4 * u32::from(high));
                }
            }
        }
        let bias = if centred { 8 } else { 0 };
        if centred {
            minimums = Vec::new();
        }
        let weights = Weights::Int4(Packed { codes, bias, parts: 1, scales, minimums });
        Ok(Self { isa, rows, columns, weights })
    }

    /// [`Matrix::int8`] for another instruction set.
    ///
    /// # Errors
    /// As [`Matrix::int8`], and [`KernelError::Isa`].
    pub fn int8_for(
        isa: Isa,
        rows: usize,
        columns: usize,
        mut fill: impl FnMut(usize, usize) -> Int8Block,
    ) -> Result<Self, KernelError> {
        let shape = Shape::new(isa, rows, columns, Format::Int8)?;
        let bias = 128;
        let mut codes = Lines::zeros(shape.groups * columns * shape.lanes)?;
        codes.bytes_mut().fill(bias as u8);
        let mut scales = zeros(shape.groups * shape.blocks * 2 * shape.lanes)?;
        let mut halves_agree = true;
        for row in 0..rows {
            for block in 0..shape.blocks {
                let Int8Block { values, scales: [first, last] } = fill(row, block);
                scales[shape.slot(row, block, 2, 0)] = first;
                scales[shape.slot(row, block, 2, 1)] = last;
                halves_agree &= first == last;
                for (column, value) in values.iter().enumerate() {
                    let byte = shape.byte(row, block * BLOCK + column);
                    codes.bytes_mut()[byte] = (i32::from(*value) + bias) as u8;
                }
            }
        }
        let mut parts = 2;
        if halves_agree {
            parts = 1;
            let mut kept = zeros(scales.len() / 2)?;
            let sources = scales.chunks_exact(2 * shape.lanes);
            for (kept, both) in kept.chunks_exact_mut(shape.lanes).zip(sources) {
                kept.copy_from_slice(&both[..shape.lanes]);
            }
            scales = kept;
        }
        let weights = Weights::Int8(Packed { codes, bias, parts, scales, minimums: Vec::new() });
        Ok(Self { isa, rows, columns, weights })
    }

    /// [`Matrix::float32`] for another instruction set.
    ///
    /// # Errors
    /// As [`Matrix::float32`], and [`KernelError::Isa`].
    pub fn float32_for(
        isa: Isa,
        rows: usize,
        columns: usize,
        mut fill: impl FnMut(usize, &mut [f32]),
    ) -> Result<Self, KernelError> {
        let shape = Shape::new(isa, rows, columns, Format::Float32)?;
        let mut values = zeros(shape.groups * columns * shape.lanes)?;
        let mut buffer = zeros(columns)?;
        for row in 0..rows {
            fill(row, &mut buffer);
            let start = shape.group(row) * columns * shape.lanes + row % shape.lanes;
            let slots = values[start..].iter_mut().step_by(shape.lanes);
            for (slot, value) in slots.zip(&buffer) {
                *slot = *value;
            }
        }
        Ok(Self { isa, rows, columns, weights: Weights::Float32(values) })
    }

    /// How many rows there are: the length of an output.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are: the length of an input.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How the weights are stored.
    pub fn format(&self) -> Format {
        match self.weights {
            Weights::Float32(_) => Format::Float32,
            Weights::Int8(_) => Format::Int8,
            Weights::Int4(_) => Format::Int4,
        }
    }

    /// The memory that the weights take, in bytes.
    pub fn bytes(&self) -> usize {
        match &self.weights {
            Weights::Float32(values) => values.len() * 4,
            Weights::Int8(packed) | Weights::Int4(packed) => {
                packed.codes.bytes().len() + 4 * (packed.scales.len() + packed.minimums.len())
            }
        }
    }

    /// Writes the weights of `row` as single-precision numbers, as many as `out` takes; nothing
    /// where there is no such row.
    pub fn read_row(&self, row: usize, out: &mut [f32]) {
        if row >= self.rows {
            return;
        }
        let shape = self.shape();
        for (column, out) in out.iter_mut().take(self.columns).enumerate() {
            let block = column / BLOCK;
            *out = match &self.weights {
                Weights::Float32(values) => {
                    values[(shape.group(row) * self.columns + column) * shape.lanes
                        + row % shape.lanes]
                }
                Weights::Int8(packed) => {
                    let part = column % BLOCK / HALF * (packed.parts - 1);
                    let scale = packed.scales[shape.slot(row, block, packed.parts, part)];
                    packed.integer(shape.byte(row, column), None) as f32 * scale
                }
                Weights::Int4(packed) => {
                    let slot = shape.slot(row, block, 1, 0);
                    let (byte, high) = shape.nibble(row, column);
                    let value = packed.integer(byte, Some(high)) as f32 * packed.scales[slot];
                    match packed.minimums.get(slot) {
                        Some(minimum) => value + minimum,
                        None => value,
                    }
                }
            };
        }
    }

    /// `output[token][row] = Σ_column weights[row][column] · input[token][column]`; overwrites.
    ///
    /// Integers are multiplied and summed exactly within a block (half a block where its halves
    /// have two scales); the blocks' sums, scaled, are added in order.
    ///
    /// # Errors
    /// [`KernelError::Input`] for an input of another width, [`KernelError::Length`] unless
    /// `output` is `[tokens, rows]`.
    pub fn multiply(
        &self,
        input: &Activations,
        output: &mut [f32],
        threads: Threads,
    ) -> Result<(), KernelError> {
        if input.columns() != self.columns {
            return Err(KernelError::Input { expected: self.columns, found: input.columns() });
        }
        let expected = input.tokens() * self.rows;
        if output.len() != expected {
            let found = output.len();
            return Err(KernelError::Length { what: "the product", expected, found });
        }
        crate::product::multiply(self.isa, self, input, output, threads);
        Ok(())
    }

    pub(crate) fn shape(&self) -> Shape {
        let lanes = lanes(self.isa);
        let groups = self.rows.div_ceil(lanes);
        Shape { lanes, groups, blocks: self.columns / BLOCK, columns: self.columns }
    }
}

impl Packed {
    /// The integer in a byte, or in its high or low half.
    pub(crate) fn integer(&self, byte: usize, high: Option<bool>) -> i32 {
        let code = self.codes.bytes()[byte];
        let code = match high {
            None => code,
            Some(false) => code & 15,
            Some(true) => code >> 4,
        };
        i32::from(code) - self.bias
    }
}

/// Where things lie in a packed matrix.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) lanes: usize,
    pub(crate) groups: usize,
    pub(crate) blocks: usize,
    pub(crate) columns: usize,
}

impl Shape {
    fn new(isa: Isa, rows: usize, columns: usize, format: Format) -> Result<Self, KernelError> {
        if format != Format::Float32 && !columns.is_multiple_of(BLOCK) {
            return Err(KernelError::Columns { format, columns });
        }
        isa.check()?;
        let lanes = lanes(isa);
        let groups = rows.div_ceil(lanes);
        // The largest size computed from these: single-precision weights, in bytes.
        let bytes = groups.checked_mul(lanes * 4).and_then(|b| b.checked_mul(columns));
        if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
            return Err(KernelError::Memory { bytes: usize::MAX });
        }
        Ok(Self { lanes, groups, blocks: columns / BLOCK, columns })
    }

    fn group(self, row: usize) -> usize {
        row / self.lanes
    }

    /// Where the scale of a part of a block is, and with one part its minimum.
    pub(crate) fn slot(self, row: usize, block: usize, parts: usize, part: usize) -> usize {
        ((self.group(row) * self.blocks + block) * parts + part) * self.lanes + row % self.lanes
    }

    /// Where a byte of an 8-bit matrix is.
    pub(crate) fn byte(self, row: usize, column: usize) -> usize {
        let vector = (self.group(row) * self.columns + column) / 4;
        (vector * self.lanes + row % self.lanes) * 4 + swapped(column)
    }

    /// Which byte of a 4-bit matrix holds a value, and whether in its high half.
    pub(crate) fn nibble(self, row: usize, column: usize) -> (usize, bool) {
        let vector = (self.group(row) * self.columns + column) / 8;
        ((vector * self.lanes + row % self.lanes) * 4 + swapped(column), column % 8 >= 4)
    }
}

/// Rows that a vector holds side by side.
fn lanes(isa: Isa) -> usize {
    struct Lanes;
    impl Kernel for Lanes {
        type Output = usize;

        #[inline(always)]
        unsafe fn run<V: Vector>(self) -> usize {
            V::LANES
        }
    }
    dispatch(isa, Lanes)
}

/// The place of a column within its four.
fn swapped(column: usize) -> usize {
    [0, 2, 1, 3][column % 4]
}

fn zeros(len: usize) -> Result<Vec<f32>, KernelError> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| KernelError::Memory { bytes: len * 4 })?;
    values.resize(len, 0.0);
    Ok(values)
}
