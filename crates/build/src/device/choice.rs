//! The device that a choice leads to on this machine.

use campanile_bundle::EmbeddingDevice;

use super::BACKENDS;
use crate::config::DeviceChoice;

/// The best adapter of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// As the manifest names it.
    pub about: EmbeddingDevice,
    /// Whether it is a program on the processor, as llvmpipe, SwiftShader and WARP are.
    pub is_software: bool,
}

impl AsRef<Self> for Adapter {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// The device that a choice leads to, with the line that says so.
#[derive(Debug, PartialEq, Eq)]
pub enum Taken<A, E> {
    /// The processor.
    Processor(String),
    /// The adapter.
    Card(A, String),
    /// The choice cannot be met.
    Nothing(E),
}

/// Decides for a device where `found` is the best adapter of the machine, or the reason that there is none.
pub fn taken<A: AsRef<Adapter>, E>(choice: DeviceChoice, found: Result<A, E>) -> Taken<A, E> {
    let wants_any = match choice {
        DeviceChoice::Cpu => return Taken::Processor("device: the processor".to_owned()),
        DeviceChoice::Auto => false,
        _ => true,
    };
    let found = match found {
        Ok(found) => found,
        Err(error) if wants_any => return Taken::Nothing(error),
        Err(_) => {
            return Taken::Processor(format!(
                "device: the processor, since no adapter of {BACKENDS} could be started"
            ));
        }
    };
    let Adapter { about, is_software } = found.as_ref();
    match (is_software, wants_any) {
        (false, _) => {
            let said = format!("device: {about}");
            Taken::Card(found, said)
        }
        (true, true) => {
            let said =
                format!("device: {about}, a software adapter, which is slower than `--device cpu`");
            Taken::Card(found, said)
        }
        (true, false) => Taken::Processor(format!(
            "device: the processor, since the only adapter is {about}, a software one"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_and_an_adapter_make_a_device() {
        let adapter = |adapter: &str, backend: &str, is_software| Adapter {
            about: EmbeddingDevice { adapter: adapter.to_owned(), backend: backend.to_owned() },
            is_software,
        };
        let card = adapter("NVIDIA GeForce RTX 4070", "Vulkan", false);
        let apple = adapter("Apple M4", "Metal", false);
        let lavapipe = adapter("llvmpipe (LLVM 19.1.7, 256 bits)", "Vulkan", true);
        let (cpu, gpu, auto) = (DeviceChoice::Cpu, DeviceChoice::Gpu, DeviceChoice::Auto);
        let on_processor = |said: &str| Taken::Processor(said.to_owned());
        let on_card = |adapter, said: &str| Taken::Card(adapter, said.to_owned());
        let none = "no driver";
        let cases = [
            (cpu, Ok(&card), on_processor("device: the processor")),
            (cpu, Err(none), on_processor("device: the processor")),
            (gpu, Ok(&card), on_card(&card, "device: `NVIDIA GeForce RTX 4070` through Vulkan")),
            (gpu, Ok(&apple), on_card(&apple, "device: `Apple M4` through Metal")),
            (
                gpu,
                Ok(&lavapipe),
                on_card(
                    &lavapipe,
                    "device: `llvmpipe (LLVM 19.1.7, 256 bits)` through Vulkan, a software adapter, \
                     which is slower than `--device cpu`",
                ),
            ),
            (gpu, Err(none), Taken::Nothing(none)),
            (auto, Ok(&card), on_card(&card, "device: `NVIDIA GeForce RTX 4070` through Vulkan")),
            (
                auto,
                Ok(&lavapipe),
                on_processor(
                    "device: the processor, since the only adapter is \
                     `llvmpipe (LLVM 19.1.7, 256 bits)` through Vulkan, a software one",
                ),
            ),
            (
                auto,
                Err(none),
                on_processor(
                    "device: the processor, since no adapter of Vulkan, Metal or DirectX 12 could be \
                     started",
                ),
            ),
        ];
        for (choice, found, expected) in cases {
            assert_eq!(taken(choice, found), expected, "{choice:?} with {found:?}");
        }
    }
}
