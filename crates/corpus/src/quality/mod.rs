//! Quality: what not to index, what to index once, and what has a newer edition.
//!
//! Three questions about a folder of documents that has grown for years. [`noise`] finds what is no
//! content: page furniture, bibliographies, tables of contents. [`duplicates`] finds what says the
//! same as something else. [`supersession`] finds which document is a newer edition of which. All
//! three report what they find as values with a reason, and leave it to the caller to act.

mod duplicates;
mod noise;
mod versions;

pub use duplicates::{Candidate, DuplicateGroup, DuplicateOptions, Folded, duplicates};
pub use noise::{Boilerplate, Dropped, NoiseReason, QualityOptions, noise, without_noise};
pub use versions::{Because, Supersession, supersession, years_of};
