//! Questions proposed from a department's own documents: a start for who has no question set.
//!
//! Nobody writes a hundred questions on an empty page, but most people can say of a question
//! whether it is a good one. So questions are proposed, and a person decides ([`campanile_questions::review`]).
//!
//! Passages of a site are drawn at random, the same for the same seed, and templates look for what
//! a question can be made of: a row of a table, a definition, a date, an amount, an address, a
//! heading. A row's numbers make comparisons. An unanswerable question is an answerable one about
//! something that the whole index does not know. A language model, where the user asks for one,
//! writes more ([`written`]).
//!
//! One rule holds for all of them: **an answer stands in its gold passage, word for word**. What does
//! not keep to it is dropped and counted, a model's proposals first of all.
//!
//! The templates read English. Other languages get what is made of tables and headings, with English
//! words around it.

mod chance;
mod rows;
mod templates;
#[cfg(test)]
mod tests;
mod words;
pub mod written;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

use campanile_questions::{
    Category, Gold, Proposal, Question, QuestionKind, SourcePassage, Template, folded, on_one_line,
};
use serde::Serialize;

use chance::{Chances, swapped};
use templates::drafts;

pub use chance::sample;

/// The number of times that each thing was seen.
pub type Counts<T> = BTreeMap<T, usize>;

/// The number of proposals to make, the share of unanswerable ones, and the seed.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposalOptions {
    /// At most so many.
    pub count: usize,
    /// The share of these that is unanswerable, 0 to 1.
    pub unanswerable: f64,
    /// Decides all that is left to chance.
    pub seed: u64,
}

impl Default for ProposalOptions {
    fn default() -> Self {
        Self { count: 40, unanswerable: 0.2, seed: 1 }
    }
}

/// The proposals, and what came of the rest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Proposals {
    /// Named `p001` and so on, in the order in which they are to be looked at.
    pub proposals: Vec<Proposal>,
    /// Drafts that were dropped.
    pub dropped: Counts<DropReason>,
}

/// Proposes questions from passages, in their order.
///
/// Templates take turns, so that a site full of tables does not get a set full of rows. `written`
/// gives, for each passage, what a language model wrote about it: replies to [`written::prompt`], or
/// nothing. `knows` says whether the site's index holds a word; an unanswerable question is about one
/// that it does not.
pub fn propose(
    passages: &[SourcePassage],
    written: &[Option<String>],
    options: &ProposalOptions,
    knows: &mut dyn FnMut(&str) -> bool,
) -> Proposals {
    let mut chances = Chances::new(options.seed);
    let mut seen = BTreeSet::new();
    let mut dropped = Counts::new();
    let mut by_template = ByTemplate::new();
    for (index, passage) in passages.iter().enumerate() {
        // Templates before the model: of two like questions the first is kept, and a template's answer needs no
        // trust.
        let mut found: Vec<Result<Draft, DropReason>> =
            drafts(passage).into_iter().map(Ok).collect();
        let reply = written.get(index).and_then(Option::as_ref);
        found.extend(reply.map(|reply| written::draft(reply, passage)));
        for draft in found {
            let checked = draft.and_then(|draft| draft.check(passage, &mut seen).map(|()| draft));
            match checked {
                Ok(draft) => {
                    by_template.entry(draft.template).or_default().push_back((index, draft))
                }
                Err(reason) => *dropped.entry(reason).or_default() += 1,
            }
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count"
    )]
    let unanswerable =
        (options.count as f64 * options.unanswerable.clamp(0.0, 1.0)).round() as usize;
    let (chosen, rest) = in_turns(by_template, options.count.saturating_sub(unanswerable));
    let mut proposals: Vec<Proposal> = chosen
        .iter()
        .filter_map(|(index, draft)| Some(proposal(passages.get(*index)?, draft.clone(), None)))
        .collect();
    // What was not chosen is swapped first: then no question stands beside its own likeness.
    let mut swaps = Vec::new();
    let (rest, _) = in_turns(rest, usize::MAX);
    for (index, draft) in rest.iter().chain(&chosen) {
        if swaps.len() == unanswerable {
            break;
        }
        let Some(passage) = passages.get(*index) else { continue };
        if let Some((draft, question)) = swapped(draft, passage, &mut chances, knows)
            && seen.insert(folded(&question.question))
        {
            swaps.push(proposal(passage, draft, Some(question)));
        }
    }
    spread(&mut proposals, swaps);
    for (number, proposal) in (1..).zip(&mut proposals) {
        proposal.question.id = format!("p{number:03}");
    }
    Proposals { proposals, dropped }
}

