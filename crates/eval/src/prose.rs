//! Answers that a language model writes about the passages found, how likely texts are to it, and its verdicts.

use campanile_answer::{ProsePrompt, declines};
use campanile_build::{ChatModel, Written};
use campanile_grounding::{Grounds, LiteralKind};
use campanile_model::ModelError;
use campanile_text::Language;

use crate::answers::{Complete, Form, Perplexity};
use crate::experiment::Record;

/// Options for writing prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProseOptions {
    /// The most tokens of an answer.
    pub max_tokens: usize,
    /// `true` if it may state only those numbers, dates, codes and addresses that its evidence states.
    pub grounded: bool,
    /// The language of the evidence.
    pub language: Language,
}

/// Puts the model's prose in the place of a record's answer, and writes down the prompt and the
/// milliseconds: as `prose` all that it took, as `prose_writing` the part for the answer's tokens
/// (their number is the score `prose_tokens`), as `grounding` the part of that for
/// [`ProseOptions::grounded`].
///
/// It cites the passages that the model was given. Prose that says, as the prompt asks for, that they do
/// not answer is a refusal. Call it only where there is a prompt: no evidence, no model call.
///
/// The number of figures, dates, codes and addresses that it states and its evidence does not is the score
/// `ungrounded_literals`, and `ungrounded_number` and so on by their kinds, where there are any.
///
/// # Errors
/// Where the prompt does not fit into the model.
pub fn write_prose(
    record: &mut Record,
    prompt: &ProsePrompt,
    model: &ChatModel,
    options: &ProseOptions,
) -> Result<(), ModelError> {
    let Some(answer) = record.answer.as_mut().filter(|answer| !answer.refused) else {
        return Ok(());
    };
    let evidence = prompt.evidence.iter().map(String::as_str);
    let grounds = Grounds::of(evidence, options.language);
    let written =
        model.write_from(prompt, options.max_tokens, options.grounded.then_some(&grounds))?;
    answer.text.clone_from(&written.text);
    answer.refused = declines(&answer.text);
    answer.cited = match answer.refused {
        true => Vec::new(),
        false => prompt.sources.iter().filter_map(|number| number.checked_sub(1)).collect(),
    };
    record.prompt = Some(sent(prompt));
    note_costs(record, &written);
    count_ungrounded(record, &written.text, &grounds);
    Ok(())
}

/// All that a model is sent, in its order.
fn sent(prompt: &ProsePrompt) -> String {
    let examples = prompt.examples.iter().flat_map(|turn| [&turn.user, &turn.reply]);
    let texts = std::iter::once(&prompt.system).chain(examples).chain([&prompt.user]);
    texts.map(String::as_str).collect::<Vec<_>>().join("\n\n")
}

fn note_costs(record: &mut Record, written: &Written) {
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let all = milliseconds(written.reading + written.writing);
    let times = [
        ("prose", all),
        ("prose_writing", milliseconds(written.writing)),
        ("grounding", milliseconds(written.grounding)),
    ];
    record.milliseconds.extend(times.map(|(name, time)| (name.to_owned(), time)));
    *record.milliseconds.entry("total".to_owned()).or_default() += all;
    record.scores.insert("prose_tokens".to_owned(), written.tokens as f64);
}

fn count_ungrounded(record: &mut Record, text: &str, grounds: &Grounds) {
    let missing = grounds.missing(text);
    record.scores.insert("ungrounded_literals".to_owned(), missing.len() as f64);
    for kind in LiteralKind::ALL {
        let count = missing.iter().filter(|literal| literal.kind == kind).count();
        if count > 0 {
            record.scores.insert(format!("ungrounded_{}", kind.name()), count as f64);
        }
    }
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
        Ok(reply_perplexity(model, prompt, text)?.map(|found| found.mean_negative_log_likelihood))
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

/// A verdict takes fewer tokens.
// The form with one sentence of reason; a small model that finds no end would go on until its context is full.
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
