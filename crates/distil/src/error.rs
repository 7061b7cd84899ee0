//! The errors in what is to be learned from.

use thiserror::Error;

/// Why nothing was learned.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DistilError {
    /// An example names a piece that the vocabulary does not have.
    #[error("expected pieces below {count}, found {piece}")]
    Piece {
        /// The number of pieces in the vocabulary.
        count: usize,
        /// The piece that was named.
        piece: u32,
    },
    /// Two lengths that should agree do not.
    #[error("expected {expected} numbers in {what}, found {found}")]
    Length {
        /// Of what.
        what: &'static str,
        /// The length that there should be.
        expected: usize,
        /// The length that was found.
        found: usize,
    },
    /// A number is NaN or infinite.
    #[error("expected finite numbers in {what}, found another")]
    NotFinite {
        /// The place where it stands.
        what: &'static str,
    },
    /// Without a strength above zero, pieces that no example names have no vector.
    #[error("expected a strength above 0, found {strength}")]
    Strength {
        /// The strength that was asked for.
        strength: f32,
    },
}

/// Fails where a list has another length, or holds a number that is not finite.
pub(crate) fn check(
    what: &'static str,
    numbers: &[f32],
    expected: usize,
) -> Result<(), DistilError> {
    if numbers.len() != expected {
        return Err(DistilError::Length { what, expected, found: numbers.len() });
    }
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(DistilError::NotFinite { what });
    }
    Ok(())
}
