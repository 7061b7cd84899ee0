//! Question sets of other projects, turned into ours.
//!
//! Each reader gives an [`ImportedSet`]: questions, and the documents where the set has its own, so
//! that `campanile build` can read them and the set can be asked. What a reader had to leave out it
//! says ([`ImportedSet::remarks`]).
//!
//! | reader | layout | gold |
//! |---|---|---|
//! | [`squad`] | SQuAD 1.1 and 2.0: one JSON file, paragraphs with questions | the sentence that holds the answer |
//! | [`beir`] | BEIR: `corpus.jsonl`, `queries.jsonl`, `qrels/*.tsv`, a folder or a zip | documents with grades |
//! | [`scifact`] | SciFact as CSV: `corpus_train.csv`, `claims_*.csv`, a folder or a zip | rationale sentences, cited documents |
//! | [`cranfield`] | Cranfield 1400: `cran.all.1400`, `cran.qry`, `cranqrel` | documents with grades |
//! | [`cmu`] | `questions.txt` and `reference_answers.txt`, aligned by line | answers alone |
//! | [`csv()`] | a sheet with a header row | what its columns say |
//! | [`visitors`] | what visitors said of answers, a JSON object a line | the sentence that was called right |

mod beir;
mod cranfield;
mod documents;
mod files;
mod scifact;
mod sheet;
mod squad;
#[cfg(test)]
mod tests;
mod visitors;

use std::path::PathBuf;

use campanile_questions::{LineProblem, Question};
use thiserror::Error;

pub use beir::beir;
pub use cranfield::cranfield;
pub use documents::{
    DOCUMENTS_FOLDER, DocumentContent, ImportedDocument, QUESTIONS_FILE, write_set,
};
pub use files::SetFiles;
pub use scifact::scifact;
pub use sheet::{cmu, csv};
pub use squad::squad;
pub use visitors::visitors;

/// A question set with its documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportedSet {
    /// The questions, in the set's order.
    pub questions: Vec<Question>,
    /// The documents, in the set's order; none where the set has no corpus of its own.
    pub documents: Vec<ImportedDocument>,
    /// `true` if the documents are a benchmark's, to be taken as they are: nothing folded as a copy, replaced
    /// as an edition or left out as noise.
    pub is_benchmark: bool,
    /// Remarks on what was left out.
    pub remarks: Vec<String>,
}

impl ImportedSet {
    /// Remarks on something that happened `count` times, if it did.
    fn remark(&mut self, count: usize, what: &str) {
        if count > 0 {
            self.remarks.push(format!("{count} {what}"));
        }
    }
}

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
    fn content(file: &str, line: Option<usize>, reason: impl Into<String>) -> Self {
        Self::Content { file: file.to_owned(), line, reason: reason.into() }
    }

    /// A row of a CSV file that is none.
    fn of_csv(file: &str, error: &csv::Error) -> Self {
        let line = error.position().and_then(|place| usize::try_from(place.line()).ok());
        Self::content(file, line, error.to_string())
    }

    /// A split that is not among the known ones, each with its file.
    fn split(asked: &str, known: &[(&str, &str)]) -> Self {
        let known = known.iter().map(|(name, _)| (*name).to_owned()).collect();
        Self::Split { asked: asked.to_owned(), known }
    }
}
