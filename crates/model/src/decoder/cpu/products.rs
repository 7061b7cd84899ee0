//! Products with all rows of a decoder's matrices, some of which helpers may hold.

use super::rows::{Part, Rows, products};
use super::scratch::sized;
use crate::decoder::config::DecoderConfig;
use crate::error::ModelError;
use crate::tensor_source::TensorSource;

/// Workers that hold the other parts of the rows, each a [`Rows`] of its own, and multiply while
/// we do.
///
/// Part 0 is ours; those of the helpers are numbered from 1.
pub trait Helpers {
    /// Returns the number of helpers.
    fn count(&self) -> usize;

    /// Has every helper multiply `input` with its rows of a product.
    ///
    /// # Errors
    /// [`ModelError::Device`] where they cannot be reached.
    fn begin(&mut self, product: usize, input: &[f32]) -> Result<(), ModelError>;

    /// Waits for what helper `number` makes of the input, and writes it as [`Rows::multiply`]
    /// does.
    ///
    /// # Errors
    /// [`ModelError::Device`] where it has failed or does not answer.
    fn end(&mut self, number: usize, output: &mut [f32]) -> Result<(), ModelError>;
}

/// All rows: ours, and those of helpers where there are any.
pub(super) struct Products {
    rows: Rows,
    team: Option<Team>,
}

struct Team {
    helpers: Box<dyn Helpers>,
    /// Rows of each matrix of each product, all parts together.
    heights: Vec<Vec<usize>>,
    /// One part's share of a product.
    share: Vec<f32>,
}

impl Products {
    pub(super) fn load(
        config: &DecoderConfig,
        source: &dyn TensorSource,
        helpers: Option<Box<dyn Helpers>>,
    ) -> Result<Self, ModelError> {
        let of = 1 + helpers.as_ref().map_or(0, |helpers| helpers.count());
        let height = |(_, [rows, _]): (String, [usize; 2])| rows;
        let heights = || {
            let products = products(config).into_iter();
            products.map(|matrices| matrices.into_iter().map(height).collect()).collect()
        };
        Ok(Self {
            rows: Rows::load(config, source, Part { number: 0, of })?,
            team: helpers.map(|helpers| Team { helpers, heights: heights(), share: Vec::new() }),
        })
    }

    /// The rows that are ours.
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// As [`Rows::multiply`], with all rows.
    pub(super) fn multiply(
        &mut self,
        product: usize,
        input: &[f32],
        output: &mut [f32],
    ) -> Result<(), ModelError> {
        let Some(Team { helpers, heights, share }) = &mut self.team else {
            return self.rows.multiply(product, input, output);
        };
        let heights = heights.get(product).map_or(&[][..], Vec::as_slice);
        let tokens = output.len().checked_div(heights.iter().sum()).unwrap_or(0);
        helpers.begin(product, input)?;
        let of = 1 + helpers.count();
        for number in 0..of {
            let part = Part { number, of };
            let rows: usize = heights.iter().map(|&height| part.share(height).len()).sum();
            let share = sized(share, tokens * rows);
            match number {
                0 => self.rows.multiply(product, input, share)?,
                _ => helpers.end(number, share)?,
            }
            part.join(heights, tokens, share, output);
        }
        Ok(())
    }
}

impl Part {
    /// Writes the part's share of a product, `[tokens, its rows]` of each matrix, to where it
    /// belongs in the `[tokens, rows]` of each.
    fn join(self, heights: &[usize], tokens: usize, mut share: &[f32], mut output: &mut [f32]) {
        for &height in heights {
            let rows = self.share(height);
            let from = share.split_off(..tokens * rows.len()).unwrap_or_default();
            let to = output.split_off_mut(..tokens * height).unwrap_or_default();
            if rows.is_empty() {
                continue;
            }
            for (from, to) in from.chunks_exact(rows.len()).zip(to.chunks_exact_mut(height)) {
                to[rows.clone()].copy_from_slice(from);
            }
        }
    }
}
