//! One annotator's view of one question, from either kind of file.

use std::collections::BTreeMap;

use campanile_questions::{Category, Decision, LineProblem, Proposal, Question, question_of};
use serde_json::Value;
use thiserror::Error;

/// One annotator's view of one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// The question.
    pub question: Question,
    /// `true` if they accepted it, as it was or edited; `None` where nobody decided, and for the questions of
    /// a set, which were not up for a decision.
    pub accepted: Option<bool>,
}

/// Why an annotator's file cannot be read.
#[derive(Debug, Error)]
pub enum AnnotationError {
    /// A line is no question and no proposal.
    #[error("line {line}: {problem}")]
    Line {
        /// 1-based.
        line: usize,
        /// The problem with it.
        problem: LineProblem,
    },
    /// Two questions share a name.
    #[error("line {line}: the id `{id}` was used in line {first}")]
    Twice {
        /// 1-based.
        line: usize,
        /// The line where it was used before.
        first: usize,
        /// The name.
        id: String,
    },
    /// The file holds nothing.
    #[error("the file is empty: a question set, or a review, is expected")]
    Empty,
}

/// Reads a question set, or a review of proposals with its decisions.
///
/// # Errors
/// The first line that is neither, a name used twice, an empty file.
pub fn read_annotations(text: &str) -> Result<Vec<Annotation>, AnnotationError> {
    let mut annotations = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if content.trim().is_empty() {
            continue;
        }
        let annotation =
            annotation(content).map_err(|problem| AnnotationError::Line { line, problem })?;
        let id = &annotation.question.id;
        if let Some(first) = lines.insert(id.clone(), line) {
            return Err(AnnotationError::Twice { line, first, id: id.clone() });
        }
        annotations.push(annotation);
    }
    match annotations.is_empty() {
        true => Err(AnnotationError::Empty),
        false => Ok(annotations),
    }
}

/// A proposal holds its question as an object, a question as a text.
fn annotation(line: &str) -> Result<Annotation, LineProblem> {
    let value: Value =
        serde_json::from_str(line).map_err(|error| LineProblem::Syntax(error.to_string()))?;
    let is_proposal = value.get("question").is_some_and(Value::is_object);
    if !is_proposal {
        return Ok(Annotation { question: question_of(line)?, accepted: None });
    }
    let proposal: Proposal =
        serde_json::from_value(value).map_err(|error| LineProblem::Syntax(error.to_string()))?;
    let accepted = proposal.decision.map(|decision| decision != Decision::Rejected);
    Ok(Annotation { question: proposal.question, accepted })
}

impl Annotation {
    /// Returns `true` if the annotator says what the answer is: the question is in their set, or they did not
    /// reject it.
    pub(super) fn is_kept(&self) -> bool {
        self.accepted != Some(false)
    }

    /// Returns `true` if they gave an answer.
    pub(super) fn is_answered(&self) -> bool {
        self.is_kept()
            && self.question.category != Category::Unanswerable
            && !self.question.answers.is_empty()
    }
}
