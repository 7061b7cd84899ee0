//! Devices by their names, and what is moved to them and back: a file's tensors, and values.

use std::path::Path;

use burn::module::Module;
use burn::store::burn_pack::Tensor as NamedTensor;
use burn::store::{
    FloatCastAdapter, KeyRemapper, ModuleAdapter, ModuleSnapshot, ModuleStore,
    PyTorchToBurnAdapter, SafetensorsStore, bridge,
};
#[cfg(any(feature = "cuda", feature = "rocm", feature = "metal", feature = "wgpu"))]
use burn::tensor::DeviceType;
use burn::tensor::{DType, Device, Tensor, TensorData};
use campanile_model::{HostTensor, TensorSource};

use crate::error::ReferenceError;

/// The place of a network's weights.
#[derive(Clone, Copy)]
pub enum Weights<'a> {
    /// A safetensors file as it was published. burn's store maps it into memory and reads one
    /// tensor at a time.
    Published(&'a Path),
    /// The same file's bytes.
    Bytes(&'a [u8]),
    /// Tensors in an encoding of Campanile's own, such as 4-bit blocks, which burn does not know:
    /// [`TensorSource::read`] makes single precision of all of them before the first is loaded.
    Stored(&'a dyn TensorSource),
}

/// Patterns in the names of a file's tensors, and what stands in their place in the network's.
pub(crate) type Renamings = [(&'static str, &'static str)];

/// Fills `network` with the tensors of a file. It may hold others.
///
/// A published matrix is `[outputs, inputs]` and burn's is `[inputs, outputs]`; what PyTorch calls
/// a norm's weight and bias are gamma and beta here. `PyTorchToBurnAdapter` sees to both.
pub(crate) fn fill<M: Module>(
    network: &mut M,
    weights: Weights<'_>,
    renamings: &Renamings,
) -> Result<(), ReferenceError> {
    let remapper = KeyRemapper::from_pattern_iter(renamings.iter().copied())
        .map_err(ReferenceError::weights)?;
    // The names that were not changed are of no interest: what the network misses is found below.
    let (tensors, _) = remapper.remap(tensors(weights)?);
    // Half precision becomes single, so that each device computes from the same numbers.
    let adapter = PyTorchToBurnAdapter.chain(FloatCastAdapter::to(DType::F32));
    let loaded = network.apply(tensors, None, Some(Box::new(adapter)), false);
    if let Some(error) = loaded.errors.first() {
        return Err(ReferenceError::weights(error));
    }
    // Whatever is missing would be left as random numbers.
    let missing: Vec<&str> = loaded.missing.iter().map(|(name, _)| name.as_str()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(ReferenceError::weights(format!("there is nothing for {}", missing.join(", "))))
}

fn tensors(weights: Weights<'_>) -> Result<Vec<NamedTensor>, ReferenceError> {
    let mut store = match weights {
        Weights::Published(path) => SafetensorsStore::from_file(path),
        Weights::Bytes(bytes) => SafetensorsStore::from_bytes(Some(bytes.to_vec())),
        Weights::Stored(source) => return decoded(source),
    };
    let tensors = store.get_all_tensors().map_err(ReferenceError::weights)?;
    Ok(tensors.values().cloned().collect())
}

fn decoded(source: &dyn TensorSource) -> Result<Vec<NamedTensor>, ReferenceError> {
    let tensor = |name: String| {
        let HostTensor { shape, values } = source.read(&name)?;
        Ok(bridge::from_data(TensorData::new(values, shape), name, None))
    };
    source.names().into_iter().map(tensor).collect()
}

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
