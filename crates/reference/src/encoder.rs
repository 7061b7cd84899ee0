//! From texts to vectors, in batches of texts of like length.

use burn::tensor::{Bool, Device, Int, Tensor, TensorData};
use campanile_model::{BertConfig, EncoderConfig, Pooling, TokenSequence};

use crate::bert::{Bert, RENAMINGS, segments};
use crate::error::ReferenceError;
use crate::loading::{Weights, fill, read_back};
use crate::reader::Changes;

/// A sentence encoder ([Reimers and Gurevych 2019](https://arxiv.org/abs/1908.10084)): BERT, whose
/// last layer's vectors become one.
///
/// A clone shares its weights.
#[derive(Clone)]
pub struct Encoder {
    config: EncoderConfig,
    network: Bert,
    changes: Option<Changes>,
    device: Device,
}

/// The vectors of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    /// `[hidden]`: the text's own vector, of length 1 unless the configuration says otherwise.
    pub vector: Vec<f32>,
    /// `[tokens, hidden]`, row by row: the last layer's vectors, special tokens among them, which
    /// late interaction compares ([Khattab and Zaharia 2020](https://arxiv.org/abs/2004.12832)).
    pub tokens: Vec<f32>,
}

impl Encoder {
    /// An encoder on a device.
    ///
    /// # Errors
    /// [`ReferenceError::Model`] and [`ReferenceError::NotRun`] where the configuration does not
    /// fit together or is not of BERT, [`ReferenceError::Weights`] where a tensor is missing or
    /// of another shape.
    pub fn load(
        config: &EncoderConfig,
        weights: Weights<'_>,
        device: &Device,
    ) -> Result<Self, ReferenceError> {
        let mut network = Bert::new(&config.network, device)?;
        fill(&mut network, weights, RENAMINGS)?;
        Ok(Self { config: config.clone(), network, changes: None, device: device.clone() })
    }

    /// The same network with an adapter's low-rank changes, from the bytes of its file.
    ///
    /// # Errors
    /// [`ReferenceError::Adapter`] where the file's metadata are not understood, and
    /// [`ReferenceError::Weights`] where a tensor is missing or of another network's shape.
    pub fn with_changes(&self, adapter: &[u8]) -> Result<Self, ReferenceError> {
        let changes = Changes::load(&self.config.network, adapter, &self.device)?;
        Ok(Self { changes: Some(changes), ..self.clone() })
    }

    /// One vector, `[hidden]`, for each text, in the order given.
    ///
    /// Texts of like length are computed together, padded; padding changes no text's vector.
    ///
    /// # Errors
    /// [`ReferenceError::Text`] where a text is empty, too long or another vocabulary's, and
    /// [`ReferenceError::Device`] where the device fails.
    pub fn encode(&self, texts: &[TokenSequence]) -> Result<Vec<Vec<f32>>, ReferenceError> {
        self.in_batches(texts, |batch, states| self.vectors(batch, states))
    }

    /// As [`Encoder::encode`], with the vectors of each text's tokens from the same pass.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn encode_with_tokens(
        &self,
        texts: &[TokenSequence],
    ) -> Result<Vec<Encoded>, ReferenceError> {
        self.in_batches(texts, |batch, states| {
            let vectors = self.vectors(batch, states.clone())?;
            let tokens = rows(batch, states)?;
            let encoded = vectors.into_iter().zip(tokens);
            Ok(encoded.map(|(vector, tokens)| Encoded { vector, tokens }).collect())
        })
    }

    /// The results of `reduce` for each batch's last vectors, `[batch, tokens, hidden]`: one for
    /// each of its texts.
    pub(crate) fn in_batches<R>(
        &self,
        texts: &[TokenSequence],
        reduce: impl Fn(&Batch, Tensor<3>) -> Result<Vec<R>, ReferenceError>,
    ) -> Result<Vec<R>, ReferenceError> {
        let config = &self.config.network;
        check(config, texts)?;
        let mut results = Vec::with_capacity(texts.len());
        for numbers in batches(texts) {
            let texts: Vec<_> = numbers.iter().filter_map(|&number| texts.get(number)).collect();
            let batch = Batch::new(&texts, config.max_position_embeddings, &self.device);
            let states = self.network.forward(config, &batch, self.changes.as_ref());
            results.extend(numbers.into_iter().zip(reduce(&batch, states)?));
        }
        // Batches mix the texts; whoever asked has them in an order of their own.
        results.sort_unstable_by_key(|(number, _)| *number);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    /// One vector a text from those of its tokens.
    fn vectors(&self, batch: &Batch, states: Tensor<3>) -> Result<Vec<Vec<f32>>, ReferenceError> {
        let [_, _, hidden] = states.dims();
        let pooled = match self.config.pooling {
            // `[batch, tokens, hidden]` to `[batch, 1, hidden]`; padding weighs nothing.
            Pooling::Mean => {
                let weights = batch.weights();
                (states * weights.clone()).sum_dim(1) / weights.sum_dim(1)
            }
            Pooling::Cls => states.narrow(1, 0, 1),
        };
        let pooled = match self.config.normalize {
            true => {
                let length = pooled.clone().square().sum_dim(2).sqrt();
                // As PyTorch's `normalize` does, so that a vector of zeros stays one.
                pooled / length.clamp_min(1e-12)
            }
            false => pooled,
        };
        Ok(read_back(pooled)?.chunks_exact(hidden).map(<[f32]>::to_vec).collect())
    }

    /// The device of the network, where its heads belong too.
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// Width of a token's vector.
    pub(crate) fn hidden(&self) -> usize {
        self.config.network.hidden_size
    }
}

