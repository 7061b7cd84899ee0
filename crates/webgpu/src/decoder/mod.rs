//! A decoder's layers on WebGPU.

mod choice;
mod memory;
mod plan;
mod weights;

use std::rc::Rc;

use campanile_model::{
    BackendFuture, DecoderBackend, DecoderConfig, ModelError, Penalty, Rotary, Shards, TensorSource,
};

use crate::device::WebGpu;
use crate::error::WebGpuError;
use crate::kernel::{Dispatch, Kernels, Recording, Step, launch};
use crate::product::CachePrecision;
use choice::Choice;
use memory::{BLOCK_TOKENS, Cache, Shape, TILE, Workspace};
use plan::Plan;
use weights::{Gathering, Weights};

/// The options of running a decoder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecoderOptions {
    /// The precision in which keys and values are kept.
    pub cache: CachePrecision,
}

/// Takes a decoder's weights as they arrive, file by file, and puts them on the device.
#[derive(Debug)]
pub struct DecoderLoader {
    gpu: WebGpu,
    options: DecoderOptions,
    shape: Shape,
    rotary: Rotary,
    gathering: Gathering,
}

impl DecoderLoader {
    /// Begins to load a decoder.
    ///
    /// # Errors
    /// [`WebGpuError::Unsupported`] where the kernels are not made for its shape.
    pub fn new(
        gpu: &WebGpu,
        config: &DecoderConfig,
        options: DecoderOptions,
    ) -> Result<Self, WebGpuError> {
        let shape = Shape::new(config)?;
        Ok(Self {
            gpu: gpu.clone(),
            options,
            shape,
            rotary: Rotary::new(config),
            gathering: Gathering::new(config, shape),
        })
    }

    /// Moves the tensors of `source` to the device, one at a time; the source may be dropped
    /// then.
    ///
    /// # Errors
    /// [`WebGpuError::Model`] where a tensor is damaged or of another shape,
    /// [`WebGpuError::OutOfMemory`] where the device has no room.
    pub async fn add(&mut self, source: &dyn TensorSource) -> Result<(), WebGpuError> {
        self.gathering.add(&self.gpu, source).await
    }

    /// Takes out of `shards` what has arrived whole, and moves it to the device: called after each
    /// shard, it keeps little more than that shard in main memory.
    ///
    /// # Errors
    /// As [`DecoderLoader::add`].
    pub async fn take(&mut self, shards: &mut Shards) -> Result<(), WebGpuError> {
        self.gathering.take(&self.gpu, shards).await
    }

    /// Puts the decoder together and compiles its kernels.
    ///
    /// # Errors
    /// [`WebGpuError::Model`] where a tensor never came, [`WebGpuError::Kernel`] where the device
    /// does not take a kernel, [`WebGpuError::OutOfMemory`] where it has no room.
    pub async fn finish(self) -> Result<WebGpuDecoder, WebGpuError> {
        let Self { gpu, options, shape, rotary, gathering } = self;
        let weights = gathering.finish(&gpu).await?;
        let needs_both = weights.layers.iter().any(|layer| layer.gate_and_up.len() > 1);
        let work = Workspace::new(&gpu, &shape, needs_both).await?;
        let cache = Cache::new(&gpu, &shape, options.cache, 0, None).await?;
        let mut kernels = Kernels::default();
        let plan = Plan::new(&gpu, &shape, &weights, &work, &cache, &mut kernels).await?;
        let choice = Choice::new(&gpu, shape.vocabulary, &work.logits, &mut kernels).await?;
        gpu.check()?;
        Ok(WebGpuDecoder {
            token_step: Recording::default(),
            token_choice: Recording::default(),
            gpu,
            shape,
            rotary,
            weights,
            work,
            cache,
            kernels,
            plan: Rc::new(plan),
            choice,
            reserved: 0,
            step: Step::default(),
            has_logits: false,
            dispatches: 0,
        })
    }
}

/// The holders of a choice's buffers: the logits' dispatches and the rounds'.
type ChoiceBuffers = (Rc<Plan>, Rc<[Dispatch]>);

/// A decoder of the Llama family whose weights, cache and arithmetic are on a GPU.
#[derive(Debug)]
pub struct WebGpuDecoder {
    /// The layers for one token, over so many tiles of the cache.
    token_step: Recording<u32, Rc<Plan>>,
    /// The logits and the best of them: so many, with the penalty's bits.
    token_choice: Recording<(usize, u32), ChoiceBuffers>,
    gpu: WebGpu,
    shape: Shape,
    rotary: Rotary,
    weights: Weights,
    work: Workspace,
    cache: Cache,
    kernels: Kernels,
    plan: Rc<Plan>,
    choice: Choice,
    /// Positions that were asked for.
    reserved: usize,
    /// The last step.
    step: Step,
    /// `true` if the logits of the last step are computed.
    has_logits: bool,
    dispatches: usize,
}

impl WebGpuDecoder {
    /// Loads a decoder from one source.
    ///
    /// # Errors
    /// As [`DecoderLoader`].
    pub async fn load(
        gpu: &WebGpu,
        config: &DecoderConfig,
        weights: &dyn TensorSource,
        options: DecoderOptions,
    ) -> Result<Self, WebGpuError> {
        let mut loader = DecoderLoader::new(gpu, config, options)?;
        loader.add(weights).await?;
        loader.finish().await
    }

    /// Dispatches since the last read began, its own among them: for one token and the choice of
    /// the next, what a token costs.
    pub fn dispatches(&self) -> usize {
        self.dispatches
    }

    /// Kernels that were compiled.
    pub fn kernels(&self) -> usize {
        self.kernels.count()
    }

