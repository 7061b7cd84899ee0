//! The index in numbers: how long its units are, and how many of them a reader's context holds.

mod fill;
mod lengths;

pub use fill::{FillStatistics, fill_context};
pub use lengths::{Bin, LengthStatistics, word_count};
