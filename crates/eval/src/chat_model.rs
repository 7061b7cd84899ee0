//! Verdicts of a language model that follows instructions, and how likely a text is to it.

use campanile_answer::ProsePrompt;
use campanile_build::ChatModel;
use campanile_model::ModelError;

use crate::answers::{Complete, Form, Perplexity};

/// A verdict takes fewer tokens.
const VERDICT_TOKENS: usize = 160;

impl Complete for ChatModel {
    type Error = ModelError;

    fn complete(&self, prompt: &str, form: Form<'_>) -> Result<String, ModelError> {
        self.continue_reply(prompt, form.begin, form.end, VERDICT_TOKENS)
    }
}

/// Measures how little the model expects a text as its reply to a prompt; `None` of a text without tokens.
///
/// # Errors
/// Where prompt and text do not fit into the model.
pub fn reply_perplexity(
    model: &ChatModel,
    prompt: &ProsePrompt,
    text: &str,
) -> Result<Option<Perplexity>, ModelError> {
    Ok(Perplexity::new(&model.log_probabilities(prompt, text)?))
}
