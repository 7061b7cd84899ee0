//! A graphics card with the encoder's layers on it.

use campanile_bundle::EmbeddingDevice;
use campanile_model::{TokenSequence, TokenVectors};

use super::CardError;
use crate::embed::Kind;

/// Runs the layers of an encoder outside the processor.
pub(super) trait Layers {
    /// The last layer's vectors of each text, `[tokens, hidden]`, by the network for texts of this kind.
    fn token_vectors(
        &self,
        texts: &[TokenSequence],
        kind: Kind,
    ) -> Result<Vec<Vec<f32>>, CardError>;
}

/// A graphics card with the encoder's layers.
pub struct Card {
    pub(super) about: EmbeddingDevice,
    /// Whether the processor may take its place.
    pub(super) is_optional: bool,
    pub(super) layers: Box<dyn Layers>,
}

impl Card {
    /// As the manifest names it.
    pub fn about(&self) -> &EmbeddingDevice {
        &self.about
    }

    /// Whether the processor may take its place.
    pub fn is_optional(&self) -> bool {
        self.is_optional
    }

    /// The last layer's vectors of each text, as texts of one kind.
    ///
    /// # Errors
    /// Fails where the card does, and where it computed what is no number.
    pub fn token_vectors(
        &self,
        texts: Vec<TokenSequence>,
        kind: Kind,
    ) -> Result<Vec<TokenVectors>, CardError> {
        let vectors = self.layers.token_vectors(&texts, kind)?;
        let of_text = |(text, vectors): (TokenSequence, Vec<f32>)| {
            if !vectors.iter().all(|value| value.is_finite()) {
                return Err("it computed what is no number".into());
            }
            Ok(TokenVectors { ids: text.ids().to_vec(), vectors })
        };
        texts.into_iter().zip(vectors).map(of_text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Layers on a card that is gone.
    struct Lost;

    impl Layers for Lost {
        fn token_vectors(&self, _: &[TokenSequence], _: Kind) -> Result<Vec<Vec<f32>>, CardError> {
            Err("out of memory".into())
        }
    }

    impl Card {
        /// A card that fails at once.
        pub fn lost(is_optional: bool) -> Self {
            let about =
                EmbeddingDevice { adapter: "lost".to_owned(), backend: "Vulkan".to_owned() };
            Self { about, is_optional, layers: Box::new(Lost) }
        }
    }
}
