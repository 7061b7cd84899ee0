//! SHA-256 in hexadecimal.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The whole hash.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// 96 bits of it: enough that nobody finds two addresses with the same by trying.
pub(crate) fn short_hash(text: &str) -> String {
    hex(Sha256::digest(text.as_bytes()).get(..12).unwrap_or_default())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
