//! SHA-256 as a value.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::Digest as _;

/// A SHA-256 hash. Written as 64 hexadecimal digits in JSON, as 32 bytes in shards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The first 16 hexadecimal digits.
    pub fn short(&self) -> String {
        let mut digits = self.to_string();
        digits.truncate(16);
        digits
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Not 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lower-case hexadecimal digits, found `{0}`")]
pub struct DigestError(String);

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        let wrong = || DigestError(digits.chars().take(80).flat_map(char::escape_debug).collect());
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        let bytes: Option<Vec<u8>> = pairs.iter().map(|&pair| byte(pair)).collect();
        let bytes: [u8; 32] = bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)?;
        if rest.is_empty() { Ok(Self(bytes)) } else { Err(wrong()) }
    }
}

fn byte([high, low]: [u8; 2]) -> Option<u8> {
    Some(digit(high)? << 4 | digit(low)?)
}

fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
        } else {
            <[u8; 32]>::deserialize(deserializer).map(Self)
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_standard_s_example_and_back() {
        // FIPS 180-4's first example message, `abc`.
        let digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let digest = Digest::of(b"abc");
        assert_eq!(digest.to_string(), digits);
        assert_eq!(digest.short(), "ba7816bf8f01cfea");
        assert_eq!(digits.parse::<Digest>().unwrap(), digest);
        assert_eq!(serde_json::to_string(&digest).unwrap(), format!("\"{digits}\""));
        assert_eq!(postcard::to_allocvec(&digest).unwrap().len(), 32);
    }

    #[test]
    fn other_strings_are_no_digest() {
        for digits in ["", "ba", &"g".repeat(64), &"A".repeat(64), &"a".repeat(65), &"ä".repeat(32)]
        {
            assert!(digits.parse::<Digest>().is_err(), "{digits}");
        }
    }
}
