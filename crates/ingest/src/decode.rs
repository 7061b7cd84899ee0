//! Bytes to text.

use encoding_rs::{Encoding, UTF_8};

use crate::{Finding, Noticed, Trouble};

/// The text of a file: UTF-8 with or without a byte order mark, or UTF-16 with one.
pub(crate) fn decode(bytes: &[u8]) -> Result<String, Trouble> {
    // By their marks before NUL bytes are looked for: UTF-16 of Latin letters is half NUL bytes.
    if let Some(rest) = bytes.strip_prefix(&[0xFF, 0xFE]) {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xFE, 0xFF]) {
        return utf16(rest, u16::from_be_bytes);
    }
    let mark = "\u{feff}".as_bytes();
    let rest = bytes.strip_prefix(mark).unwrap_or(bytes);
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(Trouble::Binary { offset });
    }
    match std::str::from_utf8(rest) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            let offset = bytes.len() - rest.len() + error.valid_up_to();
            Err(Trouble::WrongEncoding { offset, byte: bytes[offset], likely: likely(bytes) })
        }
    }
}

/// Returns the probable encoding of a text that is not UTF-8, for a message.
fn likely(bytes: &[u8]) -> String {
    let declared =
        declared_charset(bytes).filter(|name| !matches!(name.as_str(), "utf-8" | "utf8"));
    declared.map_or_else(|| "WINDOWS-1252".to_owned(), |name| name.to_ascii_uppercase())
}

/// Bytes that Windows-1252 has no character for.
const UNDEFINED: [u8; 5] = [0x81, 0x8D, 0x8F, 0x90, 0x9D];

/// A text of a program that may not have written UTF-8.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// `true` if nothing says that it is Windows-1252, which it was read as.
    is_guessed: bool,
}

impl Decoded {
    /// A text whose encoding is no guess.
    pub(crate) fn known(text: String) -> Self {
        Self { text, is_guessed: false }
    }

    /// Returns what is worth telling.
    pub(crate) fn note(&self, path: &str) -> Option<Finding> {
        self.is_guessed.then(|| Noticed::OldEncoding.of(path))
    }
}

/// The text of a file that may be old: what [`decode`] reads, and Windows-1252, which programs in
/// Europe and America wrote where nobody told them otherwise. A file that is UTF-8 but for a few
/// bytes is damaged UTF-8, one with bytes that Windows-1252 has no character for or with more
/// accented letters than plain ones is of another encoding; both are refused as [`decode`] does.
pub(crate) fn decode_old(bytes: &[u8]) -> Result<Decoded, Trouble> {
    let error = match decode(bytes) {
        Err(error @ Trouble::WrongEncoding { .. }) => error,
        other => return other.map(Decoded::known),
    };
    if !is_windows_1252(bytes) {
        return Err(error);
    }
    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes);
    Ok(Decoded { text: text.into_owned(), is_guessed: true })
}

/// The text of a web page: what [`decode_old`] reads, and the encoding that the page declares.
///
/// UTF-8 goes before the declaration: many a page was converted and still says what it once was.
pub(crate) fn decode_page(bytes: &[u8]) -> Result<Decoded, Trouble> {
    let error = match decode(bytes) {
        Err(error @ Trouble::WrongEncoding { .. }) => error,
        other => return other.map(Decoded::known),
    };
    let declared = declared_charset(bytes).and_then(|name| Encoding::for_label(name.as_bytes()));
    // A page whose declaration can be read as ASCII is neither UTF-16 nor (see above) UTF-8.
    match declared.filter(|encoding| encoding.is_ascii_compatible() && *encoding != UTF_8) {
        None => decode_old(bytes),
        Some(encoding) => {
            let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
            let text = text.ok_or(error)?.into_owned();
            Ok(Decoded::known(text))
        }
    }
}

/// Returns `true` if bytes that are no UTF-8 look like text in Windows-1252.
fn is_windows_1252(bytes: &[u8]) -> bool {
    let lossy = String::from_utf8_lossy(bytes);
    // Letters of Windows-1252 hardly ever happen to make one of UTF-8: where some do, it is damaged UTF-8.
    let is_utf8 = lossy.chars().any(|c| !c.is_ascii() && c != char::REPLACEMENT_CHARACTER);
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let is_foreign = |byte: &u8| UNDEFINED.contains(byte) || is_control(byte);
    let count = |is: fn(&u8) -> bool| bytes.iter().filter(|byte| is(byte)).count();
    // From 0xC0 on the code page has letters, but for two signs.
    // In a language of Western Europe plain letters outnumber the accented ones; Cyrillic in an old
    // encoding stands nearly all from 0xC0 on.
    let (accented, plain) = (count(|byte| *byte >= 0xC0), count(u8::is_ascii_alphabetic));
    !is_utf8 && !bytes.iter().any(is_foreign) && accented <= plain
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Trouble> {
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
                return Err(Trouble::BrokenUtf16 { offset });
            }
        }
    }
    if !rest.is_empty() {
        return Err(Trouble::BrokenUtf16 { offset });
    }
    if let Some(offset) = text.find('\0') {
        return Err(Trouble::Binary { offset });
    }
    Ok(text)
}

/// The part of a page that is searched for its encoding, in bytes: as much as browsers do.
const DECLARATION_WINDOW: usize = 1024;

