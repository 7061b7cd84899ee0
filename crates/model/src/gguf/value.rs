//! The values by which a GGUF file describes its model, read off foreign bytes.

use crate::error::ModelError;

/// The most entries in an array; the largest vocabularies in use have some 260,000.
const ARRAY_ENTRIES: usize = 4 * 1024 * 1024;

/// One value of a GGUF file's metadata.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Any of the format's unsigned integers.
    Unsigned(u64),
    /// Any of the format's signed integers.
    Signed(i64),
    /// Either of the format's floating-point numbers.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// Text.
    Text(String),
    /// Values of one kind; arrays inside of arrays are not read.
    Array(Vec<Value>),
}

impl Value {
    /// The number, where it is a whole one that is not negative.
    pub fn as_usize(&self) -> Option<usize> {
        match self {
            Self::Unsigned(number) => usize::try_from(*number).ok(),
            Self::Signed(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    /// The number, whatever its kind.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Unsigned(number) => Some(*number as f64),
            Self::Signed(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, where it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The entries, where it is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(values) => Some(values),
            _ => None,
        }
    }
}

/// Reads a value of the format's kind `kind`.
pub(super) fn read(cursor: &mut Cursor<'_>, kind: u32) -> Result<Value, ModelError> {
    const ARRAY: u32 = 9;
    if kind != ARRAY {
        return read_single(cursor, kind);
    }
    let entry_kind = cursor.u32()?;
    let count = cursor.count("array entries", ARRAY_ENTRIES, least_bytes(cursor, entry_kind)?)?;
    let entries = (0..count).map(|_| read_single(cursor, entry_kind));
    Ok(Value::Array(entries.collect::<Result<_, _>>()?))
}

/// The fewest bytes that a value of this kind takes.
fn least_bytes(cursor: &Cursor<'_>, kind: u32) -> Result<usize, ModelError> {
    match kind {
        // Text takes at least the eight bytes of its length. Arrays within arrays are in no file that we know.
        0 | 1 | 7 => Ok(1),
        2 | 3 => Ok(2),
        4..=6 => Ok(4),
        8 | 10 | 11 | 12 => Ok(8),
        other => Err(cursor.error(format!("arrays of kind {other} are not read"))),
    }
}

fn read_single(cursor: &mut Cursor<'_>, kind: u32) -> Result<Value, ModelError> {
    Ok(match kind {
        0 => Value::Unsigned(u8::from_le_bytes(cursor.array()?).into()),
        1 => Value::Signed(i8::from_le_bytes(cursor.array()?).into()),
        2 => Value::Unsigned(u16::from_le_bytes(cursor.array()?).into()),
        3 => Value::Signed(i16::from_le_bytes(cursor.array()?).into()),
        4 => Value::Unsigned(cursor.u32()?.into()),
        5 => Value::Signed(i32::from_le_bytes(cursor.array()?).into()),
        6 => Value::Float(f32::from_le_bytes(cursor.array()?).into()),
        7 => Value::Bool(u8::from_le_bytes(cursor.array()?) != 0),
        8 => Value::Text(cursor.string()?),
        10 => Value::Unsigned(cursor.u64()?),
        11 => Value::Signed(i64::from_le_bytes(cursor.array()?)),
        12 => Value::Float(f64::from_le_bytes(cursor.array()?)),
        other => return Err(cursor.error(format!("values of kind {other} are not known"))),
    })
}

/// The longest string that is read; a vocabulary's longest token has a few hundred bytes, a chat
/// template a few thousand.
const STRING_BYTES: usize = 1024 * 1024;

/// A place in a GGUF file; all its numbers are little-endian.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    /// Bytes read so far.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// Bytes not yet read.
    fn remaining(&self) -> usize {
        self.bytes.len() - self.offset
    }

    /// An error about this place.
    pub(super) fn error(&self, reason: impl Into<String>) -> ModelError {
        ModelError::gguf(self.offset, reason)
    }

    /// The next `length` bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], ModelError> {
        let rest = &self.bytes[self.offset..];
        let taken = rest.get(..length).ok_or_else(|| {
            self.error(format!("{length} bytes expected, {} are left", self.remaining()))
        })?;
        self.offset += length;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| self.error(format!("{N} bytes expected")))
    }

    pub(super) fn u32(&mut self) -> Result<u32, ModelError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn u64(&mut self) -> Result<u64, ModelError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A count of `what`, at most `limit`, each of which takes at least `least_bytes` in the rest
    /// of the file: a damaged count is found before anything is allocated for it.
    pub(super) fn count(
        &mut self,
        what: &str,
        limit: usize,
        least_bytes: usize,
    ) -> Result<usize, ModelError> {
        let found = self.u64()?;
        let fits = self.remaining() / least_bytes.max(1);
        match usize::try_from(found) {
            Ok(count) if count <= limit.min(fits) => Ok(count),
            _ => {
                Err(self
                    .error(format!("{found} {what} announced; at most {} fit", limit.min(fits))))
            }
        }
    }

    pub(super) fn string(&mut self) -> Result<String, ModelError> {
        let length = self.count("bytes of text", STRING_BYTES, 1)?;
        let start = self.offset;
        let bytes = self.take(length)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(e) => Err(ModelError::gguf(start + e.valid_up_to(), "text that is not UTF-8")),
        }
    }
}
