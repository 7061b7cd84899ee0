//! Text as bytes, sentences and terms.
//!
//! Every claim to exactness in Campanile rests on this crate. An answer is shown as a piece of a
//! document, so every piece is a [`Span`]: a range of bytes of a text that someone else holds.
//! Nothing here copies a document's words except to make terms of them.
//!
//! The crate answers four questions:
//!
//! - Which bytes? [`Span`], half-open, 32 bits wide, counted in UTF-8.
//! - Where does a sentence end? [`sentences`], by rules and not by a trained model. The rules give
//!   the same on every machine, are small enough for a web page, and are wrong in ways that can be
//!   looked up.
//! - What would a visitor type to find this? [`Analyzer`], which makes the terms that a keyword
//!   index holds. A question goes through the same analyzer as the documents. So the two meet in
//!   spelling, case, inflection, and in the ways a course code is written.
//! - If a word is found nowhere, which words does it nearly spell? [`edits`] and
//!   [`within_one_edit`].
//!
//! The crate builds for `wasm32-unknown-unknown` as it does natively, and gives the same results
//! there.
//!
//! ```
//! use campanile_text::{Analyzer, Language, sentences};
//!
//! let text = "The library closes at 8 p.m. on Fridays. Ask Dr. Ode for CS 101.";
//! let second = sentences(text)[1].slice(text).unwrap();
//! assert_eq!(second, "Ask Dr. Ode for CS 101.");
//!
//! let analyzer = Analyzer::new(Language::English);
//! let question = analyzer.analyze("cs101?");
//! assert!(analyzer.analyze(second).iter().any(|token| token.term == question[0].term));
//! ```

mod analyzer;
mod enumerator;
mod foreign;
mod sentences;
mod span;
mod spelling;

pub use analyzer::{Analyzer, Token};
pub use campanile_language::{Language, UnknownLanguage, is_stop_word};
pub use campanile_unicode::fold;
pub use enumerator::{enumerator, is_next_number};
pub use foreign::foreign_language;
pub use sentences::sentences;
pub use span::Span;
pub use spelling::{edits, within_one_edit};
