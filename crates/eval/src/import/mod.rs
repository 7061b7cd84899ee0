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

mod beir;
mod cmu;
mod cranfield;
mod document;
mod error;
mod files;
mod numpy;
mod scifact;
mod sheet;
mod squad;
#[cfg(test)]
mod tests;
mod write;

pub use beir::beir;
pub use cmu::cmu;
pub use cranfield::cranfield;
pub use document::{DocumentContent, ImportedDocument};
pub use error::ImportError;
pub use files::SetFiles;
pub use scifact::scifact;
pub use sheet::csv;
pub use squad::squad;
pub use write::{DOCUMENTS_FOLDER, QUESTIONS_FILE, write_set};

use campanile_questions::Question;

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
