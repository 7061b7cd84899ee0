//! Several vectors a chunk, a few bits a number: late interaction.
//!
//! One vector must say all that a passage says. The encoder makes one for each word piece before it takes
//! their mean, and comparing those keeps apart what the mean mixes: every word of the question looks for
//! the word of the passage that is nearest to it (Khattab and Zaharia, "ColBERT", 2020). The vectors of the
//! encoder that embedded the passages will do, though it was never trained for this.
//!
//! A passage's vectors at full length would fill hundreds of kilobytes. What is kept is about one:
//!
//! 1. pieces that mean nothing by themselves are left out (the caller knows which they are),
//! 2. a [`Projection`] to the directions in which vectors differ most takes a third of the numbers,
//! 3. [`pool`] makes one vector of those that say nearly the same,
//! 4. a [`Codec`] writes each number in a few bits.
//!
//! The codes of a chunk are its [`Record`]; [`LateIndex`] writes those of all chunks in shards, so that a
//! page fetches those of its candidates. [`LateQuery::max_sim`] compares.

mod codec;
mod head;
mod learn;
mod maxsim;
mod pooling;
mod projection;
mod record;
#[cfg(test)]
mod tests;

pub use codec::Codec;
pub use head::{LateHead, LateIndex};
pub use learn::TokenStatistics;
pub use maxsim::LateQuery;
pub use pooling::pool;
pub use projection::Projection;
pub use record::Record;
