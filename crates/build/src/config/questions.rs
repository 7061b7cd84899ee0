//! `[questions]`: what the documents are asked, by themselves and by a model at the desk.

use std::path::{Path, PathBuf};

use campanile_questions::review::Review;
use serde::Deserialize;

/// `[questions]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QuestionsConfig {
    /// Whether the questions that the documents ask themselves, as a FAQ does, are indexed.
    pub own: bool,
    /// Questions that `campanile questions write` made, a file beside the documents, and none of them.
    pub file: Option<PathBuf>,
    /// What stands in that file.
    #[serde(skip)]
    pub written: Review,
    /// Whether questions that nobody has decided about are taken too; rejected ones never are.
    pub unreviewed: bool,
}

impl Default for QuestionsConfig {
    fn default() -> Self {
        Self { own: true, file: None, written: Review::default(), unreviewed: true }
    }
}

/// The questions in a file; what is wrong with it as an error.
pub(super) fn written(file: &Path) -> Result<Review, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    Review::read(&text).map_err(|error| error.to_string())
}
