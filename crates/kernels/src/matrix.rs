//! Weights, packed for vector units.

use crate::packed::{GROUPS, Layout, Packed};
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

/// The form in which a matrix stores its weights.
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
    /// `[rows / (GROUPS * lanes), columns, GROUPS * lanes]`
    Float32(Vec<f32>),
    Int8(Packed),
    Int4(Packed),
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
        let lanes = lanes_for(isa, rows, columns, Format::Int4)?;
        let blocks = columns / BLOCK;
        let layout = Layout {
            lanes,
            blocks,
            four_bits: true,
            bias: 0,
            parts: 1,
            minimums: true,
            half: false,
        };
        let mut packed = Packed::zeros(layout, rows)?;
        let mut centred = true;
        for row in 0..rows {
            for block in 0..blocks {
                let Int4Block { values, scale, minimum } = fill(row, block);
                packed.set_number(row, block, 0, scale);
                packed.set_number(row, block, 1, minimum);
                centred &= minimum == -8.0 * scale;
                packed.set_codes(row, block, &values);
            }
        }
        let bias = if centred { 8 } else { 0 };
        packed.shrink(Layout { bias, minimums: !centred, ..layout });
        Ok(Self { isa, rows, columns, weights: Weights::Int4(packed) })
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
        let lanes = lanes_for(isa, rows, columns, Format::Int8)?;
        let blocks = columns / BLOCK;
        let layout = Layout {
            lanes,
            blocks,
            four_bits: false,
            // The code of an integer is its byte with the sign turned over.
            bias: 128,
            parts: 2,
            minimums: false,
            half: false,
        };
        let mut packed = Packed::zeros(layout, rows)?;
        let mut halves_agree = true;
        for row in 0..rows {
            for block in 0..blocks {
                let Int8Block { values, scales: [first, last] } = fill(row, block);
                packed.set_number(row, block, 0, first);
                packed.set_number(row, block, 1, last);
                halves_agree &= first == last;
                packed.set_codes(row, block, &values.map(|value| value.cast_unsigned() ^ 0x80));
            }
        }
        packed.shrink(Layout { parts: if halves_agree { 1 } else { 2 }, ..layout });
        Ok(Self { isa, rows, columns, weights: Weights::Int8(packed) })
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
        let together = GROUPS * lanes_for(isa, rows, columns, Format::Float32)?;
        let mut values = zeros(rows.next_multiple_of(together) * columns)?;
        let mut buffer = zeros(columns)?;
        for row in 0..rows {
            fill(row, &mut buffer);
            let start = row / together * together * columns + row % together;
            for (slot, value) in values[start..].iter_mut().step_by(together).zip(&buffer) {
                *slot = *value;
            }
        }
        Ok(Self { isa, rows, columns, weights: Weights::Float32(values) })
    }

    /// Returns the number of rows: the length of an output.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns: the length of an input.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the form in which the weights are stored.
    pub fn format(&self) -> Format {
        match self.weights {
            Weights::Float32(_) => Format::Float32,
            Weights::Int8(_) => Format::Int8,
            Weights::Int4(_) => Format::Int4,
        }
    }

    /// Rows that a vector holds side by side.
    pub(crate) fn lanes(&self) -> usize {
        lanes(self.isa)
    }

    /// The memory that the weights take, in bytes.
    pub fn bytes(&self) -> usize {
        match &self.weights {
            Weights::Float32(values) => values.len() * 4,
            Weights::Int8(packed) | Weights::Int4(packed) => packed.bytes().len(),
        }
    }

    /// Writes the weights of `row` as single-precision numbers, as many as `out` takes; nothing
    /// where there is no such row.
    pub fn read_row(&self, row: usize, out: &mut [f32]) {
        if row >= self.rows {
            return;
        }
        let columns = out.iter_mut().take(self.columns).enumerate();
        match &self.weights {
            Weights::Float32(values) => {
                let together = GROUPS * lanes(self.isa);
                let start = row / together * together * self.columns + row % together;
                columns.for_each(|(column, out)| *out = values[start + column * together]);
            }
            Weights::Int8(packed) | Weights::Int4(packed) => {
                let half = BLOCK / packed.layout.parts;
                for (column, out) in columns {
                    let block = column / BLOCK;
                    let scale = packed.scale(row, block, column % BLOCK / half);
                    *out = packed.integer(row, column) as f32 * scale;
                    if let Some(minimum) = packed.minimum(row, block) {
                        *out += minimum;
                    }
                }
            }
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
        self.product(input, (output, false), threads)
    }

    /// As [`Matrix::multiply`], but `output[token][row] += ...`: what is there comes first in the
    /// order of the sums.
    ///
    /// # Errors
    /// As [`Matrix::multiply`].
    pub fn multiply_add(
        &self,
        input: &Activations,
        output: &mut [f32],
        threads: Threads,
    ) -> Result<(), KernelError> {
        self.product(input, (output, true), threads)
    }

    fn product(
        &self,
        input: &Activations,
        (output, add): (&mut [f32], bool),
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
        crate::product::multiply(self.isa, self, input, (output, add), threads);
        Ok(())
    }
}

/// Rows that a vector of `isa` holds side by side, if a matrix of this shape can be had.
fn lanes_for(isa: Isa, rows: usize, columns: usize, format: Format) -> Result<usize, KernelError> {
    isa.check()?;
    if format != Format::Float32 && !columns.is_multiple_of(BLOCK) {
        return Err(KernelError::Columns { format, columns });
    }
    let lanes = lanes(isa);
    // The largest size computed from these is that of single-precision weights, in bytes.
    let rows = rows.checked_next_multiple_of(GROUPS * lanes);
    let bytes = rows.and_then(|rows| rows.checked_mul(4)?.checked_mul(columns));
    match bytes {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(lanes),
        _ => Err(KernelError::Memory { bytes: usize::MAX }),
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

fn zeros(len: usize) -> Result<Vec<f32>, KernelError> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| KernelError::Memory { bytes: len * 4 })?;
    values.resize(len, 0.0);
    Ok(values)
}
