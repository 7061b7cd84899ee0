//! A sentence encoder on WebGPU.
//!
//! One short text embeds faster on the CPU than a GPU is started; this is for many: the passages of a question, which are
//! read in one batch, and those of a whole collection.
//!
//! The network's weights lie on the device once. What an adapter changes is computed beside each product, as on the
//! CPU, so that reader, reranker and checker share them.

mod room;
mod weights;

use campanile_model::{
    Activation, Adapter, EncoderArchitecture, EncoderConfig, ModelError, NetworkChanges, Pooling,
    ReaderHead, Reading, TensorSource, TokenSequence, Tokenizer,
};

use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::kernel::{Case, Dispatch, Extent, Kernels, Step, launch};
use crate::matrix::DeviceMatrix;
use crate::product::{CachePrecision, Heads, Product, Products, Tokens};
use room::{Batch, MOST_ROWS, ROW_BLOCK, Workspace, batches};
use weights::{Change, Embeddings, Layer, LayerChange, Names, load_changes};

/// A BERT encoder whose layers are on a GPU; the table of token vectors stays in main memory.
#[derive(Debug)]
pub struct WebGpuEncoder {
    gpu: WebGpu,
    config: EncoderConfig,
    heads: Heads,
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// Those of each adapter.
    changes: Vec<Vec<Option<LayerChange>>>,
    kernels: Kernels,
    room: Room,
}

/// An adapter's changes on a [`WebGpuEncoder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceChanges(usize);

/// The memory that a batch is computed in, and the dispatches that do it.
#[derive(Debug)]
struct Room {
    work: Workspace,
    /// For the network as it is, and for each adapter; made when first needed.
    plans: Vec<Option<Vec<Dispatch>>>,
}

