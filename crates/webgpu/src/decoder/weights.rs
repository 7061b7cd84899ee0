//! Moves a decoder's weights to the device, tensor by tensor, in whatever order they come.

use std::collections::BTreeMap;

use campanile_model::{
    DecoderConfig, ModelError, Shards, StoredTensor, TensorSource, decoder_tensors as names,
};

use super::memory::Shape;
use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::matrix::DeviceMatrix;

/// One transformer layer.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) attention_norm: Buffer,
    /// Queries, keys and values, in that order: one matrix, or three where their formats differ.
    pub(crate) projections: Vec<DeviceMatrix>,
    /// Of all three, where there is one.
    pub(crate) projection_bias: Option<Buffer>,
    /// Gains of a head of queries and of one of keys, where heads are normalised.
    pub(crate) head_gains: Option<Buffer>,
    pub(crate) attention_output: DeviceMatrix,
    pub(crate) attention_output_bias: Option<Buffer>,
    pub(crate) feed_forward_norm: Buffer,
    /// Gate and up: one matrix, or two where their formats differ.
    pub(crate) gate_and_up: Vec<DeviceMatrix>,
    pub(crate) down: DeviceMatrix,
}

/// All weights of a decoder.
#[derive(Debug)]
pub(crate) struct Weights {
    pub(crate) embedding: DeviceMatrix,
    pub(crate) layers: Vec<Layer>,
    pub(crate) final_norm: Buffer,
    /// `None` where it is the table of token vectors.
    pub(crate) output: Option<DeviceMatrix>,
}

/// A tensor that has arrived.
#[derive(Debug)]
enum Arrived {
    Matrix(DeviceMatrix),
    Vector(Vec<f32>),
}

/// Gathers tensors until all are there.
#[derive(Debug)]
pub(crate) struct Gathering {
    shape: Shape,
    /// The shape that each tensor must have; tensors of other names are passed over.
    expected: BTreeMap<String, Vec<usize>>,
    arrived: BTreeMap<String, Arrived>,
}

impl Gathering {
    pub(crate) fn new(config: &DecoderConfig, shape: Shape) -> Self {
        let Shape { hidden, wide, vocabulary, width, .. } = shape;
        let (queries, keys) = (shape.queries(), shape.keys());
        let sizes: BTreeMap<&str, Vec<usize>> = [
            (names::ATTENTION_NORM, vec![hidden]),
            (names::QUERY, vec![queries, hidden]),
            (names::QUERY_BIAS, vec![queries]),
            (names::KEY, vec![keys, hidden]),
            (names::KEY_BIAS, vec![keys]),
            (names::VALUE, vec![keys, hidden]),
            (names::VALUE_BIAS, vec![keys]),
            (names::QUERY_NORM, vec![width]),
            (names::KEY_NORM, vec![width]),
            (names::ATTENTION_OUTPUT, vec![hidden, queries]),
            (names::ATTENTION_OUTPUT_BIAS, vec![hidden]),
            (names::FEED_FORWARD_NORM, vec![hidden]),
            (names::GATE, vec![wide, hidden]),
            (names::UP, vec![wide, hidden]),
            (names::DOWN, vec![hidden, wide]),
        ]
        .into();
        let mut expected = BTreeMap::new();
        for name in config.tensor_names() {
            let part = name.strip_prefix("model.layers.").and_then(|rest| rest.split_once('.'));
            let shape = match part {
                Some((_, part)) => sizes.get(part).cloned(),
                None if name == names::FINAL_NORM => Some(vec![hidden]),
                None => Some(vec![vocabulary, hidden]),
            };
            // A name that has no shape here is one that the kernels do not use.
            expected.extend(shape.map(|shape| (name, shape)));
        }
        Self { shape, expected, arrived: BTreeMap::new() }
    }

    /// Takes from `source` all tensors that are needed and have not come yet.
    pub(crate) async fn add(
        &mut self,
        gpu: &WebGpu,
        source: &dyn TensorSource,
    ) -> Result<(), WebGpuError> {
        let present = source.names();
        for (name, shape) in self.awaited() {
            if present.contains(&name) {
                self.place(gpu, name.clone(), &shape, &source.stored(&name)?).await?;
            }
        }
        Ok(())
    }

    /// Takes out of `shards` all tensors that are needed and have arrived whole.
    pub(crate) async fn take(
        &mut self,
        gpu: &WebGpu,
        shards: &mut Shards,
    ) -> Result<(), WebGpuError> {
        for (name, shape) in self.awaited() {
            // A vector is one row, which is there or not.
            let rows = if let [rows, _] = shape.as_slice() { *rows } else { 1 };
            if shards.holds(&name, 0..rows) {
                let tensor = shards.take(&name)?;
                self.place(gpu, name, &shape, &tensor).await?;
            }
        }
        Ok(())
    }

