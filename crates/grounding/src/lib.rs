//! Reads the numbers, dates, codes and addresses that a text states, and tells whether its sources
//! state them too.
//!
//! A language model that puts passages into words gets most of them right, and then writes a date
//! that stands nowhere. Whether a sentence follows from a passage is hard to tell. Whether its
//! numbers stand there is not. So this crate reads the *literals* of a text: numbers, dates, course
//! codes, e-mail and web addresses. Each has its place, and a value that is the same in every
//! spelling: `1,000` and `1000` are one, and so are `CS 101` and `CS101`, and `4 October` and
//! `October 4th`.
//!
//! The crate answers four questions:
//!
//! - What does a text state? [`literals`].
//! - What does it state that its sources do not? [`Grounds::missing`]. To find the source of a
//!   sentence, use [`Facts`], which adds the names of a claim.
//! - May a text that is being written go on with these letters? [`Continuation`]. A decoder that
//!   asks it writes nothing else. So what was only checked becomes a guarantee.
//! - Does a text say the same again? [`repeats_from`]: it ends there.
//!
//! Dates are checked as they are said: a source that has 4 October and 10 December does not state
//! `4 December`. Two things are not seen. One is a value in a spelling that is not read here, such
//! as a Roman numeral or `half`. The other is whether a number stands beside the right thing.
//!
//! The crate knows nothing of documents or models, and it builds for `wasm32-unknown-unknown`.
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

mod continuation;
mod facts;
mod grounds;
mod literal;

pub use campanile_language::literals::{Date, Number};
pub use continuation::{Continuation, repeats_from};
pub use facts::{Evidence, Facts, Stated, Value, stated};
pub use grounds::Grounds;
pub use literal::{Literal, LiteralKind, LiteralValue, literals};
