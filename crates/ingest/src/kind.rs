//! The kinds of file that can be read, by their names and by their first bytes.
//!
//! A page saved as `.txt`, a PDF that a link called `.html`: the first bytes tell. Only marks that
//! no other kind begins with are listed. A kind without a mark of its own (Markdown, plain text) is
//! what its name says.

use std::io::Cursor;

use zip::ZipArchive;

/// The kinds of file that can be read, by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `.md`, `.markdown`, `.mdx`
    Markdown,
    /// `.html`, `.htm`, `.xhtml`
    Html,
    /// `.txt`, `.text`
    Text,
    /// `.rst`, `.rest`
    Rst,
    /// `.ics`
    Calendar,
    /// `.docx`, `.docm`
    Docx,
    /// `.pptx`, `.pptm`, `.ppsx`
    Pptx,
    /// `.odt`, `.fodt`
    Odt,
    /// `.odp`, `.fodp`
    Odp,
    /// `.pdf`
    Pdf,
    /// `.csv`
    Csv,
    /// `.tsv`, `.tab`
    Tsv,
    /// `.xlsx`, `.xlsm`
    Xlsx,
    /// `.xls`
    Xls,
    /// `.ods`, `.fods`
    Ods,
    /// `.ipynb`
    Notebook,
    /// `.vtt`, `.srt`
    Subtitles,
    /// `.eml`, `.emlx`
    Mail,
    /// `.mbox`
    Mailbox,
    /// `.mht`, `.mhtml`
    SavedPage,
    /// `.epub`
    Epub,
    /// `.adoc`, `.asciidoc`
    Asciidoc,
    /// `.org`
    Org,
    /// `.json`
    Json,
    /// `.jsonl`, `.ndjson`
    JsonLines,
}

/// Each kind with its name and its extensions, the usual one first.
const KINDS: &[(Kind, &str, &[&str])] = &[
    (
        Kind::Markdown,
        "Markdown",
        &["md", "markdown", "mdx", "mdown", "mdwn", "mkd", "mkdn", "qmd", "rmd"],
    ),
    (Kind::Html, "HTML", &["html", "htm", "xhtml"]),
    (Kind::Text, "plain text", &["txt", "text"]),
    (Kind::Rst, "reStructuredText", &["rst", "rest"]),
    (Kind::Calendar, "iCalendar", &["ics"]),
    (Kind::Docx, "Word", &["docx", "docm"]),
    (Kind::Pptx, "PowerPoint", &["pptx", "pptm", "ppsx"]),
    (Kind::Odt, "OpenDocument text", &["odt", "fodt"]),
    (Kind::Odp, "OpenDocument slides", &["odp", "fodp"]),
    (Kind::Pdf, "PDF", &["pdf"]),
    (Kind::Csv, "CSV", &["csv"]),
    (Kind::Tsv, "TSV", &["tsv", "tab"]),
    (Kind::Xlsx, "Excel", &["xlsx", "xlsm"]),
    (Kind::Xls, "Excel 97 to 2003", &["xls"]),
    (Kind::Ods, "OpenDocument spreadsheet", &["ods", "fods"]),
    (Kind::Notebook, "Jupyter notebook", &["ipynb"]),
    (Kind::Subtitles, "subtitles", &["vtt", "srt"]),
    (Kind::Mail, "mail", &["eml", "emlx"]),
    (Kind::Mailbox, "box of mails", &["mbox"]),
    (Kind::SavedPage, "saved web page", &["mht", "mhtml"]),
    (Kind::Epub, "e-book", &["epub"]),
    (Kind::Asciidoc, "AsciiDoc", &["adoc", "asciidoc"]),
    (Kind::Org, "Org", &["org"]),
    (Kind::Json, "JSON", &["json"]),
    (Kind::JsonLines, "JSON lines", &["jsonl", "ndjson"]),
];

