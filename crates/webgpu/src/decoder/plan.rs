//! The dispatches of a step, bound once and launched again for each block of tokens.

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;

use super::memory::{Cache, Shape, Workspace};
use super::weights::{Layer, Weights};
use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::kernel::{Case, Dispatch, Extent, Kernels};
use crate::matrix::DeviceMatrix;
use crate::product::{Heads, Product, Products, THREADS, Tokens};

/// All dispatches of a decoder.
#[derive(Debug)]
pub(crate) struct Plan {
    /// One token, from its number to the last layer's states.
    pub(crate) token: Vec<Dispatch>,
    /// The same for a block of tokens.
    pub(crate) block: Vec<Dispatch>,
    /// From the states of one row to the logits.
    pub(crate) head: Vec<Dispatch>,
}

impl Plan {
    /// Compiles what is not compiled yet, and binds everything.
    pub(crate) async fn new(
        gpu: &WebGpu,
        shape: &Shape,
        weights: &Weights,
        work: &Workspace,
        cache: &Cache,
        kernels: &mut Kernels,
    ) -> Result<Self, WebGpuError> {
        let mut builder = Builder { gpu, shape, work, cache, kernels };
        let head = builder.head(weights).await?;
        // Twice the same, since a dispatch belongs to one list.
        let mut token = builder.embed(&weights.embedding).await?;
        let mut block = builder.embed(&weights.embedding).await?;
        for (number, layer) in weights.layers.iter().enumerate() {
            for (tokens, list) in [(Tokens::One, &mut token), (Tokens::Block, &mut block)] {
                builder.layer(layer, number, tokens, list).await?;
            }
        }
        Ok(Self { token, block, head })
    }
}

struct Builder<'a> {
    gpu: &'a WebGpu,
    shape: &'a Shape,
    work: &'a Workspace,
    cache: &'a Cache,
    kernels: &'a mut Kernels,
}

