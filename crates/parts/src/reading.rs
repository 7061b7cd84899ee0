//! Reads a Parquet file that comes from elsewhere: it may be another table, cut off, or other bytes than were written.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::facts::{Facts, HOLDS, ROWS, VERSION_NAME};
use crate::{PartsError, VERSION};

/// A file whose metadata and columns are those of a part.
pub(crate) struct Opened<'a> {
    kind: Kind<'a>,
    stated: BTreeMap<String, String>,
    builder: ParquetRecordBatchReaderBuilder<File>,
    /// What it says about itself.
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

    pub fn of_another_schema(&self, reason: String) -> PartsError {
        let Self { path, holds, way_out } = *self;
        PartsError::Schema { path: path.to_owned(), holds, reason, way_out }
    }
}

impl<'a> Opened<'a> {
    /// Opens a file, and looks at what it says about itself.
    pub fn open(kind: Kind<'a>) -> Result<Self, PartsError> {
        let file = File::open(kind.path).map_err(PartsError::read(kind.path))?;
        let builder =
            ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| kind.damaged(error))?;
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
        let columns =
            ProjectionMask::columns(self.builder.parquet_schema(), wanted.iter().copied());
        let reader = self.builder.with_projection(columns).build();
        for rows in reader.map_err(|error| kind.damaged(error))? {
            take(&rows.map_err(|error| kind.damaged(error))?)?;
        }
        Ok(())
    }

    /// The hash of its rows, as it states it.
    pub fn rows_hash(&self) -> String {
        self.stated.get(ROWS).cloned().unwrap_or_default()
    }
}
