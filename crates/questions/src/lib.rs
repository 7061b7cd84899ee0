//! Question sets, proposed questions and their review, as files of JSON objects, one a line.
//!
//! A question set says what is asked, and what is known of the answer. It measures a site (`campanile eval`). A [`Review`](review::Review)
//! holds questions that a model or a template proposed, with what a person decided about each. From it come question sets, and
//! the questions that a site is built with (`campanile questions`).
//!
//! A set is a file of JSON objects, one a line ([`Question`]). People write such files by hand, so
//! reading is strict and says what it expected: an unknown field is an error with the nearest known
//! name, a wrong value names its line and its field. [`schema`] is the same table of fields as a JSON
//! Schema, for editors; it is published as `docs/reference/question-set.schema.json`.
//!
//! ```
//! use campanile_questions::read_questions;
//!
//! let line = r#"{"id": "q1", "question": "When is the library open?", "category": "answerable",
//!     "answers": ["8 a.m."], "gold": [{"document": "library.md", "passage": "It opens at 8 a.m."}]}"#;
//! let questions = read_questions(&line.replace('\n', " ")).expect("one question");
//! assert_eq!(questions[0].id, "q1");
//! ```

mod fields;
mod proposal;
mod question;
mod read;
pub mod review;
#[cfg(test)]
mod tests;

pub use fields::{nearest_of, schema};
pub use proposal::{Decision, Proposal, SourcePassage, SourceRow, Template, passages_of};
pub use question::{AskerProfile, Category, Gold, Question, QuestionKind, folded, on_one_line};
pub use read::{
    LineProblem, QuestionError, question_of, read_lines, read_questions, write_lines,
    write_questions,
};
