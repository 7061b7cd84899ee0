use crate::answers::{Exhibit, Judge, JudgeError};
use crate::record::Record;

/// Asks a judge for its opinion of an answer, and writes it down: its verdict with the reason, and as
/// scores `judge_correct` and `judge_score`. A record without an answer has nothing to judge.
///
/// # Errors
/// Where the judge gives no verdict.
pub fn consult(record: &mut Record, judge: &dyn Judge) -> Result<(), JudgeError> {
    let Some(answer) = &record.answer else { return Ok(()) };
    let shown = record.stages.last().map(|stage| stage.passages.as_slice()).unwrap_or_default();
    let context: Vec<&str> = shown.iter().filter_map(|passage| passage.text.as_deref()).collect();
    let gold: Vec<&str> = record.gold_answers.iter().map(String::as_str).collect();
    let verdict = judge.judge(&Exhibit {
        question: &record.question,
        gold: &gold,
        answer: if answer.refused { "" } else { &answer.text },
        context: &context,
    })?;
    record.scores.insert("judge_correct".to_owned(), f64::from(u8::from(verdict.correct)));
    record.scores.insert("judge_score".to_owned(), verdict.score);
    record.verdict = Some(verdict);
    Ok(())
}

/// As [`consult`], of a judge that may not keep to the form, as small language models do not: a reply that
/// is no verdict gives no score but `judge_no_verdict`, which is 1 then and else 0.
///
/// # Errors
/// Where the judge fails otherwise.
pub fn consult_patiently(record: &mut Record, judge: &dyn Judge) -> Result<(), JudgeError> {
    let without = match consult(record, judge) {
        Ok(()) => 0.0,
        Err(JudgeError::NoVerdict { .. }) => 1.0,
        Err(error) => return Err(error),
    };
    if record.answer.is_some() {
        record.scores.insert("judge_no_verdict".to_owned(), without);
    }
    Ok(())
}
