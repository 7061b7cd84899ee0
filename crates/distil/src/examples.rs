//! Texts as their pieces, with the vectors that they should have.

use std::collections::BTreeMap;

use crate::error::{DistilError, check};

/// The examples that are learned from: a sparse matrix `[texts, pieces]`, whose rows are the shares that
/// pieces have in a text, and the targets `[texts, dimension]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Examples {
    pieces: usize,
    dimension: usize,
    /// The places where each text's shares end.
    ends: Vec<usize>,
    /// Piece and share, text by text.
    shares: Vec<(u32, f32)>,
    targets: Vec<f32>,
}

impl Examples {
    /// None yet, over a vocabulary of `pieces` pieces, with targets of `dimension` numbers.
    pub fn new(pieces: usize, dimension: usize) -> Self {
        Self { pieces, dimension, ends: Vec::new(), shares: Vec::new(), targets: Vec::new() }
    }

    /// Adds a text by its pieces, in any order and as often as they occur, and its target; a text
    /// without pieces teaches nothing and is passed over.
    ///
    /// # Errors
    /// [`DistilError`] for a piece or a target that does not fit.
    pub fn push(&mut self, pieces: &[u32], target: &[f32]) -> Result<(), DistilError> {
        check("a target", target, self.dimension)?;
        if let Some(&piece) = pieces.iter().find(|&&piece| piece as usize >= self.pieces) {
            return Err(DistilError::Piece { count: self.pieces, piece });
        }
        if pieces.is_empty() {
            return Ok(());
        }
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        for &piece in pieces {
            *counts.entry(piece).or_default() += 1;
        }
        let all = pieces.len() as f32;
        self.shares.extend(counts.into_iter().map(|(piece, count)| (piece, count as f32 / all)));
        self.ends.push(self.shares.len());
        self.targets.extend(target);
        Ok(())
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of pieces that the vocabulary has.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The length of a target.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The shares of each text in turn.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &[(u32, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| self.shares.get(start..end).unwrap_or_default())
    }

    /// `[texts, dimension]`
    pub(crate) fn targets(&self) -> &[f32] {
        &self.targets
    }
}
