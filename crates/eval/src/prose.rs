//! Answers that a language model writes about the passages found.

use std::time::Instant;

use campanile_answer::{ProsePrompt, declines};
use campanile_model::ModelError;

use crate::chat_model::ChatModel;
use crate::record::Record;

/// Puts the model's prose in the place of a record's answer, and writes down the prompt and, as `prose`,
/// the milliseconds that it took.
///
/// It cites the passages that the model was given. Prose that says, as the prompt asks for, that they do
/// not answer is a refusal. Call it only where there is a prompt: no evidence, no model call.
///
/// # Errors
/// Where the prompt does not fit into the model.
pub fn write_prose(
    record: &mut Record,
    prompt: &ProsePrompt,
    model: &ChatModel,
    max_tokens: usize,
) -> Result<(), ModelError> {
    let Some(answer) = record.answer.as_mut().filter(|answer| !answer.refused) else {
        return Ok(());
    };
    let started = Instant::now();
    answer.text = model.write(prompt, max_tokens)?;
    answer.refused = declines(&answer.text);
    answer.cited = match answer.refused {
        true => Vec::new(),
        false => prompt.sources.iter().filter_map(|number| number.checked_sub(1)).collect(),
    };
    let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
    record.milliseconds.insert("prose".to_owned(), milliseconds);
    *record.milliseconds.entry("total".to_owned()).or_default() += milliseconds;
    record.prompt = Some(format!("{}\n\n{}", prompt.system, prompt.user));
    Ok(())
}

/// Computes how little the model expected texts after a prompt: as `perplexity` the record's answer, a
/// refusal aside, and as `gold_perplexity` the gold answer that it expects most; as
/// `negative_log_likelihood` and `gold_negative_log_likelihood` the same in nats a token, whose mean over
/// questions no single one of them rules.
///
/// # Errors
/// Where prompt and answer do not fit into the model.
pub fn score_by_likelihood(
    record: &mut Record,
    prompt: &ProsePrompt,
    model: &ChatModel,
) -> Result<(), ModelError> {
    let of = |text: &str| -> Result<Option<f64>, ModelError> {
        Ok(model.perplexity(prompt, text)?.map(|found| found.mean_negative_log_likelihood))
    };
    let answer = record.answer.as_ref().filter(|answer| !answer.refused);
    let own = answer.map(|answer| of(&answer.text)).transpose()?.flatten();
    let golds = record.gold_answers.iter().map(|gold| of(gold));
    let golds: Vec<Option<f64>> = golds.collect::<Result<_, _>>()?;
    let gold = golds.into_iter().flatten().min_by(f64::total_cmp);
    for (prefix, nats) in [("", own), ("gold_", gold)] {
        let Some(nats) = nats else { continue };
        record.scores.insert(format!("{prefix}negative_log_likelihood"), nats);
        record.scores.insert(format!("{prefix}perplexity"), nats.exp());
    }
    Ok(())
}
