//! The layout of quantised weights in memory.
//!
//! Rows stand side by side, as many as two vectors have 32-bit lanes, so that each lane gathers
//! one row's sum and no sum crosses lanes. Their blocks follow each other as records, each with
//! its integers, its scales and, where it has them, its minimums: a product reads the whole matrix
//! from the first byte to the last.
//!
//! A row's columns come in twos, because processors multiply two pairs of 16-bit integers into
//! one 32-bit lane; a record's vectors are so ordered that a mask and a shift widen them:
//!
//! - 8 bits: a vector holds 4 columns of each row, the bytes of a row in the order 0, 2, 1, 3.
//!   Even bytes are columns 0 and 1 as 16-bit numbers, odd bytes columns 2 and 3.
//! - 4 bits: a vector holds 8 columns of each row, columns 0 to 3 in the low halves of its bytes,
//!   4 to 7 in the high ones, each four in the order 0, 2, 1, 3.
//!
//! Stored codes are unsigned, `code = integer + bias`. Scales and minimums are kept in half
//! precision where that loses nothing: files have them so, and a page waits for memory.
//! Their bytes start on a cache line, so that few vectors straddle two.

use crate::{BLOCK, KernelError};

/// Vectors of rows side by side: enough for a loaded activation to be used twice, and for sums to
/// fit into 16 registers with four tokens.
pub(crate) const GROUPS: usize = 2;

/// The order of four columns, which is its own inverse.
const ORDER: [usize; 4] = [0, 2, 1, 3];

/// The layout of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Rows in a vector.
    pub(crate) lanes: usize,
    /// Blocks in a row.
    pub(crate) blocks: usize,
    /// `true` if a code has 4 bits, not 8.
    pub(crate) four_bits: bool,
    /// The number that was added to every integer.
    pub(crate) bias: i32,
    /// Scales of a block: 1, or 2 where its halves differ.
    pub(crate) parts: usize,
    /// `true` if blocks have minimums.
    pub(crate) minimums: bool,
    /// `true` if scales and minimums are in half precision.
    pub(crate) half: bool,
}

impl Layout {
    /// Rows of a record.
    pub(crate) fn rows(&self) -> usize {
        GROUPS * self.lanes
    }

    /// Columns of a vector.
    fn columns(&self) -> usize {
        if self.four_bits { 8 } else { 4 }
    }

    /// Bytes of a record's integers.
    pub(crate) fn codes(&self) -> usize {
        self.rows() * BLOCK / if self.four_bits { 2 } else { 1 }
    }

    /// Bytes of one scale for each row.
    pub(crate) fn scales(&self) -> usize {
        self.rows() * if self.half { 2 } else { 4 }
    }

    /// Bytes of a record.
    pub(crate) fn record(&self) -> usize {
        self.codes() + self.scales() * self.numbers()
    }

    /// Scales and minimums of a row in a record.
    fn numbers(&self) -> usize {
        self.parts + usize::from(self.minimums)
    }

    /// Returns where the record with a row's block starts.
    fn start(&self, row: usize, block: usize) -> usize {
        (row / self.rows() * self.blocks + block) * self.record()
    }

    /// Returns the place of a code: its byte, and whether it is the byte's high half.
    fn code(&self, row: usize, column: usize) -> (usize, bool) {
        let columns = self.columns();
        let vector = column % BLOCK / columns * GROUPS + row % self.rows() / self.lanes;
        let place = ORDER[column % 4];
        let byte = (vector * self.lanes + row % self.lanes) * 4 + place;
        (self.start(row, column / BLOCK) + byte, column % columns >= 4)
    }
}

/// Integers and their scales; rows that fill the last record up are zeros.
pub(crate) struct Packed {
    pub(crate) layout: Layout,
    /// `[rows / layout.rows(), blocks]` records
    records: Lines,
}

impl Packed {
    /// Room for `rows` rows; all weights are 0.
    pub(crate) fn zeros(layout: Layout, rows: usize) -> Result<Self, KernelError> {
        let records = rows.div_ceil(layout.rows()) * layout.blocks;
        let mut packed = Self { layout, records: Lines::zeros(records * layout.record())? };
        if !layout.four_bits {
            for record in packed.records.bytes_mut().chunks_exact_mut(layout.record()) {
                record[..layout.codes()].fill(layout.bias as u8);
            }
        }
        Ok(packed)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.records.bytes()
    }

    /// The records of the rows that stand side by side, from the set `first` to before `end`.
    pub(crate) fn sets(&self, first: usize, end: usize) -> &[u8] {
        let set = self.layout.blocks * self.layout.record();
        &self.bytes()[first * set..end * set]
    }

    /// Writes a block's codes.
    pub(crate) fn set_codes(&mut self, row: usize, block: usize, codes: &[u8; BLOCK]) {
        let layout = self.layout;
        let columns = layout.columns();
        let mut at = layout.code(row, block * BLOCK).0;
        let bytes = self.records.bytes_mut();
        for codes in codes.chunks_exact(columns) {
            let mut four = ORDER.map(|place| codes[place]);
            if layout.four_bits {
                for (byte, place) in four.iter_mut().zip(ORDER) {
                    *byte = *byte & 15 | codes[4 + place] << 4;
                }
            }
            bytes[at..at + 4].copy_from_slice(&four);
            at += GROUPS * layout.lanes * 4;
        }
    }

