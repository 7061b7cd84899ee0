use campanile_text::sentences;
use serde::Serialize;

use super::normalise::split_spaces;

/// The length of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AnswerLength {
    /// Unicode code points.
    pub characters: usize,
    /// Words, as white space separates them.
    pub words: usize,
    /// Sentences, as `campanile-text` cuts them.
    pub sentences: usize,
}

impl AnswerLength {
    /// Measures an answer.
    pub fn new(answer: &str) -> Self {
        Self {
            characters: answer.chars().count(),
            words: split_spaces(answer).count(),
            sentences: sentences(answer).len(),
        }
    }
}
