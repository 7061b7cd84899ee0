//! Products of weights and states, for one token or for many, and the sizes of attention's heads.

use std::rc::Rc;

use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::kernel::{Case, Dispatch, Extent, Kernel, Kernels};
use crate::matrix::{DeviceMatrix, Run};

/// Threads of a workgroup.
pub(crate) const THREADS: usize = 64;

/// The number of tokens that dispatches are for: one or many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tokens {
    One,
    Block,
}

/// A product, with what it reads, writes and does besides.
#[derive(Clone, Copy)]
pub(crate) struct Product<'a> {
    pub(crate) input: &'a Buffer,
    pub(crate) output: &'a Buffer,
    /// Values of a row of the output, and where this product's begin.
    pub(crate) width: usize,
    pub(crate) offset: usize,
    /// The input is normalised with this gain.
    pub(crate) norm: Option<&'a Buffer>,
    pub(crate) bias: Option<&'a Buffer>,
    /// Added to what is there.
    pub(crate) residual: bool,
    /// The matrix is a gate above the values that it lets through.
    pub(crate) gated: bool,
    /// Applied to the result, after what was there is added; only where there are many tokens.
    pub(crate) activation: Option<&'static str>,
}

impl<'a> Product<'a> {
    /// A product that does nothing besides; a row of the output has `width` values.
    pub(crate) fn new(input: &'a Buffer, output: &'a Buffer, width: usize) -> Self {
        Self {
            input,
            output,
            width,
            offset: 0,
            norm: None,
            bias: None,
            residual: false,
            gated: false,
            activation: None,
        }
    }
}

/// Makes dispatches of products.
pub(crate) struct Products<'a> {
    pub(crate) gpu: &'a WebGpu,
    pub(crate) step: &'a Buffer,
    /// Added to the mean square in normalisation.
    pub(crate) epsilon: f32,
    pub(crate) kernels: &'a mut Kernels,
}

impl Products<'_> {
    /// Adds the dispatches of a product to `list`.
    ///
    /// # Errors
    /// [`WebGpuError::Kernel`] where the device does not take a kernel, [`WebGpuError::Unsupported`] where a size is
    /// more than it counts.
    pub(crate) async fn add(
        &mut self,
        matrix: &DeviceMatrix,
        tokens: Tokens,
        product: Product<'_>,
        list: &mut Vec<Dispatch>,
    ) -> Result<(), WebGpuError> {
        let lanes = lanes(matrix.blocks());
        let case = match tokens {
            Tokens::One => Case::new("matvec").weights(matrix.format, true).number("lanes", lanes),
            Tokens::Block => Case::new("matmul").weights(matrix.format, false),
        };
        let case = case
            .when("norm", product.norm.is_some())
            .when("bias", product.bias.is_some())
            .when("residual", product.residual)
            .when("gated", product.gated)
            .when("activation", product.activation.is_some())
            .when(product.activation.unwrap_or_default(), product.activation.is_some());
        let kernel = self.kernels.get(self.gpu, case).await?;
        for run in &matrix.runs {
            list.push(self.run(&kernel, matrix, run, tokens, product)?);
        }
        Ok(())
    }

    fn run(
        &self,
        kernel: &Rc<Kernel>,
        matrix: &DeviceMatrix,
        run: &Run,
        tokens: Tokens,
        product: Product<'_>,
    ) -> Result<Dispatch, WebGpuError> {
        // Rows that a thread, or half a tile, takes at once, and where the others begin.
        // A gate and what it lets through have to meet in one thread.
        let each = if tokens == Tokens::One { 1 } else { 32 };
        let (stride, pair) = if product.gated { (each, run.rows / 2) } else { (2 * each, each) };
        let pairs = run.rows.div_ceil(2);
        let offset = product.offset + run.first;
        let sizes = [run.rows, matrix.blocks(), stride, pair, offset, product.width];
        let sizes = self.sizes(&sizes, pairs)?;
        let mut buffers = vec![&run.values];
        buffers.extend(&run.scales);
        if tokens == Tokens::One {
            buffers.push(self.step);
        }
        buffers.extend([product.input, product.output]);
        buffers.extend(product.norm);
        buffers.extend(product.bias);
        let extent = match tokens {
            Tokens::One => {
                let slots = THREADS / lanes(matrix.blocks());
                [Extent::Fixed(pairs.div_ceil(slots) as u32), Extent::Fixed(1)]
            }
            Tokens::Block => [Extent::Fixed(pairs.div_ceil(32) as u32), Extent::Tokens(32)],
        };
        Ok(Dispatch::new(kernel, &buffers, extent).with_sizes(&sizes))
    }

    /// The sizes of a matrix for a kernel: rows, blocks, stride, pair, offset and width.
    pub(crate) fn sizes(&self, sizes: &[usize; 6], pairs: usize) -> Result<Vec<u32>, WebGpuError> {
        let mut words = Vec::with_capacity(8);
        for &size in sizes {
            words.push(word(size)?);
        }
        words.push(self.epsilon.to_bits());
        words.push(word(pairs)?);
        Ok(words)
    }
}