    /// Reads at most a block of tokens.
    async fn read_block(&mut self, tokens: &[u32], position: usize) -> Result<(), WebGpuError> {
        self.make_room(position + tokens.len()).await?;
        let step = Step {
            position: position as u32,
            tokens: tokens.len() as u32,
            row: tokens.len().saturating_sub(1) as u32,
            tiles: (position + tokens.len()).div_ceil(TILE) as u32,
        };
        self.step = step;
        self.has_logits = false;
        let rotation = self.rotation(position, tokens.len());
        self.work.inputs.write(&self.gpu, step, tokens, &rotation);
        let Self { gpu, plan, token_step, .. } = self;
        self.dispatches = match tokens {
            // A single token is always the same launches; a block's length differs from prompt to prompt.
            [_] => token_step
                .run(gpu, step.tiles, Rc::clone(plan), || launch(gpu, &plan.token, step))?,
            _ => launch(gpu, &plan.block, step),
        };
        Ok(())
    }

    /// For each token from `position` on, the cosines and then the sines of its angles.
    ///
    /// They are computed here: WebGPU promises little of a sine's precision far from zero, and a
    /// position in the thousands is far.
    fn rotation(&self, position: usize, tokens: usize) -> Vec<u32> {
        let (mut cosines, mut sines) = (Vec::new(), Vec::new());
        self.rotary.angles(position, tokens, &mut cosines, &mut sines);
        let half = self.shape.width / 2;
        let rows = cosines.chunks_exact(half).zip(sines.chunks_exact(half));
        rows.flat_map(|(cosines, sines)| cosines.iter().chain(sines).map(|v| v.to_bits())).collect()
    }

    /// Makes the cache large enough.
    async fn make_room(&mut self, positions: usize) -> Result<(), WebGpuError> {
        if positions > self.shape.positions {
            return Err(WebGpuError::Model(ModelError::ContextTooLong {
                tokens: positions,
                limit: self.shape.positions,
            }));
        }
        // What was announced is made at once, so that a long prompt does not grow the cache block by block.
        let wanted = positions.max(self.reserved.min(self.shape.positions));
        if wanted <= self.cache.positions() {
            return Ok(());
        }
        let precision = self.cache.precision();
        let (gpu, shape) = (&self.gpu, &self.shape);
        let cache = Cache::new(gpu, shape, precision, wanted, Some(&self.cache)).await?;
        let plan =
            Plan::new(gpu, shape, &self.weights, &self.work, &cache, &mut self.kernels).await?;
        self.plan = Rc::new(plan);
        self.cache = cache;
        // The recordings are bound to the old cache, which stays in memory as long as they do.
        self.token_step.clear();
        self.token_choice.clear();
        Ok(())
    }

    async fn read_all(&mut self, tokens: &[u32], position: usize) -> Result<(), WebGpuError> {
        if tokens.iter().any(|&token| token as usize >= self.shape.vocabulary) {
            return Err(WebGpuError::Failed {
                reason: "it was given a token beyond the vocabulary".to_owned(),
            });
        }
        let mut at = position;
        for block in tokens.chunks(BLOCK_TOKENS) {
            self.read_block(block, at).await?;
            at += block.len();
        }
        if tokens.len() > 1 {
            // A page that asks for the next block stays responsive, and hears of a failure.
            self.gpu.finished().await?;
        }
        Ok(())
    }

    async fn read_logits(&mut self) -> Result<Vec<f32>, WebGpuError> {
        if !self.has_logits {
            self.dispatches += launch(&self.gpu, &self.plan.head, self.step);
            self.has_logits = true;
        }
        let words = self.gpu.read(&self.work.logits, 4 * self.shape.vocabulary as u64).await?;
        Ok(words.into_iter().map(f32::from_bits).collect())
    }

    async fn choose(
        &mut self,
        count: usize,
        penalty: Option<Penalty<'_>>,
    ) -> Result<Vec<(u32, f32)>, WebGpuError> {
        let count = count.clamp(1, choice::MOST.min(self.shape.vocabulary));
        let factor = self.choice.penalise(&self.gpu, penalty);
        let Self { gpu, plan, choice, step, token_choice, .. } = self;
        self.dispatches += if self.has_logits {
            choice.launch(gpu, count, factor)
        } else {
            let buffers = (Rc::clone(plan), choice.rounds());
            token_choice.run(gpu, (count, factor.to_bits()), buffers, || {
                launch(gpu, &plan.head, *step) + choice.launch(gpu, count, factor)
            })?
        };
        self.has_logits = true;
        self.choice.read(&self.gpu, count).await
    }
}

impl DecoderBackend for WebGpuDecoder {
    fn reserve(&mut self, tokens: usize) -> Result<(), ModelError> {
        memory::check_size(&self.gpu, &self.shape, self.cache.precision(), tokens)?;
        self.reserved = self.reserved.max(tokens);
        Ok(())
    }

    fn read<'a>(&'a mut self, tokens: &'a [u32], position: usize) -> BackendFuture<'a, ()> {
        Box::pin(async move { Ok(self.read_all(tokens, position).await?) })
    }

    fn block_tokens(&self) -> usize {
        BLOCK_TOKENS
    }

    fn logits(&mut self) -> BackendFuture<'_, Vec<f32>> {
        Box::pin(async move { Ok(self.read_logits().await?) })
    }

    fn best<'a>(
        &'a mut self,
        count: usize,
        penalty: Option<Penalty<'a>>,
    ) -> BackendFuture<'a, Vec<(u32, f32)>> {
        Box::pin(async move { Ok(self.choose(count, penalty).await?) })
    }

    fn most_candidates(&self) -> usize {
        choice::MOST
    }

    fn device(&self) -> &str {
        "webgpu"
    }
}
