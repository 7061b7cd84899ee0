//! The inverted index: which chunks hold a term, and how often.

mod bm25;
mod build;
mod chosen;
mod fields;
mod head;
mod maxscore;
mod shard;
#[cfg(test)]
mod tests;

pub use bm25::{Bm25Parameters, bm25, bm25_weighted};
pub use build::{LexicalBuilder, LexicalIndex};
pub use chosen::{bm25_of, highest_bm25};
pub use fields::{Field, FieldWeightError, FieldWeights};
pub use head::LexicalHead;
pub use shard::{Posting, PostingsShard};
