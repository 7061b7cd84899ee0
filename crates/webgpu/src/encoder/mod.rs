//! A sentence encoder on WebGPU.
//!
//! One short text embeds faster on the CPU than a GPU is started; this is for many, and for seeing
//! that both devices agree.

mod weights;

use campanile_model::{
    Activation, EncoderArchitecture, EncoderConfig, Pooling, TensorSource, TokenSequence,
};

use self::weights::{Embeddings, Layer, Names};
use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::heads::{CachePrecision, Heads};
use crate::kernel::{Case, Dispatch, Extent, Kernels, Step, launch};
use crate::product::{Product, Products, Tokens};

/// A BERT encoder whose layers are on a GPU; the table of token vectors stays in main memory.
#[derive(Debug)]
pub struct WebGpuEncoder {
    gpu: WebGpu,
    config: EncoderConfig,
    embeddings: Embeddings,
    work: Workspace,
    plan: Vec<Dispatch>,
    /// What the dispatches' kernels read; kept as long as they are.
    _layers: Vec<Layer>,
}

/// What a text is computed in. Rows are tokens.
#[derive(Debug)]
struct Workspace {
    step: Buffer,
    /// Turns nothing: positions are part of the token vectors.
    rotation: Buffer,
    states: Buffer,
    projected: Buffer,
    keys: Buffer,
    values: Buffer,
    attended: Buffer,
    wide: Buffer,
}

impl WebGpuEncoder {
    /// Moves the weights to the device, one tensor at a time, and compiles the kernels.
    ///
    /// # Errors
    /// [`WebGpuError::Model`] where a tensor is missing, damaged or of another shape,
    /// [`WebGpuError::Unsupported`] where the kernels are not made for the network,
    /// [`WebGpuError::OutOfMemory`] where the device has no room.
    pub async fn load(
        gpu: &WebGpu,
        config: &EncoderConfig,
        weights: &dyn TensorSource,
    ) -> Result<Self, WebGpuError> {
        config.check()?;
        let network = &config.network;
        let heads = Heads {
            heads: network.num_attention_heads,
            key_heads: network.num_attention_heads,
            width: network.hidden_size / network.num_attention_heads,
            epsilon: 0.0,
            precision: CachePrecision::Full,
        };
        if network.model_type != EncoderArchitecture::Bert || !heads.fits() {
            return Err(WebGpuError::Unsupported {
                reason:
                    "the GPU's encoder is a BERT whose heads are multiples of 4 wide, up to 256"
                        .to_owned(),
            });
        }
        let names = Names::of(weights);
        let embeddings = Embeddings::load(network, &names, weights)?;
        let mut layers = Vec::with_capacity(network.num_hidden_layers);
        for number in 0..network.num_hidden_layers {
            layers.push(Layer::load(gpu, network, &names, number, weights).await?);
        }
        let work = Workspace::new(gpu, config, &heads).await?;
        let mut kernels = Kernels::default();
        let mut plan = Vec::new();
        for layer in &layers {
            add_layer(gpu, config, &heads, layer, &work, &mut kernels, &mut plan).await?;
        }
        gpu.check()?;
        let (gpu, config) = (gpu.clone(), config.clone());
        Ok(Self { gpu, config, embeddings, work, plan, _layers: layers })
    }

    /// One vector for each text, in the order given; a text without tokens has the zero vector.
    ///
    /// # Errors
    /// [`WebGpuError::Model`] where a text is longer than the encoder reads, or of another
    /// vocabulary; [`WebGpuError::Failed`] where the device fails.
    pub async fn encode(&self, texts: &[TokenSequence]) -> Result<Vec<Vec<f32>>, WebGpuError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for text in texts {
            let rows = self.token_vectors(text).await?;
            vectors.push(pool(&rows, &self.config));
        }
        Ok(vectors)
    }

    /// The last layer's vectors of a text, `[tokens, hidden]`.
    async fn token_vectors(&self, text: &TokenSequence) -> Result<Vec<f32>, WebGpuError> {
        let tokens = text.ids().len();
        if tokens == 0 {
            return Ok(Vec::new());
        }
        if tokens > self.config.token_limit() {
            return Err(WebGpuError::Model(campanile_model::ModelError::ContextTooLong {
                tokens,
                limit: self.config.token_limit(),
            }));
        }
        let states = self.embeddings.embed(text)?;
        let words: Vec<u32> = states.iter().map(|value| value.to_bits()).collect();
        let step = Step { position: 0, tokens: tokens as u32, row: 0, tiles: 1 };
        self.gpu.write(&self.work.step, 0, &step.words());
        self.gpu.write(&self.work.states, 0, &words);
        launch(&self.gpu, &self.plan, step);
        let words = self.gpu.read(&self.work.states, 4 * words.len() as u64).await?;
        Ok(words.into_iter().map(f32::from_bits).collect())
    }
}

