//! From a file's tensors to a network's.

use std::path::Path;

use burn::module::Module;
use burn::store::burn_pack::Tensor as NamedTensor;
use burn::store::{
    FloatCastAdapter, KeyRemapper, ModuleAdapter, ModuleSnapshot, ModuleStore,
    PyTorchToBurnAdapter, SafetensorsStore, bridge,
};
use burn::tensor::{DType, TensorData};
use campanile_model::{HostTensor, TensorSource};

use crate::error::ReferenceError;

/// Where a network's weights are.
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
    let (tensors, _) = remapper.remap(tensors(weights)?);
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
