//! An encoder's tensors, and an adapter's low-rank changes to its layers, on the device and in main memory.

use std::borrow::Cow;

use campanile_model::{
    BertConfig, ChangeValues, Encoding, HostTensor, LayerChangeValues, ModelError, NetworkChanges,
    StoredTensor, TensorSource, TokenSequence,
};

use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::format::BLOCK;
use crate::matrix::DeviceMatrix;

const WORDS: &str = "embeddings.word_embeddings.weight";
const POSITIONS: &str = "embeddings.position_embeddings.weight";
const SEGMENTS: &str = "embeddings.token_type_embeddings.weight";

/// The prefix of all names: nothing, or the network's name where it has a head.
pub(super) struct Names(&'static str);

impl Names {
    pub(super) fn of(source: &dyn TensorSource) -> Self {
        let is_nested = source.names().iter().any(|name| name.starts_with("bert."));
        Self(if is_nested { "bert." } else { "" })
    }

    fn full(&self, name: &str) -> String {
        format!("{}{name}", self.0)
    }

    fn layer(&self, layer: usize, name: &str) -> String {
        format!("{}encoder.layer.{layer}.{name}", self.0)
    }
}

/// Token, position and segment vectors, of which a text needs few.
#[derive(Debug)]
pub(super) struct Embeddings {
    words: StoredTensor<'static>,
    positions: HostTensor,
    segments: HostTensor,
    scale: Vec<f32>,
    shift: Vec<f32>,
    epsilon: f32,
}

impl Embeddings {
    pub(super) fn load(
        config: &BertConfig,
        names: &Names,
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        let hidden = config.hidden_size;
        let words = source.stored(&names.full(WORDS))?.into_owned();
        words.expect_shape(&names.full(WORDS), &[config.vocab_size, hidden])?;
        let positions = [config.max_position_embeddings, hidden];
        let norm = |part: &str| -> Result<Vec<f32>, ModelError> {
            let name = names.full(&format!("embeddings.LayerNorm.{part}"));
            Ok(source.read_shaped(&name, &[hidden])?.values)
        };
        Ok(Self {
            words,
            positions: source.read_shaped(&names.full(POSITIONS), &positions)?,
            segments: source.read(&names.full(SEGMENTS))?,
            scale: norm("weight")?,
            shift: norm("bias")?,
            epsilon: config.layer_norm_eps as f32,
        })
    }

    /// Returns the input of the first layer, `[tokens, hidden]`.
    pub(super) fn embed(&self, text: &TokenSequence) -> Result<Vec<f32>, ModelError> {
        let hidden = self.words.columns();
        // On the processor, so that a table of 30,522 rows need not lie on the device for a few hundred of them.
        let mut states = vec![0.0; text.ids().len() * hidden];
        let tokens = text.ids().iter().zip(text.segments()).enumerate();
        for ((position, (&id, &segment)), row) in tokens.zip(states.chunks_exact_mut(hidden)) {
            let part = |table: &HostTensor, index: usize| {
                table.values.get(index * hidden..(index + 1) * hidden).map(<[f32]>::to_vec)
            };
            let places =
                part(&self.positions, position).zip(part(&self.segments, segment as usize));
            let (true, Some((place, segment))) = (self.words.read_row(id as usize, row), places)
            else {
                return Err(ModelError::Tokenizer {
                    reason: format!(
                        "token {id} at position {position} has no vector; tokenizer.json and the weights are not of one model"
                    ),
                });
            };
            for ((value, place), segment) in row.iter_mut().zip(place).zip(segment) {
                *value += segment + place;
            }
            self.normalise(row);
        }
        Ok(states)
    }

    fn normalise(&self, row: &mut [f32]) {
        let count = row.len() as f32;
        let mean = row.iter().sum::<f32>() / count;
        let variance = row.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / count;
        let factor = 1.0 / (variance + self.epsilon).sqrt();
        for ((value, scale), shift) in row.iter_mut().zip(&self.scale).zip(&self.shift) {
            *value = (*value - mean) * factor * scale + shift;
        }
    }
}

/// One layer. A norm's buffer holds its scale and then its shift.
#[derive(Debug)]
pub(super) struct Layer {
    /// Queries, keys and values: one matrix, or three where their formats differ.
    pub(super) projections: Vec<DeviceMatrix>,
    pub(super) projection_bias: Buffer,
    pub(super) attention_output: DeviceMatrix,
    pub(super) attention_output_bias: Buffer,
    pub(super) attention_norm: Buffer,
    pub(super) widen: DeviceMatrix,
    pub(super) widen_bias: Buffer,
    pub(super) narrow: DeviceMatrix,
    pub(super) narrow_bias: Buffer,
    pub(super) output_norm: Buffer,
}

impl Layer {
    pub(super) async fn load(
        gpu: &WebGpu,
        config: &BertConfig,
        names: &Names,
        number: usize,
        source: &dyn TensorSource,
    ) -> Result<Self, WebGpuError> {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let loader = Loader { gpu, names, number, source };
        let parts = ["query", "key", "value"].map(|part| format!("attention.self.{part}"));
        let mut projections = Vec::new();
        for part in &parts {
            projections.push(loader.matrix(part, hidden, hidden).await?);
        }
        let projections = DeviceMatrix::join(gpu, "projections", projections).await?;
        let biases = parts.map(|part| format!("{part}.bias"));
        let norm = |name: &str| [format!("{name}.weight"), format!("{name}.bias")];
        Ok(Self {
            projections,
            projection_bias: loader.vectors(&biases, hidden).await?,
            attention_output: loader.matrix("attention.output.dense", hidden, hidden).await?,
            attention_output_bias: loader
                .vectors(&["attention.output.dense.bias".to_owned()], hidden)
                .await?,
            attention_norm: loader.vectors(&norm("attention.output.LayerNorm"), hidden).await?,
            widen: loader.matrix("intermediate.dense", wide, hidden).await?,
            widen_bias: loader.vectors(&["intermediate.dense.bias".to_owned()], wide).await?,
            narrow: loader.matrix("output.dense", hidden, wide).await?,
            narrow_bias: loader.vectors(&["output.dense.bias".to_owned()], hidden).await?,
            output_norm: loader.vectors(&norm("output.LayerNorm"), hidden).await?,
        })
    }
}

struct Loader<'a> {
    gpu: &'a WebGpu,
    names: &'a Names,
    number: usize,
    source: &'a dyn TensorSource,
}

