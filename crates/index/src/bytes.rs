//! Reading and writing the small binary pieces all index files are made of: little-endian
//! numbers of fixed width and LEB128 variable-length integers.

use crate::IndexError;

/// Appends `value` in base 128, low bits first, with the high bit set on all bytes but the last.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push((value as u8 & 0x7f) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A cursor over foreign bytes: every step is checked, and every error says where it stood.
pub(crate) struct Reader<'a> {
    part: &'static str,
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Starts behind `magic`, the four bytes that name a format and its version.
    pub(crate) fn open(
        part: &'static str,
        bytes: &'a [u8],
        magic: [u8; 4],
    ) -> Result<Self, IndexError> {
        let mut reader = Self { part, bytes, offset: 0 };
        let found = reader.array::<4>("the format's four letters")?;
        if found != magic {
            return Err(reader.damaged_at(
                0,
                format!("the letters `{}`", magic.escape_ascii()),
                format!("`{}`", found.escape_ascii()),
            ));
        }
        Ok(reader)
    }

    /// An error at the present place.
    pub(crate) fn damaged(
        &self,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IndexError {
        self.damaged_at(self.offset, expected, found)
    }

    fn damaged_at(
        &self,
        offset: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IndexError {
        IndexError::Damaged {
            part: self.part,
            offset,
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// Bytes not yet read.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.offset
    }

    /// The next `length` bytes.
    pub(crate) fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], IndexError> {
        let rest = &self.bytes[self.offset..];
        match rest.split_at_checked(length) {
            Some((taken, _)) => {
                self.offset += length;
                Ok(taken)
            }
            None => {
                Err(self
                    .damaged(format!("{length} bytes of {what}"), format!("{} bytes", rest.len())))
            }
        }
    }

    /// The next `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], IndexError> {
        let taken = self.take(N, what)?;
        taken.try_into().map_err(|_| self.damaged(what, "too few"))
    }

    /// A number of four bytes, low byte first.
    pub(crate) fn u32(&mut self, what: &str) -> Result<u32, IndexError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// A finite number of four bytes, low byte first.
    pub(crate) fn finite_f32(&mut self, what: &str) -> Result<f32, IndexError> {
        let value = f32::from_le_bytes(self.array(what)?);
        if !value.is_finite() {
            return Err(self.damaged(format!("{what}, a finite number"), "infinity or none"));
        }
        Ok(value)
    }

    /// A variable-length integer, in the only spelling [`put_varint`] gives it.
    pub(crate) fn varint(&mut self, what: &str) -> Result<u32, IndexError> {
        let mut value = 0u64;
        // Five bytes hold 35 bits: a sixth could only be padding.
        for shift in [0, 7, 14, 21, 28] {
            let [byte] = self.array::<1>(what)?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                // One spelling for each number: a shard's hash then stands for its content.
                if byte == 0 && shift > 0 {
                    return Err(
                        self.damaged(format!("{what} without padding"), "a zero at its end")
                    );
                }
                return u32::try_from(value)
                    .map_err(|_| self.damaged(format!("{what} below 2^32"), value.to_string()));
            }
        }
        Err(self.damaged(format!("{what} of at most five bytes"), "a longer one"))
    }

    /// A count of things that each take at least `least_bytes` of what remains, so that a
    /// damaged count cannot ask for memory the file could never fill.
    pub(crate) fn count(&mut self, least_bytes: usize, what: &str) -> Result<usize, IndexError> {
        let count = self.varint(what)? as usize;
        let limit = self.remaining() / least_bytes.max(1);
        if count > limit {
            return Err(self.damaged(format!("{what} of at most {limit}"), count.to_string()));
        }
        Ok(count)
    }

    /// Ends the reading: nothing may be left.
    pub(crate) fn finish(self) -> Result<(), IndexError> {
        match self.remaining() {
            0 => Ok(()),
            left => Err(self.damaged("the end", format!("{left} more bytes"))),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn varints_come_back(values in proptest::collection::vec(any::<u32>(), 0..50)) {
            let mut bytes = b"TEST".to_vec();
            values.iter().for_each(|&value| put_varint(&mut bytes, value));
            let mut reader = Reader::open("test", &bytes, *b"TEST").unwrap();
            for &value in &values {
                prop_assert_eq!(reader.varint("value").unwrap(), value);
            }
            reader.finish().unwrap();
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            let mut all = b"TEST".to_vec();
            all.extend(&bytes);
            let mut reader = Reader::open("test", &all, *b"TEST").unwrap();
            while reader.varint("value").is_ok() {}
        }
    }

    #[test]
    fn padded_and_overlong_varints_are_refused() {
        for bytes in [&[0x80, 0x00][..], &[0xff, 0xff, 0xff, 0xff, 0x1f], &[0xff; 6]] {
            let mut all = b"TEST".to_vec();
            all.extend(bytes);
            let mut reader = Reader::open("test", &all, *b"TEST").unwrap();
            assert!(reader.varint("value").is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn an_error_says_where_and_what() {
        let error = Reader::open("test", b"NOPE", *b"TEST").err().unwrap();
        assert_eq!(
            error.to_string(),
            "the test is damaged at byte 0: expected the letters `TEST`, found `NOPE`; \
             build the site again"
        );
    }
}
