//! Low-rank changes to an encoder's layers, on the device.

use std::borrow::Cow;

use campanile_model::{Adapter, ChangeValues, Encoding, LayerChangeValues, StoredTensor};

use crate::device::WebGpu;
use crate::error::WebGpuError;
use crate::format::BLOCK;
use crate::matrix::DeviceMatrix;

/// The addition to a product `W x`: `up (down x)`.
#[derive(Debug)]
pub(super) struct Change {
    /// `[rank, inputs]`
    pub(super) down: DeviceMatrix,
    /// `[outputs, rank]`
    pub(super) up: DeviceMatrix,
}

/// The changes to one layer.
#[derive(Debug)]
pub(super) struct LayerChange {
    /// To queries, keys and values at once.
    pub(super) projections: Change,
    pub(super) attention_output: Change,
    pub(super) widen: Change,
    pub(super) narrow: Change,
}

impl LayerChange {
    async fn load(gpu: &WebGpu, layer: &LayerChangeValues) -> Result<Self, WebGpuError> {
        Ok(Self {
            projections: Change::load(gpu, &layer.projections).await?,
            attention_output: Change::load(gpu, std::slice::from_ref(&layer.attention_output))
                .await?,
            widen: Change::load(gpu, std::slice::from_ref(&layer.widen)).await?,
            narrow: Change::load(gpu, std::slice::from_ref(&layer.narrow)).await?,
        })
    }
}

/// The changes to `layers` layers of a network.
pub(super) async fn load(
    gpu: &WebGpu,
    adapter: &Adapter,
    layers: usize,
) -> Result<Vec<Option<LayerChange>>, WebGpuError> {
    let mut changes = Vec::with_capacity(layers);
    for number in 0..layers {
        changes.push(match adapter.changes_to(number) {
            Some(layer) => Some(LayerChange::load(gpu, &layer).await?),
            None => None,
        });
    }
    Ok(changes)
}

impl Change {
    /// One change to matrices that read the same input and lie one below the other. Their ranks are filled up to whole
    /// blocks with zeros, and each has its own part of what lies between `down` and `up`.
    async fn load(gpu: &WebGpu, parts: &[ChangeValues]) -> Result<Self, WebGpuError> {
        let inputs = parts.first().map_or(0, |part| part.inputs);
        let rank: usize = parts.iter().map(|part| part.rank.next_multiple_of(BLOCK)).sum();
        let outputs: usize = parts.iter().map(|part| part.outputs).sum();
        let mut down = Vec::with_capacity(rank * inputs);
        let mut up = vec![0.0f32; outputs * rank];
        let mut row = 0;
        for part in parts {
            let column = down.len() / inputs.max(1);
            down.extend(&part.down);
            down.resize((column + part.rank.next_multiple_of(BLOCK)) * inputs, 0.0);
            for values in part.up.chunks_exact(part.rank.max(1)) {
                if let Some(to) =
                    up.get_mut(row * rank + column..).and_then(|rest| rest.get_mut(..values.len()))
                {
                    to.copy_from_slice(values);
                }
                row += 1;
            }
        }
        Ok(Self {
            down: upload(gpu, "a change's first matrix", [rank, inputs], &down).await?,
            up: upload(gpu, "a change's second matrix", [outputs, rank], &up).await?,
        })
    }
}

async fn upload(
    gpu: &WebGpu,
    name: &str,
    [rows, columns]: [usize; 2],
    values: &[f32],
) -> Result<DeviceMatrix, WebGpuError> {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let shape = vec![rows, columns];
    let tensor = StoredTensor::new(name, shape, Encoding::F32, Cow::Owned(bytes), Vec::new())?;
    DeviceMatrix::upload(gpu, name, &tensor).await
}
