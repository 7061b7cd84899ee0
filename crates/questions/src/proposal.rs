//! Questions that are proposed, and what a person decides about each.

use serde::{Deserialize, Serialize};

use crate::Question;

/// A question that nobody has looked at yet, or what a person decided about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// The question.
    pub question: Question,
    /// The way it was made.
    pub template: Template,
    /// The path of the document it was made from.
    pub document: String,
    /// The place in the document: its title and the headings.
    pub place: String,
    /// The passage it was made from, to be shown with it.
    pub passage: String,
    /// A person's decision; `None` as long as nobody made one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}

/// The way a question was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Template {
    /// From a row of a table, or a line such as `Office hours: Monday`.
    Row,
    /// From "X is a Y".
    Definition,
    /// From a sentence that says when something happens.
    Date,
    /// From a sentence that says how much or how many.
    Amount,
    /// From an address or a telephone number.
    Contact,
    /// From two rows of a table.
    Comparison,
    /// From a heading.
    Heading,
    /// From another question, about something that no document mentions.
    Swap,
    /// By a language model.
    Model,
}

/// A person's decision about a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It is good as it is.
    Accepted,
    /// It is good as they wrote it.
    Edited,
    /// It is not.
    Rejected,
}

impl Template {
    /// As it is shown.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Definition => "definition",
            Self::Date => "date",
            Self::Amount => "amount",
            Self::Contact => "contact",
            Self::Comparison => "comparison",
            Self::Heading => "heading",
            Self::Swap => "swap",
            Self::Model => "model",
        }
    }
}
