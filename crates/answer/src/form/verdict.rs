//! Yes, no, or that it depends, as a reader tells it.

use campanile_model::AnswerKinds;
use campanile_text::{Span, sentences};

use super::permission::condition;
use super::{Form, FormKind, FormPart, Quoted};
use crate::reading::PassageReading;
use crate::reply::Answer;
use crate::words::words;

/// A verdict that is less probable than this is not given. On the yes-or-no questions for choosing it speaks on two thirds
/// from here on (`training/cards/reader.md`).
const SURE_FROM: f32 = 0.7;

/// Words with which a sentence that says no begins an exception.
const EXCEPTIONS: [&str; 7] =
    ["unless", "except", "only if", "provided", "außer", "es sei denn", "vorausgesetzt"];

/// The verdict with the sentences that it rests on, and the condition that one of them states.
///
/// A reader is not taken at its word for a yes where a sentence states a condition, nor for a no where one states an
/// exception: one that says `only if` is never yes, one that says `unless` never no.
pub(super) fn form(quoted: &Quoted<'_>, answer: &Answer, reading: &PassageReading) -> Option<Form> {
    let AnswerKinds { yes, no, depends, .. } = reading.kinds?;
    let (value, probability) = [("yes", yes), ("no", no), ("conditional", depends)]
        .into_iter()
        .max_by(|left, right| left.1.total_cmp(&right.1))?;
    if probability < SURE_FROM {
        return None;
    }
    let text = quoted.source.text.as_str();
    let grounds: Vec<Span> = match answer.marks.as_slice() {
        [] => sentences(quoted.words())
            .into_iter()
            .map(|span| span.shifted(quoted.sentence.start))
            .collect(),
        marks => marks.to_vec(),
    };
    let conditions = grounds.iter().find_map(|ground| {
        let sentence = ground.slice(text)?;
        Some(condition(sentence, &words(sentence))?.shifted(ground.start))
    });
    let stated = conditions.and_then(|span: Span| span.slice(text)).unwrap_or_default();
    let is_exception = EXCEPTIONS.iter().any(|phrase| begins_with(stated, phrase));
    let value = match value {
        "yes" if conditions.is_some() => "conditional",
        "no" if is_exception => "conditional",
        value => value,
    };
    let part = |span| FormPart::new(quoted.source.number, span);
    let first = *grounds.first()?;
    let mut parts = vec![FormPart { value: Some(value.to_owned()), ..part(first) }];
    parts.extend(conditions.map(part));
    Some(Form { kind: FormKind::Permission, parts })
}

fn begins_with(text: &str, phrase: &str) -> bool {
    text.to_lowercase().starts_with(phrase)
}
