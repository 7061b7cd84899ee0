//! Moves a BERT encoder's weights from a [`TensorSource`] to the device.

use burn::tensor::{Device, Tensor, TensorData};

use super::config::EncoderConfig;
use crate::error::ModelError;
use crate::tensor_source::{HostTensor, StoredTensor, TensorSource};

/// The tensors before the first layer.
pub(super) const EMBEDDING_TENSORS: [&str; 5] = [
    "embeddings.word_embeddings.weight",
    "embeddings.position_embeddings.weight",
    "embeddings.token_type_embeddings.weight",
    "embeddings.LayerNorm.weight",
    "embeddings.LayerNorm.bias",
];

/// The tensors of a layer, below its prefix.
pub(super) const LAYER_TENSORS: [&str; 16] = [
    "attention.self.query.weight",
    "attention.self.query.bias",
    "attention.self.key.weight",
    "attention.self.key.bias",
    "attention.self.value.weight",
    "attention.self.value.bias",
    "attention.output.dense.weight",
    "attention.output.dense.bias",
    "attention.output.LayerNorm.weight",
    "attention.output.LayerNorm.bias",
    "intermediate.dense.weight",
    "intermediate.dense.bias",
    "output.dense.weight",
    "output.dense.bias",
    "output.LayerNorm.weight",
    "output.LayerNorm.bias",
];

/// The full name of a layer's tensor.
pub(super) fn layer_tensor(layer: usize, name: &str) -> String {
    format!("encoder.layer.{layer}.{name}")
}

/// Token, position and segment vectors, which stay in main memory in their stored encoding.
///
/// A text needs a few hundred of the 30,522 rows: reading those alone spares the page 35 MB and
/// the time to convert them.
pub(super) struct Embeddings {
    words: StoredTensor<'static>,
    positions: HostTensor,
    norm: LayerNorm,
}

impl Embeddings {
    fn load(
        config: &EncoderConfig,
        weights: &dyn TensorSource,
        device: &Device,
    ) -> Result<Self, ModelError> {
        let hidden = config.hidden_size;
        let [word_name, position_name, segment_name, ..] = EMBEDDING_TENSORS;
        let words = weights.stored(word_name)?;
        words.expect_shape(word_name, &[config.vocab_size, hidden])?;
        let mut positions =
            weights.read_shaped(position_name, &[config.max_position_embeddings, hidden])?;
        // Only the first segment is ever used, so its vector joins every position's.
        let segments = weights.read(segment_name)?;
        if segments.shape.last() != Some(&hidden) || segments.values.len() < hidden {
            return Err(ModelError::Shape {
                name: segment_name.to_owned(),
                expected: vec![2, hidden],
                found: segments.shape,
            });
        }
        for row in positions.values.chunks_exact_mut(hidden) {
            for (value, shift) in row.iter_mut().zip(&segments.values) {
                *value += shift;
            }
        }
        Ok(Self {
            words: words.into_owned(),
            positions,
            norm: LayerNorm::load("embeddings.LayerNorm", hidden, weights, device)?,
        })
    }

    /// The vectors that go into the first layer, `[tokens, hidden]`, for texts laid end to end.
    pub(super) fn embed(
        &self,
        texts: &[&[u32]],
        epsilon: f64,
        device: &Device,
    ) -> Result<Tensor<2>, ModelError> {
        let hidden = self.words.columns();
        let tokens = texts.iter().map(|ids| ids.len()).sum();
        let mut values = vec![0.0; tokens * hidden];
        let ids = texts.iter().flat_map(|ids| ids.iter().zip(0usize..));
        for ((&id, position), row) in ids.zip(values.chunks_exact_mut(hidden)) {
            let start = position * hidden;
            let shift = self.positions.values.get(start..start + hidden);
            let (true, Some(shift)) = (self.words.read_row(id as usize, row), shift) else {
                return Err(ModelError::tokenizer(format!(
                    "token {id} at position {position} has no vector; tokenizer.json and the weights are not of one model"
                )));
            };
            for (value, shift) in row.iter_mut().zip(shift) {
                *value += shift;
            }
        }
        let data = TensorData::new(values, [tokens, hidden]);
        Ok(self.norm.apply(Tensor::from_data(data, device), epsilon))
    }
}

/// A matrix to multiply with from the right, `[inputs, outputs]`, and the bias to add after.
pub(super) struct Linear {
    pub(super) weight: Tensor<2>,
    pub(super) bias: Tensor<1>,
}