impl Kind {
    /// The kind of a file by the end of its name, in either case; `None` if it cannot be read.
    pub fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?;
        let (stem, extension) = name.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        let has =
            |(_, _, extensions): &&(Kind, &str, &[&str])| extensions.contains(&extension.as_str());
        KINDS.iter().find(has).filter(|_| !stem.is_empty()).map(|(kind, _, _)| *kind)
    }

    /// Returns `true` for the name of an old office document, under which pages and newer documents lie now and then.
    pub(crate) fn has_old_name(path: &str) -> bool {
        let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        matches!(extension.as_deref(), Some("doc" | "dot" | "rtf" | "ppt" | "pps"))
    }

    /// All kinds with their usual extensions, for messages and help:
    /// ``Markdown (`.md`), HTML (`.html`) or …``.
    pub fn list() -> String {
        let named = |(_, name, extensions): &(Kind, &str, &[&str])| {
            format!("{name} (`.{}`)", extensions.first().unwrap_or(&""))
        };
        let mut names: Vec<String> = KINDS.iter().map(named).collect();
        let last = names.pop().unwrap_or_default();
        format!("{} or {last}", names.join(", "))
    }
}

/// The kind of a file, by its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    /// As a person would call it, with its article.
    pub(crate) name: &'static str,
    /// Its reader, if there is one.
    pub(crate) kind: Option<Kind>,
}

/// The beginning of every Compound File (MS-CFB, 2.2): documents of Office 97 to 2003, and encrypted ones
/// of today.
pub(crate) const COMPOUND_FILE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The stream of an encrypted document in a Compound File (MS-OFFCRYPTO, 2.3.4.4).
pub(crate) const ENCRYPTED_STREAM: &str = "EncryptedPackage";

/// Returns `true` if a Compound File names a stream, in UTF-16 as its directory does.
pub(crate) fn holds_stream(bytes: &[u8], name: &str) -> bool {
    let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(name.len()).any(|window| window == name)
}

