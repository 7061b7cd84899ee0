//! Scores how well a passage's tokens answer a question's.

use super::codec::Codec;
use super::record::Record;
use crate::IndexError;
use crate::vectors::QueryVector;

/// A question's token vectors, made ready for whole-number arithmetic.
#[derive(Debug, Clone, PartialEq)]
pub struct LateQuery {
    codec: Codec,
    tokens: Vec<QueryVector>,
}

impl LateQuery {
    /// Takes the question's vectors, `[tokens, dimension]`, each of length 1.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] where they do not fill whole rows, [`IndexError::NotFinite`].
    pub fn new(codec: Codec, vectors: &[f32]) -> Result<Self, IndexError> {
        let dimension = codec.dimension();
        let tokens = vectors.chunks(dimension).map(|vector| QueryVector::new(vector, dimension));
        Ok(Self { codec, tokens: tokens.collect::<Result<_, _>>()? })
    }

    /// Returns the number of vectors.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns `true` if there is no vector.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The mean over the question's tokens of the largest cosine with one of the passage's: MaxSim
    /// (Khattab and Zaharia, "ColBERT", 2020), divided by the number of tokens. 0 where one of the two has
    /// none.
    ///
    /// Each product is a sum of whole numbers, and maxima and the mean are taken in order: the same
    /// bits on every machine.
    pub fn max_sim(&self, passage: &Record) -> f32 {
        if self.is_empty() || passage.is_empty() {
            return 0.0;
        }
        let mut best = vec![f32::NEG_INFINITY; self.len()];
        let mut levels = vec![0i16; self.codec.dimension()];
        for code in passage.codes(self.codec) {
            let length = self.codec.decode(code, &mut levels);
            for (best, token) in best.iter_mut().zip(&self.tokens) {
                *best = best.max(token.dot_levels(&levels) / length);
            }
        }
        best.iter().sum::<f32>() / self.len() as f32
    }
}
