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
