//! Units smaller than a chunk, and the way back from them to the chunk they came from.
//!
//! A short unit is easier to match exactly, a chunk is easier to understand. So a search may look
//! for sentences or [propositions](crate::propositions()), and show the chunk around what it found.

mod family;
mod parts;
mod question;
mod sentence;
#[cfg(test)]
mod tests;

pub use family::{Child, Family, highlight};
pub(crate) use parts::{Part, parts};
pub use question::{asks, question_of};
pub use sentence::{SentenceUnit, sentences_of};
