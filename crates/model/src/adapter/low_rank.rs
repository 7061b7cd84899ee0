//! Low-rank changes to the matrices of a network, and the adapter for questions, which has nothing else.

use campanile_kernels::{Activations, KernelError, Matrix, Threads};

use super::file::{Fields, Tensors, opened};
use crate::encoder::BertConfig;
use crate::error::ModelError;

/// The addition to a product `W x`: `up (down x)`.
pub(crate) struct Change {
    /// `[rank, inputs]`
    down: Matrix,
    /// `[outputs, rank]`
    up: Matrix,
}

/// Working memory of a change.
#[derive(Default)]
pub(crate) struct Low {
    product: Vec<f32>,
    activations: Activations,
}

impl Change {
    /// Adds to `output`, `[tokens, outputs]`, what follows from `input`, `[tokens, inputs]`.
    pub(crate) fn add(
        &self,
        input: &Activations,
        low: &mut Low,
        output: &mut [f32],
        threads: Threads,
    ) -> Result<(), KernelError> {
        let Low { product, activations } = low;
        product.resize(input.tokens() * self.down.rows(), 0.0);
        self.down.multiply(input, product, threads)?;
        activations.set(product, self.down.rows());
        self.up.multiply_add(activations, output, threads)
    }

    /// The same as plain numbers.
    fn values(&self) -> ChangeValues {
        let values = |matrix: &Matrix| {
            let mut values = vec![0.0; matrix.rows() * matrix.columns()];
            // `chunks_exact` panics at 0, and that a matrix has columns is not known here.
            for (row, values) in values.chunks_exact_mut(matrix.columns().max(1)).enumerate() {
                matrix.read_row(row, values);
            }
            values
        };
        ChangeValues {
            rank: self.down.rows(),
            inputs: self.down.columns(),
            outputs: self.up.rows(),
            down: values(&self.down),
            up: values(&self.up),
        }
    }
}

/// A low-rank change to a matrix ([Hu et al. 2021](https://arxiv.org/abs/2106.09685)), for a device of its own: what is added
/// to `W x` is `up (down x)`.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeValues {
    /// Rows of `down` and columns of `up`.
    pub rank: usize,
    /// Columns of the matrix that is changed.
    pub inputs: usize,
    /// Rows of the matrix that is changed.
    pub outputs: usize,
    /// `[rank, inputs]`
    pub down: Vec<f32>,
    /// `[outputs, rank]`, the adapter's scale in it.
    pub up: Vec<f32>,
}

/// The changes to one layer, as plain numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerChangeValues {
    /// To the queries, the keys and the values.
    pub projections: [ChangeValues; 3],
    /// To what attention gives.
    pub attention_output: ChangeValues,
    /// To the first matrix of the feed-forward block.
    pub widen: ChangeValues,
    /// To its second.
    pub narrow: ChangeValues,
}

/// The changes to one layer.
pub(crate) struct LayerChange {
    pub(crate) query: Change,
    pub(crate) key: Change,
    pub(crate) value: Change,
    pub(crate) attention_output: Change,
    pub(crate) widen: Change,
    pub(crate) narrow: Change,
}

/// The changes to a network.
pub(crate) struct LowRank {
    /// By the layer's number; none where a layer is left as it is.
    layers: Vec<Option<LayerChange>>,
}

impl LowRank {
    /// The changes to a layer as plain numbers, if there are any.
    pub(super) fn values(&self, number: usize) -> Option<LayerChangeValues> {
        let layer = self.layer(number)?;
        Some(LayerChangeValues {
            projections: [&layer.query, &layer.key, &layer.value].map(Change::values),
            attention_output: layer.attention_output.values(),
            widen: layer.widen.values(),
            narrow: layer.narrow.values(),
        })
    }

    /// The changes to a layer, if there are any.
    pub(crate) fn layer(&self, number: usize) -> Option<&LayerChange> {
        self.layers.get(number)?.as_ref()
    }
}

