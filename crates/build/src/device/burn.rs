//! Devices of burn's own backends: the encoder as `crates/reference` writes it, on CUDA, ROCm or Metal.
//!
//! `--device gpu` needs no more than a driver and is what most machines want. This is for collections that are
//! embedded on hardware of a data centre; a `campanile` for it is compiled with the feature of its name.

#[cfg(not(any(feature = "cuda", feature = "rocm", feature = "metal")))]
use super::DeviceError;
use super::card::Card;
use crate::embed::Embedder;

/// The first device of that backend, ready to embed.
///
/// # Errors
/// [`DeviceError::NotCompiled`] where the command lacks the feature; where the machine
/// has no such device, or it computes something else than the processor.
#[cfg(not(any(feature = "cuda", feature = "rocm", feature = "metal")))]
pub fn load(name: &'static str, _embedder: &Embedder) -> Result<Card, DeviceError> {
    Err(DeviceError::NotCompiled { name })
}

#[cfg(any(feature = "cuda", feature = "rocm", feature = "metal"))]
pub use compiled::load;

#[cfg(any(feature = "cuda", feature = "rocm", feature = "metal"))]
mod compiled {
    use campanile_bundle::EmbeddingDevice;
    use campanile_model::TokenSequence;
    use campanile_reference::{Encoder, ReferenceError, Weights, device};

    use crate::device::card::{Card, Layers};
    use crate::device::{CardError, DeviceError};
    use crate::embed::{Embedder, Kind, PassageEncoder};

    struct OnBurn {
        encoder: Encoder,
        of_passages: Encoder,
    }

    impl Layers for OnBurn {
        fn token_vectors(
            &self,
            texts: &[TokenSequence],
            kind: Kind,
        ) -> Result<Vec<Vec<f32>>, CardError> {
            let encoder = match kind {
                Kind::Passage => &self.of_passages,
                Kind::Unit | Kind::Question => &self.encoder,
            };
            let encoded = encoder.encode_with_tokens(texts)?;
            Ok(encoded.into_iter().map(|text| text.tokens).collect())
        }
    }

    /// See the module without a backend.
    pub fn load(name: &'static str, embedder: &Embedder) -> Result<Card, DeviceError> {
        let device = match device(name) {
            Err(ReferenceError::NotCompiled { .. }) => {
                return Err(DeviceError::NotCompiled { name });
            }
            found => found?,
        };
        let (config, weights) = embedder.network()?;
        let encoder = Encoder::load(&config, Weights::Stored(&weights), &device)?;
        let PassageEncoder { weights, adapter, .. } = &embedder.of_passages;
        let mut of_passages = Encoder::load(&config, Weights::Stored(weights), &device)?;
        if let Some(adapter) = adapter {
            of_passages = of_passages.with_changes(adapter)?;
        }
        let about = EmbeddingDevice { adapter: format!("{device:?}"), backend: name.to_owned() };
        Card::checked(about, false, Box::new(OnBurn { encoder, of_passages }), embedder)
    }
}
