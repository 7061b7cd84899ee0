use thiserror::Error;

/// Why a question set cannot be read.
#[derive(Debug, Error)]
pub enum QuestionError {
    /// A line is no question.
    #[error("line {line} of the question set: {problem}")]
    Line {
        /// 1-based.
        line: usize,
        /// The problem with it.
        problem: LineProblem,
    },
    /// Two questions share a name.
    #[error("line {line} of the question set: the id `{id}` was used in line {first}")]
    Twice {
        /// 1-based.
        line: usize,
        /// The line where it was used before.
        first: usize,
        /// The name.
        id: String,
    },
    /// The set holds nothing.
    #[error("the question set is empty: one JSON object a line is expected")]
    Empty,
}

/// A problem with a line of a question set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineProblem {
    /// It is no JSON.
    #[error("one JSON object is expected: {0}")]
    Syntax(String),
    /// It is JSON, but no object.
    #[error("one JSON object is expected, found {0}")]
    NoObject(&'static str),
    /// A field is not known.
    #[error("the field `{field}` is not known{}", hint(*.nearest, .known))]
    Unknown {
        /// Its place, as in `gold[0].pasage`.
        field: String,
        /// The name that was probably meant.
        nearest: Option<&'static str>,
        /// The names that are known there.
        known: Vec<&'static str>,
    },
    /// A field that has to be there is not.
    #[error("the field `{field}` is missing: {expected} is expected", expected = .expected.trim_end_matches(','))]
    Missing {
        /// Its name.
        field: &'static str,
        /// The content that it should have.
        expected: &'static str,
    },
    /// A field holds something else than it should.
    #[error("field `{field}`: {expected} is expected ({found})")]
    Wrong {
        /// Its place, as in `gold[0].grade`.
        field: String,
        /// The content that it should have.
        expected: &'static str,
        /// The content that it has.
        found: String,
    },
    /// Fields that cannot be true together.
    #[error("field `{field}`: {reason}")]
    Contradiction {
        /// One of them.
        field: String,
        /// Why, and the way out.
        reason: &'static str,
    },
}

fn hint(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(name) => format!(": did you mean `{name}`?"),
        None => format!(": `{}` are", known.join("`, `")),
    }
}
