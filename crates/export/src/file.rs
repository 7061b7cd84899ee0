//! One Parquet file, which appears whole or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use crate::{COLUMNS_VERSION, ExportError};

/// So many rows are made at once: some megabytes.
pub(crate) const BATCH_ROWS: usize = 2_048;

/// A table that is being written beside its place.
pub(crate) struct Table {
    path: PathBuf,
    unfinished: PathBuf,
    writer: ArrowWriter<File>,
}

impl Table {
    /// Begins a file with these columns, and with facts about it.
    pub(crate) fn begin(
        path: &Path,
        columns: SchemaRef,
        facts: &[(&str, String)],
    ) -> Result<Self, ExportError> {
        let unfinished = path.with_extension("parquet.unfinished");
        let file = |source| ExportError::File { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(file)?;
        }
        let version = ("campanile.columns", COLUMNS_VERSION.to_string());
        let facts = [version].into_iter().chain(facts.iter().cloned());
        let facts = facts.map(|(name, fact)| KeyValue::new(name.to_owned(), fact)).collect();
        let properties = WriterProperties::builder()
            // What every reader knows.
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(facts))
            .build();
        let opened = File::create(&unfinished).map_err(file)?;
        let writer = ArrowWriter::try_new(opened, columns, Some(properties))
            .map_err(|source| ExportError::Parquet { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), unfinished, writer })
    }

    pub(crate) fn write(&mut self, rows: &RecordBatch) -> Result<(), ExportError> {
        self.writer.write(rows).map_err(|source| self.fault(source))
    }

    /// Ends the file and puts it in its place.
    pub(crate) fn finish(mut self) -> Result<(), ExportError> {
        self.writer.finish().map_err(|source| self.fault(source))?;
        fs::rename(&self.unfinished, &self.path)
            .map_err(|source| ExportError::File { path: self.path.clone(), source })
    }

    fn fault(&self, source: parquet::errors::ParquetError) -> ExportError {
        ExportError::Parquet { path: self.path.clone(), source }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // Left behind only where something went wrong; then it is of no use, and the error has been told.
        let _ = fs::remove_file(&self.unfinished);
    }
}
