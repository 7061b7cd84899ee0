//! An encoder that finds answers: a head, and what an adapter adds to the encoder's products.

use std::collections::HashMap;

use burn::module::Module;
use burn::nn::{Linear, LinearConfig};
use burn::tensor::{Device, Tensor};
use campanile_model::{BertConfig, TokenSequence};
use safetensors::SafeTensors;

use crate::encoder::{Encoder, rows};
use crate::error::ReferenceError;
use crate::loading::{Renamings, Weights, fill, read_back};

/// Finds where an answer starts and ends, or that there is none, as in SQuAD 2.0
/// ([Rajpurkar et al. 2018](https://arxiv.org/abs/1806.03822)).
pub struct Reader {
    encoder: Encoder,
    head: Head,
}

/// The logits of a question and a passage that a reader reads together.
#[derive(Clone, Debug, PartialEq)]
pub struct ReaderLogits {
    /// `[tokens]`: that an answer starts with the token.
    pub start: Vec<f32>,
    /// `[tokens]`: that an answer ends with the token.
    pub end: Vec<f32>,
    /// That there is an answer, where the adapter has a head for it.
    pub answerable: Option<f32>,
}

#[derive(Module, Debug)]
struct Head {
    /// From `hidden` to two logits: start and end.
    span: Linear,
    /// From `hidden` to one logit.
    answerable: Option<Linear>,
}

const HEAD_RENAMINGS: &Renamings = &[(r"^head\.", "")];

impl Reader {
    /// An encoder that reads with an adapter, from the bytes of its file.
    ///
    /// # Errors
    /// As [`Encoder::with_changes`], and [`ReferenceError::Adapter`] where it is for another task.
    pub fn new(encoder: &Encoder, adapter: &[u8]) -> Result<Self, ReferenceError> {
        let metadata = Metadata::read(adapter)?;
        let answerable = match (metadata.text("task")?, metadata.text("null")?) {
            ("reader", "answerable") => true,
            ("reader", "cls") => false,
            ("reader", null) => return Err(refused("null", null)),
            (task, _) => return Err(refused("task", task)),
        };
        // Filled from the file, so whatever it is made with is written over.
        let linear = |logits| LinearConfig::new(encoder.hidden(), logits).init(encoder.device());
        let mut head = Head { span: linear(2), answerable: answerable.then(|| linear(1)) };
        fill(&mut head, Weights::Bytes(adapter), HEAD_RENAMINGS)?;
        Ok(Self { encoder: encoder.with_changes(adapter)?, head })
    }

    /// The logits of each pair of a question and a passage, in the order given.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn logits(&self, pairs: &[TokenSequence]) -> Result<Vec<ReaderLogits>, ReferenceError> {
        self.encoder.in_batches(pairs, |batch, states| {
            let spans = rows(batch, self.head.span.forward(states.clone()))?;
            let answerable = match &self.head.answerable {
                // The first token, `[CLS]`, stands for all.
                Some(head) => {
                    let logits = read_back(head.forward(states.narrow(1, 0, 1)))?;
                    logits.into_iter().map(Some).collect()
                }
                None => vec![None; spans.len()],
            };
            let of_pair = |(span, answerable): (Vec<f32>, Option<f32>)| {
                let (start, end) = span.as_chunks().0.iter().map(|&[s, e]| (s, e)).unzip();
                ReaderLogits { start, end, answerable }
            };
            Ok(spans.into_iter().zip(answerable).map(of_pair).collect())
        })
    }
}

/// Low-rank changes to a network's layers ([Hu et al. 2021](https://arxiv.org/abs/2106.09685)).
#[derive(Module, Debug)]
pub(crate) struct Changes {
    /// By the layer's number; none where a layer is left as it is.
    layers: Vec<Option<LayerChange>>,
}

/// The changes to one layer's matrices.
#[derive(Module, Debug)]
pub(crate) struct LayerChange {
    pub(crate) query: Change,
    pub(crate) key: Change,
    pub(crate) value: Change,
    pub(crate) output: Change,
    pub(crate) inner: Change,
    pub(crate) outer: Change,
}

/// `scale · up (down x)`.
#[derive(Module, Debug)]
pub(crate) struct Change {
    /// From the width of `x` to the rank.
    down: Linear,
    up: Linear,
    scale: f32,
}

/// From `layer.0.attention.query.down` to `layers.0.query.down.weight`.
const CHANGE_RENAMINGS: &Renamings =
    &[(r"^layer\.(\d+)\.(?:attention|feed_forward)\.(\w+)\.(\w+)$", "layers.$1.$2.$3.weight")];

