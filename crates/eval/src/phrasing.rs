//! Questions in a language model's other words.

use campanile_answer::ProsePrompt;
use campanile_model::ModelError;
use campanile_retrieve::{Phrasing, hypothetical_prompt, phrasings_prompt, read_phrasings};
use campanile_text::Analyzer;

use crate::chat_model::ChatModel;

/// A phrasing takes fewer tokens.
const PHRASING_TOKENS: usize = 48;
/// A passage that might answer takes fewer.
const PASSAGE_TOKENS: usize = 96;

/// The question in `count` other ways, and as the passage that might answer it where `hypothetical` says so,
/// as the model writes them; what loses a name or a code of the question is dropped.
///
/// # Errors
/// Where the question does not fit into the model.
pub fn write_phrasings(
    question: &str,
    count: usize,
    hypothetical: bool,
    model: &ChatModel,
    analyzer: &Analyzer,
) -> Result<Vec<Phrasing>, ModelError> {
    let ask = |(system, user): (String, String), most: usize| {
        model.write(&ProsePrompt { system, user, sources: Vec::new() }, most)
    };
    let mut found = Vec::new();
    if count > 0 {
        let answer = ask(phrasings_prompt(question, count), count * PHRASING_TOKENS)?;
        let phrasings = read_phrasings(question, &answer, count, analyzer);
        found.extend(phrasings.into_iter().map(Phrasing::Question));
    }
    if hypothetical {
        let passage = ask(hypothetical_prompt(question), PASSAGE_TOKENS)?;
        found.extend((!passage.is_empty()).then_some(Phrasing::Passage(passage)));
    }
    Ok(found)
}
