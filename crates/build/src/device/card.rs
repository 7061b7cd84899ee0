//! A graphics card with the encoder's layers on it.

use std::cell::RefCell;

use campanile_bundle::EmbeddingDevice;
use campanile_model::{Encoder, TokenSequence, TokenVectors};
use campanile_webgpu::{StartOptions, WebGpu, WebGpuEncoder, WebGpuError};
use futures_lite::future::block_on;

use super::DeviceError;
use super::choice::Adapter;
use crate::embed::Embedder;

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

/// A machine's best adapter, started.
pub struct Found {
    adapter: Adapter,
    gpu: WebGpu,
}

impl AsRef<Adapter> for Found {
    fn as_ref(&self) -> &Adapter {
        &self.adapter
    }
}

impl Found {
    /// Looks for it.
    ///
    /// # Errors
    /// Where there is none, or it does not start.
    pub fn look() -> Result<Self, WebGpuError> {
        let gpu = block_on(WebGpu::start(StartOptions::default()))?;
        let about = EmbeddingDevice { adapter: gpu.name(), backend: gpu.backend().to_owned() };
        Ok(Self { adapter: Adapter { about, is_software: gpu.is_software() }, gpu })
    }
}

/// Runs the layers of an encoder outside the processor.
pub(super) trait Layers {
    /// The last layer's vectors of each text, `[tokens, hidden]`.
    fn token_vectors(&self, texts: &[TokenSequence]) -> Result<Vec<Vec<f32>>, WebGpuError>;
}

impl Layers for RefCell<WebGpuEncoder> {
    fn token_vectors(&self, texts: &[TokenSequence]) -> Result<Vec<Vec<f32>>, WebGpuError> {
        block_on(self.borrow_mut().token_vectors(texts, None))
    }
}

/// A graphics card with the encoder's layers.
pub struct Card {
    about: EmbeddingDevice,
    /// Whether the processor may take its place.
    is_optional: bool,
    layers: Box<dyn Layers>,
}

impl Card {
    /// Moves the encoder's layers to a card, and makes sure that it computes what the processor does.
    ///
    /// # Errors
    /// [`DeviceError::Unusable`] and [`DeviceError::Wrong`].
    pub fn load(found: Found, is_optional: bool, embedder: &Embedder) -> Result<Self, DeviceError> {
        let (config, weights) = embedder.network()?;
        let about = found.adapter.about;
        let layers = block_on(WebGpuEncoder::load(&found.gpu, &config, &weights))
            .map_err(|source| DeviceError::Unusable { about: about.clone(), source })?;
        Self::checked(about, is_optional, Box::new(RefCell::new(layers)), embedder)
    }

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
        card.check(&embedder.encoder)?;
        Ok(card)
    }

    /// As the manifest names it.
    pub fn about(&self) -> &EmbeddingDevice {
        &self.about
    }

    /// Whether the processor may take its place.
    pub fn is_optional(&self) -> bool {
        self.is_optional
    }

    /// The last layer's vectors of each text.
    ///
    /// # Errors
    /// Fails where the card does, and where it computed what is no number.
    pub fn token_vectors(
        &self,
        texts: Vec<TokenSequence>,
    ) -> Result<Vec<TokenVectors>, WebGpuError> {
        let vectors = self.layers.token_vectors(&texts)?;
        let of_text = |(text, vectors): (TokenSequence, Vec<f32>)| {
            if !vectors.iter().all(|value| value.is_finite()) {
                let reason = "it computed what is no number".to_owned();
                return Err(WebGpuError::Failed { reason });
            }
            Ok(TokenVectors { ids: text.ids().to_vec(), vectors })
        };
        texts.into_iter().zip(vectors).map(of_text).collect()
    }

    fn check(&self, encoder: &Encoder) -> Result<(), DeviceError> {
        let known = self
            .token_vectors(encoder.passage_tokens(&KNOWN)?)
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

    /// Layers on a card that is gone.
    struct Lost;

    impl Layers for Lost {
        fn token_vectors(&self, _: &[TokenSequence]) -> Result<Vec<Vec<f32>>, WebGpuError> {
            Err(WebGpuError::Failed { reason: "out of memory".to_owned() })
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
