//! The errors with which the kernels refuse work.

use thiserror::Error;

use crate::{Format, Isa};

/// Why a matrix could not be made or an operation not be done.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelError {
    /// A quantised matrix whose rows are not whole blocks.
    #[error("a {format:?} matrix needs rows of a multiple of 32 values, these have {columns}")]
    Columns {
        /// The format asked for.
        format: Format,
        /// The columns found.
        columns: usize,
    },
    /// A matrix and its input differ in width.
    #[error("the matrix has {expected} columns, its input has {found}")]
    Input {
        /// Columns of the matrix.
        expected: usize,
        /// Columns of the input.
        found: usize,
    },
    /// A slice has another length than the shapes ask for.
    #[error("{what} needs {expected} values, {found} were given")]
    Length {
        /// The contents of the slice.
        what: &'static str,
        /// The length that follows from the shapes.
        expected: usize,
        /// The length found.
        found: usize,
    },
    /// Query heads that cannot share the heads of the keys and values evenly.
    #[error("{query_heads} query heads cannot be shared out over {heads} heads of keys and values")]
    Heads {
        /// Heads of the queries.
        query_heads: usize,
        /// Heads of the keys and values.
        heads: usize,
    },
    /// Attention to positions beyond the cache's capacity.
    #[error("attention to {positions} positions, but the cache has room for {capacity}")]
    Positions {
        /// The positions asked for.
        positions: usize,
        /// The positions there is room for.
        capacity: usize,
    },
    /// The processor lacks the instructions asked for.
    #[error("this processor has no {isa:?}")]
    Isa {
        /// The instruction set asked for.
        isa: Isa,
    },
    /// Memory for weights could not be had.
    #[error(
        "no memory for {bytes} bytes of weights; choose a smaller model or close other programs"
    )]
    Memory {
        /// The size asked for.
        bytes: usize,
    },
}
