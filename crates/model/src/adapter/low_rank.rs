//! Low-rank changes to the matrices of a network.

use campanile_kernels::{Activations, KernelError, Matrix, Threads};

/// What is added to a product `W x`: `up (down x)`.
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
    /// The changes to a layer, if there are any.
    pub(crate) fn layer(&self, number: usize) -> Option<&LayerChange> {
        self.layers.get(number)?.as_ref()
    }
}
