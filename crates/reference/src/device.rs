//! Devices by their names, and values back from them.

#[cfg(any(feature = "cuda", feature = "rocm", feature = "metal", feature = "wgpu"))]
use burn::tensor::DeviceType;
use burn::tensor::{Device, Tensor};

use crate::error::ReferenceError;

/// The names of all devices. `cpu` is always there, each other one with the feature of its name.
pub const DEVICES: [&str; 5] = ["cpu", "cuda", "rocm", "metal", "wgpu"];

/// The first device of that kind.
///
/// Nothing is started on it yet; a driver that is there but fails shows itself with the first
/// tensor, and burn panics then.
///
/// # Errors
/// [`ReferenceError::UnknownDevice`] where the name is none of [`DEVICES`],
/// [`ReferenceError::NotCompiled`] where the program lacks the feature, and
/// [`ReferenceError::NoDevice`] where the machine has no such device.
pub fn device(name: &str) -> Result<Device, ReferenceError> {
    match name {
        "cpu" => Ok(Device::flex()),
        #[cfg(feature = "cuda")]
        "cuda" => first(name, DeviceType::Cuda),
        #[cfg(feature = "rocm")]
        "rocm" => first(name, DeviceType::Rocm),
        #[cfg(feature = "metal")]
        "metal" => first(name, DeviceType::Metal),
        #[cfg(feature = "wgpu")]
        "wgpu" => first(name, DeviceType::Wgpu),
        _ if DEVICES.contains(&name) => Err(ReferenceError::NotCompiled { name: name.to_owned() }),
        _ => Err(ReferenceError::UnknownDevice { name: name.to_owned() }),
    }
}

/// The first device of a backend that looks for its driver before it opens it.
#[cfg(any(feature = "cuda", feature = "rocm", feature = "metal", feature = "wgpu"))]
fn first(name: &str, kind: DeviceType) -> Result<Device, ReferenceError> {
    let found = Device::enumerate(kind).into_iter().next();
    found.ok_or_else(|| ReferenceError::NoDevice { name: name.to_owned() })
}

/// All values of a tensor, row by row, in main memory.
pub(crate) fn read_back<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>, ReferenceError> {
    let data = tensor.try_into_data().map_err(ReferenceError::device)?;
    data.try_into_vec_as().map_err(ReferenceError::device)
}
