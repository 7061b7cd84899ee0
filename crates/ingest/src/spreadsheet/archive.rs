//! The check that an archive is safe to unpack.

use std::io::{Cursor, Read, sink};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::IngestError;

/// Files in a workbook.
const MOST_FILES: usize = 10_000;

/// Refuses what is no archive, and what would not fit into memory. What its directory states is not
/// believed: everything is unpacked once, to nowhere, up to the limit.
pub(super) fn check(path: &str, bytes: &[u8], limit_bytes: u64) -> Result<(), IngestError> {
    if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) {
        // An encrypted workbook is a Compound File around the archive; so is a workbook of 1997.
        return Err(if holds_package(bytes) {
            IngestError::Encrypted { path: path.to_owned() }
        } else {
            malformed(path, "it is a workbook in the format of Excel 97".to_owned())
        });
    }
    let broken = |error: ZipError| malformed(path, error.to_string());
    let inflated = || IngestError::Inflated { path: path.to_owned(), limit_bytes };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > MOST_FILES {
        return Err(malformed(path, format!("it holds {} files", archive.len())));
    }
    if archive.decompressed_size().is_some_and(|size| size > u128::from(limit_bytes)) {
        return Err(inflated());
    }
    let mut left = limit_bytes;
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

/// Returns `true` if a Compound File names the stream of an encrypted workbook (MS-OFFCRYPTO, 2.3.4.4).
fn holds_package(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(name.len()).any(|window| window == name)
}

pub(super) fn malformed(path: &str, reason: String) -> IngestError {
    IngestError::Malformed { path: path.to_owned(), format: "Excel", reason }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use std::io::{Cursor, Write as _};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::check;
    use crate::IngestError;

    fn archive(noughts: usize) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("xl/workbook.xml", SimpleFileOptions::default()).unwrap();
        writer.write_all(&vec![b' '; noughts]).unwrap();
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn what_is_unpacked_is_counted() {
        let bytes = archive(100_000);
        assert!(bytes.len() < 1_000);
        assert!(check("a.xlsx", &bytes, 100_000).is_ok());
        let error = check("a.xlsx", &bytes, 99_999).unwrap_err();
        assert!(matches!(error, IngestError::Inflated { limit_bytes: 99_999, .. }), "{error}");
        assert!(error.to_string().contains("`a.xlsx` holds more than 0.1 MB when it is unpacked"));
    }

    #[test]
    fn a_size_that_is_not_true_is_not_believed() {
        let mut bytes = archive(100_000);
        let size = 100_000_u32.to_le_bytes();
        let places: Vec<usize> =
            (0..bytes.len() - 4).filter(|at| bytes[*at..at + 4] == size).collect();
        assert_eq!(places.len(), 2, "in front of the file and in the directory");
        for at in places {
            bytes[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
        }
        let error = check("a.xlsx", &bytes, 50_000).unwrap_err();
        let is_named =
            matches!(error, IngestError::Inflated { .. } | IngestError::Malformed { .. });
        assert!(is_named, "{error}");
    }
}
