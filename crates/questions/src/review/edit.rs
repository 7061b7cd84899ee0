//! Edits of proposals.

use crate::proposal::Proposal;
use crate::{Category, Gold};

/// The words that a person wrote; an empty text keeps what is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) question: String,
    /// Several with `;` between them.
    pub(super) answers: String,
    pub(super) category: Option<Category>,
}

impl Edit {
    /// Changes the proposal's question and keeps it one that a set may hold.
    pub(super) fn apply(&self, proposal: &mut Proposal) {
        let question = &mut proposal.question;
        if !self.question.trim().is_empty() {
            self.question.trim().clone_into(&mut question.question);
        }
        if let Some(category) = self.category {
            question.category = category;
        }
        let answers: Vec<String> = self
            .answers
            .split(';')
            .map(str::trim)
            .filter(|answer| !answer.is_empty())
            .map(str::to_owned)
            .collect();
        if !answers.is_empty() {
            question.answers = answers;
        }
        if question.category == Category::Unanswerable {
            question.answers.clear();
            question.gold.clear();
        } else {
            question.reason =
                question.reason.take().filter(|_| question.category == Category::Ambiguous);
            if question.gold.is_empty() {
                let passage = proposal.passage.split_whitespace().collect::<Vec<_>>().join(" ");
                question.gold.push(Gold::passage(&proposal.document, passage));
            }
        }
    }
}

/// The answers that do not stand in the passage, without regard to case and white space.
pub(super) fn answers_elsewhere(proposal: &Proposal) -> Vec<&str> {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let passage = folded(&proposal.passage);
    let answers = proposal.question.answers.iter();
    answers.filter(|answer| !passage.contains(&folded(answer))).map(String::as_str).collect()
}
