//! Agreement between two people who worked on the same questions.
//!
//! A figure measured with a question set is worth no more than the set, and a set no more than the
//! agreement of those who made it. Two annotators' files are laid side by side
//! ([`agreement`]): Cohen's kappa for what is chosen from a few (the category; whether a proposal is
//! accepted), the overlap of words for what is written (the answers), and the list of questions
//! where they differ, which is what the annotators talk about next.

mod annotation;
mod kappa;
mod overlap;
mod report;
#[cfg(test)]
mod tests;

pub use annotation::{Annotation, AnnotationError, read_annotations};
pub use kappa::{Kappa, cohen_kappa};
pub use overlap::{AnswerOverlap, answer_overlap};
pub use report::{Agreement, AnswerAgreement, Disagreement, Matter, agreement};
