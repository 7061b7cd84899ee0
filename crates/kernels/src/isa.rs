//! Which instructions a kernel is built from.

/// An instruction set that the kernels are written for. All give the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// Plain Rust: the twin that the others are compared with, and the fallback.
    Scalar,
}

impl Isa {
    /// The fastest that this processor has.
    pub fn best() -> Self {
        Self::Scalar
    }

    /// All that this processor has, slowest first.
    pub fn available() -> Vec<Self> {
        vec![Self::Scalar]
    }

    /// Rows of a matrix that one vector holds side by side.
    pub(crate) fn lanes(self) -> usize {
        match self {
            Self::Scalar => 4,
        }
    }
}

/// How many threads an operation may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// The calling thread only.
    One,
    /// The threads of rayon's current pool; in WebAssembly the same as [`Threads::One`].
    All,
}