    /// The integer at a place.
    pub(crate) fn integer(&self, row: usize, column: usize) -> i32 {
        let (byte, high) = self.layout.code(row, column);
        let code = self.bytes()[byte];
        let code = match (self.layout.four_bits, high) {
            (false, _) => code,
            (true, false) => code & 15,
            (true, true) => code >> 4,
        };
        i32::from(code) - self.layout.bias
    }

    /// Writes a block's scale, or where `part` is the number of scales, its minimum.
    pub(crate) fn set_number(&mut self, row: usize, block: usize, part: usize, number: f32) {
        let at = self.number_at(row, block, part);
        self.records.bytes_mut()[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }

    /// A block's scale.
    pub(crate) fn scale(&self, row: usize, block: usize, part: usize) -> f32 {
        self.number(row, block, part)
    }

    /// A block's minimum, where blocks have any.
    pub(crate) fn minimum(&self, row: usize, block: usize) -> Option<f32> {
        self.layout.minimums.then(|| self.number(row, block, self.layout.parts))
    }

    fn number(&self, row: usize, block: usize, part: usize) -> f32 {
        let at = self.number_at(row, block, part);
        let bytes = &self.bytes()[at..];
        if self.layout.half {
            widen_half(u16::from_le_bytes([bytes[0], bytes[1]]))
        } else {
            f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        }
    }

    fn number_at(&self, row: usize, block: usize, part: usize) -> usize {
        let layout = &self.layout;
        let number = part * layout.rows() + row % layout.rows();
        layout.start(row, block) + layout.codes() + number * layout.scales() / layout.rows()
    }

    /// Leaves out of every record what is not needed: all but the first `numbers` scales and
    /// minimums, and their low bits where these are zeros.
    pub(crate) fn shrink(&mut self, mut to: Layout) {
        let from = self.layout;
        let kept = to.numbers() * to.rows();
        let numbers = |record: &[u8]| -> Vec<f32> {
            let (numbers, _) = record[from.codes()..].as_chunks::<4>();
            numbers[..kept].iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
        };
        let mut records = self.bytes().chunks_exact(from.record());
        to.half =
            records.all(|record| numbers(record).iter().all(|n| narrow_to_half(*n).is_some()));
        let count = self.bytes().len() / from.record();
        let bytes = self.records.bytes_mut();
        for index in 0..count {
            let source = index * from.record();
            let numbers = numbers(&bytes[source..][..from.record()]);
            let target = index * to.record();
            bytes.copy_within(source..source + from.codes(), target);
            let mut at = target + to.codes();
            for number in numbers {
                let narrow = if to.half { narrow_to_half(number) } else { None };
                match narrow {
                    Some(narrow) => bytes[at..at + 2].copy_from_slice(&narrow.to_le_bytes()),
                    None => bytes[at..at + 4].copy_from_slice(&number.to_le_bytes()),
                }
                at += to.scales() / to.rows();
            }
        }
        self.records.truncate(count * to.record());
        self.layout = to;
    }
}

// A half's bits, moved to a float's place, are the number times 2⁻¹¹²: the two formats differ in the offset of their
// exponents.
const OFFSET: f32 = f32::from_bits((127 + 112) << 23);
const BACK: f32 = f32::from_bits((127 - 112) << 23);

/// The half that is exactly `number`, if there is one.
fn narrow_to_half(number: f32) -> Option<u16> {
    let bits = (number * BACK).to_bits();
    let half = (bits >> 16 & 0x8000 | bits >> 13 & 0x7fff) as u16;
    // The largest exponent is that of infinity.
    let finite = half & 0x7c00 != 0x7c00;
    (finite && widen_half(half).to_bits() == number.to_bits()).then_some(half)
}

/// The number that a finite half is.
#[inline(always)]
pub(crate) fn widen_half(half: u16) -> f32 {
    let half = u32::from(half);
    f32::from_bits((half & 0x8000) << 16 | (half & 0x7fff) << 13) * OFFSET
}

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
struct Lines {
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

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; the borrow is unique, and any byte is a valid `u8`.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }

    /// Gives back the memory of all but the first `len` bytes.
    fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.lines.truncate(self.len.div_ceil(LINE));
        self.lines.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::{narrow_to_half, widen_half};

    #[test]
    fn every_half_comes_back() {
        for half in 0..=u16::MAX {
            if half & 0x7c00 != 0x7c00 {
                assert_eq!(narrow_to_half(widen_half(half)), Some(half));
            }
        }
        assert_eq!(widen_half(0x3c00), 1.0);
        assert_eq!(widen_half(0x0001), 2f32.powi(-24));
        assert_eq!(widen_half(0xfbff), -65504.0);
    }

    #[test]
    fn what_a_half_cannot_hold_is_refused() {
        for number in [1.0 + f32::EPSILON, 65536.0, 2f32.powi(-25), f32::NAN, f32::INFINITY] {
            assert_eq!(narrow_to_half(number), None);
        }
    }
}
