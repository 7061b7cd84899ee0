//! Weights from safetensors files: one, or a model cut into several.
//!
//! Beside the format's own `F32`, `F16` and `BF16` tensors, three conventions are understood,
//! all of them valid safetensors that any other reader can open:
//!
//! - `NAME` as `I8` with `NAME.scale` as `F32`: one scale a row.
//! - `NAME` as `U8` of `[rows, bytes of a row]`, listed under [`BLOCKS_KEY`] in the file's
//!   metadata: rows of quantised blocks, kept as a GGUF file had them.
//! - `NAME@ROW`: a tensor larger than a shard, cut between rows; `ROW` is the first row inside.
//!
//! # One shard at a time
//!
//! A loader that has moved a tensor to its device needs it no more. [`TensorSource::take`] hands
//! a tensor out for good, and a file's bytes go when its last tensor is taken. So a model can be
//! loaded with little more memory than it needs in the end: shards are added as they arrive
//! ([`Shards::add`]), what has arrived whole ([`Shards::holds`]) is taken, in the order in which
//! the shards were written, and of a tensor of several shards each part is taken by itself
//! ([`Shards::take_part`]).

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use ::safetensors::Dtype;
use ::safetensors::tensor::Metadata;
use serde::{Deserialize, Serialize};

use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorDescription, TensorSource};

/// The entry of a file's `__metadata__` that lists its block tensors, as JSON of the form
/// `{"NAME": {"encoding": "q4_1", "columns": 576}}`.
pub(crate) const BLOCKS_KEY: &str = "campanile.blocks";

/// Ends the name of the tensor that holds the row scales of an `I8` tensor.
pub(crate) const SCALE_SUFFIX: &str = ".scale";

/// Stands between a tensor's name and the first row of a part of it.
pub(crate) const PART_SEPARATOR: char = '@';

/// The layout of a tensor kept as blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BlockLayout {
    /// The encoding by which a block is read.
    pub(crate) encoding: Encoding,
    /// Values in a row, once read.
    pub(crate) columns: usize,
}

/// The tensors of one model, in one or several safetensors files.
///
/// ```
/// use campanile_model::{Shards, TensorSource};
///
/// let header = br#"{"bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
/// let mut file = (header.len() as u64).to_le_bytes().to_vec();
/// file.extend_from_slice(header);
/// file.extend([1.0f32, -2.0].iter().flat_map(|v| v.to_le_bytes()));
///
/// let weights = Shards::new(vec![file])?;
/// assert_eq!(weights.read("bias")?.values, [1.0, -2.0]);
/// # Ok::<(), campanile_model::ModelError>(())
/// ```
#[derive(Debug, Default)]
pub struct Shards {
    files: Vec<File>,
    entries: BTreeMap<String, Entry>,
    /// Parts by the whole's name, then by first row.
    parts: BTreeMap<String, BTreeMap<usize, String>>,
    blocks: BTreeMap<String, BlockLayout>,
}

#[derive(Debug)]
struct Entry {
    file: usize,
    range: Range<usize>,
    dtype: Dtype,
    shape: Vec<usize>,
}

impl Shards {
    /// Reads the headers of all files; the weights themselves are read when asked for.
    ///
    /// # Errors
    /// [`ModelError::Shard`] where a file is no safetensors file, is cut short, or repeats a
    /// tensor of another.
    pub fn new(files: Vec<Vec<u8>>) -> Result<Self, ModelError> {
        let mut shards = Self::default();
        for file in files {
            let label = format!("number {}", shards.files.len() + 1);
            shards.add(&label, file)?;
        }
        Ok(shards)
    }

    /// Adds one more file; `label` names it in errors.
    ///
    /// # Errors
    /// As [`Shards::new`].
    pub fn add(&mut self, label: &str, file: Vec<u8>) -> Result<(), ModelError> {
        self.add_file(label, Box::new(file))
    }

