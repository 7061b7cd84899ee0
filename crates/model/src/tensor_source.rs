//! Sources of weights: named tensors, handed out one at a time.

use std::borrow::Cow;
use std::ops::Range;

use crate::encoding::Encoding;
use crate::error::ModelError;

/// Named weights that can be read one by one.
///
/// A loader asks for one tensor, moves it to its device and drops it before it asks for the
/// next: the peak of memory stays near the size of the model itself, which matters in a browser,
/// where a module's memory never shrinks.
pub trait TensorSource {
    /// The names of all tensors, sorted.
    fn names(&self) -> Vec<String>;

    /// One tensor as it is stored.
    ///
    /// # Errors
    /// [`ModelError::MissingTensor`] where there is none of that name, [`ModelError::Tensor`]
    /// where its bytes do not fit its shape.
    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError>;

    /// Describes a tensor without its values.
    ///
    /// # Errors
    /// As [`TensorSource::stored`].
    fn describe(&self, name: &str) -> Result<TensorDescription, ModelError> {
        let stored = self.stored(name)?;
        Ok(TensorDescription {
            shape: stored.shape().to_vec(),
            encoding: stored.encoding(),
            len_bytes: stored.bytes().len(),
        })
    }

    /// One tensor for good: a source that can gives up its bytes, so that a loader that takes one
    /// tensor after the other never holds the model twice.
    ///
    /// # Errors
    /// As [`TensorSource::stored`].
    fn take(&mut self, name: &str) -> Result<StoredTensor<'static>, ModelError> {
        Ok(self.stored(name)?.into_owned())
    }

    /// One tensor with its values as `f32`, whatever its encoding.
    ///
    /// # Errors
    /// As [`TensorSource::stored`].
    fn read(&self, name: &str) -> Result<HostTensor, ModelError> {
        Ok(self.stored(name)?.decode())
    }

    /// One tensor as `f32`, whose shape must be `shape`.
    ///
    /// # Errors
    /// As [`TensorSource::stored`], and [`ModelError::Shape`].
    fn read_shaped(&self, name: &str, shape: &[usize]) -> Result<HostTensor, ModelError> {
        let stored = self.stored(name)?;
        stored.expect_shape(name, shape)?;
        Ok(stored.decode())
    }
}

/// A description of a tensor without its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorDescription {
    /// Sizes of the dimensions, outermost first.
    pub shape: Vec<usize>,
    /// The encoding of the values.
    pub encoding: Encoding,
    /// Bytes of all values.
    pub len_bytes: usize,
}

/// A tensor in main memory, values in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct HostTensor {
    /// Sizes of the dimensions, outermost first.
    pub shape: Vec<usize>,
    /// As many values as the product of `shape`.
    pub values: Vec<f32>,
}

/// A tensor in its stored encoding: rows of values along its last dimension.
#[derive(Clone, Debug)]
pub struct StoredTensor<'a> {
    shape: Vec<usize>,
    encoding: Encoding,
    bytes: Cow<'a, [u8]>,
    scales: Vec<f32>,
    row_bytes: usize,
}

impl<'a> StoredTensor<'a> {
    /// Puts together a tensor named `name` (for messages) and checks that all parts fit.
    ///
    /// `scales` holds one value a row for [`Encoding::I8PerRow`] and is empty otherwise.
    ///
    /// # Errors
    /// [`ModelError::Tensor`] where lengths and shape disagree.
    pub fn new(
        name: &str,
        shape: Vec<usize>,
        encoding: Encoding,
        bytes: Cow<'a, [u8]>,
        scales: Vec<f32>,
    ) -> Result<Self, ModelError> {
        let columns = shape.last().copied().unwrap_or(1);
        let rows = row_count(&shape)
            .ok_or_else(|| ModelError::tensor(name, format!("the shape {shape:?} overflows")))?;
        let row_bytes = encoding.row_bytes(columns).ok_or_else(|| {
            ModelError::tensor(
                name,
                format!(
                    "rows of {columns} values are not whole blocks of {} ({encoding:?})",
                    encoding.block_values()
                ),
            )
        })?;
        let expected = rows.checked_mul(row_bytes);
        if expected != Some(bytes.len()) {
            return Err(ModelError::tensor(
                name,
                format!(
                    "the shape {shape:?} in {encoding:?} takes {} bytes, the file holds {}",
                    expected.map_or_else(|| "too many".to_owned(), |n| n.to_string()),
                    bytes.len()
                ),
            ));
        }
        let scales_expected = if encoding == Encoding::I8PerRow { rows } else { 0 };
        if scales.len() != scales_expected {
            return Err(ModelError::tensor(
                name,
                format!("{scales_expected} row scales expected, {} found", scales.len()),
            ));
        }
        Ok(Self { shape, encoding, bytes, scales, row_bytes })
    }

