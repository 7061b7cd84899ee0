//! Bytes to text.

use crate::IngestError;

/// The text of a file: UTF-8 with or without a byte order mark, or UTF-16 with one.
pub(crate) fn decode(path: &str, bytes: &[u8]) -> Result<String, IngestError> {
    if let Some(rest) = bytes.strip_prefix(&[0xFF, 0xFE]) {
        return utf16(path, rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xFE, 0xFF]) {
        return utf16(path, rest, u16::from_be_bytes);
    }
    let mark = "\u{feff}".as_bytes();
    let rest = bytes.strip_prefix(mark).unwrap_or(bytes);
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(IngestError::Binary { path: path.to_owned(), offset });
    }
    match std::str::from_utf8(rest) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            let offset = bytes.len() - rest.len() + error.valid_up_to();
            Err(IngestError::WrongEncoding {
                path: path.to_owned(),
                offset,
                byte: bytes.get(offset).copied().unwrap_or_default(),
                likely: declared_charset(bytes).unwrap_or_else(|| "WINDOWS-1252".to_owned()),
            })
        }
    }
}

/// Bytes that Windows-1252 has no character for.
const UNDEFINED: [u8; 5] = [0x81, 0x8D, 0x8F, 0x90, 0x9D];

/// The text of a file that a spreadsheet program may have written, and whether it is Windows-1252:
/// such programs use it where nobody tells them otherwise. A file that is UTF-8 but for a few bytes
/// is damaged UTF-8, and refused as [`decode`] does.
pub(crate) fn decode_sheet(path: &str, bytes: &[u8]) -> Result<(String, bool), IngestError> {
    let error = match decode(path, bytes) {
        Err(error @ IngestError::WrongEncoding { .. }) => error,
        other => return other.map(|text| (text, false)),
    };
    let lossy = String::from_utf8_lossy(bytes);
    let is_utf8 = lossy.chars().any(|c| !c.is_ascii() && c != char::REPLACEMENT_CHARACTER);
    if is_utf8 || bytes.iter().any(|byte| UNDEFINED.contains(byte)) {
        return Err(error);
    }
    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes);
    Ok((text.into_owned(), true))
}

fn utf16(path: &str, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, IngestError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let mut text = String::with_capacity(bytes.len());
    let mut offset = 2;
    for decoded in char::decode_utf16(units) {
        match decoded {
            Ok(character) => {
                offset += character.len_utf16() * 2;
                text.push(character);
            }
            Err(_) => {
                let path = path.to_owned();
                return Err(IngestError::BrokenUtf16 { path, offset });
            }
        }
    }
    if !rest.is_empty() {
        let path = path.to_owned();
        return Err(IngestError::BrokenUtf16 { path, offset });
    }
    if let Some(offset) = text.find('\0') {
        let path = path.to_owned();
        return Err(IngestError::Binary { path, offset });
    }
    Ok(text)
}

/// The character set that an HTML page names in its first kilobyte, if it is not UTF-8 after all.
fn declared_charset(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..bytes.len().min(1024))?;
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let (_, rest) = head.split_once("charset=")?;
    let name: String = rest
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        .collect();
    let name = name.to_ascii_uppercase();
    (!name.is_empty() && name != "UTF-8" && name != "UTF8").then_some(name)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::{decode, decode_sheet};

    #[test]
    fn marks_are_dropped_and_utf_16_is_read() {
        assert_eq!(decode("a", "\u{feff}grün".as_bytes()).unwrap(), "grün");
        assert_eq!(decode("a", b"\xFF\xFEg\x00\xFC\x00").unwrap(), "gü");
        assert_eq!(decode("a", b"\xFE\xFF\x00g\xD8\x3D\xDE\x00").unwrap(), "g😀");
        assert_eq!(decode("a", b"").unwrap(), "");
    }

    /// The bytes and what the message must hold.
    const BROKEN: &[(&[u8], &[&str])] = &[
        (b"caf\xE9", &["`a/b.txt`", "0xE9", "offset 3", "iconv -f WINDOWS-1252 -t UTF-8"]),
        (b"<meta charset=\"iso-8859-15\">caf\xE9", &["offset 31", "iconv -f ISO-8859-15"]),
        (b"a\0b", &["looks binary", "offset 1"]),
        (b"\xFF\xFEg", &["UTF-16", "offset 2"]),
        (b"\xFF\xFEg\x00\x00\xD8", &["UTF-16", "offset 4"]),
        (b"\xFF\xFE\x00\x00", &["looks binary"]),
        (b"\xEF\xBB\xBFa\xFF", &["0xFF", "offset 4"]),
    ];

    #[test]
    fn old_sheets_are_read_and_damaged_ones_are_not() {
        let read = |bytes: &[u8]| decode_sheet("a.csv", bytes).ok();
        assert_eq!(read(b"Jos\xE9,5\xA0\x80"), Some(("José,5\u{a0}€".to_owned(), true)));
        assert_eq!(read("José".as_bytes()), Some(("José".to_owned(), false)));
        assert_eq!(read("José \u{20ac}".as_bytes()), Some(("José €".to_owned(), false)));
        assert_eq!(read(b"Jos\xC3\xA9,caf\xE9"), None, "damaged UTF-8");
        assert_eq!(read(b"a\x81b"), None, "no Windows-1252");
        assert_eq!(read(b"a\0\xE9"), None, "no text");
    }

    #[test]
    fn what_is_no_text_is_refused_by_name_and_place() {
        for (bytes, expected) in BROKEN {
            let message = decode("a/b.txt", bytes).unwrap_err().to_string();
            for part in *expected {
                assert!(message.contains(part), "{part:?} in {message:?}");
            }
        }
    }
}
