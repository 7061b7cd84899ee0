//! Text as UTF-8, whatever it came in: what the readers of `crates/ingest` take.
//!
//! The header that names a page's character set is gone once the page is a file, so the
//! character set is settled here, in the order of the HTML standard: a byte order mark, the header,
//! what the page says of itself, and then UTF-8 if it is that, or else Windows-1252.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// The number of bytes of a page within which its own word about its character set may stand.
const HEAD_BYTES: usize = 1_024;

const MARK: &[u8] = "\u{feff}".as_bytes();

/// `bytes` themselves if they are UTF-8, and otherwise as UTF-8 behind a byte order mark, which
/// outweighs the character set that the page names.
pub(crate) fn to_utf8<'b>(bytes: &'b [u8], header: Option<&str>, is_html: bool) -> Cow<'b, [u8]> {
    let encoding = encoding_of(bytes, header, is_html);
    if encoding == UTF_8 && std::str::from_utf8(bytes).is_ok() {
        return Cow::Borrowed(bytes);
    }
    let (text, _, _) = encoding.decode(bytes);
    Cow::Owned([MARK, text.as_bytes()].concat())
}

fn encoding_of(bytes: &[u8], header: Option<&str>, is_html: bool) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    let own = || is_html.then(|| own_charset(bytes)).flatten();
    let named = header.and_then(|label| Encoding::for_label(label.as_bytes())).or_else(own);
    named.unwrap_or_else(|| if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 })
}

/// Reads the character set that an HTML page names in its head: `<meta charset=…>`, or `charset=` within a
/// `content`.
fn own_charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(HEAD_BYTES))?;
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let (_, rest) = head.split_once("charset=")?;
    let label: String = rest
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
        .collect();
    let encoding = Encoding::for_label(label.as_bytes())?;
    // A page that can be read thus far is not in UTF-16, whatever it says.
    Some(if encoding.is_ascii_compatible() { encoding } else { UTF_8 })
}

#[cfg(test)]
mod tests {
    use super::to_utf8;

    #[test]
    fn the_character_set_is_settled() {
        let cases: &[(&[u8], Option<&str>, &str)] = &[
            ("grün".as_bytes(), None, "grün"),
            ("grün".as_bytes(), Some("utf-8"), "grün"),
            (b"gr\xFCn", Some("iso-8859-1"), "\u{feff}grün"),
            (b"gr\xFCn", None, "\u{feff}grün"),
            (b"<meta charset='iso-8859-7'>\xE1", None, "\u{feff}<meta charset='iso-8859-7'>α"),
            (b"<meta charset=utf-16>a", None, "<meta charset=utf-16>a"),
            (b"<meta charset=nonsense>a\xFC", None, "\u{feff}<meta charset=nonsense>aü"),
            // The header outweighs the page.
            (
                b"<meta charset=\"koi8-r\">\xFC",
                Some("latin1"),
                "\u{feff}<meta charset=\"koi8-r\">ü",
            ),
            (b"\xFF\xFEg\x00\xFC\x00", Some("utf-8"), "\u{feff}gü"),
            // What is said to be UTF-8 and is not: the readers would refuse it whole.
            (b"a\xFFb", Some("utf-8"), "\u{feff}a\u{fffd}b"),
        ];
        for (bytes, header, expected) in cases {
            let text = to_utf8(bytes, *header, true);
            assert_eq!(String::from_utf8_lossy(&text), *expected, "{header:?}");
        }
    }
}