/// Threads that share a pair of rows of so many blocks: few where a row is short, since the rest
/// would have nothing to do.
fn lanes(blocks: usize) -> usize {
    match blocks {
        // No graphics processor was at hand: these are reasoned and not measured. MiniLM and SmolLM2-135M have rows
        // of 12 to 48 blocks.
        0..=24 => 8,
        25..=96 => 16,
        _ => 32,
    }
}

fn word(size: usize) -> Result<u32, WebGpuError> {
    u32::try_from(size).map_err(|_| WebGpuError::Unsupported {
        reason: format!("a size of {size} is more than a GPU's kernel counts"),
    })
}

/// Queries of a workgroup in the attention of many tokens; half as many where heads are wide,
/// whose queries would not fit workgroup memory.
const QUERIES: usize = 16;

/// The widest head that the kernels have threads for.
// Four numbers for each of the 64 threads.
pub(crate) const WIDEST: usize = 256;

/// The precision in which keys and values are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CachePrecision {
    /// 32-bit floats: the logits are those of single precision throughout.
    #[default]
    Full,
    /// 16-bit floats: half the memory and half the reading for long texts.
    Half,
}

impl CachePrecision {
    /// Bytes of a value.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Full => 4,
            Self::Half => 2,
        }
    }
}

/// Heads that ask, heads that are asked, and how wide they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Heads {
    pub(crate) heads: usize,
    pub(crate) key_heads: usize,
    pub(crate) width: usize,
    /// Added to the mean square where heads are normalised.
    pub(crate) epsilon: f32,
    pub(crate) precision: CachePrecision,
}

impl Heads {
    /// A kernel of attention with these sizes.
    pub(crate) fn case(&self, name: &'static str) -> Case {
        let Self { heads, key_heads, width, epsilon, precision } = *self;
        let half = precision == CachePrecision::Half;
        let queries = self.queries();
        let quads = width / 4;
        // Teams of threads of which each sums up as many of the queries.
        let teams = largest_power_of_two(THREADS / quads).min(queries);
        Case::new(name)
            .when("half_cache", half)
            .number("cache_type", if half { "vec2u" } else { "vec4f" })
            .number("width", width)
            .number("half_width", width / 2)
            .number("quads", quads)
            .number("heads", heads)
            .number("key_heads", key_heads)
            .number("group", heads / key_heads)
            .number("row", (heads + 2 * key_heads) * width)
            .number("scale", format!("{:?}", 1.0 / (width as f32).sqrt()))
            .number("epsilon", format!("{epsilon:?}"))
            .number("queries", queries)
            .number("query_quads", queries * quads)
            .number("scores", queries * 64)
            .number("teams", teams)
    }

    /// Returns `true` if the kernels are made for heads of this width.
    pub(crate) fn fits(&self) -> bool {
        self.width > 0 && self.width.is_multiple_of(4) && self.width <= WIDEST
    }

    /// Queries of a workgroup in the attention of many tokens.
    pub(crate) fn queries(&self) -> usize {
        // 16 queries of 128 numbers are 8 KiB, beside their scores; WebGPU promises 16 KiB.
        if self.width <= 128 { QUERIES } else { QUERIES / 2 }
    }
}

fn largest_power_of_two(number: usize) -> usize {
    1 << number.max(1).ilog2()
}