impl Loader<'_> {
    async fn matrix(
        &self,
        part: &str,
        rows: usize,
        columns: usize,
    ) -> Result<DeviceMatrix, WebGpuError> {
        let name = self.names.layer(self.number, &format!("{part}.weight"));
        let tensor = self.source.stored(&name)?;
        tensor.expect_shape(&name, &[rows, columns])?;
        DeviceMatrix::upload(self.gpu, &name, &tensor).await
    }

    /// Vectors end to end.
    async fn vectors(&self, parts: &[String], length: usize) -> Result<Buffer, WebGpuError> {
        let mut values = Vec::with_capacity(parts.len() * length);
        for part in parts {
            let name = self.names.layer(self.number, part);
            values.extend(self.source.read_shaped(&name, &[length])?.values);
        }
        self.gpu.numbers("vectors of a layer", &values).await
    }
}

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
pub(super) async fn load_changes(
    gpu: &WebGpu,
    adapter: &dyn NetworkChanges,
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
            // Zeros, which add nothing: the kernels take whole blocks of columns, and a rank of 16 is half of one.
            down.resize((column + part.rank.next_multiple_of(BLOCK)) * inputs, 0.0);
            for values in part.up.chunks_exact(part.rank.max(1)) {
                up[row * rank + column..][..values.len()].copy_from_slice(values);
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
