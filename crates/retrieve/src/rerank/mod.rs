//! A second look at the first candidates: late interaction.
//!
//! The searches compare a question with every chunk, so they compare one number a word or one vector a
//! chunk. For the few chunks that they put forward there is time to compare word with word, by the
//! vectors that the encoder made of each on its way to the one of the whole text. No other model is needed:
//! the question's were made when it was embedded, the passages' when the site was built.

mod pieces;
mod scores;
mod vocabulary;

pub use pieces::ContentPieces;
pub(crate) use scores::{filled, max_sims, question};
pub use vocabulary::vocabulary_lines;
