//! The container: metadata, the list of tensors, the tensors' bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::value;
use super::value::{Cursor, Value};
use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::shards::WeightsFile;
use crate::tensor_source::{StoredTensor, TensorDescription, TensorSource};

const MAGIC: [u8; 4] = *b"GGUF";
const DEFAULT_ALIGNMENT: usize = 32;

/// The most metadata entries and the most tensors in a file.
// Qwen3-32B has 707 tensors (11 in each of 64 layers, and 3).
const ENTRIES: usize = 65_536;

/// The most dimensions of a tensor.
const DIMENSIONS: usize = 4;

/// The most bytes that metadata and the list of tensors may take: a vocabulary of 260,000 tokens
/// with its merges takes ten.
const HEADER_LIMIT: usize = 128 * 1024 * 1024;

/// A GGUF file (versions 2 and 3, little-endian).
///
/// Its bytes are foreign: every count and length is checked against what is left of the file
/// before it is used, and an error names the byte. Tensors are named as in the file; their
/// shapes are given outermost dimension first, the other way round from the file.
pub struct GgufFile {
    file: Box<dyn WeightsFile>,
    metadata: Metadata,
    tensors: Tensors,
}

impl std::fmt::Debug for GgufFile {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (entries, tensors) = (self.metadata.len(), self.tensors.len());
        write!(out, "a GGUF file of {entries} metadata entries and {tensors} tensors")
    }
}

#[derive(Clone, Debug)]
struct TensorEntry {
    shape: Vec<usize>,
    encoding: Encoding,
    range: Range<usize>,
}

type Metadata = BTreeMap<String, Value>;
type Tensors = BTreeMap<String, TensorEntry>;

/// A tensor's entry as the file has it, before its place in the file is known.
struct Announced {
    name: String,
    shape: Vec<usize>,
    encoding: Encoding,
    length: usize,
    /// In bytes from the start of the data section.
    start: u64,
    /// The place in the file where the entry ends, for messages.
    entry_end: usize,
}

impl GgufFile {
    /// Reads the header; tensors are read when asked for.
    ///
    /// # Errors
    /// [`ModelError::Gguf`] where the file is cut short, damaged, or uses what is not read here.
    pub fn new(bytes: Vec<u8>) -> Result<Self, ModelError> {
        Self::open(Box::new(bytes))
    }

    /// As [`GgufFile::new`], for a file that may lie on a disk.
    ///
    /// # Errors
    /// As [`GgufFile::new`].
    pub fn open(file: Box<dyn WeightsFile>) -> Result<Self, ModelError> {
        let length = file.len_bytes();
        let bytes = file
            .read(0..length.min(HEADER_LIMIT))
            .map_err(|e| ModelError::gguf(0, format!("it cannot be read: {e}")))?;
        let (metadata, tensors) = read_header(&bytes, length)?;
        drop(bytes);
        Ok(Self { file, metadata, tensors })
    }

    /// A metadata entry by its full key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.metadata.get(key)
    }

    /// All metadata, sorted by key.
    pub fn metadata(&self) -> &BTreeMap<String, Value> {
        &self.metadata
    }

    fn entry(&self, name: &str) -> Result<&TensorEntry, ModelError> {
        self.tensors.get(name).ok_or_else(|| ModelError::MissingTensor {
            name: name.to_owned(),
            present: self.tensors.len(),
        })
    }

    /// Returns `true` if the file has a tensor of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// A metadata entry that must be there; `read` takes it as the kind that is needed.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the key.
    pub(super) fn need<'a, T>(
        &'a self,
        key: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<T, ModelError> {
        let value = self
            .get(key)
            .ok_or_else(|| ModelError::config(format!("the GGUF file has no `{key}`")))?;
        read(value).ok_or_else(|| {
            ModelError::config(format!("the GGUF file's `{key}` is of another kind"))
        })
    }
}

impl TensorSource for GgufFile {
    fn names(&self) -> Vec<String> {
        self.tensors.keys().cloned().collect()
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let entry = self.entry(name)?;
        let bytes = self
            .file
            .read(entry.range.clone())
            .map_err(|e| ModelError::tensor(name, format!("its bytes cannot be read: {e}")))?;
        StoredTensor::new(name, entry.shape.clone(), entry.encoding, bytes, vec![])
    }

    fn describe(&self, name: &str) -> Result<TensorDescription, ModelError> {
        let entry = self.entry(name)?;
        Ok(TensorDescription {
            shape: entry.shape.clone(),
            encoding: entry.encoding,
            len_bytes: entry.range.len(),
        })
    }
}

