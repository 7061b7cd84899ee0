//! Bytes that start on a cache line, so that few vectors straddle two.

use crate::KernelError;

/// The bytes of a cache line.
const LINE: usize = 64;

/// Brings bytes into the nearest cache.
///
/// A processor sees a few hundred instructions ahead. Where arithmetic stands between the loads,
/// that is one or two lines, and each is waited for by itself; here it is all of them. One token
/// through 100 MB of weights takes two fifths of the time that way (docs/reference/performance.md).
#[inline(always)]
pub(crate) fn touch(bytes: &[u8]) {
    let mut all = 0;
    let fours = bytes.chunks_exact(4 * LINE);
    for line in fours.remainder().chunks(LINE) {
        all |= line[0];
    }
    for four in fours {
        all |= four[0] | four[LINE] | four[2 * LINE] | four[3 * LINE];
    }
    std::hint::black_box(all);
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// A number of bytes, aligned to 64.
pub(crate) struct Lines {
    lines: Vec<Line>,
    len: usize,
}

impl Lines {
    /// `len` zeros.
    pub(crate) fn zeros(len: usize) -> Result<Self, KernelError> {
        let count = len.div_ceil(LINE);
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).map_err(|_| KernelError::Memory { bytes: len })?;
        lines.resize(count, Line([0; LINE]));
        Ok(Self { lines, len })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: a `Line` is 64 bytes without padding, so `lines` is `64 * lines.len()`
        // initialised bytes, at least `len`.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; the borrow is unique, and any byte is a valid `u8`.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }

    /// Gives back the memory of all but the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.lines.truncate(self.len.div_ceil(LINE));
        self.lines.shrink_to_fit();
    }
}
