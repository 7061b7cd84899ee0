//! Question sets and metrics that measure how good the answers are.
//!
//! A question set is a file of JSON objects, one a line
//! ([`Question`](campanile_questions::Question)). [`judge`] compares each
//! reply with the gold answers and passages of its question, and a [`Report`] sums up the outcomes.
//! These numbers are counted in code and never by a model.
//!
//! Further measures of an answer are in [`answers`]: the field's metrics, support by the
//! passages, and a judge's opinion. `campanile eval` is the command that measures with this crate.
//!
//! ```
//! use campanile_questions::read_questions;
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
pub mod judged_answers;
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

pub use asking::{Attempt, Considered, ask, consider};
pub use experiment::{
    Configuration, Experiment, Loss, RankedPassage, Record, RecordedAnswer, Run, SetInfo,
    StageRanking,
};
pub use judge::{Outcome, judge};
pub use passages::{SitePassage, SitePassages};
pub use prose::{ProseOptions, reply_perplexity, score_by_likelihood, write_prose};
pub use report::{EvidenceError, Report, Share, evidence};
pub use scoring::{Limits, attribute, consult, consult_patiently, score, score_by_vectors};
pub use thresholds::{Check, Limit, Rule, ThresholdError, Thresholds};