/// The encoding that a page declares in its first kilobyte, in a `<meta>` element or the
/// declaration of XML, as it is written there. Comments declare nothing.
fn declared_charset(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..bytes.len().min(DECLARATION_WINDOW))?;
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let mut rest = head.as_str();
    loop {
        rest = rest.get(rest.find('<')?..)?;
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->")?.1;
            continue;
        }
        let (tag, behind) = rest.split_once('>')?;
        let key = match tag {
            _ if tag.starts_with("<meta") => "charset",
            _ if tag.starts_with("<?xml") => "encoding",
            _ => "",
        };
        let stated = Some(tag).filter(|_| !key.is_empty()).and_then(|tag| value(tag, key));
        if stated.is_some() {
            return stated;
        }
        rest = behind;
    }
}

/// The value behind `key =` in a tag, with quotation marks or without.
fn value(tag: &str, key: &str) -> Option<String> {
    let (_, rest) = tag.split_once(key)?;
    let value = rest.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let is_part = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    let name: String = value.chars().take_while(is_part).collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::{decode, decode_old, decode_page};

    #[test]
    fn marks_are_dropped_and_utf_16_is_read() {
        assert_eq!(decode("\u{feff}grün".as_bytes()).unwrap(), "grün");
        assert_eq!(decode(b"\xFF\xFEg\x00\xFC\x00").unwrap(), "gü");
        assert_eq!(decode(b"\xFE\xFF\x00g\xD8\x3D\xDE\x00").unwrap(), "g😀");
        assert_eq!(decode(b"").unwrap(), "");
    }

    /// The bytes and what the message must hold.
    const BROKEN: &[(&[u8], &[&str])] = &[
        (b"caf\xE9", &["`a/b.txt`", "0xE9", "offset 3", "iconv -f WINDOWS-1252 -t UTF-8"]),
        (b"<meta charset=\"iso-8859-15\">caf\xE9", &["offset 31", "iconv -f ISO-8859-15"]),
        (b"charset=iso-8859-15 caf\xE9", &["iconv -f WINDOWS-1252"]),
        (b"a\0b", &["looks binary", "offset 1"]),
        (b"\xFF\xFEg", &["UTF-16", "offset 2"]),
        (b"\xFF\xFEg\x00\x00\xD8", &["UTF-16", "offset 4"]),
        (b"\xFF\xFE\x00\x00", &["looks binary"]),
        (b"\xEF\xBB\xBFa\xFF", &["0xFF", "offset 4"]),
    ];

    #[test]
    fn old_texts_are_read_and_damaged_ones_are_not() {
        let read =
            |bytes: &[u8]| decode_old(bytes).ok().map(|decoded| (decoded.text, decoded.is_guessed));
        assert_eq!(read(b"Jos\xE9,5\xA0\x80"), Some(("José,5\u{a0}€".to_owned(), true)));
        assert_eq!(read("José".as_bytes()), Some(("José".to_owned(), false)));
        assert_eq!(read("José \u{20ac}".as_bytes()), Some(("José €".to_owned(), false)));
        assert_eq!(read(b"Jos\xC3\xA9,caf\xE9"), None, "damaged UTF-8");
        assert_eq!(read(b"a\x81b"), None, "no Windows-1252");
        assert_eq!(read(b"a\0\xE9"), None, "no text");
        assert_eq!(read(b"caf\xE9 \x02\x07"), None, "control characters");
        assert_eq!(read(b"\xCF\xF0\xE8\xE2\xE5\xF2 (1)"), None, "Cyrillic");
    }

    /// A page's bytes, the last word that they say, and whether that is a guess.
    type Page = (&'static [u8], Option<(&'static str, bool)>);

    const PAGES: &[Page] = &[
        (b"<meta charset=iso-8859-15>5 \xA4", Some(("€", false))),
        (b"<META CHARSET = 'windows-1251' >\xCF\xF0\xE8\xE2\xE5\xF2", Some(("Привет", false))),
        (
            b"<meta http-equiv=\"Content-Type\" content=\"text/html; charset=ISO-8859-1\">caf\xE9",
            Some(("café", false)),
        ),
        (b"<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><p>\xB3", Some(("ł", false))),
        (b"<meta charset=shift_jis>\x93\xFA\x96\x7B", Some(("日本", false))),
        (b"<meta charset=shift_jis>\x93", None),
        (b"<!-- <meta charset=windows-1251> -->caf\xE9", Some(("café", true))),
        (b"<p>charset=windows-1251 caf\xE9", Some(("café", true))),
        (b"<meta charset=utf-8>caf\xE9", Some(("café", true))),
        (b"<meta charset=utf-16>caf\xE9", Some(("café", true))),
        (b"<meta charset=klingon>caf\xE9", Some(("café", true))),
        (b"<meta charset=windows-1251>caf\xC3\xA9", Some(("café", false))),
        (b"<meta charset=", Some(("charset=", false))),
    ];

    #[test]
    fn pages_are_read_by_the_encoding_that_they_declare() {
        for (bytes, expected) in PAGES {
            let shown = String::from_utf8_lossy(bytes);
            let found = decode_page(bytes).ok();
            let found = found.map(|decoded| {
                let last = decoded.text.rsplit(['>', ' ']).next().unwrap_or_default();
                (last.to_owned(), decoded.is_guessed)
            });
            let expected = expected.map(|(text, is_guessed)| (text.to_owned(), is_guessed));
            assert_eq!(found, expected, "{shown}");
        }
    }

    #[test]
    fn what_is_no_text_is_refused_by_name_and_place() {
        for (bytes, expected) in BROKEN {
            let message = decode(bytes).unwrap_err().of("a/b.txt").to_string();
            for part in *expected {
                assert!(message.contains(part), "{part:?} in {message:?}");
            }
        }
    }
}
