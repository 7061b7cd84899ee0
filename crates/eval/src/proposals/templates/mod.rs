//! Templates that questions are made from.

mod amount;
mod comparison;
mod contact;
mod date;
mod definition;
mod heading;
mod row;

use campanile_questions::QuestionKind;
use campanile_text::sentences;

use super::draft::Draft;
use super::{SourcePassage, Template};

/// All that the templates find in a passage, in the order of its text within each template.
pub(super) fn drafts(passage: &SourcePassage) -> Vec<Draft> {
    let mut found = row::drafts(passage);
    found.extend(row::labelled(passage));
    found.extend(comparison::drafts(passage));
    for sentence in prose(passage) {
        let made = [
            definition::draft(sentence),
            date::draft(sentence),
            amount::draft(sentence),
            contact::draft(passage, sentence),
        ];
        found.extend(made.into_iter().flatten());
    }
    found.extend(heading::draft(passage));
    found
}

/// The sentences that are no rows of tables.
fn prose(passage: &SourcePassage) -> impl Iterator<Item = &str> {
    let is_row = |sentence: &str| {
        passage.rows.iter().any(|row| row.line.contains(sentence) || sentence.contains(&row.line))
    };
    let spans = sentences(&passage.text).into_iter();
    spans.filter_map(|span| span.slice(&passage.text)).filter(move |sentence| !is_row(sentence))
}

/// A question about one fact, answered by a sentence.
fn fact(
    template: Template,
    question: String,
    answer: &str,
    sentence: &str,
    subject: Option<String>,
) -> Draft {
    Draft {
        template,
        question,
        answer: answer.trim().to_owned(),
        kind: QuestionKind::Factual,
        evidence: vec![sentence.to_owned()],
        subject,
    }
}

/// Every pattern of the templates, for the test that compiles them.
#[cfg(test)]
pub(super) fn patterns() -> Vec<&'static super::words::Pattern> {
    let mut all = vec![&definition::IS_A, &definition::MEANS, &row::LABEL];
    all.extend([&date::HAPPENS, &date::HAS_TO_BE, &amount::COSTS, &amount::LASTS, &amount::COUNTS]);
    all.extend([&contact::EMAIL, &contact::TELEPHONE, &comparison::NUMBER]);
    all
}
