//! Texts of different lengths as one tensor.

use burn::tensor::{Bool, Device, Int, Tensor, TensorData};
use campanile_model::{BertConfig, TokenSequence};

use crate::bert::segments;
use crate::error::ReferenceError;

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
    pub(crate) lengths: Vec<usize>,
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
pub(crate) fn batches(texts: &[TokenSequence]) -> Vec<Vec<usize>> {
    let length = |number: &usize| texts.get(*number).map_or(0, |text| text.ids().len());
    let mut numbers: Vec<usize> = (0..texts.len()).collect();
    numbers.sort_by_key(|number| std::cmp::Reverse(length(number)));
    let mut rest = numbers.as_slice();
    let mut batches = Vec::new();
    while let Some(longest) = rest.first() {
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
