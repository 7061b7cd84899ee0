//! From drafts to proposals: some of each template, and none twice.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use campanile_questions::Question;

use super::draft::{Draft, DropReason};
use super::sample::Chances;
use super::swap::swapped;
use super::templates::drafts;
use super::{Counts, Proposal, SourcePassage, Template};

/// The number of proposals to make, the share of unanswerable ones, and the seed.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposalOptions {
    /// At most so many.
    pub count: usize,
    /// Of these, the share that is unanswerable, 0 to 1.
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
/// gives, for each passage, what a language model wrote about it: replies to [`super::written::prompt`], or
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
        let mut found: Vec<Result<Draft, DropReason>> =
            drafts(passage).into_iter().map(Ok).collect();
        let reply = written.get(index).and_then(Option::as_ref);
        found.extend(reply.map(|reply| super::written::draft(reply, passage)));
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
            && seen.insert(super::words::folded(&question.question))
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