/// Drafts with the places of their passages.
type ByTemplate = BTreeMap<Template, VecDeque<(usize, Draft)>>;

/// One of each template, then another of each, until there are `count`; and what is left.
fn in_turns(mut by_template: ByTemplate, count: usize) -> (Vec<(usize, Draft)>, ByTemplate) {
    let mut chosen = Vec::new();
    while chosen.len() < count && by_template.values().any(|drafts| !drafts.is_empty()) {
        for drafts in by_template.values_mut() {
            if chosen.len() < count {
                chosen.extend(drafts.pop_front());
            }
        }
    }
    (chosen, by_template)
}

/// Puts the unanswerable among the others at equal distances.
fn spread(proposals: &mut Vec<Proposal>, swaps: Vec<Proposal>) {
    let step = proposals.len() / swaps.len().max(1) + 1;
    for (number, swap) in (1..).zip(swaps) {
        let place = (number * step - 1).min(proposals.len());
        proposals.insert(place, swap);
    }
}

fn proposal(passage: &SourcePassage, draft: Draft, question: Option<Question>) -> Proposal {
    Proposal {
        template: draft.template,
        document: passage.document.clone(),
        place: passage.place(),
        passage: passage.text.clone(),
        question: question.unwrap_or_else(|| draft.into_question(passage)),
        decision: None,
    }
}

/// A question in the making.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub(super) template: Template,
    pub(super) question: String,
    pub(super) answer: String,
    pub(super) kind: QuestionKind,
    /// The text in which the answer stands; several pieces where all of them are needed.
    pub(super) evidence: Vec<String>,
    /// The subject of the question, as it stands in it, where something else could take its place.
    pub(super) subject: Option<String>,
}

/// Why a draft became no proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// A model's reply is not of the form that was asked for.
    Unreadable,
    /// The text that should be a question is none.
    NoQuestion,
    /// The answer does not stand in the passage, word for word.
    AnswerElsewhere,
    /// The question gives its answer away.
    AnswerInQuestion,
    /// The same question was proposed before.
    Twice,
}

impl fmt::Display for DropReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unreadable => "not of the form that was asked for",
            Self::NoQuestion => "no question",
            Self::AnswerElsewhere => "the answer does not stand in the passage",
            Self::AnswerInQuestion => "the question gives the answer away",
            Self::Twice => "proposed before",
        })
    }
}

impl Draft {
    /// Checks that it may be proposed, and adds its question to `seen`, which holds the questions so far.
    pub(super) fn check(
        &self,
        passage: &SourcePassage,
        seen: &mut BTreeSet<String>,
    ) -> Result<(), DropReason> {
        let question = self.question.trim();
        // "Why?" or "And when?" cannot be understood without what was said before.
        if !question.ends_with('?') || question.split_whitespace().count() < 3 {
            return Err(DropReason::NoQuestion);
        }
        let answer = folded(&self.answer);
        let stands = |text: &str| folded(text).contains(&answer);
        let is_held = self.evidence.iter().any(|evidence| stands(evidence));
        let of_passage = |evidence: &String| folded(&passage.text).contains(&folded(evidence));
        if answer.is_empty() || !is_held || !self.evidence.iter().all(of_passage) {
            return Err(DropReason::AnswerElsewhere);
        }
        // A comparison names both, and one of them is the answer.
        if self.template != Template::Comparison && folded(question).contains(&answer) {
            return Err(DropReason::AnswerInQuestion);
        }
        if seen.insert(folded(question)) { Ok(()) } else { Err(DropReason::Twice) }
    }

    /// The question as a set has it, without a name yet.
    fn into_question(self, passage: &SourcePassage) -> Question {
        let mut question = Question::new("", self.question.trim(), Category::Answerable);
        question.kind = Some(self.kind);
        question.answers = vec![self.answer];
        question.gold = self
            .evidence
            .iter()
            .map(|evidence| Gold {
                link: passage.link.clone(),
                ..Gold::passage(&passage.document, on_one_line(evidence))
            })
            .collect();
        question.reviewed = false;
        question
    }
}
