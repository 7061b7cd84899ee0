//! The machine's best adapter of wgpu, with the encoder on our own kernels.

use std::cell::RefCell;

use campanile_bundle::EmbeddingDevice;
use campanile_model::{Side, SideAdapter, TokenSequence};
use campanile_webgpu::{DeviceChanges, StartOptions, WebGpu, WebGpuEncoder, WebGpuError};
use futures_lite::future::block_on;

use super::card::{Card, Layers};
use super::choice::{Adapter, Taken, taken};
use super::{CardError, Device, DeviceError, reason};
use crate::config::DeviceChoice;
use crate::embed::{Embedder, Kind, PassageEncoder};
use crate::observer::Observer;

/// A machine's best adapter, started.
struct Found {
    adapter: Adapter,
    gpu: WebGpu,
}

impl AsRef<Adapter> for Found {
    fn as_ref(&self) -> &Adapter {
        &self.adapter
    }
}

/// The page's encoder on a card, the one of passages, and the adapter of that.
struct OnCard {
    encoder: RefCell<WebGpuEncoder>,
    of_passages: RefCell<WebGpuEncoder>,
    changes: Option<DeviceChanges>,
}

impl Layers for OnCard {
    fn token_vectors(
        &self,
        texts: &[TokenSequence],
        kind: Kind,
    ) -> Result<Vec<Vec<f32>>, CardError> {
        let (encoder, changes) = match kind {
            Kind::Passage => (&self.of_passages, self.changes),
            Kind::Unit | Kind::Question => (&self.encoder, None),
        };
        block_on(encoder.borrow_mut().token_vectors(texts, changes)).map_err(Into::into)
    }
}

impl Found {
    /// Looks for it.
    fn look() -> Result<Self, CardError> {
        let gpu = block_on(WebGpu::start(StartOptions::default()))?;
        let about = EmbeddingDevice { adapter: gpu.name(), backend: gpu.backend().to_owned() };
        Ok(Self { adapter: Adapter { about, is_software: gpu.is_software() }, gpu })
    }

    /// Moves the encoder's layers to it, and makes sure that it computes what the processor does.
    fn load(self, is_optional: bool, embedder: &Embedder) -> Result<Card, DeviceError> {
        let (config, weights) = embedder.network()?;
        let about = self.adapter.about;
        let PassageEncoder { weights: for_passages, adapter, .. } = &embedder.of_passages;
        let adapter = adapter.map(|bytes| SideAdapter::read(Side::Passage, bytes)).transpose()?;
        let load = async || -> Result<OnCard, WebGpuError> {
            let encoder = WebGpuEncoder::load(&self.gpu, &config, &weights).await?;
            let mut of_passages = WebGpuEncoder::load(&self.gpu, &config, for_passages).await?;
            let changes = match &adapter {
                Some(adapter) => Some(of_passages.load_changes(adapter).await?),
                None => None,
            };
            let (encoder, of_passages) = (RefCell::new(encoder), RefCell::new(of_passages));
            Ok(OnCard { encoder, of_passages, changes })
        };
        let layers = block_on(load()).map_err(|error| DeviceError::Unusable {
            about: about.clone(),
            source: error.into(),
        })?;
        Card::checked(about, is_optional, Box::new(layers), embedder)
    }
}

/// The device that `gpu` or `auto` comes to on this machine.
///
/// # Errors
/// Those of [`Device::start`].
pub(super) fn start(
    choice: DeviceChoice,
    embedder: &Embedder,
    observer: &dyn Observer,
) -> Result<Device, DeviceError> {
    match taken(choice, Found::look()) {
        Taken::Processor(said) => {
            observer.remark(&said);
            Ok(Device::Processor)
        }
        Taken::Card(found, said) => {
            let is_optional = choice == DeviceChoice::Auto;
            match found.load(is_optional, embedder) {
                Ok(card) => {
                    observer.remark(&said);
                    Ok(Device::Card(card))
                }
                Err(error) if is_optional => {
                    observer.remark(&format!("device: the processor, since {}", reason(&error)));
                    Ok(Device::Processor)
                }
                Err(error) => Err(error),
            }
        }
        Taken::Nothing(source) => Err(DeviceError::Nothing { source }),
    }
}
