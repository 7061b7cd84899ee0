//! The table of token vectors, which is half of a small encoder, in parts that come when they are needed.
//!
//! The texts of a site use a few thousand of an encoder's 30,522 tokens, and a question adds one or two. So a site
//! has a file with the rows of its own texts' tokens, which is read first, and the whole table in files of
//! [`ROWS_IN_PART`] rows. A token whose row is in none of what has come is [`ModelError::WordsMissing`], which names the
//! parts to fetch; with them the same text gives the same bits as with the whole table.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::error::ModelError;
use crate::shards::Shards;
use crate::tensor_source::{StoredTensor, TensorSource};

/// Rows in a part of the table: with rows of 216 bytes, the vectors of all-MiniLM-L6-v2, 221 kB.
pub const ROWS_IN_PART: usize = 1024;

/// Ends the name of the tensor with the rows that a site's texts need.
pub(crate) const NEAR: &str = ".near";
/// Ends the name of the tensor with the tokens of these rows, ascending.
pub(crate) const NEAR_TOKENS: &str = ".near_tokens";

/// A table `[tokens, hidden]` in its stored encoding.
pub(super) struct WordTable {
    rows: usize,
    columns: usize,
    /// Tokens and, in the same order, their rows.
    near: Option<(Vec<u32>, StoredTensor<'static>)>,
    /// All rows, in parts of `rows_in_part`.
    parts: Vec<OnceLock<StoredTensor<'static>>>,
    rows_in_part: usize,
}

impl WordTable {
    /// Reads the tensor `name`; where `source` does not have all of it, the rows that are near and nothing else.
    pub(super) fn load(
        name: &str,
        [rows, columns]: [usize; 2],
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        let near = format!("{name}{NEAR}");
        let is_near = source.names().binary_search(&near).is_ok();
        let is_whole = source.describe(name).is_ok_and(|table| table.shape == [rows, columns]);
        if is_whole || !is_near {
            let whole = source.stored(name)?;
            whole.expect_shape(name, &[rows, columns])?;
            let parts = vec![OnceLock::from(whole.into_owned())];
            return Ok(Self { rows, columns, near: None, parts, rows_in_part: rows.max(1) });
        }
        let values = source.read(&format!("{name}{NEAR_TOKENS}"))?.values;
        // Whole numbers below 2²⁴ are exact in `f32`, and no vocabulary is that large.
        let tokens: Vec<u32> = values.into_iter().map(|token| token as u32).collect();
        let stored = source.stored(&near)?;
        stored.expect_shape(&near, &[tokens.len(), columns])?;
        if !tokens.is_sorted() {
            return Err(ModelError::tensor(&near, "its tokens are not in order"));
        }
        let parts = (0..rows.div_ceil(ROWS_IN_PART)).map(|_| OnceLock::new()).collect();
        let near = Some((tokens, stored.into_owned()));
        Ok(Self { rows, columns, near, parts, rows_in_part: ROWS_IN_PART })
    }

    /// Takes a part of the table `name` out of its file.
    pub(super) fn add(&self, name: &str, part: usize, file: Vec<u8>) -> Result<(), ModelError> {
        let first_row = part * ROWS_IN_PART;
        let rows = ROWS_IN_PART.min(self.rows.saturating_sub(first_row));
        let mut shards = Shards::default();
        shards.add(name, file)?;
        let taken = shards.take_part(name, first_row)?;
        taken.expect_shape(name, &[rows, self.columns])?;
        if let Some(place) = self.parts.get(part) {
            // Where it has come before, it is the same.
            place.get_or_init(|| taken);
        }
        Ok(())
    }

    /// The row of each token of a text, and the table that has it.
    ///
    /// # Errors
    /// For a token that has no row, and for those whose rows have not come.
    pub(super) fn rows(
        &self,
        tokens: &[u32],
    ) -> Result<Vec<(&StoredTensor<'static>, usize)>, ModelError> {
        let mut rows = Vec::with_capacity(tokens.len());
        let mut missing = BTreeSet::new();
        for &token in tokens {
            let (part, row) =
                (token as usize / self.rows_in_part, token as usize % self.rows_in_part);
            if token as usize >= self.rows {
                return Err(ModelError::tokenizer(format!(
                    "token {token} has no vector, the weights hold {} of them; tokenizer.json and the weights are not of one model",
                    self.rows
                )));
            } else if let Some(near) = self.near_row(token) {
                rows.push(near);
            } else if let Some(whole) = self.parts.get(part).and_then(OnceLock::get) {
                rows.push((whole, row));
            } else {
                missing.insert(part);
            }
        }
        match missing.is_empty() {
            true => Ok(rows),
            false => Err(ModelError::WordsMissing { parts: missing.into_iter().collect() }),
        }
    }

    fn near_row(&self, token: u32) -> Option<(&StoredTensor<'static>, usize)> {
        let (tokens, rows) = self.near.as_ref()?;
        Some((rows, tokens.binary_search(&token).ok()?))
    }

    /// Values in a row.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }
}
