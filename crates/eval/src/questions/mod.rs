//! Question sets: what is asked, and what is known of the answer.
//!
//! A set is a file of JSON objects, one a line ([`Question`]). People write such files by hand, so
//! reading is strict and says what it expected: an unknown field is an error with the nearest known
//! name, a wrong value names its line and its field. [`schema`] is the same table of fields as a JSON
//! Schema, for editors; it is published as `docs/reference/question-set.schema.json`.

mod error;
mod fields;
mod question;
mod read;
mod schema;
#[cfg(test)]
mod tests;

pub use error::{LineProblem, QuestionError};
pub(crate) use fields::nearest_of;
pub use question::{AskerProfile, Category, Gold, Question, QuestionKind};
pub(crate) use read::question_of;
pub use read::{read_questions, write_questions};
pub use schema::schema;
