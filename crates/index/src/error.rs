//! The errors of an index.

use thiserror::Error;

/// An index that cannot be made, read or asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IndexError {
    /// The bytes are not an encoded index of this kind.
    #[error(
        "the {part} is damaged at byte {offset}: expected {expected}, found {found}; \
         build the site again"
    )]
    Damaged {
        /// One of the encoded parts: `lexical head`, `postings shard`, `vector table`, `graph`,
        /// `late-interaction head` and the like.
        part: &'static str,
        /// The place where the reader stood, in bytes from the part's beginning.
        offset: usize,
        /// The thing that had to stand there.
        expected: String,
        /// The thing that stood there.
        found: String,
    },

    /// A vector's length is not that of the table.
    #[error(
        "expected a vector of {expected} numbers, found {found}; \
         use the encoder that the index was built with"
    )]
    Dimension {
        /// The table's dimension.
        expected: usize,
        /// The vector's length.
        found: usize,
    },

    /// A vector holds NaN or an infinity.
    #[error("vector {row} holds a number that is not finite; check the encoder's weights")]
    NotFinite {
        /// The row, or 0 for a question's vector.
        row: usize,
    },

    /// More rows, postings or bytes than the format can count.
    #[error("the {part} is too large: {limit} is the limit; split the documents into two sites")]
    TooLarge {
        /// The part that would overflow.
        part: &'static str,
        /// The limit, with its unit.
        limit: &'static str,
    },

    /// Token vectors cannot be projected or coded as asked.
    #[error("token vectors cannot be coded so: expected {expected}")]
    Late {
        /// The thing that was expected, and what was found.
        expected: String,
    },

    /// The graph could not be built or written.
    #[error("the graph could not be made: {reason}")]
    Graph {
        /// The message of the library below.
        reason: String,
    },
}
