//! Question sets and metrics that measure how good the answers are.
//!
//! A question set is a file of JSON objects, one a line ([`Question`]). [`judge`] compares each
//! reply with the gold answers and passages of its question, and a [`Report`] sums up the outcomes.
//! These numbers are counted in code and never by a model.
//!
//! What else can be said of an answer is in [`answers`]: the field's metrics, support by the
//! passages, and a judge's opinion. `campanile eval` is the command that measures with this crate.
//!
//! ```
//! use campanile_eval::read_questions;
//!
//! let line = r#"{"id": "q1", "question": "When is the library open?", "category": "answerable",
//!     "answers": ["8 a.m."], "gold": [{"document": "library.md", "passage": "It opens at 8 a.m."}]}"#;
//! let questions = read_questions(&line.replace('\n', " ")).expect("one question");
//! assert_eq!(questions[0].id, "q1");
//! ```

pub mod agreement;
pub mod answers;
mod asking;
pub mod calibration;
mod experiment;
pub mod import;
mod judge;
pub mod judged_prose;
mod passages;
pub mod plan;
pub mod proposals;
mod prose;
pub mod report;
pub mod retrieval;
mod scoring;
pub mod significance;
mod thresholds;

pub use asking::{Attempt, ask};
pub use asking::{Considered, consider};
pub use campanile_questions::{
    AskerProfile, Category, Gold, Question, QuestionError, QuestionKind, read_questions,
    write_questions,
};
pub use experiment::{Configuration, Experiment, Run, SetInfo};
pub use experiment::{Loss, RankedPassage, Record, RecordedAnswer, StageRanking};
pub use judge::{Outcome, judge};
pub use passages::{SitePassage, SitePassages};
pub use prose::reply_perplexity;
pub use prose::{ProseOptions, score_by_likelihood, write_prose};
pub use report::{EvidenceError, evidence};
pub use report::{Report, Share};
pub use scoring::score;
pub use scoring::score_by_vectors;
pub use scoring::{Limits, attribute};
pub use scoring::{consult, consult_patiently};
pub use thresholds::{Check, Limit, Rule, ThresholdError, Thresholds};
