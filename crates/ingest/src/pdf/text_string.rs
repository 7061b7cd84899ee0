//! Text strings of a PDF's dictionaries: titles, bookmarks, replacement text.

/// ISO 32000-1, D.2: the codes of PDFDocEncoding that differ from Latin-1.
const LOW: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
const HIGH: [char; 33] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™',
    'ﬁ', 'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
];

/// Reads UTF-16 or UTF-8 with a byte order mark, or PDFDocEncoding.
pub(super) fn text_string(bytes: &[u8]) -> String {
    match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|byte| pdf_doc(*byte)).collect(),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16_lossy(&units)
}

fn pdf_doc(byte: u8) -> char {
    let special = match byte {
        0x18..=0x1F => LOW.get(usize::from(byte - 0x18)),
        0x80..=0xA0 => HIGH.get(usize::from(byte - 0x80)),
        _ => None,
    };
    special.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::text_string;

    #[test]
    fn every_encoding_is_read() {
        let cases: [(&[u8], &str); 5] = [
            (b"Satzung", "Satzung"),
            (b"\xFE\xFF\0\xC4\0n", "Än"),
            (b"\xFF\xFE\xC4\0n\0", "Än"),
            (b"\xEF\xBB\xBF\xC3\x84n", "Än"),
            (b"\xC4nderung \x84 \x8D", "Änderung — “"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(text_string(bytes), expected);
        }
    }
}
