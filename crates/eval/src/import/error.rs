use std::path::PathBuf;

use campanile_questions::LineProblem;
use thiserror::Error;

/// Why a set cannot be imported.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A file or folder cannot be read.
    #[error("cannot read `{}`: {source}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file or folder cannot be written.
    #[error("cannot write `{}`: {source}", .path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder to write into holds something.
    #[error("`{}` is not empty\n  way out: name a new folder", .path.display())]
    NotEmpty {
        /// Which.
        path: PathBuf,
    },
    /// A zip file is damaged, or is none.
    #[error("cannot read the zip file `{}`: {reason}", .path.display())]
    Zip {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The set lacks a file that its layout has.
    #[error("a {layout} set has {expected}, and there is none\n  found: {found}")]
    MissingFile {
        /// The layout.
        layout: &'static str,
        /// The file, or files.
        expected: &'static str,
        /// The files that are there, and what that may mean.
        found: String,
    },
    /// A file is not as its layout says.
    #[error("`{file}`{}: {reason}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Content {
        /// The file.
        file: String,
        /// 1-based, where it is known.
        line: Option<usize>,
        /// The content that was expected, and what was found.
        reason: String,
    },
    /// A row of a sheet is no question.
    #[error("`{file}`, line {line}: {problem}")]
    Row {
        /// The file.
        file: String,
        /// 1-based.
        line: usize,
        /// The problem with it.
        problem: LineProblem,
    },
    /// The set has judgments for other questions only.
    #[error("there is no split `{asked}`\n  way out: `--split` with one of {}", .known.join(", "))]
    Split {
        /// The name that was asked for.
        asked: String,
        /// The names that are there.
        known: Vec<String>,
    },
}

impl ImportError {
    pub(super) fn content(file: &str, line: Option<usize>, reason: impl Into<String>) -> Self {
        Self::Content { file: file.to_owned(), line, reason: reason.into() }
    }
}
