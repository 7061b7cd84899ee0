use campanile_index::ReducedTable;
use campanile_model::WordPieces;

use crate::error::RetrieveError;

/// An encoder without a network: a text's vector is the mean of its word pieces' vectors, which
/// were learned for this corpus when the site was built (`campanile-distil`).
#[derive(Debug, Clone, PartialEq)]
pub struct StaticEncoder {
    pieces: WordPieces,
    table: ReducedTable,
}

impl StaticEncoder {
    /// Puts pieces and their vectors together.
    ///
    /// # Errors
    /// [`RetrieveError::StaticEncoder`] where there are not as many of the one as of the other.
    pub fn new(pieces: WordPieces, table: ReducedTable) -> Result<Self, RetrieveError> {
        if pieces.len() != table.len() {
            return Err(RetrieveError::StaticEncoder { pieces: pieces.len(), rows: table.len() });
        }
        Ok(Self { pieces, table })
    }

    /// The vector of a text: `[dimension]` numbers of length 1, the same bits on every machine.
    /// `None` where the corpus has none of its words.
    pub fn embed(&self, text: &str) -> Option<Vec<f32>> {
        let mean = self.table.mean(&self.pieces.encode(text))?;
        let length = mean.iter().map(|value| value * value).sum::<f32>().sqrt();
        (length > 0.0).then(|| mean.into_iter().map(|value| value / length).collect())
    }

    /// Returns the number of word pieces that it knows.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Returns `true` if it knows none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

/// The static encoder and the passages' vectors, which search by meaning before the encoder is there.
#[derive(Debug, Clone)]
pub(crate) struct Instant {
    pub(crate) encoder: StaticEncoder,
    /// One vector a chunk, for the static encoder's to be compared with.
    pub(crate) passages: ReducedTable,
}
