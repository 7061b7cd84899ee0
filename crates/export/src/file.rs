//! One Parquet file, which appears whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use campanile_bundle::Digest;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use thiserror::Error;

/// So many rows are made at once: some megabytes.
pub const BATCH_ROWS: usize = 2_048;

/// The reason why a Parquet file was not written.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file cannot be written.
    #[error("`{}` cannot be written", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The rows do not fit the columns, which is a mistake of the crate that made them.
    #[error("the rows do not fit their columns")]
    Rows(#[from] ArrowError),
    /// The Parquet file cannot be made.
    #[error("`{}` cannot be made", .path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: ParquetError,
    },
}

/// A table that is being written beside its place.
pub struct Table {
    path: PathBuf,
    unfinished: PathBuf,
    writer: ArrowWriter<File>,
}

impl Table {
    /// Begins a file with these columns, and with facts about it in its metadata.
    ///
    /// # Errors
    /// Where the file or its folder cannot be made.
    pub fn begin(
        path: &Path,
        columns: SchemaRef,
        facts: &[(&str, String)],
    ) -> Result<Self, TableError> {
        let unfinished = beside(path);
        let file = |source| TableError::File { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(file)?;
        }
        let facts = facts.iter().cloned();
        let facts = facts.map(|(name, fact)| KeyValue::new(name.to_owned(), fact)).collect();
        let properties = WriterProperties::builder()
            // What every reader knows.
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(facts))
            .build();
        let opened = File::create(&unfinished).map_err(file)?;
        let writer = ArrowWriter::try_new(opened, columns, Some(properties))
            .map_err(|source| TableError::Parquet { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), unfinished, writer })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// Where they do not fit the columns or cannot be written.
    pub fn write(&mut self, rows: &RecordBatch) -> Result<(), TableError> {
        self.writer.write(rows).map_err(|source| self.fault(source))
    }

    /// Adds a fact that was not known at the beginning.
    fn add_fact(&mut self, name: &str, fact: String) {
        self.writer.append_key_value_metadata(KeyValue::new(name.to_owned(), fact));
    }

    /// Ends the rows, and adds the length and the SHA-256 of all that stands before the facts: with these, a reader knows the
    /// bytes before it decodes them.
    ///
    /// # Errors
    /// Where the file cannot be written or read again.
    pub fn add_digest(&mut self, length: &str, digest: &str) -> Result<(), TableError> {
        self.writer.flush().map_err(|source| self.fault(source))?;
        let rows = self.writer.sync().and_then(|()| fs::read(&self.unfinished));
        let rows = rows.map_err(|source| TableError::File { path: self.path.clone(), source })?;
        self.add_fact(length, rows.len().to_string());
        self.add_fact(digest, Digest::of(&rows).to_string());
        Ok(())
    }

    /// Ends the file and puts it in its place.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn finish(mut self) -> Result<(), TableError> {
        self.writer.finish().map_err(|source| self.fault(source))?;
        // On the disk first, or a crash could leave the new name with no content.
        let synced = self.writer.inner().sync_all();
        synced
            .and_then(|()| fs::rename(&self.unfinished, &self.path))
            .map_err(|source| TableError::File { path: self.path.clone(), source })
    }

    fn fault(&self, source: ParquetError) -> TableError {
        TableError::Parquet { path: self.path.clone(), source }
    }
}

/// A name for the unfinished file that no other process uses: two machines may write the same table into one folder, as where
/// a job was taken for dead and given to another.
fn beside(path: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    path.with_extension(format!("parquet.{}-{now}.unfinished", std::process::id()))
}

impl Drop for Table {
    fn drop(&mut self) {
        // Left behind only where something went wrong; then it is of no use, and the error has been told.
        let _ = fs::remove_file(&self.unfinished);
    }
}
