use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use campanile_corpus::Document;
use serde::{Deserialize, Serialize};

use crate::anchors::AnchorRule;
use crate::decode::{Decoded, decode, decode_old, decode_page};
use crate::discover::slashed;
use crate::error::way_out;
use crate::includes::{Filled, filled};
use crate::kind::{Content, beneath_old_name, mismatch};
use crate::records::{self, RecordRule};
use crate::report::Report;
use crate::{
    Finding, IngestError, Kind, Noticed, PageSigns, Trouble, asciidoc, calendar, csv, dokuwiki,
    epub, html, json, mail, markdown, notebook, office, org, pdf, plain, rst, spreadsheet,
    subtitles,
};

/// Limits on what is read, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IngestOptions {
    /// Files larger than this many bytes are refused: few documents are larger, and those are scans.
    pub max_file_bytes: u64,
    /// Files that hold more bytes of text than this, all their documents together, are refused: a
    /// book of 500 pages has about one million.
    pub max_text_bytes: u64,
    /// The most bytes that are unpacked of an office document or a workbook, which are zip files.
    pub max_inflated_bytes: u64,
    /// The rules by which files of records become documents; the first rule that matches a file counts.
    pub records: Vec<RecordRule>,
    /// The most pages that are read of a paged file; the rest is reported.
    pub max_pages: u32,
    /// The way to read pages that are pictures of text; `None` leaves them out, with a report.
    pub ocr: Option<Ocr>,
    /// The rule by which Markdown's headings get their anchors.
    pub anchors: AnchorRule,
    /// Lines of a mail's signature with addresses or telephone numbers are read too.
    pub mail_signatures: bool,
}

/// A program that reads the text of pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ocr {
    /// The program: `tesseract`, or where it lies.
    pub command: String,
    /// The languages of the text, as `tesseract` calls them: `deu+eng`.
    pub languages: String,
}

impl Default for Ocr {
    fn default() -> Self {
        Self { command: "tesseract".to_owned(), languages: "eng".to_owned() }
    }
}

impl Default for IngestOptions {
    fn default() -> Self {
        Self {
            max_file_bytes: 50_000_000,
            max_text_bytes: 10_000_000,
            max_inflated_bytes: 400_000_000,
            records: Vec::new(),
            max_pages: 2_000,
            ocr: None,
            anchors: AnchorRule::default(),
            mail_signatures: false,
        }
    }
}

/// The result of reading one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The documents in it: one for most kinds of file, one for each record where a file holds
    /// records.
    pub documents: Vec<Document>,
    /// The findings made on the way.
    pub findings: Vec<Finding>,
    /// Files of the folder whose words stand in this one, relative to the folder: no documents of their own.
    #[serde(default)]
    pub taken_in: Vec<String>,
    /// What a page says about its site and itself.
    #[serde(default)]
    pub page: PageSigns,
}

/// Reads one file of a folder.
///
/// `path` is relative to `root`, as [`discover`](crate::discover()) gives it; a path that lies
/// below `root` is taken as relative to it.
///
/// # Errors
/// Each names the document and the way out; see [`IngestError`]. The caller goes on with the rest,
/// and keeps the error as a finding: [`Finding::failed`].
pub fn read(root: &Path, path: &Path, options: &IngestOptions) -> Result<Reading, IngestError> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let name = slashed(relative);
    let unreadable = |source| Trouble::Unreadable(source).of(name.as_str());
    let file = File::open(root.join(relative)).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    let limit_bytes = options.max_file_bytes;
    let too_large = |bytes| Trouble::TooLarge { bytes, limit_bytes }.of(name.as_str());
    if size > options.max_file_bytes {
        return Err(too_large(size));
    }
    // The size may be wrong by now, or never have been right: read no further than the limit.
    let mut bytes = Vec::new();
    // One byte more tells a file that is too large from one that just fits.
    file.take(options.max_file_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    let length = bytes.len() as u64;
    if length > options.max_file_bytes {
        return Err(too_large(length));
    }
    let kind = Kind::of(&name)
        .filter(|kind| matches!(kind, Kind::Markdown | Kind::Rst | Kind::Asciidoc | Kind::Org));
    let text = kind.and_then(|kind| Some((kind, std::str::from_utf8(&bytes).ok()?)));
    match text.and_then(|(kind, text)| filled(root, relative, kind, text)) {
        Some(Filled { text, files }) => {
            let mut reading = read_bytes(&name, text.as_bytes(), options)?;
            reading.taken_in = files.into_iter().collect();
            Ok(reading)
        }
        None => read_bytes(&name, &bytes, options),
    }
}