    /// Sizes of the dimensions, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the encoding of the values.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The stored bytes, all rows in order.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// One scale a row for [`Encoding::I8PerRow`], else none.
    pub fn scales(&self) -> &[f32] {
        &self.scales
    }

    /// Bytes of one row.
    pub fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    /// Number of rows: the product of all dimensions but the last.
    pub fn rows(&self) -> usize {
        // `new` has checked that it does not overflow.
        row_count(&self.shape).unwrap_or(0)
    }

    /// Values in a row: the last dimension.
    pub fn columns(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// Reads row `index` into `values`, which has [`StoredTensor::columns`] places.
    ///
    /// Returns `false`, and writes nothing, where there is no such row.
    #[must_use]
    pub fn read_row(&self, index: usize, values: &mut [f32]) -> bool {
        if index >= self.rows() {
            return false;
        }
        let bytes = &self.bytes[index * self.row_bytes..][..self.row_bytes];
        // Only signed bytes have scales, one a row; no other encoding looks at it.
        let scale = self.scales.get(index).copied().unwrap_or(1.0);
        self.encoding.decode(bytes, scale, values);
        true
    }

    /// All values as `f32`.
    pub fn decode(&self) -> HostTensor {
        let columns = self.columns();
        let mut values = vec![0.0; self.rows() * columns];
        if self.scales.is_empty() {
            // Rows lie one after the other, and so do their blocks.
            self.encoding.decode(&self.bytes, 1.0, &mut values);
        } else if columns > 0 && self.row_bytes > 0 {
            for ((row, bytes), &scale) in values
                .chunks_exact_mut(columns)
                .zip(self.bytes.chunks_exact(self.row_bytes))
                .zip(&self.scales)
            {
                self.encoding.decode(bytes, scale, row);
            }
        }
        HostTensor { shape: self.shape.clone(), values }
    }

    /// Some rows of a matrix; `None` where it has fewer, or is none.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Option<StoredTensor<'_>> {
        let &[_, columns] = self.shape.as_slice() else { return None };
        let scales = match self.scales.as_slice() {
            [] => &[],
            scales => scales.get(rows.clone())?,
        };
        let bytes = self.bytes.get(rows.start * self.row_bytes..rows.end * self.row_bytes)?;
        Some(StoredTensor {
            shape: vec![rows.len(), columns],
            encoding: self.encoding,
            bytes: Cow::Borrowed(bytes),
            scales: scales.to_vec(),
            row_bytes: self.row_bytes,
        })
    }

    /// Copies borrowed bytes, so that the tensor outlives its source.
    pub fn into_owned(self) -> StoredTensor<'static> {
        StoredTensor {
            shape: self.shape,
            encoding: self.encoding,
            bytes: Cow::Owned(self.bytes.into_owned()),
            scales: self.scales,
            row_bytes: self.row_bytes,
        }
    }

    /// Fails unless the shape is `expected`; `name` is for the message.
    ///
    /// # Errors
    /// [`ModelError::Shape`] with both.
    pub fn expect_shape(&self, name: &str, expected: &[usize]) -> Result<(), ModelError> {
        if self.shape == expected {
            return Ok(());
        }
        Err(ModelError::Shape {
            name: name.to_owned(),
            expected: expected.to_vec(),
            found: self.shape.clone(),
        })
    }
}

/// The product of all dimensions but the last; 1 for a vector or a single value.
fn row_count(shape: &[usize]) -> Option<usize> {
    let (_, outer) = shape.split_last().unwrap_or((&1, &[]));
    outer.iter().try_fold(1usize, |n, &d| n.checked_mul(d))
}
