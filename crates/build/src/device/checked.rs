//! A card is trusted once it has embedded two known texts as the processor does.

use campanile_bundle::EmbeddingDevice;
use campanile_model::Encoder;

use super::DeviceError;
use super::card::{Card, Layers};
use crate::embed::{Embedder, Kind};

/// Texts that both devices embed before a card is trusted: shorter and longer than one tile of its kernels. A
/// driver that compiles a kernel wrongly says nothing, and a site of its vectors would find nothing.
const KNOWN: [&str; 2] = [
    "When is the thesis due?",
    "A student may withdraw from a course without a mark until the last Friday of teaching, 16:00. The form \
     is handed in at the registrar's office and needs the signature of the lecturer. Withdrawal after \
     the second week of teaching does not reduce the fees of the term, and exceptions are made by the \
     dean alone, in writing, before the term has ended.",
];
/// Right kernels are beyond 0.9999; a wrong one is far below.
const LEAST_COSINE: f32 = 0.999;

impl Card {
    /// A device with these layers, once it has embedded what the processor embeds.
    ///
    /// # Errors
    /// [`DeviceError::Unusable`] and [`DeviceError::Wrong`].
    pub(super) fn checked(
        about: EmbeddingDevice,
        is_optional: bool,
        layers: Box<dyn Layers>,
        embedder: &Embedder,
    ) -> Result<Self, DeviceError> {
        let card = Self { about, is_optional, layers };
        card.check(&embedder.of_passages.encoder, Kind::Passage)?;
        card.check(&embedder.encoder, Kind::Unit)?;
        Ok(card)
    }

    fn check(&self, encoder: &Encoder, kind: Kind) -> Result<(), DeviceError> {
        let known = self
            .token_vectors(encoder.passage_tokens(&KNOWN)?, kind)
            .map_err(|source| DeviceError::Unusable { about: self.about.clone(), source })?;
        let lowest = encoder
            .encode_passages(&KNOWN)?
            .iter()
            .zip(&known)
            .map(|(expected, tokens)| cosine(expected, &encoder.pool(tokens)))
            .fold(1.0, f32::min);
        if lowest < LEAST_COSINE || known.len() < KNOWN.len() {
            let (about, expected) = (self.about.clone(), LEAST_COSINE);
            return Err(DeviceError::Wrong { about, cosine: lowest, expected });
        }
        Ok(())
    }
}

fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let product = |one: &[f32], other: &[f32]| -> f32 {
        one.iter().zip(other).map(|(one, other)| one * other).sum()
    };
    let lengths = (product(left, left) * product(right, right)).sqrt();
    if lengths > 0.0 { product(left, right) / lengths } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_of_vectors_of_any_length() {
        let cases = [
            ([3.0, 0.0], [0.5, 0.0], 1.0),
            ([1.0, 0.0], [0.0, 2.0], 0.0),
            ([1.0, 1.0], [-2.0, -2.0], -1.0),
            ([0.0, 0.0], [1.0, 0.0], 0.0),
        ];
        for (left, right, expected) in cases {
            assert!((cosine(&left, &right) - expected).abs() < 1e-6, "{left:?} {right:?}");
        }
    }
}
