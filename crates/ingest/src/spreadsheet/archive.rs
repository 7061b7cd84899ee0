//! Whether an archive is safe to unpack.

use std::io::{Cursor, Read, sink};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::IngestError;

/// How much a workbook may hold when it is unpacked.
const MOST_BYTES: u64 = 400_000_000;
/// Files in a workbook.
const MOST_FILES: usize = 10_000;

/// Refuses what is no archive, and what would not fit into memory. What its directory states is not
/// believed: everything is unpacked once, to nowhere, up to the limit.
pub(super) fn check(path: &str, bytes: &[u8]) -> Result<(), IngestError> {
    if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) {
        // An encrypted workbook is a Compound File around the archive; so is a workbook of 1997.
        return Err(if holds_package(bytes) {
            IngestError::Encrypted { path: path.to_owned() }
        } else {
            malformed(path, "it is a workbook in the format of Excel 97".to_owned())
        });
    }
    let broken = |error: ZipError| malformed(path, error.to_string());
    let inflated = || IngestError::Inflated { path: path.to_owned(), limit_bytes: MOST_BYTES };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > MOST_FILES {
        return Err(malformed(path, format!("it holds {} files", archive.len())));
    }
    let mut left = MOST_BYTES;
    for index in 0..archive.len() {
        let file = match archive.by_index(index) {
            Err(ZipError::UnsupportedArchive(reason)) if reason == ZipError::PASSWORD_REQUIRED => {
                return Err(IngestError::Encrypted { path: path.to_owned() });
            }
            file => file.map_err(broken)?,
        };
        if file.size() > left {
            return Err(inflated());
        }
        let read = std::io::copy(&mut file.take(left.saturating_add(1)), &mut sink());
        let read = read.map_err(|error| malformed(path, error.to_string()))?;
        left = left.checked_sub(read).ok_or_else(inflated)?;
    }
    Ok(())
}

/// Whether a Compound File names the stream of an encrypted workbook (MS-OFFCRYPTO, 2.3.4.4).
fn holds_package(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(name.len()).any(|window| window == name)
}

pub(super) fn malformed(path: &str, reason: String) -> IngestError {
    IngestError::Malformed { path: path.to_owned(), format: "Excel", reason }
}
