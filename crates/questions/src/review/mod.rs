//! A person looks at proposals, one after the other, and decides.
//!
//! A [`Review`] is a file of [`Proposal`]s, one a line, with the decisions that were made. It is
//! written after each of them, so that nothing is lost when the terminal closes, and a later run
//! goes on with what is undecided. What was accepted makes the question set
//! ([`Review::questions`]).
//!
//! [`form()`] is the terminal's side of it, over any input and output; [`page()`] the same as a web
//! page, for who would rather not work in a terminal.

mod form;
#[cfg(test)]
mod tests;

use serde::Serialize;
use thiserror::Error;

use super::proposal::{Decision, Proposal};
use super::question::Question;
use super::read::{read_lines, written};
use super::{Category, Gold, folded, on_one_line};

pub use form::{FormEnd, ask, form};

/// Proposals with what was decided about them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Review {
    /// In the order in which they are looked at.
    pub proposals: Vec<Proposal>,
}

/// A line of a review is no proposal.
#[derive(Debug, Error)]
#[error("line {line} of the review: {source}")]
pub struct ReviewError {
    /// 1-based.
    pub line: usize,
    /// The problem with it.
    pub source: serde_json::Error,
}

/// The progress of a review: counts of its proposals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Accepted as they were.
    pub accepted: usize,
    /// Accepted as a person wrote them.
    pub edited: usize,
    /// Rejected.
    pub rejected: usize,
    /// Not decided yet.
    pub undecided: usize,
}

impl Review {
    /// Reads a review.
    ///
    /// # Errors
    /// The first line that is no proposal.
    pub fn read(text: &str) -> Result<Self, ReviewError> {
        let proposals = read_lines(text, |line, source| ReviewError { line, source })?;
        Ok(Self { proposals })
    }

    /// The review as [`Review::read`] reads it.
    pub fn write(&self) -> String {
        written(&self.proposals)
    }

    /// The question set: what was accepted; `with_undecided` also what nobody has decided about,
    /// marked `"reviewed": false`.
    pub fn questions(&self, with_undecided: bool) -> Vec<Question> {
        let is_wanted = |proposal: &&Proposal| match proposal.decision {
            Some(Decision::Accepted | Decision::Edited) => true,
            Some(Decision::Rejected) => false,
            None => with_undecided,
        };
        self.proposals.iter().filter(is_wanted).map(|proposal| proposal.question.clone()).collect()
    }

    /// Takes over what a person wrote into the question set by hand, so that writing it again loses
    /// nothing: a question that was changed there is changed here, and those that were never proposed
    /// come back.
    ///
    /// A question that was taken out of the set stays as it was decided.
    pub fn adopt(&mut self, set: Vec<Question>) -> Vec<Question> {
        let mut own = Vec::new();
        for question in set {
            let proposed = self.proposals.iter_mut().find(|it| it.question.id == question.id);
            match proposed {
                None => own.push(question),
                Some(proposal) if proposal.question != question => {
                    proposal.decision = question.reviewed.then_some(Decision::Edited);
                    proposal.question = question;
                }
                Some(_) => {}
            }
        }
        own
    }

    /// Counts the proposals by their decision.
    pub fn progress(&self) -> Progress {
        let mut progress = Progress::default();
        for proposal in &self.proposals {
            let count = match proposal.decision {
                Some(Decision::Accepted) => &mut progress.accepted,
                Some(Decision::Edited) => &mut progress.edited,
                Some(Decision::Rejected) => &mut progress.rejected,
                None => &mut progress.undecided,
            };
            *count += 1;
        }
        progress
    }

    /// Keeps a decision; what is accepted counts as reviewed.
    fn decide(&mut self, place: usize, decision: Decision) {
        let proposal = &mut self.proposals[place];
        proposal.decision = Some(decision);
        proposal.question.reviewed = decision != Decision::Rejected;
    }
}

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
            // A reason says why there is no one answer: an answerable question has one.
            question.reason =
                question.reason.take().filter(|_| question.category == Category::Ambiguous);
            if question.gold.is_empty() {
                let passage = on_one_line(&proposal.passage);
                question.gold.push(Gold::passage(&proposal.document, passage));
            }
        }
    }
}

/// The answers that do not stand in the passage, without regard to case and white space.
pub(super) fn answers_elsewhere(proposal: &Proposal) -> Vec<&str> {
    let passage = folded(&proposal.passage);
    let answers = proposal.question.answers.iter();
    answers.filter(|answer| !passage.contains(&folded(answer))).map(String::as_str).collect()
}

/// The page with a mark where the proposals go.
const PAGE: &str = include_str!("page.html");
const MARK: &str = "PROPOSALS</script>";
const AFTERWARDS: &str = "AFTERWARDS</script>";

/// The fate of a review that was made in the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Afterwards {
    /// The name under which it is handed out.
    pub file_name: String,
    /// Advice on the file, in a sentence.
    pub then: String,
}

/// A review as one HTML file with a form in it: it loads nothing, works where it lies, keeps the
/// decisions in the browser, and hands out the review as a file that [`Review::read`] reads.
pub fn page(review: &Review, afterwards: &Afterwards) -> String {
    let lines = review.write();
    // A list of the lines; as long as no `<` stands in it, no text can end the element it lies in.
    let list = lines.trim_end().replace('\n', ",\n").replace('<', "\\u003c");
    // It is made of two texts, which always are JSON.
    let afterwards = serde_json::to_string(afterwards).unwrap_or_default().replace('<', "\\u003c");
    PAGE.replacen(AFTERWARDS, &format!("{afterwards}</script>"), 1).replacen(
        MARK,
        &format!("[{list}]</script>"),
        1,
    )
}
