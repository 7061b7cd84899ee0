//! The devices that compute vectors: the processor, or a graphics card.
//!
//! The processor's vectors are the same bits on every machine, and so is a site that it built. A graphics
//! card rounds otherwise: its vectors point the same way to four digits of a cosine, which changes the
//! places of near ties and nothing else. So what a card computed is kept apart from what the
//! processor did, and the manifest of the site names the card.
//!
//! Documents are cut, and the projection for late interaction is learned, on the processor in any case:
//! which passages there are does not depend on the machine.

#[cfg(feature = "gpu")]
mod adapter;
mod burn;
mod card;
#[cfg(any(feature = "gpu", feature = "cuda", feature = "rocm", feature = "metal"))]
mod checked;
#[cfg(feature = "gpu")]
mod choice;

use std::error::Error;
use std::{fmt, iter};

use campanile_bundle::EmbeddingDevice;
use campanile_model::ModelError;

use crate::BuildError;
use crate::config::DeviceChoice;
use crate::embed::Embedder;
use crate::observer::Observer;

pub use card::Card;

/// The interfaces to graphics cards that are tried.
const BACKENDS: &str = "Vulkan, Metal or DirectX 12";

/// The reason of a card's own library, of which there are several.
pub type CardError = Box<dyn Error + Send + Sync>;

/// A device that computes vectors.
pub enum Device {
    /// The processor, with all its cores.
    Processor,
    /// A graphics card.
    Card(Card),
}

/// The reason why a device cannot embed.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// No adapter, or none that starts.
    #[error(
        "there is no graphics card to embed with: no adapter of {BACKENDS} could be started\n  \
         way out: install the driver of the graphics card, or build with `--device cpu`"
    )]
    Nothing {
        /// The system's reason.
        source: CardError,
    },
    /// The command lacks the backend.
    #[error("this `campanile` was compiled without {name}\n  way out: {}", way_to(name))]
    NotCompiled {
        /// The device as it was asked for, which is the feature's name too.
        name: &'static str,
    },
    /// The adapter cannot run this encoder.
    #[error("{about} cannot run this encoder\n  way out: build with `--device cpu`")]
    Unusable {
        /// The adapter.
        about: EmbeddingDevice,
        /// Why not.
        source: CardError,
    },
    /// The adapter computes something else than the processor.
    #[error(
        "{about} computes wrong vectors: one has a cosine of {cosine:.4} to the processor's, and \
         {expected} was expected at least\n  way out: another version of its driver, or `--device cpu`"
    )]
    Wrong {
        /// The adapter.
        about: EmbeddingDevice,
        /// The cosine of the worst vector with the processor's.
        cosine: f32,
        /// The least that is taken for right.
        expected: f32,
    },
    /// The adapter failed on the way.
    #[error(
        "{about} failed after {done} of {total} texts\n  \
         the site is as it was, and a build on the same device goes on from these texts\n  \
         way out: build again, or build with `--device cpu`"
    )]
    Failed {
        /// The adapter.
        about: EmbeddingDevice,
        /// The number of texts that were embedded before.
        done: usize,
        /// The number of all texts.
        total: usize,
        /// The cause.
        source: CardError,
    },
    /// The encoder itself cannot be run.
    #[error(transparent)]
    Encoder(#[from] ModelError),
    /// The same on a device of burn's.
    #[cfg(any(feature = "cuda", feature = "rocm", feature = "metal"))]
    #[error(transparent)]
    Reference(#[from] campanile_reference::ReferenceError),
}

impl Device {
    /// The device that a choice comes to on this machine, ready to embed; says which it is.
    ///
    /// # Errors
    /// [`DeviceError::Nothing`], [`DeviceError::Unusable`] and [`DeviceError::Wrong`] where a card was asked
    /// for. With [`DeviceChoice::Auto`] the processor takes the place of a card that cannot be used.
    pub fn start(
        choice: DeviceChoice,
        embedder: &Embedder,
        observer: &dyn Observer,
    ) -> Result<Self, DeviceError> {
        if choice == DeviceChoice::Cpu {
            return Ok(Self::Processor);
        }
        if let Some(name) = choice.burn_backend() {
            let card = burn::load(name, embedder)?;
            observer.remark(&format!("device: {}", card.about()));
            return Ok(Self::Card(card));
        }
        adapter::start(choice, embedder, observer)
    }

    /// Does `work` on the device. Where a card fails that was taken because it was there, all of it is done
    /// again on the processor, and the device is the processor from then on: a site is of one device.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn run<T>(
        &mut self,
        observer: &dyn Observer,
        work: impl Fn(&Self) -> Result<T, BuildError>,
    ) -> Result<T, BuildError> {
        match (work(self), &*self) {
            (Err(error @ BuildError::Device(DeviceError::Failed { .. })), Self::Card(card))
                if card.is_optional() =>
            {
                observer.remark(&format!("warning: {}", reason(&error)));
                observer.remark("device: the processor takes over, from the first text on");
                *self = Self::Processor;
                work(self)
            }
            (done, _) => done,
        }
    }

    /// The device as the manifest names it: nothing for the processor, whose sites are alike everywhere.
    pub fn about(&self) -> Option<&EmbeddingDevice> {
        match self {
            Self::Processor => None,
            Self::Card(card) => Some(card.about()),
        }
    }

    /// Names what the device's vectors may be used again by: the device alone. Nothing for the processor, whose
    /// vectors were kept before there were others.
    pub fn identity(&self) -> String {
        self.about().map_or_else(String::new, |EmbeddingDevice { adapter, backend }| {
            format!("\0{adapter}\0{backend}")
        })
    }
}

