//! A weight matrix on the device, in the format of its file.

use campanile_model::StoredTensor;

use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::format::{BLOCK, Format, Packed};
use crate::kernel;

/// Bytes of weights that are on their way to the device at once.
// What is written waits in main memory until it is handed over: a matrix as a whole would lie there twice.
const CHUNK_BYTES: usize = 8 << 20;

/// Rows of a matrix that lie in one buffer.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) values: Buffer,
    /// None where values need no scale.
    pub(crate) scales: Option<Buffer>,
    /// The first row.
    pub(crate) first: usize,
    pub(crate) rows: usize,
}

impl Run {
    /// Room for rows, not yet written.
    async fn new(
        gpu: &WebGpu,
        name: &str,
        layout: RowLayout,
        first: usize,
        rows: usize,
    ) -> Result<Self, WebGpuError> {
        let scales = match layout.scale_words(rows) {
            0 => None,
            words => Some(gpu.storage(name, 4 * words as u64).await?),
        };
        Ok(Self {
            values: gpu.storage(name, (layout.values * rows) as u64).await?,
            scales,
            first,
            rows,
        })
    }
}

/// A matrix `[rows, columns]`.
#[derive(Debug)]
pub(crate) struct DeviceMatrix {
    pub(crate) format: Format,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// More than one only where a matrix is larger than a buffer may be.
    pub(crate) runs: Vec<Run>,
}

impl DeviceMatrix {
    /// Moves a tensor to the device, a few megabytes at a time.
    ///
    /// # Errors
    /// [`WebGpuError::Unsupported`] where its rows are not whole blocks,
    /// [`WebGpuError::OutOfMemory`] where there is no room.
    pub(crate) async fn upload(
        gpu: &WebGpu,
        name: &str,
        tensor: &StoredTensor<'_>,
    ) -> Result<Self, WebGpuError> {
        let (rows, columns) = (tensor.rows(), tensor.columns());
        if rows == 0 || columns == 0 || !columns.is_multiple_of(BLOCK) {
            return Err(WebGpuError::Unsupported {
                reason: format!(
                    "the matrix `{name}` is {rows} by {columns}; the GPU's kernels want columns in blocks of {BLOCK}"
                ),
            });
        }
        let format = Format::of(tensor.encoding());
        let layout = RowLayout::new(format, columns);
        // An even number of rows, so that two halves of a word never lie in two buffers.
        let most = usize::try_from(gpu.buffer_limit()).unwrap_or(usize::MAX) / layout.largest();
        let most = (most & !1).max(2);
        let mut matrix = Self { format, rows, columns, runs: Vec::new() };
        while let Some(first) = matrix.next_row() {
            let count = most.min(rows - first);
            let run = Run::new(gpu, name, layout, first, count).await?;
            write_run(gpu, tensor, &run, layout);
            matrix.runs.push(run);
        }
        gpu.hand_over()?;
        Ok(matrix)
    }

    /// The rows of several matrices one below the other, as one matrix; the same matrices where they cannot be
    /// joined, because their formats differ or the whole is larger than a buffer may be.
    ///
    /// # Errors
    /// [`WebGpuError::OutOfMemory`].
    pub(crate) async fn join(
        gpu: &WebGpu,
        name: &str,
        parts: Vec<Self>,
    ) -> Result<Vec<Self>, WebGpuError> {
        let Some((format, columns)) = parts.first().map(|part| (part.format, part.columns)) else {
            return Ok(parts);
        };
        let layout = RowLayout::new(format, columns);
        let rows: usize = parts.iter().map(|part| part.rows).sum();
        let fits = (layout.largest() * rows) as u64 <= gpu.buffer_limit();
        // An odd number of rows may end within a word of scales, behind which the next part cannot begin.
        let alike = parts.iter().all(|part| {
            part.format == format && part.columns == columns && part.rows.is_multiple_of(2)
        });
        if !fits || !alike {
            return Ok(parts);
        }
        let run = Run::new(gpu, name, layout, 0, rows).await?;
        let mut row = 0;
        for part in parts.iter().flat_map(|part| &part.runs) {
            let values = |rows: usize| (layout.values * rows / 4) as u32;
            let scales = |rows: usize| layout.scale_words(rows) as u32;
            kernel::copy(gpu, &part.values, &run.values, values(row), values(part.rows));
            if let (Some(from), Some(to)) = (&part.scales, &run.scales) {
                kernel::copy(gpu, from, to, scales(row), scales(part.rows));
            }
            row += part.rows;
        }
        Ok(vec![Self { format, rows, columns, runs: vec![run] }])
    }

    /// Blocks of a row.
    pub(crate) fn blocks(&self) -> usize {
        self.columns / BLOCK
    }

    /// The first row that no run holds yet.
    fn next_row(&self) -> Option<usize> {
        let row = self.runs.last().map_or(0, |run| run.first + run.rows);
        (row < self.rows).then_some(row)
    }
}

/// Sizes of a row.
#[derive(Clone, Copy)]
struct RowLayout {
    /// Bytes of its values.
    values: usize,
    /// 16-bit halves of its scales.
    halves: usize,
}

impl RowLayout {
    fn new(format: Format, columns: usize) -> Self {
        let blocks = columns / BLOCK;
        Self { values: blocks * format.value_words() * 4, halves: blocks * format.scale_halves() }
    }

    /// Words of the scales of so many rows.
    fn scale_words(self, rows: usize) -> usize {
        (self.halves * rows).div_ceil(2)
    }

    /// Bytes of a row in the larger of the two buffers.
    fn largest(self) -> usize {
        self.values.max(self.halves * 2)
    }
}

fn write_run(gpu: &WebGpu, tensor: &StoredTensor<'_>, run: &Run, layout: RowLayout) {
    let (row_bytes, encoding) = (tensor.row_bytes(), tensor.encoding());
    let each = ((CHUNK_BYTES / layout.largest()) & !1).max(2);
    let mut packed = Packed::default();
    let mut at = (0, 0);
    for start in (0..run.rows).step_by(each) {
        for row in run.first + start..run.first + run.rows.min(start + each) {
            let bytes = &tensor.bytes()[row * row_bytes..][..row_bytes];
            // One encoding alone has scales of rows, and no other asks for this.
            let scale = tensor.scales().get(row).copied().unwrap_or(1.0);
            packed.add_row(encoding, bytes, scale);
        }
        packed.finish();
        gpu.write(&run.values, at.0, &packed.values);
        if let Some(scales) = &run.scales {
            gpu.write(scales, at.1, &packed.scales);
        }
        at = (at.0 + packed.values.len() as u64, at.1 + packed.scales.len() as u64);
        packed.values.clear();
        packed.scales.clear();
    }
}
