//! The content of an answer: its kind of document, its text as UTF-8, and the state that the server
//! says it is in.
//!
//! The header that names a page's character set is gone once the page is a file, so the
//! character set is settled here, in the order of the HTML standard: a byte order mark, the header,
//! what the page says of itself, and then UTF-8 if it is that, or else Windows-1252.

use crate::transport::Headers;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// A kind of document.
#[derive(Debug)]
pub(crate) struct Kind {
    types: &'static [&'static str],
    /// Without their dots. A file gets the first.
    extensions: &'static [&'static str],
    /// `true` if it is text in some character set, to be kept as UTF-8.
    pub(crate) is_text: bool,
}

impl Kind {
    const fn text(types: &'static [&'static str], extensions: &'static [&'static str]) -> Self {
        Self { types, extensions, is_text: true }
    }

    const fn binary(types: &'static [&'static str], extensions: &'static [&'static str]) -> Self {
        Self { types, extensions, is_text: false }
    }

    pub(crate) fn is_html(&self) -> bool {
        self.extension() == "html"
    }

    /// The extension that a file of this kind is kept under, without its dot.
    pub(crate) fn extension(&self) -> &'static str {
        self.extensions[0]
    }
}

/// The kinds that `crates/ingest` reads and a website may have, by media types and extensions.
const KINDS: &[Kind] = &[
    Kind::text(&["text/html", "application/xhtml+xml"], &["html", "htm"]),
    Kind::binary(&["application/pdf", "application/x-pdf"], &["pdf"]),
    Kind::text(&["text/plain"], &["txt"]),
    Kind::text(&["text/markdown", "text/x-markdown"], &["md", "markdown"]),
    Kind::text(&["text/x-rst", "text/prs.fallenstein.rst"], &["rst"]),
    Kind::text(&["text/asciidoc", "text/x-asciidoc"], &["adoc", "asciidoc"]),
    Kind::text(&["text/org", "text/x-org"], &["org"]),
    Kind::text(&["text/vtt"], &["vtt"]),
    Kind::binary(&["application/epub+zip"], &["epub"]),
    Kind::text(&["text/csv", "application/csv"], &["csv"]),
    Kind::text(&["text/tab-separated-values"], &["tsv"]),
    Kind::text(&["text/calendar"], &["ics"]),
    Kind::text(&["application/json", "text/json"], &["json"]),
    Kind::text(&["application/jsonl", "application/x-ndjson"], &["jsonl"]),
    Kind::binary(
        &["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
        &["docx"],
    ),
    Kind::binary(&["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"], &["xlsx"]),
    Kind::binary(
        &["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
        &["pptx"],
    ),
    Kind::binary(&["application/vnd.oasis.opendocument.text"], &["odt"]),
];

/// Types that servers give to files they do not know: the address may know better. A zip file, too: office files are
/// zip files to a server that looks inside.
const VAGUE: &[&str] =
    &["", "text/plain", "application/octet-stream", "binary/octet-stream", "application/zip"];

/// The kind of an answer with this `Content-Type` from this path, or the type that is none.
pub(crate) fn kind_of(content_type: Option<&str>, path: &str) -> Result<&'static Kind, String> {
    let full = content_type.unwrap_or_default();
    let media = full.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let by_type = KINDS.iter().find(|kind| kind.types.contains(&media.as_str()));
    let found = if VAGUE.contains(&media.as_str()) { by_path(path).or(by_type) } else { by_type };
    found.ok_or_else(|| match media.as_str() {
        "" => "no content type".to_owned(),
        // It goes into the report, and a server may send anything.
        _ => media.chars().take(100).collect(),
    })
}

fn by_path(path: &str) -> Option<&'static Kind> {
    let name = path.rsplit('/').next()?;
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    KINDS.iter().find(|kind| kind.extensions.contains(&extension.as_str()))
}

/// The `charset` that a `Content-Type` names.
pub(crate) fn charset(content_type: Option<&str>) -> Option<String> {
    let parameters = content_type?.split(';').skip(1);
    parameters
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
        .map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned())
}

/// The number of bytes of a page within which its own word about its character set may stand: what the HTML
/// standard has a browser look through before it parses.
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
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
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

/// The longest `ETag` or date that is kept: it stands in the index once a page and goes out with every request, and
/// servers refuse requests whose headers are too long altogether (8 KB is a usual limit).
const MOST_VALIDATOR_BYTES: usize = 500;

/// `ETag` and `Last-Modified`, if they can be sent back.
pub(crate) fn validators(headers: &Headers) -> (Option<String>, Option<String>) {
    let sendable = |name| {
        let value = headers.get(name)?.trim();
        let is_sendable = !value.is_empty()
            && value.len() <= MOST_VALIDATOR_BYTES
            && value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
        is_sendable.then(|| value.to_owned())
    };
    (sendable("etag"), sendable("last-modified"))
}

/// The headers that ask for news only; none where nothing is known.
pub(crate) fn conditions<'v>(
    etag: Option<&'v str>,
    last_modified: Option<&'v str>,
) -> Vec<(&'static str, &'v str)> {
    let etag = etag.map(|etag| ("If-None-Match", etag));
    let last_modified = last_modified.map(|date| ("If-Modified-Since", date));
    etag.into_iter().chain(last_modified).collect()
}

#[cfg(test)]
mod tests {
    use super::{Kind, charset, kind_of, to_utf8};

    #[test]
    fn types_and_paths() {
        let cases = [
            (Some("text/html; charset=utf-8"), "/a", Ok("html")),
            (Some("TEXT/HTML"), "/a.pdf", Ok("html")),
            (Some("application/xhtml+xml"), "/a", Ok("html")),
            (Some("application/pdf"), "/a", Ok("pdf")),
            (Some("text/plain"), "/notes", Ok("txt")),
            (Some("text/plain; charset=utf-8"), "/notes.MD", Ok("md")),
            (Some("text/plain"), "/plan.markdown", Ok("md")),
            (Some("text/plain"), "/dates.ics", Ok("ics")),
            (Some("application/octet-stream"), "/dir/plan.xlsx", Ok("xlsx")),
            (Some("application/octet-stream"), "/dir.pdf/plan", Err("application/octet-stream")),
            (None, "/a.htm", Ok("html")),
            (None, "/a", Err("no content type")),
            (Some("image/png"), "/a.html", Err("image/png")),
            (Some("application/zip"), "/a.docx", Ok("docx")),
            (Some("video/mp4"), "/a.mp4", Err("video/mp4")),
            (Some("text/csv;header=present"), "/a", Ok("csv")),
        ];
        for (content_type, path, expected) in cases {
            let found = kind_of(content_type, path).map(Kind::extension);
            assert_eq!(found, expected.map_err(str::to_owned), "{content_type:?} {path}");
        }
    }

    #[test]
    fn charsets() {
        assert_eq!(
            charset(Some("text/html; Charset=\"ISO-8859-1\"")).as_deref(),
            Some("ISO-8859-1")
        );
        assert_eq!(
            charset(Some("text/csv; header=present; charset=utf-8")).as_deref(),
            Some("utf-8")
        );
        assert_eq!(charset(Some("text/html")), None);
        assert_eq!(charset(None), None);
    }

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
