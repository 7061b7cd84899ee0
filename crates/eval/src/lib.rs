//! How good the answers are: question sets and metrics.
//!
//! A question set is a file of JSON objects, one a line ([`Question`]). Each reply is compared with
//! the gold answers and passages of its question ([`judge`]), and the outcomes are summed up in a
//! [`Report`]. The numbers are counted in code and never by a model.
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
pub mod import;
mod judge;
pub mod proposals;
pub mod questions;
mod record;
mod report;
pub mod review;

pub use judge::{Outcome, judge};
pub use questions::{
    AskerProfile, Category, Gold, Question, QuestionError, QuestionKind, read_questions,
    write_questions,
};
pub use record::{Loss, RankedPassage, Record, RecordedAnswer, StageRanking};
pub use report::{Report, Share};
