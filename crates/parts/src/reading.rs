//! Reads a Parquet file that comes from elsewhere: it may be another table, cut off, or other bytes than were written.
//!
//! Damage is found before the rows are decoded. The library that decodes them may panic at a file that somebody made to do
//! harm, with right hashes and wrong pages; that is an error like any other.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use campanile_bundle::Digest;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::ColumnChunkMetaData;

use crate::facts::{DATA, DATA_BYTES, Facts, HOLDS, VERSION_NAME};
use crate::{PartsError, VERSION};

/// A file whose metadata and columns are those of a part.
pub(crate) struct Opened<'a> {
    kind: Kind<'a>,
    stated: BTreeMap<String, String>,
    builder: ParquetRecordBatchReaderBuilder<File>,
    /// The facts that it states about itself.
    pub facts: Facts,
}

/// The kind of file that is wanted, for errors.
#[derive(Clone, Copy)]
pub(crate) struct Kind<'a> {
    pub path: &'a Path,
    /// `texts` or `vectors`.
    pub holds: &'static str,
    /// The way out of a file that is none.
    pub way_out: &'static str,
}

impl Kind<'_> {
    pub fn damaged(&self, reason: impl ToString) -> PartsError {
        let reason = reason.to_string();
        PartsError::Damaged { path: self.path.to_owned(), reason, way_out: self.way_out }
    }

    /// Decodes with a library that may panic at damaged bytes.
    fn decoded<T, E: ToString>(
        &self,
        decode: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, PartsError> {
        // What was being decoded is dropped with the error.
        let decoded = catch_unwind(AssertUnwindSafe(decode))
            .map_err(|_| self.damaged("its reader breaks down at it"))?;
        decoded.map_err(|error| self.damaged(error))
    }

    pub fn of_another_schema(&self, reason: String) -> PartsError {
        let Self { path, holds, way_out } = *self;
        PartsError::Schema { path: path.to_owned(), holds, reason, way_out }
    }
}

impl<'a> Opened<'a> {
    /// Opens a file, and looks at what it says about itself.
    pub fn open(kind: Kind<'a>) -> Result<Self, PartsError> {
        let file = File::open(kind.path).map_err(PartsError::read(kind.path))?;
        let builder = kind.decoded(|| ParquetRecordBatchReaderBuilder::try_new(file))?;
        let pairs = builder.metadata().file_metadata().key_value_metadata();
        let stated: BTreeMap<String, String> = pairs
            .into_iter()
            .flatten()
            .filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?)))
            .collect();
        let Some(version) = stated.get(VERSION_NAME) else {
            return Err(kind.of_another_schema(format!("it states no `{VERSION_NAME}`")));
        };
        if *version != VERSION.to_string() {
            let reason =
                format!("its columns are of version {version}, and this command knows {VERSION}");
            return Err(kind.of_another_schema(reason));
        }
        let holds = stated.get(HOLDS).map_or("nothing", String::as_str);
        if holds != kind.holds {
            return Err(kind.of_another_schema(format!("it holds {holds}")));
        }
        let facts = Facts::read(&stated)
            .map_err(|name| kind.of_another_schema(format!("its `{name}` makes no sense")))?;
        Ok(Self { kind, stated, builder, facts })
    }

    /// The type of a column.
    pub fn column(&self, name: &str) -> Option<&DataType> {
        self.builder.schema().field_with_name(name).ok().map(|field| field.data_type())
    }

    /// Reads these columns, which have to be as `expected` has them, and hands over some rows at a time.
    pub fn rows(
        self,
        expected: &Schema,
        wanted: &[&str],
        take: &mut dyn FnMut(&RecordBatch) -> Result<(), PartsError>,
    ) -> Result<(), PartsError> {
        let kind = self.kind;
        for field in expected.fields() {
            let found = self.column(field.name());
            if found != Some(field.data_type()) {
                let found = found.map_or("missing".to_owned(), |found| format!("{found}"));
                return Err(kind.of_another_schema(format!(
                    "its column `{}` is {found}, not {}",
                    field.name(),
                    field.data_type()
                )));
            }
        }
        self.check_data()?;
        let columns =
            ProjectionMask::columns(self.builder.parquet_schema(), wanted.iter().copied());
        let mut reader = kind.decoded(|| self.builder.with_projection(columns).build())?;
        while let Some(rows) = kind.decoded(|| reader.next().transpose())? {
            take(&rows)?;
        }
        Ok(())
    }

    /// Fails unless the bytes of the rows are those that were written. The library that decodes them trusts them too much: it
    /// panics at some that are others, and at places of columns that are none.
    fn check_data(&self) -> Result<(), PartsError> {
        let kind = self.kind;
        let changed = || kind.damaged("its bytes are not those that were written");
        let stated = |name| self.stated.get(name).ok_or_else(changed);
        let length: u64 = stated(DATA_BYTES)?.parse().map_err(|_| changed())?;
        let mut data = Vec::new();
        let file = File::open(kind.path).map_err(PartsError::read(kind.path))?;
        file.take(length).read_to_end(&mut data).map_err(PartsError::read(kind.path))?;
        if data.len() as u64 != length || Digest::of(&data).to_string() != *stated(DATA)? {
            return Err(changed());
        }
        let groups = self.builder.metadata().row_groups();
        let is_inside = |column: &ColumnChunkMetaData| {
            let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let places = [start, column.data_page_offset(), column.compressed_size()];
            let end = start.checked_add(column.compressed_size());
            places.iter().all(|place| *place >= 0)
                && end.and_then(|end| u64::try_from(end).ok()).is_some_and(|end| end <= length)
        };
        let are_inside = groups.iter().flat_map(|group| group.columns()).all(is_inside);
        let have_rows = groups.iter().all(|group| group.num_rows() >= 0);
        if are_inside && have_rows { Ok(()) } else { Err(changed()) }
    }
}