impl WebGpuEncoder {
    /// Moves the weights to the device, one tensor at a time.
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
        // RoBERTa's positions begin elsewhere and its padding has one of its own: neither is written here.
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
        let work = Workspace::new(gpu, config, &heads, config.token_limit(), None).await?;
        let mut encoder = Self {
            gpu: gpu.clone(),
            config: config.clone(),
            heads,
            embeddings,
            layers,
            changes: Vec::new(),
            kernels: Kernels::default(),
            room: Room { work, plans: vec![None] },
        };
        // Compiled while the page waits for the model anyway, not at the first question.
        encoder.plan(0).await?;
        gpu.check()?;
        Ok(encoder)
    }

    /// Moves an adapter's changes to the device, beside those that are there.
    ///
    /// # Errors
    /// [`WebGpuError::Model`] where it belongs to another network, [`WebGpuError::OutOfMemory`].
    pub async fn load_changes(
        &mut self,
        adapter: &dyn NetworkChanges,
    ) -> Result<DeviceChanges, WebGpuError> {
        adapter.check(&self.config.network)?;
        let changes = load_changes(&self.gpu, adapter, self.layers.len()).await?;
        let low = changes.iter().flatten().map(|layer| layer.projections.down.rows).max();
        let low = low.max(self.room.work.low_width());
        self.changes.push(changes);
        // The dispatches of all plans are bound to the old buffers: they are made anew with the room.
        self.make_room(self.room.work.rows, low).await?;
        Ok(DeviceChanges(self.changes.len() - 1))
    }

    /// One vector for each text, in the order given; a text without tokens has the zero vector.
    ///
    /// # Errors
    /// [`WebGpuError::Model`] where a text is longer than the encoder reads, or of another
    /// vocabulary; [`WebGpuError::Failed`] where the device fails.
    pub async fn encode(&mut self, texts: &[TokenSequence]) -> Result<Vec<Vec<f32>>, WebGpuError> {
        check_lengths(texts, self.config.token_limit())?;
        let rows = self.token_vectors(texts, None).await?;
        Ok(rows.iter().map(|rows| pool(rows, &self.config)).collect())
    }

    /// The last layer's vectors of each text, `[tokens, hidden]`, as the network is or with an adapter's changes.
    ///
    /// All texts are computed at once, as far as there is room.
    ///
    /// # Errors
    /// As [`WebGpuEncoder::encode`], [`WebGpuError::OutOfMemory`] where there is no room for the longest text.
    pub async fn token_vectors(
        &mut self,
        texts: &[TokenSequence],
        changes: Option<DeviceChanges>,
    ) -> Result<Vec<Vec<f32>>, WebGpuError> {
        check_lengths(texts, self.config.network.positions())?;
        let plan = changes.map_or(0, |changes| 1 + changes.0);
        let lengths: Vec<usize> = texts.iter().map(|text| text.ids().len()).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in batches(&lengths, self.heads.queries(), self.most_rows()) {
            let texts = &texts[vectors.len()..][..batch.texts.len()];
            let found = self.run(&batch, texts, plan).await?;
            vectors.extend(found);
        }
        Ok(vectors)
    }

    /// The rows that the widest buffer has room for.
    fn most_rows(&self) -> usize {
        let network = &self.config.network;
        let widest = network.intermediate_size.max(3 * network.hidden_size);
        let room = usize::try_from(self.gpu.buffer_limit()).unwrap_or(usize::MAX) / (4 * widest);
        (room / ROW_BLOCK * ROW_BLOCK).clamp(ROW_BLOCK, MOST_ROWS)
    }

    async fn run(
        &mut self,
        batch: &Batch,
        texts: &[TokenSequence],
        plan: usize,
    ) -> Result<Vec<Vec<f32>>, WebGpuError> {
        let rows = batch.rows(self.heads.queries());
        if rows == 0 {
            return Ok(vec![Vec::new(); texts.len()]);
        }
        if rows > self.room.work.rows {
            // Twice as much each time, so that a few questions are enough.
            let wanted = rows.max(2 * self.room.work.rows).min(self.most_rows().max(rows));
            self.make_room(wanted, self.room.work.low_width()).await?;
        }
        self.plan(plan).await?;
        let hidden = self.config.network.hidden_size;
        let mut states = vec![0u32; rows * hidden];
        for (text, rows) in texts.iter().zip(&batch.texts) {
            let embedded = self.embeddings.embed(text)?;
            states[rows.start * hidden..]
                .iter_mut()
                .zip(&embedded)
                .for_each(|(word, value)| *word = value.to_bits());
        }
        let step = Step { position: 0, tokens: rows as u32, row: 0, tiles: 1 };
        let work = &self.room.work;
        self.gpu.write(&work.step, 0, &step.words());
        self.gpu.write(&work.texts, 0, batch.tiles.as_flattened());
        self.gpu.write(&work.states, 0, &states);
        let Some(Some(list)) = self.room.plans.get(plan) else {
            // Without its layers a text's input would be taken for their output.
            return Err(WebGpuError::Failed {
                reason: "it has not the changes asked for".to_owned(),
            });
        };
        launch(&self.gpu, list, step);
        let words = self.gpu.read(&work.states, 4 * states.len() as u64).await?;
        let vectors = batch.texts.iter().map(|rows| {
            words[rows.start * hidden..rows.end * hidden]
                .iter()
                .map(|word| f32::from_bits(*word))
                .collect()
        });
        Ok(vectors.collect())
    }

    /// Room for so many rows, and so many values between the matrices of a change.
    async fn make_room(&mut self, rows: usize, low: Option<usize>) -> Result<(), WebGpuError> {
        let work = Workspace::new(&self.gpu, &self.config, &self.heads, rows, low).await?;
        let plans = (0..=self.changes.len()).map(|_| None).collect();
        self.room = Room { work, plans };
        Ok(())
    }

    /// Makes the dispatches of a plan, unless they are there: 0 is the network as it is.
    async fn plan(&mut self, plan: usize) -> Result<(), WebGpuError> {
        if self.room.plans.get(plan).is_none_or(Option::is_some) {
            return Ok(());
        }
        let changes = plan.checked_sub(1).and_then(|number| self.changes.get(number));
        let mut builder = Builder {
            gpu: &self.gpu,
            config: &self.config,
            heads: &self.heads,
            work: &self.room.work,
            kernels: &mut self.kernels,
            list: Vec::new(),
        };
        for (number, layer) in self.layers.iter().enumerate() {
            let change = changes.and_then(|changes| changes.get(number)?.as_ref());
            builder.layer(layer, change).await?;
        }
        let list = builder.list;
        if let Some(place) = self.room.plans.get_mut(plan) {
            *place = Some(list);
        }
        Ok(())
    }
}

/// Makes the dispatches of an encoder.
struct Builder<'a> {
    gpu: &'a WebGpu,
    config: &'a EncoderConfig,
    heads: &'a Heads,
    work: &'a Workspace,
    kernels: &'a mut Kernels,
    list: Vec<Dispatch>,
}