/// `W x + b`, and what an adapter adds to it; `[batch, tokens, inputs]` to
/// `[batch, tokens, outputs]`.
pub(crate) fn product(linear: &Linear, change: Option<&Change>, input: Tensor<3>) -> Tensor<3> {
    let output = linear.forward(input.clone());
    match change {
        Some(Change { down, up, scale }) => {
            output + up.forward(down.forward(input)).mul_scalar(*scale)
        }
        None => output,
    }
}

impl Changes {
    /// The changes in an adapter's file.
    pub(crate) fn load(
        config: &BertConfig,
        adapter: &[u8],
        device: &Device,
    ) -> Result<Self, ReferenceError> {
        let metadata = Metadata::read(adapter)?;
        let rank = metadata.number("rank", |&rank: &usize| rank > 0)?;
        let scale = metadata.number("scale", |scale: &f32| scale.is_finite())?;
        let changed = metadata.layers(config.num_hidden_layers)?;
        let layers = changed.into_iter().map(|changed| {
            // A layer that is left as it is has no tensors in the file, and `fill` would miss them.
            changed.then(|| LayerChange::new(config, &Shape { rank, scale }, device))
        });
        let mut changes = Self { layers: layers.collect() };
        fill(&mut changes, Weights::Bytes(adapter), CHANGE_RENAMINGS)?;
        Ok(changes)
    }

    /// The changes to a layer, if there are any.
    pub(crate) fn layer(&self, number: usize) -> Option<&LayerChange> {
        self.layers.get(number)?.as_ref()
    }
}

/// The numbers that all of a file's changes have in common.
struct Shape {
    rank: usize,
    scale: f32,
}

impl LayerChange {
    fn new(config: &BertConfig, shape: &Shape, device: &Device) -> Self {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let linear =
            |inputs, outputs| LinearConfig::new(inputs, outputs).with_bias(false).init(device);
        let change = |inputs, outputs| Change {
            down: linear(inputs, shape.rank),
            up: linear(shape.rank, outputs),
            scale: shape.scale,
        };
        Self {
            query: change(hidden, hidden),
            key: change(hidden, hidden),
            value: change(hidden, hidden),
            output: change(hidden, hidden),
            inner: change(hidden, wide),
            outer: change(wide, hidden),
        }
    }
}

/// The metadata of an adapter's file; `training/FORMAT.md` defines it.
struct Metadata(HashMap<String, String>);

impl Metadata {
    /// Reads the file's header.
    pub(crate) fn read(adapter: &[u8]) -> Result<Self, ReferenceError> {
        let (_, header) = SafeTensors::read_metadata(adapter).map_err(ReferenceError::adapter)?;
        let metadata = Self(header.metadata().clone().unwrap_or_default());
        // Read before anything else, since a later version may mean something else by the same names.
        let version = (metadata.text("format")?, metadata.text("version")?);
        if version != ("campanile-adapter", "1") {
            return Err(ReferenceError::adapter(format!(
                "it is of the format {version:?}; read is \"campanile-adapter\", version 1"
            )));
        }
        Ok(metadata)
    }

    /// A field that must be there.
    pub(crate) fn text(&self, name: &str) -> Result<&str, ReferenceError> {
        let text = self.0.get(name).map(String::as_str);
        text.ok_or_else(|| ReferenceError::adapter(format!("its metadata have no `{name}`")))
    }

    fn number<T: std::str::FromStr>(
        &self,
        name: &str,
        fits: fn(&T) -> bool,
    ) -> Result<T, ReferenceError> {
        let text = self.text(name)?;
        text.parse().ok().filter(fits).ok_or_else(|| refused(name, text))
    }

    /// One entry for each layer: `true` if it is changed.
    fn layers(&self, count: usize) -> Result<Vec<bool>, ReferenceError> {
        let text = self.text("layers")?;
        let mut changed = vec![false; count];
        for number in text.split(',').filter(|number| !number.is_empty()) {
            let layer = number.parse().ok().and_then(|layer: usize| changed.get_mut(layer));
            *layer.ok_or_else(|| refused("layers", text))? = true;
        }
        Ok(changed)
    }
}

/// The error of a field that is not understood.
pub(crate) fn refused(name: &str, text: &str) -> ReferenceError {
    ReferenceError::adapter(format!("its `{name}` is \"{text}\", which does not fit the encoder"))
}