    /// Adds one more file, of which only the header is read now; `label` names it in errors.
    ///
    /// # Errors
    /// As [`Shards::new`].
    pub fn add_file(&mut self, label: &str, file: Box<dyn WeightsFile>) -> Result<(), ModelError> {
        let damaged = |reason: String| ModelError::Shard { shard: label.to_owned(), reason };
        let (data_start, metadata) = read_header(&*file).map_err(damaged)?;
        if let Some(json) = metadata.metadata().as_ref().and_then(|m| m.get(BLOCKS_KEY)) {
            let blocks: BTreeMap<String, BlockLayout> = serde_json::from_str(json)
                .map_err(|e| damaged(format!("its list of block tensors: {e}")))?;
            // Kept for all files together: a tensor's parts may lie in several, and each of these lists it.
            self.blocks.extend(blocks);
        }
        let file_number = self.files.len();
        let names = metadata.offset_keys();
        self.files.push(File { bytes: Some(file), entries: names.len() });
        for name in names {
            let Some(info) = metadata.info(&name) else {
                continue;
            };
            let (start, end) = info.data_offsets;
            let entry = Entry {
                file: file_number,
                range: data_start + start..data_start + end,
                dtype: info.dtype,
                shape: info.shape.clone(),
            };
            if let Some((whole, row)) = part_of(&name) {
                let parts = self.parts.entry(whole.to_owned()).or_default();
                parts.insert(row, name.clone());
            }
            if self.entries.insert(name.clone(), entry).is_some() {
                return Err(damaged(format!("it repeats tensor `{name}` of another file")));
            }
        }
        Ok(())
    }

    /// Bytes of all files that are still held.
    pub fn len_bytes(&self) -> usize {
        self.files.iter().flat_map(|file| &file.bytes).map(|bytes| bytes.len_bytes()).sum()
    }

    fn entry_bytes(&self, name: &str) -> Result<(&Entry, Cow<'_, [u8]>), ModelError> {
        let entry = self.entries.get(name).ok_or_else(|| self.missing(name))?;
        let bytes = self
            .files
            .get(entry.file)
            .and_then(|file| file.bytes.as_ref())
            .ok_or_else(|| self.missing(name))?
            .read(entry.range.clone())
            .map_err(|e| ModelError::tensor(name, format!("its bytes cannot be read: {e}")))?;
        Ok((entry, bytes))
    }

    fn missing(&self, name: &str) -> ModelError {
        ModelError::MissingTensor { name: name.to_owned(), present: self.entries.len() }
    }

    /// One tensor that lies in one piece.
    fn whole(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let (entry, bytes) = self.entry_bytes(name)?;
        self.assemble(name, entry.dtype, entry.shape.clone(), bytes, None)
    }

