//! SHA-256 of a file.

use crate::error::StoreError;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Big enough that reading costs little, small enough for smooth progress.
pub(crate) const BUFFER_BYTES: usize = 256 * 1024;

/// The SHA-256 of the file at `path` in lower-case hexadecimal; `hashed` is told
/// the number of bytes done so far.
pub(crate) fn sha256_of_file(
    path: &Path,
    mut hashed: impl FnMut(u64),
) -> Result<String, StoreError> {
    let reading = |source| StoreError::io("read", path, source);
    let mut file = File::open(path).map_err(reading)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut done = 0;
    loop {
        let count = file.read(&mut buffer).map_err(reading)?;
        if count == 0 {
            return Ok(hexadecimal(&hasher.finalize()));
        }
        hasher.update(buffer.get(..count).unwrap_or_default());
        done += count as u64;
        hashed(done);
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
mod tests {
    use super::sha256_of_file;

    /// The two shortest examples of FIPS 180-2 and one longer than the buffer.
    #[test]
    fn known_hashes() {
        let cases: [(Vec<u8>, &str); 3] = [
            (Vec::new(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (b"abc".to_vec(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                vec![b'a'; 1_000_000],
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ),
        ];
        let folder = tempfile::tempdir().unwrap();
        for (bytes, expected) in cases {
            let path = folder.path().join("file");
            std::fs::write(&path, &bytes).unwrap();
            let mut last = 0;
            assert_eq!(sha256_of_file(&path, |done| last = done).unwrap(), expected);
            assert_eq!(last, bytes.len() as u64);
        }
    }
}
