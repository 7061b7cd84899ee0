//! Questions in a language model's other words.

use campanile_answer::ProsePrompt;
use campanile_model::ModelError;
use campanile_retrieve::{Phrasing, Rewording, RewordingPrompt};
use campanile_text::Analyzer;

use crate::chat_model::ChatModel;

/// The question in other ways as the model writes them; what loses a name or a code of the question is
/// dropped.
///
/// # Errors
/// Where the question does not fit into the model.
pub fn write_phrasings(
    question: &str,
    rewording: Rewording,
    model: &ChatModel,
    analyzer: &Analyzer,
) -> Result<Vec<Phrasing>, ModelError> {
    let mut found = Vec::new();
    for task in rewording.tasks() {
        let RewordingPrompt { system, user, max_tokens } = task.prompt(question);
        let answer =
            model.write(&ProsePrompt { system, user, ..ProsePrompt::default() }, max_tokens)?;
        found.extend(task.read(question, &answer, analyzer));
    }
    Ok(found)
}