    /// The tensors that have not come yet, with their shapes.
    fn awaited(&self) -> Vec<(String, Vec<usize>)> {
        let all = self.expected.iter();
        all.filter(|(name, _)| !self.arrived.contains_key(*name))
            .map(|(name, shape)| (name.clone(), shape.clone()))
            .collect()
    }

    async fn place(
        &mut self,
        gpu: &WebGpu,
        name: String,
        shape: &[usize],
        tensor: &StoredTensor<'_>,
    ) -> Result<(), WebGpuError> {
        tensor.expect_shape(&name, shape)?;
        let arrived = if shape.len() == 1 {
            Arrived::Vector(tensor.decode().values)
        } else {
            Arrived::Matrix(DeviceMatrix::upload(gpu, &name, tensor).await?)
        };
        self.arrived.insert(name, arrived);
        Ok(())
    }

    /// Puts everything together.
    pub(crate) async fn finish(mut self, gpu: &WebGpu) -> Result<Weights, WebGpuError> {
        let missing = self.expected.keys().find(|name| !self.arrived.contains_key(*name));
        if let Some(name) = missing {
            return Err(self.missing(name).into());
        }
        let mut layers = Vec::with_capacity(self.shape.layers);
        for number in 0..self.shape.layers {
            layers.push(self.layer(gpu, number).await?);
        }
        let output = match self.arrived.remove(names::OUTPUT) {
            Some(Arrived::Matrix(matrix)) => Some(matrix),
            _ => None,
        };
        Ok(Weights {
            embedding: self.matrix(names::EMBEDDING)?,
            final_norm: gpu.numbers(names::FINAL_NORM, &self.vector(names::FINAL_NORM)?).await?,
            output,
            layers,
        })
    }

    async fn layer(&mut self, gpu: &WebGpu, number: usize) -> Result<Layer, WebGpuError> {
        let name = |part: &str| names::layer_tensor(number, part);
        let projections = vec![
            self.matrix(&name(names::QUERY))?,
            self.matrix(&name(names::KEY))?,
            self.matrix(&name(names::VALUE))?,
        ];
        let both = vec![self.matrix(&name(names::GATE))?, self.matrix(&name(names::UP))?];
        let biases = [names::QUERY_BIAS, names::KEY_BIAS, names::VALUE_BIAS];
        let gains = [names::QUERY_NORM, names::KEY_NORM];
        Ok(Layer {
            attention_norm: self.numbers(gpu, &name(names::ATTENTION_NORM)).await?,
            projections: DeviceMatrix::join(gpu, &name("self_attn"), projections).await?,
            projection_bias: self.optional(gpu, biases.map(name)).await?,
            head_gains: self.optional(gpu, gains.map(name)).await?,
            attention_output: self.matrix(&name(names::ATTENTION_OUTPUT))?,
            attention_output_bias: self.optional(gpu, [name(names::ATTENTION_OUTPUT_BIAS)]).await?,
            feed_forward_norm: self.numbers(gpu, &name(names::FEED_FORWARD_NORM)).await?,
            gate_and_up: DeviceMatrix::join(gpu, &name("mlp"), both).await?,
            down: self.matrix(&name(names::DOWN))?,
        })
    }

    async fn numbers(&mut self, gpu: &WebGpu, name: &str) -> Result<Buffer, WebGpuError> {
        gpu.numbers(name, &self.vector(name)?).await
    }

    /// Vectors end to end; `None` where the model has none of them.
    async fn optional<const N: usize>(
        &mut self,
        gpu: &WebGpu,
        names: [String; N],
    ) -> Result<Option<Buffer>, WebGpuError> {
        if !names.iter().any(|name| self.arrived.contains_key(name)) {
            return Ok(None);
        }
        let mut values = Vec::new();
        for name in &names {
            values.extend(self.vector(name)?);
        }
        let label = names.first().map_or("", String::as_str);
        Ok(Some(gpu.numbers(label, &values).await?))
    }

    fn matrix(&mut self, name: &str) -> Result<DeviceMatrix, ModelError> {
        match self.arrived.remove(name) {
            Some(Arrived::Matrix(matrix)) => Ok(matrix),
            _ => Err(self.missing(name)),
        }
    }

    fn vector(&mut self, name: &str) -> Result<Vec<f32>, ModelError> {
        match self.arrived.remove(name) {
            Some(Arrived::Vector(values)) => Ok(values),
            _ => Err(self.missing(name)),
        }
    }

    fn missing(&self, name: &str) -> ModelError {
        ModelError::MissingTensor { name: name.to_owned(), present: self.arrived.len() }
    }
}