impl Builder<'_> {
    fn products(&mut self) -> Products<'_> {
        Products {
            gpu: self.gpu,
            step: &self.work.inputs.step,
            epsilon: self.shape.epsilon,
            kernels: self.kernels,
        }
    }

    fn heads(&self) -> Heads {
        let Shape { heads, key_heads, width, epsilon, .. } = *self.shape;
        Heads { heads, key_heads, width, epsilon, precision: self.cache.precision() }
    }

    async fn embed(&mut self, table: &DeviceMatrix) -> Result<Vec<Dispatch>, WebGpuError> {
        let case = Case::new("embed").weights(table.format, false);
        let kernel = self.kernels.get(self.gpu, case).await?;
        let mut list = Vec::new();
        for run in &table.runs {
            let blocks = table.blocks();
            let sizes = self.products().sizes(&[run.rows, blocks, 0, 0, run.first, 0], 0)?;
            let mut buffers = vec![&run.values];
            buffers.extend(&run.scales);
            buffers.extend([&self.work.inputs.tokens, &self.work.states]);
            let extent = [Extent::Fixed(blocks.div_ceil(16) as u32), Extent::Tokens(1)];
            list.push(Dispatch::new(&kernel, &buffers, extent).with_sizes(&sizes));
        }
        Ok(list)
    }

    async fn head(&mut self, weights: &Weights) -> Result<Vec<Dispatch>, WebGpuError> {
        let work = self.work;
        let matrix = weights.output.as_ref().unwrap_or(&weights.embedding);
        let product = Product {
            norm: Some(&weights.final_norm),
            ..Product::new(&work.states, &work.logits, self.shape.vocabulary)
        };
        let mut list = Vec::new();
        self.products().add(matrix, Tokens::One, product, &mut list).await?;
        Ok(list)
    }

    async fn layer(
        &mut self,
        layer: &Layer,
        number: usize,
        tokens: Tokens,
        list: &mut Vec<Dispatch>,
    ) -> Result<(), WebGpuError> {
        let work = self.work;
        let mut offset = 0;
        for matrix in &layer.projections {
            let product = Product {
                offset,
                norm: Some(&layer.attention_norm),
                bias: layer.projection_bias.as_ref(),
                ..Product::new(&work.states, &work.projected, self.shape.projections())
            };
            self.products().add(matrix, tokens, product, list).await?;
            offset += matrix.rows;
        }
        self.attention(layer.head_gains.as_ref(), number, tokens, list).await?;
        let residual = Product {
            bias: layer.attention_output_bias.as_ref(),
            residual: true,
            ..Product::new(&work.attended, &work.states, self.shape.hidden)
        };
        self.products().add(&layer.attention_output, tokens, residual, list).await?;
        self.gate_and_up(layer, tokens, list).await?;
        let residual = Product { input: &work.gated, bias: None, ..residual };
        self.products().add(&layer.down, tokens, residual, list).await
    }

    async fn gate_and_up(
        &mut self,
        layer: &Layer,
        tokens: Tokens,
        list: &mut Vec<Dispatch>,
    ) -> Result<(), WebGpuError> {
        let work = self.work;
        let wide = self.shape.wide;
        let product = Product {
            norm: Some(&layer.feed_forward_norm),
            gated: true,
            ..Product::new(&work.states, &work.gated, wide)
        };
        if let [matrix] = layer.gate_and_up.as_slice() {
            return self.products().add(matrix, tokens, product, list).await;
        }
        let Some(both) = &work.both else {
            return Err(WebGpuError::Failed { reason: "it has no room for gates".to_owned() });
        };
        for (matrix, offset) in layer.gate_and_up.iter().zip([0, wide]) {
            let product =
                Product { output: both, width: 2 * wide, offset, gated: false, ..product };
            self.products().add(matrix, tokens, product, list).await?;
        }
        let kernel = self.kernels.get(self.gpu, Case::new("gate").number("wide", wide)).await?;
        let extent = [Extent::Fixed(wide.div_ceil(THREADS) as u32), Extent::Tokens(1)];
        let buffers = [both, &work.gated];
        list.push(Dispatch::new(&kernel, &buffers, extent));
        Ok(())
    }

    async fn attention(
        &mut self,
        head_gains: Option<&Buffer>,
        number: usize,
        tokens: Tokens,
        list: &mut Vec<Dispatch>,
    ) -> Result<(), WebGpuError> {
        let (gpu, work) = (self.gpu, self.work);
        let Some(cache) = self.cache.layers.get(number) else {
            return Err(WebGpuError::Failed { reason: format!("it caches no layer {number}") });
        };
        let heads = self.shape.heads as u32;
        let normed = head_gains.is_some();
        let mut buffers = vec![
            &work.inputs.step, &work.projected, &cache.keys, &cache.values, &work.inputs.rotation,
        ];
        buffers.extend(head_gains);
        match tokens {
            Tokens::One => {
                let case = self.heads().case("attend").when("head_norm", normed);
                let kernel = self.kernels.get(gpu, case).await?;
                buffers.extend([&self.cache.parts, &work.attended]);
                let extent = [Extent::Tiles, Extent::Fixed(heads)];
                list.push(Dispatch::new(&kernel, &buffers, extent));
                let kernel = self.kernels.get(gpu, self.heads().case("combine")).await?;
                let buffers = [&work.inputs.step, &self.cache.parts, &work.attended];
                let extent = [Extent::Fixed(heads), Extent::Fixed(1)];
                list.push(Dispatch::new(&kernel, &buffers, extent).for_several_tiles());
            }
            Tokens::Block => {
                let case = self.heads().case("prepare").when("head_norm", normed);
                let kernel = self.kernels.get(gpu, case).await?;
                // Values are not turned: they are copied with the keys of their head.
                let all = heads + self.shape.key_heads as u32;
                let extent = [Extent::Tokens(1), Extent::Fixed(all)];
                list.push(Dispatch::new(&kernel, &buffers, extent));
                let kernel = self.kernels.get(gpu, self.heads().case("attend_block")).await?;
                let buffers = [
                    &work.inputs.step, &work.projected, &cache.keys, &cache.values, &work.attended,
                ];
                let each = self.heads().queries() as u32;
                let extent = [Extent::Tokens(each), Extent::Fixed(heads)];
                list.push(Dispatch::new(&kernel, &buffers, extent));
            }
        }
        Ok(())
    }
}
