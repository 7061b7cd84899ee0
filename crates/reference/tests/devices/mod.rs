//! The device that the tests compute on.

use burn::tensor::Device;

/// The processor, or the device that `CAMPANILE_REFERENCE_DEVICE` names: whoever has one and has
/// compiled its feature runs the same tests on it.
pub fn chosen() -> Device {
    let name = std::env::var("CAMPANILE_REFERENCE_DEVICE").unwrap_or_else(|_| "cpu".to_owned());
    campanile_reference::device(&name).unwrap_or_else(|error| panic!("{error}"))
}
