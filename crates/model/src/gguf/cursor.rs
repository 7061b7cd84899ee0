//! Reads numbers and strings off foreign bytes, and says where it stopped.

use crate::error::ModelError;

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
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.offset)
    }

    /// An error about this place.
    pub(super) fn error(&self, reason: impl Into<String>) -> ModelError {
        ModelError::gguf(self.offset, reason)
    }

    /// The next `length` bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], ModelError> {
        let rest = self.bytes.get(self.offset..).unwrap_or_default();
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
