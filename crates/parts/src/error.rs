//! The errors of parts. Each names the file, and most a way out.

use std::io;
use std::path::{Path, PathBuf};

use campanile_build::BuildError;
use campanile_export::file::TableError;
use thiserror::Error;

/// Parts that an error lists.
const MOST_LISTED: usize = 5;

/// The reason why a build in parts does not go on.
#[derive(Debug, Error)]
pub enum PartsError {
    /// A file or folder cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file or folder cannot be written.
    #[error("cannot write `{}`", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A Parquet file cannot be written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file is Parquet, and has not the columns of a part.
    #[error("`{}` is no {holds} of a part: {reason}\n  way out: {way_out}", .path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// The kind of file that was wanted: `texts` or `vectors`.
        holds: &'static str,
        /// The difference, in words.
        reason: String,
        /// The way out.
        way_out: &'static str,
    },
    /// The file is cut off, or other bytes than were written.
    #[error("`{}` is cut off or damaged: {reason}\n  way out: {way_out}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The sign of it, in words.
        reason: String,
        /// The way out.
        way_out: &'static str,
    },
    /// A text is another than the one that was written.
    #[error(
        "the text in row {row} of `{}` is not the one that the row's hash was made of\n  \
         way out: `campanile passages` writes the parts anew; what is to read otherwise has to change in the documents",
        .path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// The row, from 1.
        row: usize,
    },
    /// A part is for another encoder than these.
    #[error(
        "`{}` is of the encoder {found}, and `{}` of {expected}\n  way out: {way_out}",
        .path.display(), .other.display()
    )]
    Encoders {
        /// The file.
        path: PathBuf,
        /// Its encoder.
        found: String,
        /// A file of another.
        other: PathBuf,
        /// That encoder.
        expected: String,
        /// The way out.
        way_out: &'static str,
    },
    /// Two files hold the same part.
    #[error(
        "part {part} is there twice: `{}` and `{}`\n  way out: keep one of the two", .first.display(), .second.display()
    )]
    Twice {
        /// The part's number, from 1.
        part: u32,
        /// One file.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Parts have no vectors yet.
    #[error(
        "{} of {of} parts {} no vectors yet: {}\n  way out: `campanile embed {}`",
        .missing.len(),
        if .missing.len() == 1 { "has" } else { "have" },
        listed(.missing),
        .folder.display()
    )]
    Missing {
        /// The folder of the parts.
        folder: PathBuf,
        /// The numbers of those without.
        missing: Vec<u32>,
        /// The number of parts.
        of: u32,
    },
    /// Vectors belong to other texts than these parts'.
    #[error(
        "`{}` belongs to other parts than those in `{}`: the documents or the settings were others\n  \
         way out: remove it, then `campanile embed {}`",
        .path.display(), .folder.display(), .folder.display()
    )]
    OtherSet {
        /// The file.
        path: PathBuf,
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// Parts were embedded on devices that compute other bits.
    #[error(
        "`{}` was embedded on {found}, and `{}` on {expected}: a site is of one device\n  \
         way out: embed all parts on one kind of device; `campanile embed --device cpu` gives the same bits on every machine",
        .path.display(), .other.display()
    )]
    Devices {
        /// The file.
        path: PathBuf,
        /// Its device.
        found: String,
        /// Another file.
        other: PathBuf,
        /// That one's device.
        expected: String,
    },
    /// The encoder of this machine or command is another than the parts'.
    #[error(
        "`{}` is for another form of the encoder `{encoder}` than this command's\n  \
         way out: the same version of `campanile` on every machine, and there `campanile model fetch {encoder}`",
        .path.display()
    )]
    OtherForm {
        /// The file.
        path: PathBuf,
        /// The encoder.
        encoder: String,
    },
    /// The folder holds no parts, or some that were not written to their end.
    #[error(
        "`{}` holds no parts: {reason}\n  way out: `campanile passages DOCS -o {}`", .folder.display(), .folder.display()
    )]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// The sign of it, in words.
        reason: String,
    },
    /// The folder to write into holds something else.
    #[error(
        "`{}` holds something else than parts\n  way out: a new or empty folder", .0.display()
    )]
    Occupied(PathBuf),
    /// The folder to write into lies among the documents.
    #[error(
        "`{}` lies among the documents, and the next build would read what is in it\n  \
         way out: a place outside of the documents' folder", .0.display()
    )]
    AmongDocuments(PathBuf),
    /// The settings cannot be taken along.
    #[error("the settings `{}` cannot be taken along: {reason}", .path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The reason, in words.
        reason: String,
    },
    /// The build itself.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl PartsError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}

/// `3, 7, 8 and 12 more`.
fn listed(numbers: &[u32]) -> String {
    let shown: Vec<String> = numbers.iter().take(MOST_LISTED).map(ToString::to_string).collect();
    let shown = shown.join(", ");
    match numbers.len().saturating_sub(MOST_LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_parts_are_listed_as_far_as_a_line_goes() {
        let missing = |numbers: Vec<u32>| {
            let error = PartsError::Missing { folder: "parts".into(), missing: numbers, of: 90 };
            error.to_string().lines().next().map(str::to_owned).unwrap_or_default()
        };
        assert_eq!(missing(vec![3]), "1 of 90 parts has no vectors yet: 3");
        let said = "8 of 90 parts have no vectors yet: 1, 2, 3, 4, 5 and 3 more";
        assert_eq!(missing((1..9).collect()), said);
    }
}
