use campanile_questions::{Category, Question};
use campanile_text::Language;

use crate::answers::{citations, word_scores};
use crate::attribution::{Limits, attribute};
use crate::correct::is_correct;
use crate::record::Record;
use crate::retrieval::{GradeError, Judgments, Measures, score_retrieval};

/// Computes all that needs no model: grades, the scores of retrieval and answer, and where a right
/// answer was lost.
///
/// `correct` is a score beside the words' own: 1 where the answer is a gold answer, states its value, or
/// is text of a gold passage; it is absent where the set names neither. `refused` is 1 for a refusal.
///
/// # Errors
/// A grade that no metric takes.
pub fn score(
    record: &mut Record,
    question: &Question,
    judgments: &Judgments,
    limits: &Limits,
    measures: &Measures,
    language: Language,
) -> Result<(), GradeError> {
    score_retrieval(record, judgments, measures)?;
    let Some(answer) = record.answer.clone() else {
        record.lost = attribute(record, judgments, limits, None);
        return Ok(());
    };
    let text = if answer.refused { "" } else { answer.text.as_str() };
    if question.category == Category::Unanswerable || !question.answers.is_empty() {
        record.scores.extend(word_scores(text, &question.answers));
    }
    record.scores.insert("refused".to_owned(), f64::from(u8::from(answer.refused)));
    let shown = record.stages.last().map(|stage| stage.passages.as_slice()).unwrap_or_default();
    if question.category != Category::Unanswerable && !question.gold.is_empty() {
        let grades: Vec<u32> = shown.iter().map(|passage| passage.grade).collect();
        let score = citations(&answer.cited, &grades);
        let named = [("citation_precision", score.precision), ("citation_recall", score.recall)];
        for (name, value) in named {
            record.scores.extend(value.map(|value| (name.to_owned(), value)));
        }
    }
    let mut cited = answer.cited.iter().filter_map(|place| shown.get(*place));
    // Where the set names no document, any will do.
    let from_gold = question.gold.is_empty()
        || cited.any(|passage| {
            let link = passage.link.as_deref();
            question.gold.iter().any(|gold| gold.is_of(&passage.document, link))
        });
    let given = (!answer.refused).then_some(text);
    let correct = is_correct(question, given, from_gold, language);
    let value = correct.map(|correct| f64::from(u8::from(correct)));
    record.scores.extend(value.map(|value| ("correct".to_owned(), value)));
    record.lost = attribute(record, judgments, limits, correct);
    Ok(())
}
