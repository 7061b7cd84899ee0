//! The values by which a GGUF file describes its model.

use super::cursor::Cursor;
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

    /// The truth value, where it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
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