/// The changes of an adapter, for a device other than the processor.
pub trait NetworkChanges {
    /// Returns what it adds to the matrices of a layer, from 0; nothing where it leaves the layer as it is.
    fn changes_to(&self, layer: usize) -> Option<LayerChangeValues>;

    /// Fails where it cannot be a change to a network of this shape.
    ///
    /// # Errors
    /// [`ModelError::Adapter`], which says both shapes.
    fn check(&self, config: &BertConfig) -> Result<(), ModelError>;
}

/// Low-rank changes to a network, and which network that is.
pub(super) struct ChangedNetwork {
    /// The SHA-256 of the network's published weights, in hexadecimal.
    pub(super) trunk: String,
    /// The width of a token's vector.
    hidden: usize,
    /// The width inside the feed-forward block, where any layer is changed.
    wide: Option<usize>,
    pub(super) low_rank: LowRank,
}

impl ChangedNetwork {
    /// The changes to a network whose token vectors are `hidden` wide.
    pub(super) fn read(
        fields: &Fields,
        tensors: &mut Tensors,
        hidden: usize,
    ) -> Result<Self, ModelError> {
        let trunk = fields.text("trunk")?.to_owned();
        let numbers = fields.layers()?;
        let mut layers: Vec<Option<LayerChange>> = Vec::new();
        let Some(first) = numbers.first() else {
            return Ok(Self { trunk, hidden, wide: None, low_rank: LowRank { layers } });
        };
        let wide = tensors.rows(&format!("{}up", part(*first, WIDEN)))?;
        let (rank, scale) = (fields.count("rank")?, fields.real("scale")?);
        let shape = Shape { hidden, wide, rank, scale };
        for number in numbers {
            // The numbers are in order and none comes twice: what lies between two is left as it is.
            layers.resize_with(number, || None);
            layers.push(Some(shape.layer(number, tensors)?));
        }
        Ok(Self { trunk, hidden, wide: Some(wide), low_rank: LowRank { layers } })
    }

    /// Fails where these cannot be changes to a network of this shape.
    pub(super) fn check(&self, config: &BertConfig) -> Result<(), ModelError> {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        // `layers` ends with the last layer that is changed: fewer than the network has are no fault.
        let (layers, most) = (self.low_rank.layers.len(), config.num_hidden_layers);
        if self.hidden == hidden && self.wide.is_none_or(|own| own == wide) && layers <= most {
            return Ok(());
        }
        Err(ModelError::adapter(format!(
            "it is for {layers} layers or more of width {}, the encoder has {most} of width {hidden}; they do not belong together",
            self.hidden
        )))
    }
}

const WIDEN: &str = "feed_forward.inner";

/// Returns the prefix of the names of a change's two tensors.
fn part(layer: usize, name: &str) -> String {
    format!("layer.{layer}.{name}.")
}

/// The numbers that the shapes of a layer's tensors follow from, and the one that `up` is multiplied with.
struct Shape {
    hidden: usize,
    wide: usize,
    rank: usize,
    scale: f32,
}

impl Shape {
    fn layer(&self, number: usize, tensors: &mut Tensors) -> Result<LayerChange, ModelError> {
        let Self { hidden, wide, rank, scale } = *self;
        let mut change = |name: &str, inputs: usize, outputs: usize| {
            let part = part(number, name);
            Ok::<_, ModelError>(Change {
                down: tensors.matrix(&format!("{part}down"), [rank, inputs], 1.0)?,
                up: tensors.matrix(&format!("{part}up"), [outputs, rank], scale)?,
            })
        };
        Ok(LayerChange {
            query: change("attention.query", hidden, hidden)?,
            key: change("attention.key", hidden, hidden)?,
            value: change("attention.value", hidden, hidden)?,
            attention_output: change("attention.output", hidden, hidden)?,
            widen: change(WIDEN, hidden, wide)?,
            narrow: change("feed_forward.outer", wide, hidden)?,
        })
    }
}