    /// One tensor from its parts, in the order of their rows.
    fn joined(
        &self,
        name: &str,
        parts: &BTreeMap<usize, String>,
    ) -> Result<StoredTensor<'_>, ModelError> {
        let mut bytes = Vec::new();
        let mut rows = 0usize;
        let mut kind: Option<(Dtype, usize)> = None;
        for (&first_row, part) in parts {
            let (entry, part_bytes) = self.entry_bytes(part)?;
            let &[part_rows, columns] = entry.shape.as_slice() else {
                return Err(ModelError::tensor(part, "a part must have two dimensions"));
            };
            if first_row != rows {
                return Err(ModelError::tensor(
                    name,
                    format!("rows {rows} to {first_row} are in no file"),
                ));
            }
            if *kind.get_or_insert((entry.dtype, columns)) != (entry.dtype, columns) {
                return Err(ModelError::tensor(part, "its parts differ in kind"));
            }
            rows = rows
                .checked_add(part_rows)
                .ok_or_else(|| ModelError::tensor(part, "its number of rows overflows"))?;
            bytes.extend_from_slice(&part_bytes);
        }
        let (dtype, columns) = kind.ok_or_else(|| self.missing(name))?;
        self.assemble(name, dtype, vec![rows, columns], Cow::Owned(bytes), None)
    }

    /// Puts a tensor together; of a part, `rows` are those it has of the whole.
    fn assemble<'a>(
        &self,
        name: &str,
        dtype: Dtype,
        shape: Vec<usize>,
        bytes: Cow<'a, [u8]>,
        rows: Option<Range<usize>>,
    ) -> Result<StoredTensor<'a>, ModelError> {
        let (encoding, columns) = self.reading(name, dtype)?;
        let shape = match columns {
            Some(columns) => vec![shape.first().copied().unwrap_or(0), columns],
            None => shape,
        };
        let mut scales = Vec::new();
        if encoding == Encoding::I8PerRow {
            let all = self.whole(&format!("{name}{SCALE_SUFFIX}"))?.decode().values;
            // Too few are refused by their number, below.
            scales = all.get(rows.unwrap_or(0..all.len())).unwrap_or_default().to_vec();
        }
        StoredTensor::new(name, shape, encoding, bytes, scales)
    }

    /// Returns the encoding by which a tensor's bytes are read; with the values in a row where its shape is
    /// one of bytes.
    fn reading(&self, name: &str, dtype: Dtype) -> Result<(Encoding, Option<usize>), ModelError> {
        Ok(match dtype {
            Dtype::F32 => (Encoding::F32, None),
            Dtype::F16 => (Encoding::F16, None),
            Dtype::BF16 => (Encoding::Bf16, None),
            Dtype::I8 => (Encoding::I8PerRow, None),
            Dtype::U8 => {
                let layout = self.blocks.get(name).ok_or_else(|| {
                    ModelError::tensor(
                        name,
                        format!("bytes without a reading: `{BLOCKS_KEY}` does not list it"),
                    )
                })?;
                (layout.encoding, Some(layout.columns))
            }
            other => {
                return Err(ModelError::tensor(
                    name,
                    format!("values of kind {other:?} are not read (F32, F16, BF16, I8, U8 are)"),
                ));
            }
        })
    }

    /// Returns `true` if `name` is the scale of an `I8` tensor and not a weight of its own.
    fn is_scale(&self, name: &str) -> bool {
        let Some(base) = name.strip_suffix(SCALE_SUFFIX) else {
            return false;
        };
        let part = self.parts.get(base).and_then(|p| p.values().next());
        // `.scale` ends other tensors' names as well: it is one only beside signed bytes.
        let owner = self.entries.get(base).or_else(|| self.entries.get(part?));
        owner.is_some_and(|entry| entry.dtype == Dtype::I8)
    }

    /// Returns `true` if all of these rows of the tensor `name` are here.
    pub fn holds(&self, name: &str, rows: Range<usize>) -> bool {
        if let Some(entry) = self.entries.get(name) {
            return rows.end <= entry.rows();
        }
        let mut covered = rows.start;
        for (&first_row, part) in self.parts.get(name).into_iter().flatten() {
            let rows = self.entries.get(part).map_or(0, Entry::rows);
            let end = first_row.saturating_add(rows);
            if first_row <= covered && covered < end {
                covered = end;
            }
        }
        covered > rows.start && covered >= rows.end
    }

    /// Takes the part of the tensor `name` that begins at row `first_row`, which is the whole of
    /// it where it lies in one piece. Its bytes are given up here.
    ///
    /// # Errors
    /// As [`TensorSource::stored`].
    pub fn take_part(
        &mut self,
        name: &str,
        first_row: usize,
    ) -> Result<StoredTensor<'static>, ModelError> {
        let Some(part) = self.parts.get(name).and_then(|parts| parts.get(&first_row)) else {
            return match first_row {
                0 => self.take(name),
                _ => Err(self.missing(&format!("{name}{PART_SEPARATOR}{first_row}"))),
            };
        };
        let part = part.clone();
        let (entry, bytes) = self.entry_bytes(&part)?;
        let (dtype, shape) = (entry.dtype, entry.shape.clone());
        let range = first_row..first_row.saturating_add(entry.rows());
        let taken = self.assemble(name, dtype, shape, bytes, Some(range))?.into_owned();
        self.forget(&part);
        Ok(taken)
    }

    /// Gives up every tensor that is not `wanted`, by its name.
    pub fn retain(&mut self, wanted: impl Fn(&str) -> bool) {
        let unwanted = |entry: &&String| {
            // Row scales go with their tensor.
            let tensor = entry.strip_suffix(SCALE_SUFFIX).unwrap_or(entry);
            !wanted(part_of(tensor).map_or(tensor, |(whole, _)| whole))
        };
        let unwanted: Vec<String> = self.entries.keys().filter(unwanted).cloned().collect();
        for entry in unwanted {
            self.forget(&entry);
        }
    }

    /// Gives up an entry, and with a file's last entry the file.
    fn forget(&mut self, name: &str) {
        let Some(entry) = self.entries.remove(name) else { return };
        if let Some((whole, row)) = part_of(name)
            && let Some(parts) = self.parts.get_mut(whole)
        {
            parts.remove(&row);
            if parts.is_empty() {
                self.parts.remove(whole);
            }
        }
        if let Some(file) = self.files.get_mut(entry.file) {
            file.entries -= 1;
            if file.entries == 0 {
                file.bytes = None;
            }
        }
    }
}

