//! The arithmetic of neural networks on the CPU.
//!
//! It is what an encoder or a small language model needs to run on a browser's one thread, or on a
//! server's few cores.
//!
//! Weights are 4- or 8-bit integers in blocks of 32 with a scale ([`Matrix`]). Activations become
//! 16-bit integers in blocks of 32 ([`Activations`]). Their rounding error, 1.5e-5 of a block's
//! largest value, is far below the weights' own. So a matrix product is integer arithmetic: two to
//! four times as fast as single precision, and as good.
//!
//! # The same bits everywhere
//!
//! Integer products are exact. Floats are combined in one fixed order:
//!
//! - each element of a product sums its blocks one after the other, in a lane of its own;
//! - reductions keep sixteen partial sums;
//! - no multiplication is fused with an addition;
//! - exponentials and error functions are polynomials.
//!
//! Therefore a native build and a page give the same bits on every processor, as long as all
//! numbers are finite.
//!
//! ```
//! use campanile_kernels::{Activations, Int8Block, Matrix, Threads};
//!
//! let identity = Matrix::int8(32, 32, |row, _block| {
//!     let mut values = [0; 32];
//!     values[row] = 1;
//!     Int8Block { values, scales: [1.0, 1.0] }
//! })?;
//! let mut input = Activations::new();
//! input.set(&[0.5; 32], 32);
//! let mut output = [0.0; 32];
//! identity.multiply(&input, &mut output, Threads::One)?;
//! assert!(output.iter().all(|value| (value - 0.5).abs() < 1e-4));
//! # Ok::<(), campanile_kernels::KernelError>(())
//! ```

mod activations;
mod attention;
mod elementwise;
mod error;
mod functions;
mod matrix;
mod packed;
mod product;
mod threads;
mod vector;

pub use activations::Activations;
pub use attention::{KeysValues, Visible, attend};
pub use elementwise::{
    add, add_bias, add_products, add_scaled, dot64, gelu, gelu_tanh, layer_norm, relu, rms_norm,
    rotate_halves, silu_product, softmax, tanh,
};
pub use error::KernelError;
pub use matrix::{Format, Int4Block, Int8Block, Matrix};
pub use threads::Threads;
pub use vector::Isa;

/// Columns that share a scale: those of a quantised matrix, and of its input.
pub const BLOCK: usize = 32;

#[cfg(test)]
mod tests;
