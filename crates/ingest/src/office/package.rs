//! The zip file around an office document, opened within limits: its parts, how they belong together, and
//! what a file is that is none.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::Format;
use super::xml::{self, Element, Fault};
use crate::decode::decode;
use crate::kind::{COMPOUND_FILE, ENCRYPTED_STREAM, holds_stream};
use crate::{IngestOptions, Trouble};

/// Files in one package: a long presentation has a few thousand.
// Each is a name in memory before any part is read.
const MOST_PARTS: usize = 20_000;

/// An office document as its parts. Only what is asked for is unpacked.
pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Place in the archive by name, in lower case: parts are named without regard to it.
    places: BTreeMap<String, usize>,
    /// The number of bytes that may still be unpacked.
    room_bytes: u64,
    limit_bytes: u64,
}

impl<'a> Package<'a> {
    /// Opens the package of a document.
    ///
    /// # Errors
    /// For what is no whole zip file; the error says what it looks like instead.
    pub(crate) fn open(bytes: &'a [u8], options: &IngestOptions) -> Result<Self, Trouble> {
        if !bytes.starts_with(b"PK") {
            return Err(not_a_package(bytes));
        }
        let archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| malformed(format!("its list of parts cannot be read: {error}")))?;
        if archive.len() > MOST_PARTS {
            let (what, limit) = ("parts", MOST_PARTS);
            return Err(Trouble::TooManyInside { what, limit });
        }
        let mut places = BTreeMap::new();
        for (place, name) in archive.file_names().enumerate() {
            if let Ok(name) = name {
                places.entry(lowered(&name)).or_insert(place);
            }
        }
        let limit_bytes = options.max_inflated_bytes;
        Ok(Self { archive, places, room_bytes: limit_bytes, limit_bytes })
    }

    /// The bytes of a part, if there is one of the name.
    pub(crate) fn bytes(&mut self, part: &str) -> Result<Option<Vec<u8>>, Trouble> {
        let Some(place) = self.places.get(&lowered(part)).copied() else {
            return Ok(None);
        };
        let limit_bytes = self.limit_bytes;
        let damaged = |reason: String| in_part(part, &reason);
        let opened = self.archive.by_index(place);
        let file = opened.map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)
            | ZipError::InvalidPassword => Trouble::Encrypted,
            error => damaged(error.to_string()),
        })?;
        let too_large = || Trouble::Inflated { limit_bytes };
        // What the archive says of its sizes may be wrong: look at it first, then count.
        if file.size() > self.room_bytes {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        let room = self.room_bytes.saturating_add(1);
        file.take(room).read_to_end(&mut bytes).map_err(|error| damaged(error.to_string()))?;
        let left = self.room_bytes.checked_sub(bytes.len() as u64);
        self.room_bytes = left.ok_or_else(too_large)?;
        Ok(Some(bytes))
    }

    /// The root of a part, if there is one of the name.
    pub(super) fn xml(&mut self, part: &str) -> Result<Option<Element>, Trouble> {
        let Some(bytes) = self.bytes(part)? else {
            return Ok(None);
        };
        let text = decode(&bytes).map_err(|error| in_part(part, &not_text(&error)))?;
        parse_xml(part, &text).map(Some)
    }

    /// The root of a part that has to be there.
    pub(super) fn required(&mut self, part: &str) -> Result<Element, Trouble> {
        self.xml(part)?.ok_or_else(|| in_part(part, "it is missing"))
    }
}

/// The root of a part's text.
pub(crate) fn parse_xml(part: &str, text: &str) -> Result<Element, Trouble> {
    xml::parse(text).map_err(|fault| match fault {
        Fault::Broken(reason) => in_part(part, &reason),
        Fault::TooDeep => {
            let limit = xml::DEEPEST;
            Trouble::TooDeep { depth: limit + 1, limit }
        }
        Fault::TooMany => {
            let limit = xml::MOST_ELEMENTS;
            Trouble::TooManyInside { what: "elements", limit }
        }
    })
}

fn malformed(reason: String) -> Trouble {
    Trouble::malformed("office", reason)
}

fn in_part(part: &str, reason: &str) -> Trouble {
    malformed(format!("part `{part}`: {reason}"))
}

/// Parts are told apart without regard to case, and some programs write `\` for `/`.
fn lowered(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_ascii_lowercase()
}

fn not_text(error: &Trouble) -> String {
    match error {
        Trouble::WrongEncoding { offset, byte, .. } => {
            format!("it is not UTF-8: byte 0x{byte:02X} at offset {offset}")
        }
        Trouble::Binary { offset, .. } => format!("it holds a NUL byte at offset {offset}"),
        Trouble::BrokenUtf16 { offset, .. } => {
            format!("its UTF-16 text is broken off at offset {offset}")
        }
        other => other.to_string(),
    }
}

/// Longer addresses lead nowhere, and each link repeats its own.
const ADDRESS_BYTES: usize = 4_000;

/// The relationships of one part.
#[derive(Debug, Default)]
pub(super) struct Relationships {
    by_id: BTreeMap<String, Relationship>,
    /// In the order of the file.
    ids: Vec<String>,
}

