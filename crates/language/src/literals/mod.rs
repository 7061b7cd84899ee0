//! The one parser of literals: numbers, dates, codes and addresses.
//!
//! A text is cut into [`pieces`]: numbers, words and marks. Each function looks at the pieces from one place on, and tells
//! the value with which they begin and how many of them it takes: [`date`], [`number_in_words`], [`code`]. Addresses are
//! looked for in the text itself ([`addresses`]), since they run over marks.
//!
//! A value is the same in every spelling: `1,000` and `1000`, `4 October` and `October 4th`, `CS 101` and `CS101`. Which
//! functions are asked, and in which order, is for the caller to say: a source and a claim are read by all of them, and
//! statements that are compared by [`date_at_start`] alone.

mod addresses;
mod codes;
mod dates;
mod number_words;
mod numbers;
mod pieces;

pub use addresses::{Address, addresses};
pub use codes::{code, code_in_any_case};
pub use dates::{
    Date, Joined, date, date_at_start, day_after_others, day_before_others, day_in_number,
};
pub use number_words::{number_in_words, spellings, zeros};
pub use numbers::{Number, ordinal, parts};
pub use pieces::{Kind, Piece, UNITS, is_digits, pieces, pieces_and_units};