impl Workspace {
    async fn new(gpu: &WebGpu, config: &EncoderConfig, heads: &Heads) -> Result<Self, WebGpuError> {
        // Whole tiles of products and of the cache.
        let tokens = config.token_limit().next_multiple_of(64);
        let rows = |width: usize| (4 * tokens * width) as u64;
        let hidden = config.network.hidden_size;
        let half = heads.width / 2;
        let mut rotation = Vec::with_capacity(tokens * heads.width);
        for _ in 0..tokens {
            rotation.extend(std::iter::repeat_n(1.0, half));
            rotation.extend(std::iter::repeat_n(0.0, heads.width - half));
        }
        Ok(Self {
            step: gpu.words("step", &[0; 4]).await?,
            rotation: gpu.numbers("rotation", &rotation).await?,
            states: gpu.storage("states", rows(hidden)).await?,
            projected: gpu.storage("projections", rows(3 * hidden)).await?,
            keys: gpu.storage("keys", rows(hidden)).await?,
            values: gpu.storage("values", rows(hidden)).await?,
            attended: gpu.storage("attention", rows(hidden)).await?,
            wide: gpu.storage("wide states", rows(config.network.intermediate_size)).await?,
        })
    }
}

/// Adds the dispatches of one layer.
async fn add_layer(
    gpu: &WebGpu,
    config: &EncoderConfig,
    heads: &Heads,
    layer: &Layer,
    work: &Workspace,
    kernels: &mut Kernels,
    list: &mut Vec<Dispatch>,
) -> Result<(), WebGpuError> {
    let network = &config.network;
    let hidden = network.hidden_size;
    let plain = Product {
        input: &work.states,
        output: &work.projected,
        width: 3 * hidden,
        offset: 0,
        norm: None,
        bias: Some(&layer.projection_bias),
        residual: false,
        gated: false,
        activation: None,
    };
    for (number, matrix) in layer.projections.iter().enumerate() {
        let product = Product { offset: number * hidden, ..plain };
        products(gpu, work, kernels).add(matrix, Tokens::Block, product, list).await?;
    }

    let prepare = kernels.get(gpu, heads.case("prepare")).await?;
    let buffers = [&work.step, &work.projected, &work.keys, &work.values, &work.rotation];
    let extent = [Extent::Tokens(1), Extent::Fixed(2 * heads.heads as u32)];
    list.push(Dispatch::new(&prepare, &buffers, extent));
    let attend = kernels.get(gpu, heads.case("attend_block").when("whole", true)).await?;
    let buffers = [&work.step, &work.projected, &work.keys, &work.values, &work.attended];
    let extent = [Extent::Tokens(heads.queries() as u32), Extent::Fixed(heads.heads as u32)];
    list.push(Dispatch::new(&attend, &buffers, extent));

    let residual = Product { output: &work.states, width: hidden, residual: true, ..plain };
    let norm = Case::new("layer_norm")
        .number("hidden", hidden)
        .number("epsilon", format!("{:?}", network.layer_norm_eps as f32));
    let norm = kernels.get(gpu, norm).await?;
    let norm = |gain| {
        let extent = [Extent::Tokens(1), Extent::Fixed(1)];
        Dispatch::new(&norm, &[&work.states, gain], extent)
    };
    let product =
        Product { input: &work.attended, bias: Some(&layer.attention_output_bias), ..residual };
    products(gpu, work, kernels).add(&layer.attention_output, Tokens::Block, product, list).await?;
    list.push(norm(&layer.attention_norm));
    let product = Product {
        output: &work.wide,
        width: network.intermediate_size,
        bias: Some(&layer.widen_bias),
        activation: Some(match network.hidden_act {
            Activation::Gelu => "gelu",
            Activation::GeluNew => "gelu_tanh",
            Activation::Relu => "relu",
        }),
        ..plain
    };
    products(gpu, work, kernels).add(&layer.widen, Tokens::Block, product, list).await?;
    let product = Product { input: &work.wide, bias: Some(&layer.narrow_bias), ..residual };
    products(gpu, work, kernels).add(&layer.narrow, Tokens::Block, product, list).await?;
    list.push(norm(&layer.output_norm));
    Ok(())
}

fn products<'a>(gpu: &'a WebGpu, work: &'a Workspace, kernels: &'a mut Kernels) -> Products<'a> {
    Products { gpu, step: &work.step, epsilon: 0.0, kernels }
}

/// One vector from rows of token vectors.
fn pool(rows: &[f32], config: &EncoderConfig) -> Vec<f32> {
    let hidden = config.network.hidden_size;
    let mut vector = vec![0.0f32; hidden];
    let taken = match config.pooling {
        Pooling::Cls => 1,
        Pooling::Mean => rows.len() / hidden.max(1),
    };
    for row in rows.chunks_exact(hidden.max(1)).take(taken) {
        for (total, value) in vector.iter_mut().zip(row) {
            *total += value / taken as f32;
        }
    }
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if config.normalize && length > 0.0 {
        for value in &mut vector {
            *value /= length;
        }
    }
    vector
}
