use std::collections::BTreeSet;
use std::fmt;

use campanile_questions::{Category, Gold, Question, QuestionKind};
use serde::Serialize;

use super::words::folded;
use super::{SourcePassage, Template};

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
        match seen.insert(folded(question)) {
            true => Ok(()),
            false => Err(DropReason::Twice),
        }
    }

    /// The question as a set has it, without a name yet.
    pub(super) fn into_question(self, passage: &SourcePassage) -> Question {
        let mut question = Question::new("", self.question.trim(), Category::Answerable);
        question.kind = Some(self.kind);
        question.answers = vec![self.answer];
        question.gold = self
            .evidence
            .iter()
            .map(|evidence| Gold {
                link: passage.link.clone(),
                ..Gold::passage(&passage.document, super::words::on_one_line(evidence))
            })
            .collect();
        question.reviewed = false;
        question
    }
}