impl Linear {
    /// Reads `names` and stacks them into one matrix, so that one product computes all of them.
    fn load(
        names: &[String],
        inputs: usize,
        outputs: usize,
        weights: &dyn TensorSource,
        device: &Device,
    ) -> Result<Self, ModelError> {
        let mut matrix = Vec::with_capacity(names.len() * inputs * outputs);
        let mut bias = Vec::with_capacity(names.len() * outputs);
        for name in names {
            let rows = weights.read_shaped(&format!("{name}.weight"), &[outputs, inputs])?;
            matrix.extend_from_slice(&rows.values);
            let shift = weights.read_shaped(&format!("{name}.bias"), &[outputs])?;
            bias.extend_from_slice(&shift.values);
        }
        let total = names.len() * outputs;
        let matrix = Tensor::<2>::from_data(TensorData::new(matrix, [total, inputs]), device);
        Ok(Self {
            // A view: the product reads the rows as columns.
            weight: matrix.transpose(),
            bias: Tensor::from_data(TensorData::new(bias, [total]), device),
        })
    }

    /// `input · weight + bias` for `[tokens, inputs]`.
    pub(super) fn apply(&self, input: Tensor<2>) -> Tensor<2> {
        input.matmul(self.weight.clone()) + self.bias.clone().unsqueeze()
    }
}

/// Scale and shift of a layer normalisation over the hidden dimension.
pub(super) struct LayerNorm {
    scale: Tensor<1>,
    shift: Tensor<1>,
}

impl LayerNorm {
    fn load(
        name: &str,
        hidden: usize,
        weights: &dyn TensorSource,
        device: &Device,
    ) -> Result<Self, ModelError> {
        let vector = |part: &str| -> Result<Tensor<1>, ModelError> {
            let tensor = weights.read_shaped(&format!("{name}.{part}"), &[hidden])?;
            Ok(Tensor::from_data(TensorData::new(tensor.values, [hidden]), device))
        };
        Ok(Self { scale: vector("weight")?, shift: vector("bias")? })
    }

    pub(super) fn apply(&self, input: Tensor<2>, epsilon: f64) -> Tensor<2> {
        burn::tensor::module::layer_norm(
            input,
            self.scale.clone(),
            Some(self.shift.clone()),
            epsilon,
        )
    }
}

/// One transformer layer.
pub(super) struct Layer {
    /// Queries, keys and values side by side: `[hidden, 3 · hidden]`.
    pub(super) projections: Linear,
    pub(super) attention_output: Linear,
    pub(super) attention_norm: LayerNorm,
    pub(super) widen: Tensor<2>,
    pub(super) widen_bias: Vec<f32>,
    pub(super) narrow: Linear,
    pub(super) output_norm: LayerNorm,
}

impl Layer {
    fn load(
        number: usize,
        config: &EncoderConfig,
        weights: &dyn TensorSource,
        device: &Device,
    ) -> Result<Self, ModelError> {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let name = |part: &str| layer_tensor(number, part);
        let linear = |parts: &[&str], inputs, outputs| {
            let names: Vec<String> = parts.iter().map(|part| name(part)).collect();
            Linear::load(&names, inputs, outputs, weights, device)
        };
        let norm = |part: &str| LayerNorm::load(&name(part), hidden, weights, device);
        let projections = ["attention.self.query", "attention.self.key", "attention.self.value"];
        let widen = linear(&["intermediate.dense"], hidden, wide)?;
        let widen_bias = weights.read(&name("intermediate.dense.bias"))?;
        Ok(Self {
            projections: linear(&projections, hidden, hidden)?,
            attention_output: linear(&["attention.output.dense"], hidden, hidden)?,
            attention_norm: norm("attention.output.LayerNorm")?,
            widen: widen.weight,
            widen_bias: widen_bias.values,
            narrow: linear(&["output.dense"], wide, hidden)?,
            output_norm: norm("output.LayerNorm")?,
        })
    }
}

/// All weights of an encoder.
pub(super) struct Weights {
    pub(super) embeddings: Embeddings,
    pub(super) layers: Vec<Layer>,
}

impl Weights {
    pub(super) fn load(
        config: &EncoderConfig,
        weights: &dyn TensorSource,
        device: &Device,
    ) -> Result<Self, ModelError> {
        Ok(Self {
            embeddings: Embeddings::load(config, weights, device)?,
            layers: (0..config.num_hidden_layers)
                .map(|number| Layer::load(number, config, weights, device))
                .collect::<Result<_, _>>()?,
        })
    }
}
