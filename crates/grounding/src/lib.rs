//! Reads what a text states that can be checked letter by letter, and tells if its sources state it too.
//!
//! A language model that puts passages into words gets most of them right and then writes a date
//! that stands nowhere. Whether a sentence follows from a passage is hard to tell; whether its
//! numbers stand there is not. This crate reads the *literals* of a text: numbers, dates, course
//! codes, e-mail and web addresses, each with its place and with a value that is the same in every
//! spelling, so that `1,000` and `1000`, `CS 101` and `CS101`, `4 October` and `October 4th` are
//! one.
//!
//! Three questions are answered:
//!
//! - What does a text state? [`literals`].
//! - What does it state that its sources do not? [`Grounds::missing`]. [`Facts`] adds the names of
//!   a claim, for who looks for the source of a sentence.
//! - May a text in the making go on with these letters? [`Continuation`], which lets a decoder write
//!   nothing else, and is how the first answer becomes a guarantee.
//!
//! Dates are checked as they are said: `4 December` is not stated by a source that has 4 October
//! and 10 December. What stands in no spelling that is read here, a Roman numeral or `half`, is not
//! seen; nor is whether a number stands beside the right thing.
//!
//! It knows nothing of documents and of models, and builds for `wasm32-unknown-unknown`.
//!
//! ```
//! use campanile_grounding::{Grounds, LiteralKind, literals};
//! use campanile_text::Language;
//!
//! let source = "Register for CS 101 by 4 October 2024; the fee is 1,000 euros.";
//! let grounds = Grounds::of([source], Language::English);
//! assert!(grounds.missing("CS101 costs 1000 euros.").is_empty());
//!
//! let answer = "It costs 1,200 euros. Ask fees@example.edu before October 4.";
//! let missing = grounds.missing(answer);
//! let kinds: Vec<_> = missing.iter().map(|literal| literal.kind).collect();
//! assert_eq!(kinds, [LiteralKind::Number, LiteralKind::Email]);
//! assert_eq!(literals(answer, Language::English).len(), 3);
//! ```

mod addresses;
mod codes;
mod continuation;
mod dates;
mod facts;
mod grounds;
mod literal;
mod number_words;
mod numbers;
mod permitted;
mod pieces;
mod stated;

pub use continuation::Continuation;
pub use dates::Date;
pub use facts::{Evidence, Facts, missing_facts};
pub use grounds::Grounds;
pub use literal::{Literal, LiteralKind, LiteralValue, literals};
pub use numbers::Number;
pub use stated::{Stated, Value, stated};
