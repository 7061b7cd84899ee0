//! Files that are not what their name says.

use super::Format;
use crate::IngestError;

/// The number of bytes in which a compound file is searched for the stream of an encrypted document.
const SEARCHED_BYTES: usize = 1024 * 1024;

const TO_DOCX: &str = "open it in an office program and save it as `.docx`";
const TO_PPTX: &str = "open it in an office program and save it as `.pptx`";

/// The error for a file that is no zip file at all.
pub(super) fn error(path: &str, bytes: &[u8]) -> IngestError {
    let compound = bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    if compound && holds_utf16(bytes, "EncryptedPackage") {
        return IngestError::Encrypted { path: path.to_owned() };
    }
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let begins = |with: &str| {
        text.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
    };
    let (looks_like, way_out) = if bytes.is_empty() {
        ("nothing: it is empty", "put the whole file there again")
    } else if compound && holds_utf16(bytes, "PowerPoint Document") {
        ("a presentation of PowerPoint 97 to 2003 (`.ppt`)", TO_PPTX)
    } else if compound {
        ("a document of Office 97 to 2003 (such as `.doc`)", TO_DOCX)
    } else if begins("%PDF-") {
        ("a PDF", "name it `.pdf`")
    } else if begins("{\\rtf") {
        ("rich text (`.rtf`)", TO_DOCX)
    } else if begins("<!doctype html") || begins("<html") {
        ("an HTML page", "name it `.html`")
    } else if begins("<?xml") {
        ("a single XML file", TO_DOCX)
    } else if is_text(bytes) {
        ("plain text", "name it `.txt`, or put the document there again")
    } else {
        ("no office document", "put the whole file there again")
    };
    wrong(path, looks_like, way_out)
}

/// The error for a package of another format than the name says.
pub(super) fn other_format(path: &str, found: Format) -> IngestError {
    let (looks_like, way_out) = match found {
        Format::WordProcessing => ("a Word document", "name it `.docx`"),
        Format::Presentation => ("a PowerPoint presentation", "name it `.pptx`"),
        Format::Spreadsheet => ("an Excel workbook", "name it `.xlsx`"),
        Format::OpenText => ("an OpenDocument text", "name it `.odt`"),
        Format::OpenPresentation => ("an OpenDocument presentation", "name it `.odp`"),
        Format::OpenSpreadsheet => ("an OpenDocument spreadsheet", "name it `.ods`"),
        Format::Unknown => ("a zip archive without a document", "unpack it into the folder"),
    };
    wrong(path, looks_like, way_out)
}

fn wrong(path: &str, looks_like: &'static str, way_out: &'static str) -> IngestError {
    IngestError::LooksLike { path: path.to_owned(), looks_like, way_out }
}

fn holds_utf16(bytes: &[u8], name: &str) -> bool {
    let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let searched = bytes.get(..bytes.len().min(SEARCHED_BYTES)).unwrap_or_default();
    searched.windows(name.len()).any(|window| window == name)
}

fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace()))
}
