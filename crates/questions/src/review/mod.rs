//! A person looks at proposals, one after the other, and decides.
//!
//! A [`Review`] is a file of [`Proposal`]s, one a line, with the decisions that were made. It is
//! written after each of them, so that nothing is lost when the terminal closes, and a later run
//! goes on with what is undecided. What was accepted makes the question set
//! ([`Review::questions`]).
//!
//! [`form()`] is the terminal's side of it, over any input and output; [`page()`] the same as a web
//! page, for who would rather not work in a terminal.

mod edit;
mod form;
mod page;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use thiserror::Error;

pub use form::ask;
pub use form::{FormEnd, form};
pub use page::{Afterwards, page};

use crate::json_lines;
use crate::proposal::{Decision, Proposal};
use crate::question::Question;

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
        let proposals = json_lines::read(text, |line, source| ReviewError { line, source })?;
        Ok(Self { proposals })
    }

    /// The review as [`Review::read`] reads it.
    pub fn write(&self) -> String {
        self.proposals.iter().fold(String::new(), |mut text, proposal| {
            // A proposal is made of texts and numbers alone, which always are JSON.
            let line = serde_json::to_string(proposal).unwrap_or_default();
            let _ = writeln!(text, "{line}");
            text
        })
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
    pub fn decide(&mut self, place: usize, decision: Decision) {
        if let Some(proposal) = self.proposals.get_mut(place) {
            proposal.decision = Some(decision);
            proposal.question.reviewed = decision != Decision::Rejected;
        }
    }
}
