//! The texts of a part.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use campanile_build::parts::{PartText, TextRole, text_key};
use campanile_export::file::{BATCH_ROWS, Table, TableError};
use campanile_export::passages::{append, item};

use crate::PartsError;
use crate::facts::{DATA, DATA_BYTES, Facts, bytes_of, hash_of};
use crate::reading::{Kind, Opened};

const HOLDS: &str = "texts";
const WAY_OUT: &str =
    "`campanile passages DOCS -o PARTS` writes parts, with the same version of `campanile`";

/// The columns of a part's texts.
///
/// | column | type | meaning |
/// |---|---|---|
/// | `role` | string | `passage`, `sentence`, `proposition`, `question`; `window` and `piece`: what the static encoder is learned from |
/// | `text` | string | as the encoder reads it: with the headings in front |
/// | `hash` | string | SHA-256 of the text, in hexadecimal digits |
/// | `path` | string, may be null | the first document that has it; null for a window or word piece |
/// | `title` | string, may be null | the document's title |
/// | `headings` | list of strings | from the top to the section that it stands in |
/// | `start`, `end` | int64, may be null | its place in the document's plain text, in bytes of UTF-8 |
/// | `metadata` | string, may be null | what is known about a passage's document, as JSON |
pub fn schema() -> Schema {
    let text = |name: &str, may_be_null| Field::new(name, DataType::Utf8, may_be_null);
    Schema::new(vec![
        text("role", false),
        text("text", false),
        text("hash", false),
        text("path", true),
        text("title", true),
        Field::new("headings", DataType::List(item(DataType::Utf8)), false),
        Field::new("start", DataType::Int64, true),
        Field::new("end", DataType::Int64, true),
        text("metadata", true),
    ])
}

/// The name of a part's file.
pub fn file_name(part: u32) -> String {
    format!("passages-{part:05}.parquet")
}

/// A text of a part, as embedding it needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The use of its vector.
    pub role: TextRole,
    /// The text.
    pub text: String,
}

/// A part that was read.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// Its file.
    pub path: PathBuf,
    /// The facts that it states about itself.
    pub facts: Facts,
    /// Its texts.
    pub texts: Vec<Text>,
}

/// Writes one part; its texts are every so-manieth of all, as cards are dealt: so each has its share of the long ones.
///
/// # Errors
/// Where the file cannot be written.
pub fn write(folder: &Path, facts: &Facts, texts: &[PartText]) -> Result<(), PartsError> {
    let columns = Arc::new(schema());
    let path = folder.join(file_name(facts.part));
    let mut table = Table::begin(&path, Arc::clone(&columns), &facts.written(HOLDS))?;
    let (first, step) = (facts.part.saturating_sub(1) as usize, facts.of.max(1) as usize);
    let own: Vec<&PartText> = texts.iter().skip(first).step_by(step).collect();
    for group in own.chunks(BATCH_ROWS) {
        let mut names: [StringBuilder; 6] = Default::default();
        let mut headings = ListBuilder::new(StringBuilder::new()).with_field(item(DataType::Utf8));
        let mut ends: [Int64Builder; 2] = Default::default();
        for text in group {
            let place = text.place.as_ref();
            let [role, words, digest, path, title, metadata] = &mut names;
            role.append_value(text.role.name());
            words.append_value(&text.text);
            digest.append_value(hash_of(&text.text));
            path.append_option(place.map(|place| &place.path));
            title.append_option(place.map(|place| &place.title));
            let known = place.and_then(|place| place.metadata.as_ref());
            metadata.append_option(known.and_then(|known| serde_json::to_string(known).ok()));
            append(&mut headings, place.map_or(&[][..], |place| &place.headings));
            let [start, end] = &mut ends;
            start.append_option(place.map(|place| i64::from(place.span.start)));
            end.append_option(place.map(|place| i64::from(place.span.end)));
        }
        let [mut role, mut words, mut digest, mut path, mut title, mut metadata] = names;
        let [mut start, mut end] = ends;
        let rows = RecordBatch::try_new(
            Arc::clone(&columns),
            vec![
                Arc::new(role.finish()),
                Arc::new(words.finish()),
                Arc::new(digest.finish()),
                Arc::new(path.finish()),
                Arc::new(title.finish()),
                Arc::new(headings.finish()),
                Arc::new(start.finish()),
                Arc::new(end.finish()),
                Arc::new(metadata.finish()),
            ],
        );
        table.write(&rows.map_err(TableError::Rows)?)?;
    }
    table.add_digest(DATA_BYTES, DATA)?;
    Ok(table.finish()?)
}

/// Reads what a part says about itself, and nothing else of it.
///
/// # Errors
/// Where the file is none of a part, or has no end.
pub fn facts(path: &Path) -> Result<Facts, PartsError> {
    Ok(Opened::open(Kind { path, holds: HOLDS, way_out: WAY_OUT })?.facts)
}

/// Reads a part's texts.
///
/// # Errors
/// Where the file is none of a part, is cut off or damaged, or a text was changed.
pub fn read(path: &Path) -> Result<Part, PartsError> {
    let kind = Kind { path, holds: HOLDS, way_out: WAY_OUT };
    let opened = Opened::open(kind)?;
    let facts = opened.facts.clone();
    let mut texts = Vec::new();
    opened.rows(&schema(), &["role", "text", "hash"], &mut |rows| {
        let column = |name: &str| {
            let column = rows.column_by_name(name)?.as_string_opt::<i32>()?;
            (column.null_count() == 0).then_some(column)
        };
        let columns = (column("role"), column("text"), column("hash"));
        let (Some(roles), Some(words), Some(hashes)) = columns else {
            return Err(kind.damaged("a row is empty"));
        };
        for row in 0..rows.num_rows() {
            let text = words.value(row);
            if bytes_of(hashes.value(row)) != Some(text_key(text)) {
                return Err(PartsError::Changed { path: path.to_owned(), row: texts.len() + 1 });
            }
            let role = roles.value(row).parse().map_err(|()| {
                kind.of_another_schema(format!("the role `{}` is not known", roles.value(row)))
            })?;
            texts.push(Text { role, text: text.to_owned() });
        }
        Ok(())
    })?;
    Ok(Part { path: path.to_owned(), facts, texts })
}
