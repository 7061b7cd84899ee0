//! One file of weights: where its bytes are, and what its header says.

use std::borrow::Cow;
use std::ops::Range;

use ::safetensors::tensor::Metadata;

/// The longest header that is read, as in the format's own reader.
const HEADER_LIMIT: usize = 100_000_000;

/// A file of weights that may lie elsewhere than in memory, such as on a disk.
pub trait WeightsFile: Send + Sync {
    /// Its length.
    fn len_bytes(&self) -> usize;

    /// The bytes of a range within its length.
    ///
    /// # Errors
    /// What kept them from being read.
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
pub(super) struct File {
    pub(super) bytes: Option<Box<dyn WeightsFile>>,
    /// The number of entries that lie in it.
    pub(super) entries: usize,
}

impl std::fmt::Debug for File {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.bytes.as_ref().map_or(0, |bytes| bytes.len_bytes());
        write!(out, "{bytes} bytes, {} tensors left", self.entries)
    }
}

/// Reads a file's header: where the data begins, and what lies where in it.
pub(super) fn read_header(file: &dyn WeightsFile) -> Result<(usize, Metadata), String> {
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
    if expected != length {
        return Err(format!("its header tells of {expected} bytes, the file has {length}"));
    }
    Ok((data_start, metadata))
}