/// Reads the metadata and the list of tensors of a file of `length` bytes that begins with `bytes`.
fn read_header(bytes: &[u8], length: usize) -> Result<(Metadata, Tensors), ModelError> {
    let mut cursor = Cursor::new(bytes);
    if cursor.array::<4>()? != MAGIC {
        return Err(ModelError::gguf(0, "it does not begin with `GGUF`"));
    }
    let version = cursor.u32()?;
    // Version 1 counts in 32 bits. Version 3 only adds big-endian files, whose version number is none of these when
    // read here.
    if !(2..=3).contains(&version) {
        return Err(cursor.error(format!("version 2 or 3 expected, {version} found")));
    }
    // A tensor's entry has a name, a number of dimensions, a kind and a place; an entry of
    // metadata has a name, a kind and at least one byte.
    let tensor_count = cursor.count("tensors", ENTRIES, 24)?;
    let metadata_count = cursor.count("metadata entries", ENTRIES, 13)?;
    let metadata = read_metadata(&mut cursor, metadata_count)?;
    let announced =
        (0..tensor_count).map(|_| read_tensor(&mut cursor)).collect::<Result<Vec<_>, _>>()?;
    let alignment = alignment(&cursor, &metadata)?;
    let data_start = cursor
        .offset()
        .checked_next_multiple_of(alignment)
        .ok_or_else(|| cursor.error("its data section begins beyond the file"))?;
    // Only now is it known where the data begin, and with that whether each tensor lies within the file.
    let mut tensors = BTreeMap::new();
    for tensor in announced {
        let place = place(&tensor, data_start, length)?;
        let (name, end) = (tensor.name, tensor.entry_end);
        let entry = TensorEntry { shape: tensor.shape, encoding: tensor.encoding, range: place };
        if tensors.insert(name.clone(), entry).is_some() {
            return Err(ModelError::gguf(end, format!("tensor `{name}` again")));
        }
    }
    Ok((metadata, tensors))
}

fn read_metadata(
    cursor: &mut Cursor<'_>,
    count: usize,
) -> Result<BTreeMap<String, Value>, ModelError> {
    let mut metadata = BTreeMap::new();
    for _ in 0..count {
        let key = cursor.string()?;
        let kind = cursor.u32()?;
        let value = value::read(cursor, kind)?;
        if metadata.insert(key.clone(), value).is_some() {
            return Err(cursor.error(format!("metadata `{key}` again")));
        }
    }
    Ok(metadata)
}

fn read_tensor(cursor: &mut Cursor<'_>) -> Result<Announced, ModelError> {
    let name = cursor.string()?;
    let dimensions = cursor.u32()? as usize;
    if dimensions > DIMENSIONS {
        return Err(cursor.error(format!(
            "tensor `{name}` has {dimensions} dimensions; at most {DIMENSIONS} are read"
        )));
    }
    let mut shape = Vec::with_capacity(dimensions);
    for _ in 0..dimensions {
        let size = cursor.u64()?;
        let size = usize::try_from(size)
            .map_err(|_| cursor.error(format!("tensor `{name}` has a dimension of {size}")))?;
        shape.push(size);
    }
    shape.reverse();
    let kind = cursor.u32()?;
    let encoding = encoding(kind).ok_or_else(|| {
        cursor.error(format!(
            "tensor `{name}` is of kind {}; F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q8_0, Q4_K and Q6_K are read",
            kind_name(kind)
        ))
    })?;
    let columns = shape.last().copied().unwrap_or(1);
    let rows = shape.iter().rev().skip(1).try_fold(1usize, |n, &d| n.checked_mul(d));
    let length =
        encoding.row_bytes(columns).and_then(|row| rows?.checked_mul(row)).ok_or_else(|| {
            cursor.error(format!("tensor `{name}` cannot have the shape {shape:?} in {encoding:?}"))
        })?;
    let start = cursor.u64()?;
    Ok(Announced { name, shape, encoding, length, start, entry_end: cursor.offset() })
}

/// Our name for the format's number of an encoding.
fn encoding(kind: u32) -> Option<Encoding> {
    Some(match kind {
        0 => Encoding::F32,
        1 => Encoding::F16,
        2 => Encoding::Q4_0,
        3 => Encoding::Q4_1,
        6 => Encoding::Q5_0,
        8 => Encoding::Q8_0,
        12 => Encoding::Q4K,
        14 => Encoding::Q6K,
        30 => Encoding::Bf16,
        _ => return None,
    })
}

/// Returns the format's name of a kind of tensor that is not read here.
fn kind_name(kind: u32) -> String {
    let name = match kind {
        7 => "Q5_1",
        9 => "Q8_1",
        10 => "Q2_K",
        11 => "Q3_K",
        13 => "Q5_K",
        15 => "Q8_K",
        16..=19 | 21..=23 | 29 => "IQ (importance-weighted)",
        20 => "IQ4_NL",
        28 => "F64",
        34 | 35 => "TQ (ternary)",
        39 => "MXFP4",
        _ => return format!("number {kind}"),
    };
    format!("{name} (number {kind})")
}

fn alignment(cursor: &Cursor<'_>, metadata: &BTreeMap<String, Value>) -> Result<usize, ModelError> {
    let Some(value) = metadata.get("general.alignment") else {
        return Ok(DEFAULT_ALIGNMENT);
    };
    match value.as_usize() {
        // Files in use have 32. Larger than this, a damaged number would put the data anywhere.
        Some(alignment) if alignment.is_power_of_two() && alignment <= 65_536 => Ok(alignment),
        _ => Err(cursor.error("`general.alignment` is no power of two up to 65536")),
    }
}

/// The bytes of the file that a tensor fills.
fn place(
    tensor: &Announced,
    data_start: usize,
    file_length: usize,
) -> Result<Range<usize>, ModelError> {
    let start = usize::try_from(tensor.start).ok().and_then(|start| start.checked_add(data_start));
    let range = start.and_then(|start| Some(start..start.checked_add(tensor.length)?));
    range.filter(|range| range.end <= file_length).ok_or_else(|| {
        ModelError::gguf(
            tensor.entry_end,
            format!(
                "tensor `{}` takes {} bytes from byte {} of the data section, beyond the end of the file at {file_length}",
                tensor.name, tensor.length, tensor.start
            ),
        )
    })
}