/// The matrix whose columns tell how wide the network is.
// Any matrix that reads the states would do: the first of a layer that is changed is there for certain.
const FIRST: &str = "attention.query";

/// The texts that a [`SideAdapter`] is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Questions.
    Query,
    /// Passages.
    Passage,
}

impl Side {
    /// The task that an adapter's file names.
    const fn task(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Passage => "passage",
        }
    }
}

/// Changes by which an encoder embeds the texts of one side: questions, or passages.
///
/// A sentence encoder puts texts side by side that say the same. A question says something else than its answer, the more so in
/// a student's words. So each side learns to lie where the other does (two encoders: [Karpukhin et al.
/// 2020](https://arxiv.org/abs/2004.04906)): an adapter for questions goes into a page, one for passages is needed by a build alone.
///
/// It has no head; [`Encoder::with_adapter`](crate::Encoder::with_adapter) runs it.
pub struct SideAdapter {
    side: Side,
    changed: ChangedNetwork,
    directions: Option<TokenDirections>,
}

/// The directions along which token vectors of length 1 are compared, learned with an adapter.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenDirections {
    /// Numbers of a token's vector.
    pub hidden: usize,
    /// `[directions, hidden]`, row by row.
    pub rows: Vec<f32>,
    /// `[directions]`: what is added along each.
    pub bias: Vec<f32>,
}

const DIRECTIONS: &str = "head.directions.weight";
const BIAS: &str = "head.directions.bias";

impl TokenDirections {
    /// Those of a file, where it has any.
    fn read(tensors: &mut Tensors, hidden: usize) -> Result<Option<Self>, ModelError> {
        // What is there and cannot be described is left unread, which `finish` refuses.
        let Ok(count) = tensors.rows(DIRECTIONS) else { return Ok(None) };
        let rows = tensors.values(DIRECTIONS, &[count, hidden], 1.0)?;
        Ok(Some(Self { hidden, rows, bias: tensors.values(BIAS, &[count], 1.0)? }))
    }
}

impl SideAdapter {
    /// Reads the bytes of its file, which `training/FORMAT.md` defines.
    ///
    /// # Errors
    /// As [`Adapter::read`](super::Adapter::read); [`ModelError::Adapter`] too where it is for another task.
    pub fn read(side: Side, bytes: &[u8]) -> Result<Self, ModelError> {
        let (fields, mut tensors) = opened(bytes)?;
        fields.expect_task(side.task())?;
        let layers = fields.layers()?;
        let first = layers.first().ok_or_else(|| ModelError::adapter("it changes no layer"))?;
        let hidden = tensors.columns(&format!("{}down", part(*first, FIRST)))?;
        let changed = ChangedNetwork::read(&fields, &mut tensors, hidden)?;
        let directions = match side {
            Side::Query => None,
            Side::Passage => TokenDirections::read(&mut tensors, hidden)?,
        };
        tensors.finish()?;
        Ok(Self { side, changed, directions })
    }

    /// The directions along which the tokens of passages and of questions are compared, where they were learned with it.
    pub fn directions(&self) -> Option<&TokenDirections> {
        self.directions.as_ref()
    }

    /// The texts that it is for.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The SHA-256 of the published weights that it was trained on, in hexadecimal.
    pub fn trunk(&self) -> &str {
        &self.changed.trunk
    }

    /// The changes to the matrices of each layer.
    pub(crate) fn changes(&self) -> &LowRank {
        &self.changed.low_rank
    }
}

impl NetworkChanges for SideAdapter {
    fn changes_to(&self, layer: usize) -> Option<LayerChangeValues> {
        self.changed.low_rank.values(layer)
    }

    fn check(&self, config: &BertConfig) -> Result<(), ModelError> {
        self.changed.check(config)
    }
}