impl TensorSource for Shards {
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .entries
            .keys()
            .filter(|name| !self.is_scale(name) && part_of(name).is_none())
            .chain(self.parts.keys())
            .cloned()
            .collect();
        names.sort_unstable();
        names
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        match self.parts.get(name) {
            // A tensor that is there as a whole needs no parts.
            Some(parts) if !self.entries.contains_key(name) => self.joined(name, parts),
            _ => self.whole(name),
        }
    }

    fn describe(&self, name: &str) -> Result<TensorDescription, ModelError> {
        let parts = self.parts.get(name).into_iter().flatten().map(|(_, part)| part.as_str());
        let whole = self.entries.contains_key(name).then_some(name);
        let pieces: Vec<&Entry> = match whole {
            Some(whole) => self.entries.get(whole).into_iter().collect(),
            None => parts.filter_map(|part| self.entries.get(part)).collect(),
        };
        let first = pieces.first().ok_or_else(|| self.missing(name))?;
        let mut shape = first.shape.clone();
        if let (Some(rows), None) = (shape.first_mut(), whole) {
            *rows = pieces.iter().fold(0, |n: usize, piece| n.saturating_add(piece.rows()));
        }
        let (encoding, columns) = self.reading(name, first.dtype)?;
        if let (Some(last), Some(columns)) = (shape.last_mut(), columns) {
            *last = columns;
        }
        let len_bytes = pieces.iter().map(|piece| piece.range.len()).sum();
        Ok(TensorDescription { shape, encoding, len_bytes })
    }

    fn take(&mut self, name: &str) -> Result<StoredTensor<'static>, ModelError> {
        let taken = self.stored(name)?.into_owned();
        let parts = self.parts.get(name).into_iter().flatten().map(|(_, part)| part.clone());
        for part in parts.collect::<Vec<_>>() {
            self.forget(&part);
        }
        self.forget(name);
        if taken.encoding() == Encoding::I8PerRow {
            self.forget(&format!("{name}{SCALE_SUFFIX}"));
        }
        Ok(taken)
    }
}

impl Entry {
    /// The product of all dimensions but the last.
    fn rows(&self) -> usize {
        let (_, outer) = self.shape.split_last().unwrap_or((&1, &[]));
        outer.iter().fold(1, |n: usize, &d| n.saturating_mul(d))
    }
}

/// Returns what a file's header says beside its tensors.
pub(crate) fn metadata(file: &dyn WeightsFile) -> Result<HashMap<String, String>, ModelError> {
    let (_, header) = read_header(file)
        .map_err(|reason| ModelError::Shard { shard: "number 1".to_owned(), reason })?;
    Ok(header.metadata().clone().unwrap_or_default())
}

/// Splits the name of a part into the whole's name and the part's first row.
fn part_of(name: &str) -> Option<(&str, usize)> {
    let (whole, row) = name.rsplit_once(PART_SEPARATOR)?;
    Some((whole, row.parse().ok()?))
}

/// The longest header that is read, as in the format's own reader.
const HEADER_LIMIT: usize = 100_000_000;

/// A file of weights that may lie elsewhere than in memory, such as on a disk.
pub trait WeightsFile: Send + Sync {
    /// Its length.
    fn len_bytes(&self) -> usize;

    /// The bytes of a range within its length.
    ///
    /// # Errors
    /// The reason that they could not be read.
    fn read(&self, range: Range<usize>) -> std::io::Result<Cow<'_, [u8]>>;
}

impl WeightsFile for Vec<u8> {
    fn len_bytes(&self) -> usize {
        self.len()
    }

    fn read(&self, range: Range<usize>) -> std::io::Result<Cow<'_, [u8]>> {
        let bytes = self.get(range).ok_or(std::io::ErrorKind::UnexpectedEof)?;
        Ok(Cow::Borrowed(bytes))
    }
}

/// A file, until the last of its tensors has been taken.
struct File {
    bytes: Option<Box<dyn WeightsFile>>,
    /// The number of entries that lie in it.
    entries: usize,
}

impl std::fmt::Debug for File {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.bytes.as_ref().map_or(0, |bytes| bytes.len_bytes());
        write!(out, "{bytes} bytes, {} tensors left", self.entries)
    }
}

/// Reads a file's header: where the data begins, and what lies where in it.
fn read_header(file: &dyn WeightsFile) -> Result<(usize, Metadata), String> {
    let length = file.len_bytes();
    let read = |range: Range<usize>| match range.end <= length {
        true => file.read(range).map_err(|e| e.to_string()),
        false => Err(format!("it has {length} bytes and needs {}", range.end)),
    };
    let prefix = read(0..size_of::<u64>())?;
    let header = prefix.as_ref().try_into().map(u64::from_le_bytes).unwrap_or(u64::MAX);
    let header = usize::try_from(header).ok().filter(|&n| n <= HEADER_LIMIT).ok_or_else(|| {
        format!("a header of {header} bytes is announced; it is no safetensors file")
    })?;
    let data_start = size_of::<u64>() + header;
    let metadata: Metadata = serde_json::from_slice(&read(size_of::<u64>()..data_start)?)
        .map_err(|e| format!("its header: {e}"))?;
    let expected = data_start.saturating_add(metadata.data_len());
    // A file that was cut off has a sound header: only its length tells.
    if expected != length {
        return Err(format!("its header tells of {expected} bytes, the file has {length}"));
    }
    Ok((data_start, metadata))
}
