//! The vectors of a part, and embedding them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Float32Type;
use arrow_array::{Array as _, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use campanile_build::parts::{PartEncoder, TextRole, TextVector, text_key};
use campanile_bundle::EmbeddingDevice;
use campanile_export::file::{BATCH_ROWS, Table, TableError};
use campanile_export::passages::{vector_field, vectors_builder};

use crate::PartsError;
use crate::facts::{DATA, DATA_BYTES, Facts, bytes_of, hash_of};
use crate::reading::{Kind, Opened};
use crate::texts::Part;

const HOLDS: &str = "vectors";
pub(crate) const WAY_OUT: &str = "remove it, then `campanile embed` on the part's texts";
/// Stands between the name of a card and of the interface that it was reached through.
const THROUGH: char = '\n';

/// The columns of a part's vectors, of so many numbers: a row for each of its texts, in their order.
///
/// | column | type | meaning |
/// |---|---|---|
/// | `role` | string | as in the part's texts |
/// | `hash` | string | SHA-256 of the text, in hexadecimal digits |
/// | `vector` | fixed-size list of float32 | the encoder's, of length 1 |
/// | `tokens` | binary, may be null | the coded vectors of a passage's tokens |
pub fn schema(dimension: u32) -> Schema {
    Schema::new(vec![
        Field::new("role", DataType::Utf8, false),
        Field::new("hash", DataType::Utf8, false),
        vector_field("vector", dimension),
        Field::new("tokens", DataType::Binary, true),
    ])
}

/// The name of a part's file.
pub fn file_name(part: u32) -> String {
    format!("vectors-{part:05}.parquet")
}

/// The vectors of a part that were read.
#[derive(Debug, PartialEq)]
pub struct Vectors {
    /// Their file.
    pub path: PathBuf,
    /// The facts that it states about itself.
    pub facts: Facts,
    /// Role, hash of the text, and vector of each text.
    pub rows: Vec<(TextRole, [u8; 32], TextVector)>,
}

impl Vectors {
    /// The card that computed them; nothing stands for the processor.
    pub fn device(&self) -> Option<EmbeddingDevice> {
        let (adapter, backend) = self.facts.device.split_once(THROUGH)?;
        Some(EmbeddingDevice { adapter: adapter.to_owned(), backend: backend.to_owned() })
    }

    /// Returns `true` if they are those of a part, as this device computes them.
    pub fn are_of(&self, part: &Part, device: Option<&EmbeddingDevice>) -> bool {
        let facts = Facts { device: device_text(device), ..part.facts.clone() };
        let own = self.rows.iter().map(|(role, hash, _)| (*role, *hash));
        let wanted = part.texts.iter().map(|text| (text.role, text_key(&text.text)));
        self.facts == facts && own.eq(wanted)
    }
}

fn device_text(device: Option<&EmbeddingDevice>) -> String {
    device.map_or_else(String::new, |it| format!("{}{THROUGH}{}", it.adapter, it.backend))
}

/// Embeds a part and writes its vectors into a file at `path`, which appears whole or not at all.
///
/// # Errors
/// Where the encoder or the device fails, or the file cannot be written.
pub fn embed(part: &Part, encoder: &mut PartEncoder<'_>, path: &Path) -> Result<(), PartsError> {
    let texts: Vec<(TextRole, &str)> =
        part.texts.iter().map(|text| (text.role, text.text.as_str())).collect();
    let vectors = encoder.embed(&texts)?;
    // After embedding: a card that failed has left its place to the processor.
    write(part, &vectors, encoder.device(), path)
}

/// Writes the vectors of a part.
///
/// # Errors
/// Where the file cannot be written.
pub fn write(
    part: &Part,
    vectors: &[TextVector],
    device: Option<&EmbeddingDevice>,
    path: &Path,
) -> Result<(), PartsError> {
    let dimension = vectors.first().map_or(0, |first| first.vector.len());
    let columns = Arc::new(schema(u32::try_from(dimension).unwrap_or(u32::MAX)));
    let facts = Facts { device: device_text(device), ..part.facts.clone() };
    let mut table = Table::begin(path, Arc::clone(&columns), &facts.written(HOLDS))?;
    let rows: Vec<_> = part.texts.iter().zip(vectors).collect();
    for group in rows.chunks(BATCH_ROWS) {
        let (mut roles, mut hashes) = (StringBuilder::new(), StringBuilder::new());
        let (mut numbers, mut tokens) = (vectors_builder(dimension), BinaryBuilder::new());
        for (text, vector) in group {
            roles.append_value(text.role.name());
            hashes.append_value(hash_of(&text.text));
            numbers.values().append_slice(&vector.vector);
            numbers.append(true);
            tokens.append_option(vector.tokens.as_ref());
        }
        let rows = RecordBatch::try_new(
            Arc::clone(&columns),
            vec![
                Arc::new(roles.finish()),
                Arc::new(hashes.finish()),
                Arc::new(numbers.finish()),
                Arc::new(tokens.finish()),
            ],
        );
        table.write(&rows.map_err(TableError::Rows)?)?;
    }
    table.add_digest(DATA_BYTES, DATA)?;
    Ok(table.finish()?)
}

/// Reads a part's vectors.
///
/// # Errors
/// Where the file is none of a part, or is cut off or damaged.
pub fn read(path: &Path) -> Result<Vectors, PartsError> {
    let kind = Kind { path, holds: HOLDS, way_out: WAY_OUT };
    let opened = Opened::open(kind)?;
    let facts = opened.facts.clone();
    let dimension = match opened.column("vector") {
        Some(DataType::FixedSizeList(_, length)) => u32::try_from(*length).unwrap_or_default(),
        _ => 0,
    };
    let mut found = Vec::new();
    let columns = ["role", "hash", "vector", "tokens"];
    opened.rows(&schema(dimension), &columns, &mut |rows| {
        let whole = take(rows, |role, digest, vector| {
            found.push((role.parse().ok()?, bytes_of(digest)?, vector));
            Some(())
        });
        whole.ok_or_else(|| kind.damaged("a row makes no sense"))
    })?;
    Ok(Vectors { path: path.to_owned(), facts, rows: found })
}

/// Hands over each row; nothing where a column or value is none of a part.
fn take(
    rows: &RecordBatch,
    mut each: impl FnMut(&str, &str, TextVector) -> Option<()>,
) -> Option<()> {
    let roles = rows.column_by_name("role")?.as_string_opt::<i32>()?;
    let hashes = rows.column_by_name("hash")?.as_string_opt::<i32>()?;
    let vectors = rows.column_by_name("vector")?.as_fixed_size_list_opt()?;
    let tokens = rows.column_by_name("tokens")?.as_binary_opt::<i32>()?;
    let nulls = roles.null_count() + hashes.null_count() + vectors.null_count();
    (nulls == 0).then_some(())?;
    for row in 0..rows.num_rows() {
        let numbers = vectors.value(row);
        let numbers = numbers.as_primitive_opt::<Float32Type>()?;
        (numbers.null_count() == 0).then_some(())?;
        let vector = numbers.values().to_vec();
        // A vector with a number that is none would spoil every comparison.
        vector.iter().all(|value| value.is_finite()).then_some(())?;
        let tokens = (!tokens.is_null(row)).then(|| tokens.value(row).to_vec());
        each(roles.value(row), hashes.value(row), TextVector { vector, tokens })?;
    }
    Some(())
}
