use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One question with what is known of its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// A name that is unique in its set.
    pub id: String,
    /// The question, as a student would type it.
    pub question: String,
    /// Whether the documents answer it.
    pub category: Category,
    /// `factual`, `descriptive`, `comparative`, `inferential` or `multi-hop`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Short gold answers; any of them will do.
    #[serde(default)]
    pub answers: Vec<String>,
    /// The passages that answer it; empty where none does.
    #[serde(default)]
    pub gold: Vec<Gold>,
    /// Why there is no one answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Whether the documents answer a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// They do.
    Answerable,
    /// They do, in more than one way.
    Ambiguous,
    /// They do not.
    Unanswerable,
}

/// A passage that answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gold {
    /// The document's path among the documents.
    pub document: String,
    /// A sentence of its plain text.
    pub passage: String,
}

/// Why a question set cannot be read.
#[derive(Debug, Error)]
pub enum QuestionError {
    /// A line is no question.
    #[error("line {line} of the question set is not valid: {source}")]
    Line {
        /// 1-based.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Two questions share a name.
    #[error("line {line} of the question set: the id `{id}` was used before")]
    Twice {
        /// 1-based.
        line: usize,
        /// The name.
        id: String,
    },
    /// The set holds nothing.
    #[error("the question set is empty: one JSON object a line is expected")]
    Empty,
}

/// Reads a question set: one JSON object a line, empty lines skipped.
///
/// # Errors
/// The first line that is no question, a name used twice, an empty set.
pub fn read_questions(text: &str) -> Result<Vec<Question>, QuestionError> {
    let mut questions: Vec<Question> = Vec::new();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (index, line) in lines {
        let line_number = index + 1;
        let question: Question = serde_json::from_str(line)
            .map_err(|source| QuestionError::Line { line: line_number, source })?;
        if questions.iter().any(|earlier| earlier.id == question.id) {
            return Err(QuestionError::Twice { line: line_number, id: question.id });
        }
        questions.push(question);
    }
    if questions.is_empty() {
        return Err(QuestionError::Empty);
    }
    Ok(questions)
}
