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

mod draft;
mod sample;
mod select;
mod swap;
mod templates;
#[cfg(test)]
mod tests;
mod words;
pub mod written;

use std::collections::BTreeMap;

use campanile_questions::{Proposal, SourcePassage, Template};

pub use draft::DropReason;
pub use sample::sample;
pub use select::{ProposalOptions, Proposals, propose};

/// The number of times that each thing was seen.
pub type Counts<T> = BTreeMap<T, usize>;