/// Reads one file from its bytes: the same for the same bytes, without touching the disk.
///
/// `path` says the file's kind by its extension, and stands in its documents and in messages.
///
/// # Errors
/// Each names the document and the way out; see [`IngestError`].
///
/// ```
/// let source = b"---\nlink: https://cs.example.edu/exams\n---\n# Exams\n\nBring your card.";
/// let reading = campanile_ingest::read_bytes("exams.md", source, &Default::default())?;
/// let document = &reading.documents[0];
/// assert_eq!(document.title, "Exams");
/// assert_eq!(document.link.as_deref(), Some("https://cs.example.edu/exams"));
/// assert_eq!(document.sections[0].span.slice(&document.text), Some("Bring your card."));
/// assert!(reading.findings.is_empty());
/// # Ok::<(), campanile_ingest::IngestError>(())
/// ```
pub fn read_bytes(
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<Reading, IngestError> {
    let named = Kind::of(path);
    let content = match named {
        Some(named) => mismatch(named, bytes),
        // What office programs of old saved as `.doc` is often a page.
        None if Kind::has_old_name(path) => beneath_old_name(bytes),
        None => None,
    };
    let mut reading = Reading::default();
    let kind = match content {
        None => named.ok_or_else(|| Trouble::UnsupportedKind(way_out(path)).of(path))?,
        Some(Content { kind: Some(kind), name }) => {
            reading.findings.push(Noticed::WrongExtension(name.to_owned()).of(path));
            kind
        }
        Some(Content { kind: None, name }) => {
            return Err(Trouble::WrongExtension(name.to_owned()).of(path));
        }
    };
    // The parsers below are other people's; a fault of theirs must not end the whole build.
    let result = catch_unwind(AssertUnwindSafe(|| read_kind(kind, path, bytes, options)));
    let result = result.unwrap_or_else(|panic| Err(Trouble::ReaderFailed(message(panic.as_ref()))));
    for (document, mut report) in result.map_err(|trouble| trouble.of(path))? {
        if let Some(field) = report.unpublished.take() {
            reading.findings.push(Noticed::Unpublished(field).of(document.path));
            continue;
        }
        reading.page = std::mem::take(&mut report.page);
        reading.findings.extend(report.findings(&document));
        reading.documents.push(document);
    }
    let text_bytes = reading.documents.iter().map(|document| document.text.len() as u64).sum();
    if text_bytes > options.max_text_bytes {
        let (bytes, limit_bytes) = (text_bytes, options.max_text_bytes);
        return Err(Trouble::TooMuchText { bytes, limit_bytes }.of(path));
    }
    Ok(reading)
}

/// The documents of a file, each with what was noticed in it.
pub(crate) fn read_kind(
    kind: Kind,
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<Vec<(Document, Report)>, Trouble> {
    // A rule goes first: what the fields of a file mean only its keeper knows.
    if let Some(documents) = records::read(kind, path, bytes, options)? {
        return Ok(documents);
    }
    match kind {
        Kind::Mail => return Ok(mail::read(path, bytes, options)),
        Kind::Mailbox => return mail::read_box(path, bytes, options),
        _ => {}
    }
    let decoded = match kind {
        Kind::Html => decode_page(bytes)?,
        Kind::Markdown | Kind::Text | Kind::Rst | Kind::Subtitles | Kind::Asciidoc | Kind::Org => {
            decode_old(bytes)?
        }
        Kind::Json | Kind::JsonLines | Kind::Notebook => Decoded::known(decode(bytes)?),
        _ => Decoded::default(),
    };
    let text = decoded.text.as_str();
    let mut one = match kind {
        Kind::Html => html::read(path, text)?,
        Kind::Markdown => markdown::read(path, text, options.anchors)?,
        Kind::Text if dokuwiki::is_page(text) => dokuwiki::read(path, text)?,
        Kind::Text => plain::read(path, text),
        Kind::Rst => rst::read(path, text),
        Kind::Calendar => calendar::read(path, bytes)?,
        Kind::Notebook => notebook::read(path, text)?,
        Kind::Subtitles => subtitles::read(path, text),
        Kind::Docx | Kind::Pptx | Kind::Odt | Kind::Odp => {
            office::read(kind, path, bytes, options)?
        }
        Kind::Csv => csv::read(path, bytes, b',')?,
        Kind::Tsv => csv::read(path, bytes, b'\t')?,
        Kind::Xlsx | Kind::Xls | Kind::Ods => spreadsheet::read(kind, path, bytes, options)?,
        Kind::Json => json::read(path, text)?,
        Kind::JsonLines => json::read_lines(path, text)?,
        Kind::Pdf => pdf::read(path, bytes, options)?,
        Kind::Asciidoc => asciidoc::read(path, text)?,
        Kind::Org => org::read(path, text)?,
        Kind::Epub => epub::read(path, bytes, options)?,
        Kind::SavedPage => mail::read_saved_page(path, bytes)?,
        // Above: each file holds several.
        Kind::Mail | Kind::Mailbox => plain::read(path, text),
    };
    one.1.notes.extend(decoded.note(path));
    Ok(vec![one])
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "no reason given".to_owned())
}
