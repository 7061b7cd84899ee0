//! The matrices of a decoder, or of each a part of its rows, and the products with them.
//!
//! An element of a product is a row's alone. So the rows of every matrix can be dealt out to
//! workers with memories of their own, and the result is the same bits, however many there are.
//! (It takes that the kernels pack a part as they pack the whole. They pack tighter what is
//! symmetric throughout, which no part of a model is unless all of it is.)
//! Matrices with one input make one product, for the workers to meet seldom: four times a layer,
//! and once for the logits. [`Products`] are those with all rows, some of which [`Helpers`] may hold.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use campanile_kernels::{Activations, Matrix, Threads};

use super::sized;
use crate::decoder::config::DecoderConfig;
use crate::decoder::names;
use crate::error::ModelError;
use crate::shards::Shards;
use crate::tensor_source::TensorSource;
use crate::weights::matrix_rows;

/// Tokens read together.
// A page hears of a stop between two blocks only; with few tokens each block would widen all weights anew (the
// kernels' `product`).
pub(super) const BLOCK_TOKENS: usize = 64;

/// All cores natively; in wasm the kernels have one thread.
pub(super) const THREADS: Threads = Threads::All;

/// Rows are dealt out in sets of so many.
// Twice the eight rows that the kernels of a browser pack together: a part whose rows were no whole sets would be
// filled up with zeros.
const SET: usize = 16;

/// The products of a layer, in order.
pub(super) const QUERY_KEY_VALUE: usize = 0;
pub(super) const ATTENTION_OUTPUT: usize = 1;
pub(super) const GATE_UP: usize = 2;
pub(super) const DOWN: usize = 3;
pub(super) const PRODUCTS: usize = 4;

/// A matrix by its tensor's name, with its `[rows, columns]`.
type Named = (String, [usize; 2]);

/// The matrices of every product: [`PRODUCTS`] a layer, then the output matrix.
pub(super) fn products(config: &DecoderConfig) -> Vec<Vec<Named>> {
    let hidden = config.hidden_size;
    let queries = config.num_attention_heads * config.head_dim;
    let keys = config.num_key_value_heads * config.head_dim;
    let wide = config.intermediate_size;
    let mut products = Vec::new();
    for layer in 0..config.num_hidden_layers {
        let named = |part, rows, columns| (names::layer_tensor(layer, part), [rows, columns]);
        products.extend([
            vec![
                named(names::QUERY, queries, hidden),
                named(names::KEY, keys, hidden),
                named(names::VALUE, keys, hidden),
            ],
            vec![named(names::ATTENTION_OUTPUT, hidden, queries)],
            vec![named(names::GATE, wide, hidden), named(names::UP, wide, hidden)],
            vec![named(names::DOWN, hidden, wide)],
        ]);
    }
    let output = if config.tie_word_embeddings { names::EMBEDDING } else { names::OUTPUT };
    products.push(vec![(output.to_owned(), [config.vocab_size, hidden])]);
    products
}

/// One of several parts of the rows of every matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which, from 0.
    pub number: usize,
    /// The number of parts.
    pub of: usize,
}

impl Part {
    /// All rows.
    pub const WHOLE: Self = Self { number: 0, of: 1 };

    /// The part's share of `rows` rows.
    pub(super) fn share(self, rows: usize) -> Range<usize> {
        let sets = rows.div_ceil(SET);
        // `of` is public: 0 parts would divide by 0.
        let cut = |number: usize| (sets * number / self.of.max(1) * SET).min(rows);
        cut(self.number)..cut(self.number + 1)
    }

    /// Writes the part's share of a product, `[tokens, its rows]` of each matrix, to where it
    /// belongs in the `[tokens, rows]` of each.
    fn join(self, heights: &[usize], tokens: usize, mut share: &[f32], mut output: &mut [f32]) {
        for &height in heights {
            let rows = self.share(height);
            let from;
            (from, share) = share.split_at(tokens * rows.len());
            let to;
            (to, output) = std::mem::take(&mut output).split_at_mut(tokens * height);
            if rows.is_empty() {
                continue;
            }
            for (from, to) in from.chunks_exact(rows.len()).zip(to.chunks_exact_mut(height)) {
                to[rows.clone()].copy_from_slice(from);
            }
        }
    }
}

/// A part of the rows of all matrices.
pub struct Rows {
    products: Vec<Vec<Arc<Matrix>>>,
    /// The input that is multiplied, with its integers.
    input: Activations,
}

impl Rows {
    /// Packs one matrix after the other.
    pub(super) fn load(
        config: &DecoderConfig,
        source: &dyn TensorSource,
        part: Part,
    ) -> Result<Self, ModelError> {
        let load = |(name, shape): Named| {
            let stored = source.stored(&name)?;
            Ok(Arc::new(matrix_rows(&stored, &name, shape, part.share(shape[0]))?))
        };
        Self::gathered(products(config), load)
    }

    /// The rows that `take` gives of each matrix of each product.
    fn gathered<T>(
        products: Vec<Vec<T>>,
        take: impl Fn(T) -> Result<Arc<Matrix>, ModelError>,
    ) -> Result<Self, ModelError> {
        let products = products.into_iter();
        let products = products.map(|matrices| matrices.into_iter().map(&take).collect());
        Ok(Self { products: products.collect::<Result<_, _>>()?, input: Activations::new() })
    }