/// The beginning of a file of a kind.
enum Mark {
    /// These bytes.
    Bytes(&'static [u8]),
    /// These words, in either case, behind white space and a declaration of XML.
    Words(&'static str),
    /// A zip archive that holds a file of this name.
    Archive(&'static str),
    /// A zip archive whose first file states this type.
    Typed(&'static str),
}

/// The kinds that can be told, the particular before the general.
const MARKS: &[(Mark, &str, Option<Kind>)] = &[
    (Mark::Bytes(b"%PDF-"), "a PDF", Some(Kind::Pdf)),
    (Mark::Archive("word/document.xml"), "a Word document (DOCX)", Some(Kind::Docx)),
    (Mark::Archive("xl/workbook.xml"), "an Excel workbook (XLSX)", Some(Kind::Xlsx)),
    (Mark::Archive("ppt/presentation.xml"), "a PowerPoint presentation (PPTX)", Some(Kind::Pptx)),
    (
        Mark::Typed("application/vnd.oasis.opendocument.text"),
        "an OpenDocument text (ODT)",
        Some(Kind::Odt),
    ),
    (
        Mark::Typed("application/vnd.oasis.opendocument.presentation"),
        "an OpenDocument presentation (ODP)",
        Some(Kind::Odp),
    ),
    (
        Mark::Typed("application/vnd.oasis.opendocument.spreadsheet"),
        "an OpenDocument spreadsheet (ODS)",
        Some(Kind::Ods),
    ),
    (Mark::Typed("application/vnd.oasis.opendocument"), "an OpenDocument file", None),
    (Mark::Typed("application/epub+zip"), "an e-book (EPUB)", Some(Kind::Epub)),
    (Mark::Archive("meta-inf/container.xml"), "an e-book (EPUB)", Some(Kind::Epub)),
    (Mark::Bytes(b"PK\x03\x04"), "a zip archive", None),
    (Mark::Bytes(b"\x1F\x8B"), "a gzip archive", None),
    (Mark::Bytes(b"7z\xBC\xAF\x27\x1C"), "a 7z archive", None),
    (Mark::Bytes(COMPOUND_FILE), "an old Office file", None),
    (Mark::Bytes(b"{\\rtf"), "an RTF document", None),
    (Mark::Bytes(b"\x89PNG\r\n"), "a PNG picture", None),
    (Mark::Bytes(b"\xFF\xD8\xFF"), "a JPEG picture", None),
    (Mark::Bytes(b"GIF87a"), "a GIF picture", None),
    (Mark::Bytes(b"GIF89a"), "a GIF picture", None),
    (Mark::Bytes(b"%!PS"), "a PostScript file", None),
    (Mark::Words("<!doctype html"), "an HTML page", Some(Kind::Html)),
    (Mark::Words("<html"), "an HTML page", Some(Kind::Html)),
    (Mark::Words("begin:vcalendar"), "a calendar (iCalendar)", Some(Kind::Calendar)),
    // Word and browsers save a page with its pictures as they would send it.
    (
        Mark::Words("mime-version: 1.0\ncontent-type: multipart/related"),
        "a saved web page (MHTML)",
        Some(Kind::SavedPage),
    ),
    (Mark::Words("from: <saved by"), "a saved web page (MHTML)", Some(Kind::SavedPage)),
];

/// The part of each end of an archive that is searched for the names of its files, in bytes.
// Of an archive that cannot be opened: all names stand in the directory at the end.
const ARCHIVE_WINDOW: usize = 64 * 1024;
/// The part of an archive in which its first file states the type, in bytes.
const TYPE_WINDOW: usize = 200;
/// The part of a text that is looked at, in bytes.
const TEXT_WINDOW: usize = 4 * 1024;

/// Returns what a file is, if that is another kind than its name says.
///
/// The readers of office documents look into their archives, and know more about what is none.
pub(crate) fn mismatch(named: Kind, bytes: &[u8]) -> Option<Content> {
    let is_office = matches!(
        named,
        Kind::Docx
            | Kind::Pptx
            | Kind::Odt
            | Kind::Odp
            | Kind::Ods
            | Kind::Xlsx
            | Kind::Xls
            | Kind::Epub
    );
    let found = sniff(bytes);
    if found.is_none() && named == Kind::Xls {
        return beneath_xls(bytes);
    }
    found
        .filter(|content| content.kind != Some(named))
        // They say more about a broken archive than that it is one.
        .filter(|content| !is_office || content.kind.is_some())
}

/// Returns what lies under the name of an old office document (`.doc`), if it is something that is read.
///
/// Web applications and mail merges write HTML under that name, and people rename.
pub(crate) fn beneath_old_name(bytes: &[u8]) -> Option<Content> {
    sniff(bytes).filter(|content| content.kind.is_some())
}

/// Returns what lies under the name of an old workbook: many programs export a table of HTML, or separated values, as `.xls`,
/// which spreadsheet programs open with a question.
fn beneath_xls(bytes: &[u8]) -> Option<Content> {
    let words = opening_words(bytes);
    let is_compound = bytes.starts_with(COMPOUND_FILE) || bytes.starts_with(b"PK");
    if is_compound || words.is_empty() || words.starts_with("<?xml") {
        return None;
    }
    let is_page =
        ["<table", "<meta", "<style", "<head", "<body", "<div", "<center", "<font", "<tr"];
    if is_page.iter().any(|start| words.starts_with(start)) {
        return Some(Content { name: "an HTML page", kind: Some(Kind::Html) });
    }
    let head = bytes.get(..bytes.len().min(TEXT_WINDOW)).unwrap_or_default();
    let is_utf16 = head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF");
    let is_binary = head.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace());
    if words.starts_with('<') || is_binary && !is_utf16 {
        return None;
    }
    // The sign that stands in most of the first lines parts their values.
    let count = |sign: char| words.lines().take(20).filter(|line| line.contains(sign)).count();
    let (kind, name) = match (count('\t'), count(';').max(count(','))) {
        (0, 0) => return None,
        (tabs, signs) if tabs >= signs => (Kind::Tsv, "values between tabs (TSV)"),
        _ => (Kind::Csv, "separated values (CSV)"),
    };
    Some(Content { name, kind: Some(kind) })
}

/// Returns what a file is, if its first bytes tell.
fn sniff(bytes: &[u8]) -> Option<Content> {
    let words = opening_words(bytes);
    let archive = bytes.starts_with(b"PK\x03\x04").then(|| Archive::of(bytes));
    let found = MARKS.iter().find(|(mark, ..)| match mark {
        Mark::Bytes(start) => bytes.starts_with(start),
        Mark::Words(start) => words.starts_with(start),
        Mark::Archive(name) => archive.as_ref().is_some_and(|archive| archive.holds(name)),
        Mark::Typed(name) => archive.as_ref().is_some_and(|archive| archive.is_typed(name)),
    })?;
    Some(Content { name: found.1, kind: found.2 })
}

/// The first words of a text in lower case, whatever its encoding.
fn opening_words(bytes: &[u8]) -> String {
    let head = bytes.get(..bytes.len().min(TEXT_WINDOW)).unwrap_or_default();
    let plain: Vec<u8> = match head {
        // Of UTF-16 every second byte: the marks are ASCII.
        [0xFF, 0xFE, rest @ ..] => rest.iter().step_by(2).copied().collect(),
        [0xFE, 0xFF, rest @ ..] => rest.iter().skip(1).step_by(2).copied().collect(),
        [0xEF, 0xBB, 0xBF, rest @ ..] => rest.to_vec(),
        _ => head.to_vec(),
    };
    let text = String::from_utf8_lossy(&plain).to_ascii_lowercase().replace("\r\n", "\n");
    let mut rest = text.trim_start();
    // A declaration of XML and comments may stand in front of a page.
    for (open, close) in [("<?xml", "?>"), ("<!--", "-->"), ("<!--", "-->")] {
        if rest.starts_with(open) {
            rest = rest.split_once(close).map_or("", |(_, rest)| rest.trim_start());
        }
    }
    rest.to_owned()
}

/// A zip archive, as far as its kind can be told from it.
struct Archive<'a> {
    bytes: &'a [u8],
    /// The names of its files; `None` where the archive cannot be opened.
    names: Option<Vec<String>>,
}

impl<'a> Archive<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let archive = ZipArchive::new(Cursor::new(bytes)).ok();
        let names = archive.map(|archive| {
            let names = archive.file_names().filter_map(Result::ok);
            names.map(|name| name.replace('\\', "/").to_ascii_lowercase()).collect()
        });
        Self { bytes, names }
    }