/// The way to a command that has the feature `name`.
fn way_to(name: &str) -> String {
    let compile = format!("`cargo install --path . --features {name}`");
    match name {
        "gpu" => format!("a release has it, and so has {compile}; or build with `--device cpu`"),
        _ => format!("{compile}, or `--device gpu`, which needs the graphics card's driver alone"),
    }
}

/// Without wgpu a card that is asked for is an error, and one that would have been welcome is not looked for.
#[cfg(not(feature = "gpu"))]
mod adapter {
    use super::{Device, DeviceError};
    use crate::config::DeviceChoice;
    use crate::embed::Embedder;
    use crate::observer::Observer;

    pub(super) fn start(
        choice: DeviceChoice,
        _: &Embedder,
        observer: &dyn Observer,
    ) -> Result<Device, DeviceError> {
        if choice != DeviceChoice::Auto {
            return Err(DeviceError::NotCompiled { name: "gpu" });
        }
        observer.remark("device: the processor, since this `campanile` was compiled without gpu");
        Ok(Device::Processor)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processor => formatter.write_str("the processor"),
            Self::Card(card) => card.about().fmt(formatter),
        }
    }
}

/// The error and its causes on one line and without the way out: for a build that goes on.
fn reason(error: &(dyn Error + 'static)) -> String {
    let chain = iter::successors(Some(error), |&error| error.source());
    let first_lines = chain.filter_map(|cause| cause.to_string().lines().next().map(str::to_owned));
    first_lines.collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use std::cell::RefCell;

    use super::*;
    use crate::Silent;
    use crate::embed::Kind;

    /// Embeds nothing, and writes down on what it would have.
    fn work(device: &Device, tried: &RefCell<Vec<String>>) -> Result<usize, BuildError> {
        tried.borrow_mut().push(device.to_string());
        if let Device::Card(card) = device {
            let about = card.about().clone();
            let failed = |source| DeviceError::Failed { about, done: 128, total: 300, source };
            card.token_vectors(Vec::new(), Kind::Unit).map_err(failed)?;
        }
        Ok(300)
    }

    #[test]
    fn the_processor_takes_over_where_nobody_asked_for_the_card() {
        let tried = RefCell::default();
        let mut device = Device::Card(Card::lost(true));
        assert_eq!(device.run(&Silent, |device| work(device, &tried)).unwrap(), 300);
        assert_eq!(*tried.borrow(), ["`lost` through Vulkan", "the processor"]);
        assert_eq!(device.about(), None, "nothing of the site is the card's");
        assert_eq!(device.identity(), "");
    }

    #[test]
    fn who_asked_for_the_card_is_told_how_far_it_came() {
        let tried = RefCell::default();
        let mut device = Device::Card(Card::lost(false));
        let error = device.run(&Silent, |device| work(device, &tried)).unwrap_err();
        assert_eq!(tried.borrow().len(), 1);
        let said = format!("{error}: {}", error.source().unwrap());
        for part in ["`lost` through Vulkan", "128 of 300 texts", "--device cpu", "out of memory"] {
            assert!(said.contains(part), "{said} lacks {part:?}");
        }
        assert!(!reason(&error).contains("way out"), "{}", reason(&error));
    }

    #[test]
    fn an_error_of_another_kind_is_no_reason_to_begin_anew() {
        let tried = RefCell::new(0);
        let mut device = Device::Card(Card::lost(true));
        let done: Result<(), BuildError> = device.run(&Silent, |_| {
            *tried.borrow_mut() += 1;
            Err(BuildError::Lost("coded"))
        });
        assert!(matches!(done, Err(BuildError::Lost("coded"))));
        assert_eq!(tried.into_inner(), 1);
    }

    #[test]
    fn vectors_are_of_one_device() {
        let card = Device::Card(Card::lost(false));
        assert_eq!(card.identity(), "\0lost\0Vulkan");
        // What earlier versions kept is the processor's.
        assert_eq!(Device::Processor.identity(), "");
    }
}
