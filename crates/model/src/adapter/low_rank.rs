//! Low-rank changes to the matrices of a network.

use campanile_kernels::{Activations, KernelError, Matrix, Threads};

/// The addition to a product `W x`: `up (down x)`.
pub(crate) struct Change {
    /// `[rank, inputs]`
    pub(super) down: Matrix,
    /// `[outputs, rank]`
    pub(super) up: Matrix,
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
}

impl Change {
    /// The same as plain numbers.
    fn values(&self) -> ChangeValues {
        let values = |matrix: &Matrix| {
            let mut values = vec![0.0; matrix.rows() * matrix.columns()];
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
    pub(super) layers: Vec<Option<LayerChange>>,
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