impl Builder<'_> {
    async fn layer(
        &mut self,
        layer: &Layer,
        change: Option<&LayerChange>,
    ) -> Result<(), WebGpuError> {
        let Self { gpu, config, heads, work, .. } = *self;
        let network = &config.network;
        let hidden = network.hidden_size;
        let projections = Product {
            bias: Some(&layer.projection_bias),
            ..Product::new(&work.states, &work.projected, 3 * hidden)
        };
        for (number, matrix) in layer.projections.iter().enumerate() {
            self.product(matrix, Product { offset: number * hidden, ..projections }).await?;
        }
        if let Some(change) = change {
            self.change(&change.projections, Product { residual: true, ..projections }).await?;
        }

        let prepare = self.kernels.get(gpu, heads.case("prepare")).await?;
        let buffers = [&work.step, &work.projected, &work.keys, &work.values, &work.rotation];
        let extent = [Extent::Tokens(1), Extent::Fixed(2 * heads.heads as u32)];
        self.list.push(Dispatch::new(&prepare, &buffers, extent));
        let attend = self.kernels.get(gpu, heads.case("attend_block").when("whole", true)).await?;
        let buffers =
            [&work.step, &work.projected, &work.keys, &work.values, &work.attended, &work.texts];
        let extent = [Extent::Tokens(heads.queries() as u32), Extent::Fixed(heads.heads as u32)];
        self.list.push(Dispatch::new(&attend, &buffers, extent));

        let attended = Product {
            bias: Some(&layer.attention_output_bias),
            residual: true,
            ..Product::new(&work.attended, &work.states, hidden)
        };
        self.product(&layer.attention_output, attended).await?;
        if let Some(change) = change {
            self.change(&change.attention_output, attended).await?;
        }
        self.norm(&layer.attention_norm).await?;

        let wide = Product {
            output: &work.wide,
            width: network.intermediate_size,
            bias: Some(&layer.widen_bias),
            activation: Some(match network.hidden_act {
                Activation::Gelu => "gelu",
                Activation::GeluNew => "gelu_tanh",
                Activation::Relu => "relu",
            }),
            // A change is there already, since the activation is of both.
            residual: change.is_some(),
            ..projections
        };
        if let Some(change) = change {
            let product = Product { residual: false, activation: None, ..wide };
            self.change(&change.widen, product).await?;
        }
        self.product(&layer.widen, wide).await?;
        let narrow = Product { input: &work.wide, bias: Some(&layer.narrow_bias), ..attended };
        self.product(&layer.narrow, narrow).await?;
        if let Some(change) = change {
            self.change(&change.narrow, narrow).await?;
        }
        self.norm(&layer.output_norm).await
    }

    async fn product(
        &mut self,
        matrix: &DeviceMatrix,
        product: Product<'_>,
    ) -> Result<(), WebGpuError> {
        let Self { gpu, work, kernels, list, .. } = self;
        let mut products = Products { gpu, step: &work.step, epsilon: 0.0, kernels };
        products.add(matrix, Tokens::Block, product, list).await
    }

    /// Writes what a change makes of a product's input to its output, or adds it.
    async fn change(&mut self, change: &Change, product: Product<'_>) -> Result<(), WebGpuError> {
        let Some(low) = &self.work.low else {
            return Err(WebGpuError::Failed { reason: "it has no room for changes".to_owned() });
        };
        let rank = change.down.rows;
        self.product(&change.down, Product::new(product.input, low, rank)).await?;
        let up = Product { input: low, bias: None, ..product };
        self.product(&change.up, up).await
    }

    async fn norm(&mut self, scale_and_shift: &Buffer) -> Result<(), WebGpuError> {
        let network = &self.config.network;
        let case = Case::new("layer_norm")
            .number("hidden", network.hidden_size)
            .number("epsilon", format!("{:?}", network.layer_norm_eps as f32));
        let kernel = self.kernels.get(self.gpu, case).await?;
        let extent = [Extent::Tokens(1), Extent::Fixed(1)];
        self.list.push(Dispatch::new(&kernel, &[&self.work.states, scale_and_shift], extent));
        Ok(())
    }
}

/// Fails where a text is longer than `limit` tokens.
fn check_lengths(texts: &[TokenSequence], limit: usize) -> Result<(), WebGpuError> {
    let longest = texts.iter().map(|text| text.ids().len()).max().unwrap_or(0);
    if longest > limit {
        return Err(WebGpuError::Model(ModelError::ContextTooLong { tokens: longest, limit }));
    }
    Ok(())
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

/// A reader whose encoder is on a GPU: all passages of a question are read in one batch.
///
/// The steps around the layers (words to tokens, and token vectors to the words that answer) are
/// [`ReaderHead`]'s, as on the CPU.
pub struct WebGpuReader {
    config: EncoderConfig,
    tokenizer: Tokenizer,
    adapter: Adapter,
    changes: DeviceChanges,
    encoder: WebGpuEncoder,
}

impl WebGpuReader {
    /// Moves the encoder's weights and the change by which it reads to the device.
    ///
    /// # Errors
    /// As [`WebGpuEncoder::load`] and [`WebGpuEncoder::load_changes`]; [`WebGpuError::Model`] also where the adapter
    /// is none that reads.
    pub async fn load(
        gpu: &WebGpu,
        config: EncoderConfig,
        tokenizer: Tokenizer,
        adapter: Adapter,
        weights: &dyn TensorSource,
    ) -> Result<Self, WebGpuError> {
        ReaderHead::new(&tokenizer, &config.network, &adapter)?;
        let mut encoder = WebGpuEncoder::load(gpu, &config, weights).await?;
        let changes = encoder.load_changes(&adapter).await?;
        Ok(Self { config, tokenizer, adapter, changes, encoder })
    }

    /// Returns what it finds in each passage, at most `spans` places in each.
    ///
    /// # Errors
    /// [`WebGpuError::Model`] where a text cannot be put into tokens, else what the device says.
    pub async fn read(
        &mut self,
        question: &str,
        passages: &[&str],
        spans: usize,
    ) -> Result<Vec<Reading>, WebGpuError> {
        let head = ReaderHead::new(&self.tokenizer, &self.config.network, &self.adapter)?;
        let pairs = head.pairs(question, passages)?;
        let rows = self.encoder.token_vectors(pairs.sequences(), Some(self.changes)).await?;
        Ok(head.readings(&pairs, &rows, spans)?)
    }
}