#[derive(Debug)]
struct Relationship {
    /// The end of the type's address: `hyperlink`, `slide`.
    kind: String,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// The name of a part.
    Part(String),
    /// An address outside of the package.
    Address(String),
}

impl Relationships {
    /// Those of the part `owner`, or of the package itself if that is empty.
    pub(super) fn of(package: &mut Package<'_>, owner: &str) -> Result<Self, Trouble> {
        let (folder, file) = owner.rsplit_once('/').unwrap_or(("", owner));
        let separator = if folder.is_empty() { "" } else { "/" };
        let mut found = Self::default();
        // Each part has its relationships beside it, in a folder of this name (ECMA-376, part 2).
        let Some(list) = package.xml(&format!("{folder}{separator}_rels/{file}.rels"))? else {
            return Ok(found);
        };
        for entry in list.elements() {
            let (Some(id), Some(target)) = (entry.attribute("Id"), entry.attribute("Target"))
            else {
                continue;
            };
            if target.len() > ADDRESS_BYTES {
                continue;
            }
            let kind = entry.attribute("Type").and_then(|kind| kind.rsplit('/').next());
            let target = match entry.attribute("TargetMode") {
                Some("External") => Target::Address(target.to_owned()),
                _ => Target::Part(resolved(folder, target)),
            };
            let kind = kind.unwrap_or_default().to_owned();
            found.ids.push(id.to_owned());
            found.by_id.insert(id.to_owned(), Relationship { kind, target });
        }
        Ok(found)
    }

    /// The part behind an id.
    pub(super) fn part(&self, id: &str) -> Option<&str> {
        match &self.by_id.get(id)?.target {
            Target::Part(part) => Some(part),
            Target::Address(_) => None,
        }
    }

    /// The address behind an id.
    pub(super) fn address(&self, id: &str) -> Option<&str> {
        match &self.by_id.get(id)?.target {
            Target::Address(address) => Some(address),
            Target::Part(_) => None,
        }
    }

    /// The parts of a kind, in the order of the file.
    pub(super) fn parts(&self, kind: &str) -> impl Iterator<Item = &str> {
        let of_kind = self.ids.iter().filter_map(|id| self.by_id.get(id));
        of_kind.filter(move |found| found.kind == kind).filter_map(|found| match &found.target {
            Target::Part(part) => Some(part.as_str()),
            Target::Address(_) => None,
        })
    }

    /// The first part of a kind.
    pub(super) fn first(&self, kind: &str) -> Option<&str> {
        self.parts(kind).next()
    }
}

/// The name of a part that a part in `folder` points to.
pub(crate) fn resolved(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let (start, rest) = match target.strip_prefix('/') {
        Some(rest) => ("", rest),
        None => (folder, target.as_str()),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(rest.split('/')) {
        match part {
            "" | "." => {}
            // Out of the package leads nowhere: `../../x` is `x`.
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The number of bytes in which a compound file is searched for the stream of an encrypted document.
// The two names that are looked for decide what the message says, nothing else.
const SEARCHED_BYTES: usize = 1024 * 1024;

const TO_DOCX: &str = "open it in an office program and save it as `.docx`";
const TO_PPTX: &str = "open it in an office program and save it as `.pptx`";

/// The error for a file that is no zip file at all.
fn not_a_package(bytes: &[u8]) -> Trouble {
    let compound = bytes.starts_with(COMPOUND_FILE);
    let searched = &bytes[..bytes.len().min(SEARCHED_BYTES)];
    if compound && holds_stream(searched, ENCRYPTED_STREAM) {
        return Trouble::Encrypted;
    }
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let begins = |with: &str| {
        text.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
    };
    let (looks_like, way_out) = if bytes.is_empty() {
        ("nothing: it is empty", "put the whole file there again")
    } else if compound && holds_stream(searched, "PowerPoint Document") {
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
    wrong(looks_like, way_out)
}

/// The error for a package of another format than the name says.
pub(super) fn other_format(found: Format) -> Trouble {
    let (looks_like, way_out) = match found {
        Format::WordProcessing => ("a Word document", "name it `.docx`"),
        Format::Presentation => ("a PowerPoint presentation", "name it `.pptx`"),
        Format::Spreadsheet => ("an Excel workbook", "name it `.xlsx`"),
        Format::OpenText => ("an OpenDocument text", "name it `.odt`"),
        Format::OpenPresentation => ("an OpenDocument presentation", "name it `.odp`"),
        Format::OpenSpreadsheet => ("an OpenDocument spreadsheet", "name it `.ods`"),
        Format::Unknown => ("a zip archive without a document", "unpack it into the folder"),
    };
    wrong(looks_like, way_out)
}

fn wrong(looks_like: &'static str, way_out: &'static str) -> Trouble {
    Trouble::LooksLike { looks_like, way_out }
}

fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn targets_are_relative_to_the_part() {
        let cases = [
            ("ppt/slides", "../notesSlides/n1.xml", "ppt/notesSlides/n1.xml"),
            ("word", "styles.xml", "word/styles.xml"),
            ("word", "/word/styles.xml", "word/styles.xml"),
            ("", "word/document.xml", "word/document.xml"),
            ("", "../../x", "x"),
        ];
        for (folder, target, expected) in cases {
            assert_eq!(resolved(folder, target), expected);
        }
    }
}
