//! Learns a site's *static encoder*: one vector a word piece, whose mean comes close to what a
//! transformer makes of a text.
//!
//! A page that has just been opened cannot embed a question: the encoder is some twenty megabytes
//! away. But a site has only a few thousand word pieces of its own, and its own texts say how the
//! encoder sees them. So when the site is built, natively, the encoder embeds short pieces of the
//! corpus. From their vectors a table of one vector a word piece is learned. With this table the
//! page embeds a question: it looks up the vectors of its pieces and takes their mean.
//!
//! Static word vectors made from a transformer are known for whole languages (Reimers' and others'
//! distilled encoders, Model2Vec). A table for one corpus can be small and still fit it well.
//!
//! The steps:
//!
//! 1. [`windows`] draws texts like questions from a passage: three to nine words in a row.
//! 2. [`PrincipalAxes`] finds the directions in which the passages differ most. All vectors are cut
//!    to them.
//! 3. [`learn`] solves the ridge regression (Hoerl and Kennard, 1970) of the windows' vectors on
//!    their pieces. It is drawn towards a prior: the encoder's vector of each piece alone, times
//!    how rare the piece is.
//! 4. [`overlap`] tells how often the result finds the encoder's own nearest passages, for windows
//!    that were held back. It needs no questions, so every build can measure it.
//!
//! Everything is in a fixed order. The same texts and vectors give the same bits, however many
//! cores there are.
//!
//! ```
//! use campanile_distil::{Examples, Ridge, learn};
//!
//! // Two pieces, two numbers a vector: the piece 0 alone, and both together.
//! let mut examples = Examples::new(2, 2);
//! examples.push(&[0], &[1.0, 0.0])?;
//! examples.push(&[0, 1], &[0.5, 0.5])?;
//! let prior = [0.0; 4];
//! let rows = learn(&examples, &prior, Ridge { strength: 1e-6, steps: 20 })?;
//! assert!((rows[3] - 1.0).abs() < 1e-3, "the piece 1 is what the mean lacked: {rows:?}");
//! # Ok::<(), campanile_distil::DistilError>(())
//! ```

mod axes;
mod examples;
mod learn;

pub use axes::PrincipalAxes;
pub use examples::{DistilError, Examples, inverse_document_frequency, windows};
pub use learn::{Ridge, learn, overlap};
