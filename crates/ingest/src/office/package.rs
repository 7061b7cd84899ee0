//! The zip file around an office document, opened within limits.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::disguise;
use super::xml::{self, Element, Fault};
use crate::decode::decode;
use crate::{IngestError, IngestOptions};

/// Files in one package: a long presentation has a few thousand.
const MOST_PARTS: usize = 20_000;

/// An office document as its parts. Only what is asked for is unpacked.
pub(super) struct Package<'a> {
    path: &'a str,
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Place in the archive by name, in lower case: parts are named without regard to it.
    places: BTreeMap<String, usize>,
    /// The number of bytes that may still be unpacked.
    room_bytes: u64,
    limit_bytes: u64,
}

impl<'a> Package<'a> {
    /// Opens the package of the document `path`.
    ///
    /// # Errors
    /// For what is no whole zip file; the error says what it looks like instead.
    pub(super) fn open(
        path: &'a str,
        bytes: &'a [u8],
        options: &IngestOptions,
    ) -> Result<Self, IngestError> {
        if !bytes.starts_with(b"PK") {
            return Err(disguise::error(path, bytes));
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            malformed(path, format!("its list of parts cannot be read: {error}"))
        })?;
        if archive.len() > MOST_PARTS {
            let (what, limit) = ("parts", MOST_PARTS);
            return Err(IngestError::TooManyInside { path: path.to_owned(), what, limit });
        }
        let mut places = BTreeMap::new();
        for (place, name) in archive.file_names().enumerate() {
            if let Ok(name) = name {
                places.entry(lowered(&name)).or_insert(place);
            }
        }
        let limit_bytes = options.max_inflated_bytes;
        Ok(Self { path, archive, places, room_bytes: limit_bytes, limit_bytes })
    }

    /// The bytes of a part, if there is one of the name.
    pub(super) fn bytes(&mut self, part: &str) -> Result<Option<Vec<u8>>, IngestError> {
        let Some(place) = self.places.get(&lowered(part)).copied() else {
            return Ok(None);
        };
        let (path, limit_bytes) = (self.path, self.limit_bytes);
        let damaged = |reason: String| in_part(path, part, &reason);
        let opened = self.archive.by_index(place);
        let file = opened.map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)
            | ZipError::InvalidPassword => IngestError::Encrypted { path: path.to_owned() },
            error => damaged(error.to_string()),
        })?;
        let too_large = || IngestError::Inflated { path: path.to_owned(), limit_bytes };
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
    pub(super) fn xml(&mut self, part: &str) -> Result<Option<Element>, IngestError> {
        let Some(bytes) = self.bytes(part)? else {
            return Ok(None);
        };
        let damaged = |reason: String| in_part(self.path, part, &reason);
        let text = decode(part, &bytes).map_err(|error| damaged(not_text(&error)))?;
        let path = self.path.to_owned();
        xml::parse(&text).map(Some).map_err(|fault| match fault {
            Fault::Broken(reason) => damaged(reason),
            Fault::TooDeep => {
                let limit = xml::DEEPEST;
                IngestError::TooDeep { path, depth: limit + 1, limit }
            }
            Fault::TooMany => {
                let limit = xml::MOST_ELEMENTS;
                IngestError::TooManyInside { path, what: "elements", limit }
            }
        })
    }

    /// The root of a part that has to be there.
    pub(super) fn required(&mut self, part: &str) -> Result<Element, IngestError> {
        self.xml(part)?.ok_or_else(|| in_part(self.path, part, "it is missing"))
    }
}

fn malformed(path: &str, reason: String) -> IngestError {
    IngestError::Malformed { path: path.to_owned(), format: "office", reason }
}

fn in_part(path: &str, part: &str, reason: &str) -> IngestError {
    malformed(path, format!("part `{part}`: {reason}"))
}

/// Parts are told apart without regard to case, and some programs write `\` for `/`.
fn lowered(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_ascii_lowercase()
}

fn not_text(error: &IngestError) -> String {
    match error {
        IngestError::WrongEncoding { offset, byte, .. } => {
            format!("it is not UTF-8: byte 0x{byte:02X} at offset {offset}")
        }
        IngestError::Binary { offset, .. } => format!("it holds a NUL byte at offset {offset}"),
        IngestError::BrokenUtf16 { offset, .. } => {
            format!("its UTF-16 text is broken off at offset {offset}")
        }
        other => other.to_string(),
    }
}