    /// Multiplies `input`, `[tokens, columns]`, with the matrices of a product: `output` is
    /// `[tokens, rows]` of the first, then of the next.
    ///
    /// # Errors
    /// [`ModelError::Device`] where there is no such product, or the lengths do not fit it.
    pub fn multiply(
        &mut self,
        product: usize,
        input: &[f32],
        output: &mut [f32],
    ) -> Result<(), ModelError> {
        let Self { products, input: quantised } = self;
        let matrices = matrices_of(products, product)?;
        quantised.set(input, columns_of(matrices));
        let mut rest = output;
        for matrix in matrices {
            let own = rest.split_off_mut(..quantised.tokens() * matrix.rows());
            let own = own.ok_or_else(|| computing("a product has no room"))?;
            matrix.multiply(quantised, own, THREADS).map_err(computing)?;
        }
        Ok(())
    }

    /// Returns the number of values that a product gives for an input of `length` values.
    ///
    /// # Errors
    /// [`ModelError::Device`] where there is no such product.
    pub fn output_length(&self, product: usize, length: usize) -> Result<usize, ModelError> {
        let matrices = matrices_of(&self.products, product)?;
        let tokens = length.checked_div(columns_of(matrices)).unwrap_or(0);
        Ok(tokens * rows_of(matrices))
    }

    /// The most values of an input and of an output, for a block of tokens.
    pub fn most_values(&self) -> (usize, usize) {
        let Some((output, layers)) = self.products.split_last() else { return (0, 0) };
        let columns = self.products.iter().map(|matrices| columns_of(matrices)).max();
        let rows = layers.iter().map(|matrices| rows_of(matrices)).max();
        // Logits are computed for one token alone.
        let output = (BLOCK_TOKENS * rows.unwrap_or(0)).max(rows_of(output));
        (BLOCK_TOKENS * columns.unwrap_or(0), output)
    }

    /// The rows of the output matrix.
    pub(super) fn output(&self) -> Option<Arc<Matrix>> {
        self.products.last()?.first().cloned()
    }
}

fn matrices_of(
    products: &[Vec<Arc<Matrix>>],
    product: usize,
) -> Result<&[Arc<Matrix>], ModelError> {
    let matrices = products.get(product).map(Vec::as_slice);
    matrices.ok_or_else(|| computing("there is no such product"))
}

fn columns_of(matrices: &[Arc<Matrix>]) -> usize {
    matrices.first().map_or(0, |matrix| matrix.columns())
}

fn rows_of(matrices: &[Arc<Matrix>]) -> usize {
    matrices.iter().map(|matrix| matrix.rows()).sum()
}

/// Packs a part of the rows while a model's files arrive, and holds little more than the file
/// that came last.
pub struct RowsLoader {
    part: Part,
    products: Vec<Vec<Waiting>>,
}

/// A matrix that is on its way, and its rows once they are here.
struct Waiting {
    name: String,
    shape: [usize; 2],
    rows: Option<Arc<Matrix>>,
}

impl RowsLoader {
    /// Nothing is loaded yet.
    ///
    /// # Errors
    /// [`ModelError::Config`] where the configuration does not fit together.
    pub fn new(config: &DecoderConfig, part: Part) -> Result<Self, ModelError> {
        config.check()?;
        let waiting = |(name, shape)| Waiting { name, shape, rows: None };
        let products = products(config).into_iter();
        let products = products.map(|matrices| matrices.into_iter().map(waiting).collect());
        Ok(Self { part, products: products.collect() })
    }

    /// Takes every matrix that has arrived whole, and gives up whatever is not needed.
    ///
    /// # Errors
    /// [`ModelError`] where a tensor is damaged or of another shape.
    pub fn take(&mut self, weights: &mut Shards) -> Result<(), ModelError> {
        // What is not needed goes at once, or the model would lie in memory twice: as files and as rows.
        let mut missing = BTreeSet::new();
        for waiting in self.products.iter_mut().flatten().filter(|waiting| waiting.rows.is_none()) {
            let Waiting { name, shape, rows } = waiting;
            if weights.holds(name, 0..shape[0]) {
                let stored = weights.take(name)?;
                let part = self.part.share(shape[0]);
                *rows = Some(Arc::new(matrix_rows(&stored, name, *shape, part)?));
            } else {
                missing.insert(name.as_str());
            }
        }
        weights.retain(|name| missing.contains(name));
        Ok(())
    }

    /// The rows, when all files have been taken.
    ///
    /// # Errors
    /// [`ModelError::MissingTensor`] where a matrix has not arrived.
    pub fn finish(self) -> Result<Rows, ModelError> {
        let present = self.products.iter().flatten().filter(|one| one.rows.is_some()).count();
        Rows::gathered(self.products, |Waiting { name, rows, .. }| {
            rows.ok_or(ModelError::MissingTensor { name, present })
        })
    }
}

pub(super) fn computing(error: impl std::fmt::Display) -> ModelError {
    ModelError::device("computing a layer", error)
}

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
        // First, so that they compute while we do.
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