/// The rows of each text of `[batch, tokens, width]`, without those of padding.
pub(crate) fn rows(batch: &Batch, states: Tensor<3>) -> Result<Vec<Vec<f32>>, ReferenceError> {
    let [_, tokens, width] = states.dims();
    let values = read_back(states)?;
    let texts = values.chunks_exact(tokens * width).zip(&batch.lengths);
    Ok(texts.map(|(text, &length)| text[..length * width].to_vec()).collect())
}

/// Tokens that are computed together, padding among them. Twelve heads over texts of 256 tokens
/// have 50 MB of attention scores then; what keeps a graphics card busiest was not measured.
const BATCH_TOKENS: usize = 4096;

/// Lengths are padded to a multiple of this: a device that compiles its kernels for each shape
/// meets few shapes.
const LENGTH_STEP: usize = 16;

/// Some texts, padded to one length.
pub(crate) struct Batch {
    /// `[batch, tokens]`.
    pub(crate) ids: Tensor<2, Int>,
    /// `[batch, tokens]`.
    pub(crate) segments: Tensor<2, Int>,
    /// `[batch, tokens]`, true where there is padding.
    pub(crate) padding: Tensor<2, Bool>,
    /// Tokens of each text.
    lengths: Vec<usize>,
}

impl Batch {
    /// Some texts, the longest first, padded to no more than `most` tokens.
    pub(crate) fn new(texts: &[&TokenSequence], most: usize, device: &Device) -> Self {
        let lengths: Vec<usize> = texts.iter().map(|text| text.ids().len()).collect();
        let longest = lengths.first().copied().unwrap_or_default();
        let shape = [texts.len(), padded(longest).min(most)];
        let rows = |row: fn(&TokenSequence) -> &[u32]| {
            let padded = |text: &&TokenSequence| {
                let values = row(text).iter().map(|&value| i64::from(value));
                // Any id would do: padding is hidden from every token, and dropped at the end.
                values.chain(std::iter::repeat(0)).take(shape[1]).collect::<Vec<i64>>()
            };
            let values: Vec<i64> = texts.iter().flat_map(padded).collect();
            Tensor::from_data(TensorData::new(values, shape), device)
        };
        let padding: Vec<bool> =
            lengths.iter().flat_map(|&length| (0..shape[1]).map(move |at| at >= length)).collect();
        Self {
            ids: rows(TokenSequence::ids),
            segments: rows(TokenSequence::segments),
            padding: Tensor::from_data(TensorData::new(padding, shape), device),
            lengths,
        }
    }

    /// `[batch, tokens, 1]`: 1 for a token and 0 for padding.
    pub(crate) fn weights(&self) -> Tensor<3> {
        self.padding.clone().bool_not().float().unsqueeze_dim(2)
    }
}

/// The numbers of the texts of each batch: texts of like length together, the longest first.
fn batches(texts: &[TokenSequence]) -> Vec<Vec<usize>> {
    let length = |number: &usize| texts.get(*number).map_or(0, |text| text.ids().len());
    let mut numbers: Vec<usize> = (0..texts.len()).collect();
    // The longest first, so that a device runs out of memory at once or not at all.
    numbers.sort_by_key(|number| std::cmp::Reverse(length(number)));
    let mut rest = numbers.as_slice();
    let mut batches = Vec::new();
    while let Some(longest) = rest.first() {
        // At least one: a text longer than a batch is a batch of its own.
        let most = (BATCH_TOKENS / padded(length(longest)).max(1)).clamp(1, rest.len());
        let (batch, after) = rest.split_at(most);
        batches.push(batch.to_vec());
        rest = after;
    }
    batches
}

fn padded(length: usize) -> usize {
    length.next_multiple_of(LENGTH_STEP)
}

/// Fails where a text has no tokens, or one for which the network holds no vector: burn would
/// panic.
pub(crate) fn check(config: &BertConfig, texts: &[TokenSequence]) -> Result<(), ReferenceError> {
    for (number, text) in texts.iter().enumerate() {
        let (ids, length) = (text.ids(), text.ids().len());
        let longest = config.max_position_embeddings;
        let beyond = |values: &[u32], rows: usize| values.iter().any(|&id| id as usize >= rows);
        let reason = if length == 0 || length > longest {
            format!("it has {length} tokens; between 1 and {longest} are read")
        } else if beyond(ids, config.vocab_size) || beyond(text.segments(), segments(config)) {
            "a token or its segment has no vector; the tokenizer is another model's".to_owned()
        } else {
            continue;
        };
        return Err(ReferenceError::Text { number, reason });
    }
    Ok(())
}
