//! A passage's token vectors, coded.

use super::codec::Codec;

/// The codes of one passage's vectors, one after the other, in the passage's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    codes: Vec<u8>,
}

impl Record {
    /// Codes `vectors`, `[vectors, dimension]`.
    pub fn of(codec: Codec, vectors: &[f32]) -> Self {
        let dimension = codec.dimension();
        let mut codes = Vec::with_capacity(vectors.len() / dimension * codec.vector_bytes());
        for vector in vectors.chunks_exact(dimension) {
            codec.encode(vector, &mut codes);
        }
        Self { codes }
    }

    /// The codes by themselves: a whole number of vectors.
    pub fn as_bytes(&self) -> &[u8] {
        &self.codes
    }

    /// A record of codes that were kept; `None` where they are no whole number of vectors.
    pub fn from_bytes(codec: Codec, codes: Vec<u8>) -> Option<Self> {
        codes.len().is_multiple_of(codec.vector_bytes()).then_some(Self { codes })
    }

    /// Returns `true` if there is no vector.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The code of each vector.
    pub(super) fn codes(&self, codec: Codec) -> impl Iterator<Item = &[u8]> {
        self.codes.chunks_exact(codec.vector_bytes())
    }
}