    /// Returns `true` if a file of the archive has this name. One inside another file of it (a chart's workbook in a
    /// presentation) does not count.
    fn holds(&self, name: &str) -> bool {
        if let Some(names) = &self.names {
            return names.iter().any(|own| own.trim_start_matches('/') == name);
        }
        let bytes = self.bytes;
        let head = bytes.get(..bytes.len().min(ARCHIVE_WINDOW)).unwrap_or_default();
        let tail = bytes.get(bytes.len().saturating_sub(ARCHIVE_WINDOW)..).unwrap_or_default();
        let name = name.as_bytes();
        [head, tail].iter().any(|part| part.windows(name.len()).any(|window| window == name))
    }

    fn is_typed(&self, name: &str) -> bool {
        let head = self.bytes.get(..self.bytes.len().min(TYPE_WINDOW)).unwrap_or_default();
        head.windows(name.len()).any(|window| window == name.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::{COMPOUND_FILE, Kind};
    use crate::read_bytes;

    #[test]
    fn kinds_are_known_by_their_extensions() {
        assert_eq!(Kind::of("a/B.CSV"), Some(Kind::Csv));
        assert_eq!(Kind::of("a.ndjson"), Some(Kind::JsonLines));
        assert_eq!(Kind::of(".csv"), None);
        assert_eq!(Kind::of("csv"), None);
        assert!(Kind::list().starts_with("Markdown (`.md`), HTML (`.html`), "));
        assert!(Kind::list().ends_with(" or JSON lines (`.jsonl`)"));
    }

    fn read(path: &str, bytes: &[u8]) -> (String, Vec<String>) {
        match read_bytes(path, bytes, &Default::default()) {
            Ok(reading) => {
                let text = reading.documents.first().map(|document| document.text.clone());
                let findings = reading.findings.iter().map(ToString::to_string).collect();
                (text.unwrap_or_default(), findings)
            }
            Err(error) => (String::new(), vec![error.to_string()]),
        }
    }

    /// The name, the bytes, the text, what the message holds.
    const CASES: &[(&str, &[u8], &str, Option<&str>)] = &[
        (
            "a.txt",
            b"\n<!DOCTYPE html><p>Words",
            "Words",
            Some("`a.txt` is an HTML page despite its name, and was read as such"),
        ),
        ("a.md", b"<?xml version='1.0'?><html lang=en><p>Words", "Words", Some("is an HTML page")),
        ("a.txt", b"\xEF\xBB\xBF<!-- saved --><HTML><p>Words", "Words", Some("is an HTML page")),
        ("a.txt", b"\xFF\xFE<\0h\0t\0m\0l\0>\0W\0", "W", Some("is an HTML page")),
        (
            "a.html",
            b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Words",
            "Without a date\n\nWords",
            Some("a calendar"),
        ),
        ("a.md", b"\xFF\xFE#\0 \0W\0", "W", Some("no text besides headings")),
        ("a.html", b"PK\x03\x04....xl/workbook.xml", "", Some("`a.html` is no sound Excel file")),
        (
            "a.txt",
            b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.text",
            "",
            Some("no sound office file"),
        ),
        ("a.txt", b"PK\x03\x04x", "", Some("a zip archive")),
        ("a.txt", b"{\\rtf1 x}", "", Some("an RTF document")),
        ("a.md", b"\x89PNG\r\n\x1A\n\0", "", Some("a PNG picture")),
        ("a.html", b"<p>Words", "Words", None),
        ("a.html", b"<!doctype html><p>Words", "Words", None),
        ("a.md", b"<div>Words</div>", "Words", None),
        ("a.txt", b"The <html> tag", "The <html> tag", None),
        (
            "a.xls",
            b"<table border=1><tr><th>Term<th>Fee<tr><td>Winter<td>120</table>",
            "Term: Winter; Fee: 120",
            Some("is an HTML page despite its name"),
        ),
        (
            "a.xls",
            b"<html xmlns:x=\"urn:schemas-microsoft-com:office:excel\"><table><tr><th>Term<th>Fee<tr><td>Winter<td>120</table>",
            "Term: Winter; Fee: 120",
            Some("is an HTML page despite its name"),
        ),
        ("a.xls", b"Term\tFee\nWinter\t120\n", "Term: Winter; Fee: 120", Some("values between tabs")),
        (
            "a.xls",
            b"\xFF\xFET\0e\0r\0m\0\t\0F\0e\0e\0\n\0W\0i\0n\0\t\x001\x002\0\n\0",
            "Term: Win; Fee: 12",
            Some("values between tabs"),
        ),
        ("a.xls", b"Term;Fee\nWinter;1,200\n", "Term: Winter; Fee: 1,200", Some("separated values")),
        ("a.xls", b"Just words.", "", Some("no workbook of Excel 97 to 2003")),
        ("a.xls", b"<?xml version=\"1.0\"?><?mso-application progid=\"Excel.Sheet\"?><Workbook/>", "", Some("save it as `.xlsx`")),
        ("a.doc", b"<html xmlns:w=\"urn:schemas-microsoft-com:office:word\"><p class=MsoNormal>Words", "Words", Some("is an HTML page despite its name")),
        (
            "a.doc",
            b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Words\r\n--b--",
            "Words",
            Some("a saved web page"),
        ),
        ("a.rtf", b"{\\rtf1 x}", "", Some("save as `.docx`")),
        ("a.doc", COMPOUND_FILE, "", Some("save as `.docx`")),
        ("a.ics", b"begin:vcalendar\nBEGIN:VEVENT\nSUMMARY:Words", "Without a date\n\nWords", None),
    ];

    #[test]
    fn a_file_is_read_as_what_it_is() {
        for (path, bytes, text, message) in CASES {
            let (found, messages) = read(path, bytes);
            assert_eq!(found, *text, "{path}: {messages:?}");
            match message {
                Some(message) => {
                    assert!(messages.iter().any(|own| own.contains(message)), "{messages:?}")
                }
                None => assert!(messages.is_empty(), "{messages:?}"),
            }
        }
    }
}
