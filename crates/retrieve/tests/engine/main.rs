//! Whole sites of a few texts, searched: one program, since each would compile the engine anew.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first surprise")]

mod instant;
mod keywords;
mod near_words;
mod nearest;
mod profiles;
mod rerank;
mod spelling;
mod support;
mod units;
