//! Office documents: DOCX, PPTX (ECMA-376), ODT and ODP (ODF 1.2 and later).
//!
//! All four are zip files of XML parts; OpenDocument may also be one file of XML ([`flat`]). [`package`] opens them within limits, [`xml`] makes trees of
//! their parts, one module for each format walks its tree, and [`flow`] puts what they find into a
//! document, so that a heading, a note or a caption is treated alike wherever it comes from.
//!
//! The walk is our own. Of the crates for DOCX that we looked at in November 2026, `docx-rs` writes
//! files, `docx-rust` mirrors their XML, and `rust-docx` is young and made for a viewer. Each gives a
//! model of the whole file. What a reader of the page sees would still have to be worked out from it:
//! the numbers of headings and clauses, what a field shows, what a tracked change leaves, what is
//! hidden; so would limits for hostile files, and the other three formats would need it all again.
//!
//! Read and not read:
//!
//! - Numbers that the program counts ("§ 3", "(2)", "a)") are written out, for texts refer to them.
//!   Bullets are not.
//! - Headings are known by their styles and outlines. In a text that has none, short bold lines are
//!   taken for headings.
//! - Tracked changes are read as if accepted; comments, headers, footers and tables of contents are
//!   left out; notes stand behind the paragraph that refers to them.
//! - The description of a picture is what a cell says, and a sentence where the picture stands by itself and the description
//!   has several words of its own; what a program made up is left out.
//! - Texts have no pages. Word leaves marks where its pages last ended, but other programs write
//!   none, and no program keeps those of another up to date. Slides are pages.

mod bold_lines;
mod chart;
mod docx;
mod flat;
mod flow;
mod formula;
mod odf;
mod package;
mod pictures;
mod pptx;
mod properties;
mod sheet_drawings;
mod signs;
mod words;
mod workbook;
mod xml;

use campanile_corpus::Document;

use crate::report::Report;
use crate::spreadsheet::Book;
use crate::{IngestOptions, Kind, Trouble};
pub(crate) use package::{Package, parse_xml, resolved};
use package::{Relationships, other_format};
pub(crate) use properties::is_junk;
pub(crate) use sheet_drawings::Drawn;
pub(crate) use workbook::{WorkbookParts, is_on};
pub(crate) use xml::Element;

/// The text of a formula in MathML, if it can be read.
pub(crate) fn mathml(source: &str) -> Option<String> {
    let text = formula::mathml(&xml::parse(source).ok()?);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// The kind of document that a package turns out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    WordProcessing,
    Presentation,
    Spreadsheet,
    OpenText,
    OpenPresentation,
    OpenSpreadsheet,
    Unknown,
}

pub(crate) fn read(
    kind: Kind,
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<(Document, Report), Trouble> {
    if flat::is_flat(bytes) {
        let root = flat::root(path, bytes, options)?;
        return match (kind, open_format(root.attribute("office:mimetype").unwrap_or_default())) {
            (Kind::Odt, Format::OpenText) | (Kind::Odp, Format::OpenPresentation) => {
                Ok(odf::read_flat(path, &root))
            }
            (_, found) => Err(other_format(found)),
        };
    }
    let mut package = Package::open(bytes, options)?;
    let (format, main) = format(&mut package)?;
    match (kind, format) {
        (Kind::Docx, Format::WordProcessing) => docx::read(path, &mut package, &main),
        (Kind::Pptx, Format::Presentation) => pptx::read(path, &mut package, &main),
        (Kind::Odt, Format::OpenText) | (Kind::Odp, Format::OpenPresentation) => {
            odf::read(path, &mut package)
        }
        (_, found) => Err(other_format(found)),
    }
}

/// The sheets of an OpenDocument spreadsheet.
pub(crate) fn sheets(path: &str, bytes: &[u8], options: &IngestOptions) -> Result<Book, Trouble> {
    if flat::is_flat(bytes) {
        let root = flat::root(path, bytes, options)?;
        return match open_format(root.attribute("office:mimetype").unwrap_or_default()) {
            Format::OpenSpreadsheet => Ok(odf::sheets_flat(path, &root)),
            found => Err(other_format(found)),
        };
    }
    let mut package = Package::open(bytes, options)?;
    match format(&mut package)?.0 {
        Format::OpenSpreadsheet => odf::sheets(path, &mut package),
        found => Err(other_format(found)),
    }
}

/// The format of a package, and the name of its main part.
fn format(package: &mut Package<'_>) -> Result<(Format, String), Trouble> {
    // OpenDocument says what it is in a file of its own, Office Open XML in the types of its parts.
    if let Some(kind) = package.bytes("mimetype")? {
        let format = open_format(&String::from_utf8_lossy(&kind));
        return Ok((format, "content.xml".to_owned()));
    }
    let start = Relationships::of(package, "")?;
    let Some(main) = start.first("officeDocument").map(str::to_owned) else {
        return Ok((Format::Unknown, String::new()));
    };
    let Some(types) = package.xml("[Content_Types].xml")? else {
        return Ok((guessed(&main), main));
    };
    let part = format!("/{main}").to_ascii_lowercase();
    let stated = types
        .elements()
        .filter(|entry| {
            entry.attribute("PartName").map(str::to_ascii_lowercase) == Some(part.clone())
        })
        .find_map(|entry| entry.attribute("ContentType"));
    let format = match stated {
        Some(kind) if kind.contains("wordprocessingml") || kind.contains("ms-word") => {
            Format::WordProcessing
        }
        Some(kind) if kind.contains("presentationml") || kind.contains("ms-powerpoint") => {
            Format::Presentation
        }
        Some(kind) if kind.contains("spreadsheetml") || kind.contains("ms-excel") => {
            Format::Spreadsheet
        }
        _ => guessed(&main),
    };
    Ok((format, main))
}

/// The format that a type of OpenDocument names.
fn open_format(kind: &str) -> Format {
    let name = kind.trim().strip_prefix("application/vnd.oasis.opendocument.").unwrap_or_default();
    match name.strip_suffix("-template").unwrap_or(name) {
        "text" => Format::OpenText,
        "presentation" => Format::OpenPresentation,
        "spreadsheet" => Format::OpenSpreadsheet,
        _ => Format::Unknown,
    }
}

/// The format by the usual folder of the main part.
fn guessed(main: &str) -> Format {
    match main.split('/').next() {
        Some("word") => Format::WordProcessing,
        Some("ppt") => Format::Presentation,
        Some("xl") => Format::Spreadsheet,
        _ => Format::Unknown,
    }
}
