//! A sentence encoder: a text in, a vector out.

use super::config::{EncoderConfig, Pooling};
use super::trunk::{Pass, Trunk};
use super::{check_tokenizer, try_map};
use crate::adapter::{NetworkChanges as _, Side, SideAdapter};
use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use crate::tokenizer::{TokenSequence, Tokenizer};

/// A BERT or RoBERTa encoder with mean or first-token pooling, on the CPU.
///
/// One short question embeds faster there than a GPU can be started. The vectors are the same
/// bits natively and in wasm, whatever the number of cores and whatever texts stand beside one.
pub struct Encoder {
    config: EncoderConfig,
    tokenizer: Tokenizer,
    pub(crate) trunk: Trunk,
    /// Tokens that a text cannot use: special tokens and the longer prefix.
    reserved: usize,
    /// Changes the network while it reads the texts of one side.
    adapter: Option<SideAdapter>,
}

/// The last layer's vectors of one text, special tokens among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TokenVectors {
    /// The token ids, as the encoder read them.
    pub ids: Vec<u32>,
    /// `[tokens, hidden]`, row by row.
    pub vectors: Vec<f32>,
}

impl TokenVectors {
    /// The same, to be looked at.
    pub fn rows(&self) -> TokenRows<'_> {
        TokenRows { ids: &self.ids, vectors: &self.vectors }
    }
}

/// [`TokenVectors`] that are looked at while they are there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenRows<'a> {
    /// The token ids, as the encoder read them.
    pub ids: &'a [u32],
    /// `[tokens, hidden]`, row by row.
    pub vectors: &'a [f32],
}

impl Encoder {
    /// Puts an encoder together; reads one tensor at a time from `weights`.
    ///
    /// # Errors
    /// [`ModelError`] where the configuration does not fit together or fits not the tokenizer,
    /// or a tensor is missing, damaged or of another shape.
    pub fn load(
        config: &EncoderConfig,
        tokenizer: Tokenizer,
        weights: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        config.check()?;
        let mut reserved = 0;
        // The longer of the two: whether a text fits is asked before it is known on which side it will stand.
        for prefix in [&config.prefixes.query, &config.prefixes.passage] {
            reserved = reserved.max(tokenizer.encode(prefix)?.len());
        }
        reserved += tokenizer.special_tokens();
        check_tokenizer(&config.network, &tokenizer, config.token_limit(), reserved)?;
        let trunk = Trunk::load(&config.network, weights)?;
        let config = config.clone();
        Ok(Self { config, tokenizer, trunk, reserved, adapter: None })
    }

    /// The same encoder, which from now on embeds the texts of one side with this adapter, in place of one that it had.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where that belongs to a network of another shape.
    pub fn with_adapter(mut self, adapter: SideAdapter) -> Result<Self, ModelError> {
        adapter.check(&self.config.network)?;
        self.adapter = Some(adapter);
        Ok(self)
    }

    /// Takes a part of the table of token vectors, which [`ModelError::WordsMissing`] has asked for, out of its file.
    ///
    /// # Errors
    /// [`ModelError::Shard`] and [`ModelError::Tensor`] where the file is no part of that table.
    pub fn add_words(&self, part: usize, file: Vec<u8>) -> Result<(), ModelError> {
        self.trunk.add_words(part, file)
    }

    /// Returns `true` if texts of this side are embedded with an adapter.
    pub fn has_adapter(&self, side: Side) -> bool {
        self.adapter(side).is_some()
    }

    /// One vector of [`Encoder::dimension`] values for each text, in the order given; unit
    /// vectors unless the configuration says otherwise.
    ///
    /// Texts are taken as they are: see [`Encoder::encode_queries`] for models that expect a
    /// prefix. A text is cut after [`Encoder::max_tokens`] tokens; one without any has the zero
    /// vector. Natively all cores take part.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where a text cannot be cut into tokens,
    /// [`ModelError::Device`] where the computation fails.
    pub fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.trunk
            .each(Pass::default(), &self.tokenize("", texts)?, |_, rows| Ok(self.pool_rows(rows)))
    }

    /// As [`Encoder::encode`], with the model's prefix for questions before each text and, where the encoder has one, with its
    /// adapter for questions.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn encode_queries(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let sequences = self.query_tokens(texts)?;
        self.trunk.each(self.pass(Side::Query), &sequences, |_, rows| Ok(self.pool_rows(rows)))
    }

    /// As [`Encoder::encode`], with the model's prefix for texts that are searched and, where the encoder has one, with its
    /// adapter for passages.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn encode_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let sequences = self.passage_tokens(texts)?;
        self.trunk.each(self.pass(Side::Passage), &sequences, |_, rows| Ok(self.pool_rows(rows)))
    }

    /// As [`Encoder::encode_passages`], with what `reduce` makes of each text's tokens in the same
    /// pass: an index may want a few numbers of them, and all of them are some hundred kilobytes a
    /// text.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn encode_passages_and<R: Send>(
        &self,
        texts: &[&str],
        reduce: impl Fn(TokenRows<'_>) -> R + Sync + Send,
    ) -> Result<Vec<(Vec<f32>, R)>, ModelError> {
        let sequences = self.passage_tokens(texts)?;
        self.trunk.each(self.pass(Side::Passage), &sequences, |sequence, rows| {
            Ok((self.pool_rows(rows), reduce(TokenRows { ids: &sequence.ids, vectors: rows })))
        })
    }

    /// The vector of a question, as [`Encoder::encode_queries`] gives it, and those of its tokens:
    /// one pass for both.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn encode_query(&self, text: &str) -> Result<(Vec<f32>, TokenVectors), ModelError> {
        let sequences = self.tokenize(&self.config.prefixes.query, &[text])?;
        let encoded = self.trunk.each(self.pass(Side::Query), &sequences, |sequence, rows| {
            let tokens = TokenVectors { ids: sequence.ids.clone(), vectors: rows.to_vec() };
            Ok((self.pool_rows(rows), tokens))
        });
        // One text in, one result out.
        Ok(encoded?.pop().unwrap_or_default())
    }

    /// The vectors of each text's tokens, neither pooled nor normalised: what late interaction
    /// compares. [`Encoder::pool`] makes one vector of them, without a second pass.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn token_vectors(&self, texts: &[&str]) -> Result<Vec<TokenVectors>, ModelError> {
        self.trunk.each(Pass::default(), &self.tokenize("", texts)?, |sequence, rows| {
            Ok(TokenVectors { ids: sequence.ids.clone(), vectors: rows.to_vec() })
        })
    }

    /// The tokens of texts as [`Encoder::encode_passages`] reads them, for layers that run elsewhere than on the
    /// CPU; [`Encoder::pool`] makes vectors of what those give.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where a text cannot be cut into tokens.
    pub fn passage_tokens(&self, texts: &[&str]) -> Result<Vec<TokenSequence>, ModelError> {
        self.tokenize(&self.config.prefixes.passage, texts)
    }

    /// The tokens of texts as [`Encoder::encode_queries`] reads them. Layers that run elsewhere know nothing of an
    /// adapter: see [`Encoder::has_adapter`].
    ///
    /// # Errors
    /// As [`Encoder::passage_tokens`].
    pub fn query_tokens(&self, texts: &[&str]) -> Result<Vec<TokenSequence>, ModelError> {
        self.tokenize(&self.config.prefixes.query, texts)
    }

    /// The vector of a text from those of its tokens: what [`Encoder::encode`] gives.
    pub fn pool(&self, tokens: &TokenVectors) -> Vec<f32> {
        self.pool_rows(&tokens.vectors)
    }

    /// Length of a vector: 384 for all-MiniLM-L6-v2.
    pub fn dimension(&self) -> usize {
        self.config.network.hidden_size
    }

    /// The most tokens of a text that are read, special tokens among them: 256 for
    /// all-MiniLM-L6-v2.
    pub fn max_tokens(&self) -> usize {
        self.config.token_limit()
    }

    /// The most tokens of a text that are read, special tokens and prefix left out: 254 for
    /// all-MiniLM-L6-v2. A text whose [`Encoder::count_tokens`] is no higher is read whole.
    pub fn max_text_tokens(&self) -> usize {
        self.max_tokens() - self.reserved
    }

    /// Tokens of a text, without the special tokens around it and without any limit.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the text cannot be cut into tokens.
    pub fn count_tokens(&self, text: &str) -> Result<usize, ModelError> {
        Ok(self.tokenizer.encode(text)?.len())
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The adapter for the texts of this side.
    pub fn adapter(&self, side: Side) -> Option<&SideAdapter> {
        self.adapter.as_ref().filter(|adapter| adapter.side() == side)
    }

    fn pass(&self, side: Side) -> Pass<'_> {
        Pass { changes: self.adapter(side).map(SideAdapter::changes), ..Pass::default() }
    }

    fn pool_rows(&self, rows: &[f32]) -> Vec<f32> {
        pool(rows, self.dimension(), self.config.pooling, self.config.normalize)
    }

    fn tokenize(&self, prefix: &str, texts: &[&str]) -> Result<Vec<TokenSequence>, ModelError> {
        try_map(texts, |text| {
            if prefix.is_empty() {
                return self.tokenizer.sequence(text, self.max_tokens());
            }
            self.tokenizer.sequence(&format!("{prefix}{text}"), self.max_tokens())
        })
    }
}

/// One vector from rows of `hidden` values each.
///
/// Texts are laid end to end without padding, so every row counts: the mean is that over the
/// attention mask of a padded batch. An empty text has the zero vector, and so has a text whose
/// vector has no length.
pub(super) fn pool(rows: &[f32], hidden: usize, pooling: Pooling, normalize: bool) -> Vec<f32> {
    let mut vector = match pooling {
        Pooling::Mean => mean(rows, hidden),
        Pooling::Cls => rows.get(..hidden).map_or_else(|| vec![0.0; hidden], <[f32]>::to_vec),
    };
    if normalize {
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        // A text of zeros stays one: divided by 0 it would poison every comparison.
        if length > 0.0 {
            for value in &mut vector {
                *value /= length;
            }
        }
    }
    vector
}

fn mean(rows: &[f32], hidden: usize) -> Vec<f32> {
    let mut mean = vec![0.0f32; hidden];
    for row in rows.chunks_exact(hidden.max(1)) {
        for (total, value) in mean.iter_mut().zip(row) {
            *total += value;
        }
    }
    let count = (rows.len() / hidden.max(1)).max(1) as f32;
    for value in &mut mean {
        *value /= count;
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::{Pooling, pool};

    const ROWS: [f32; 4] = [4.0, 0.0, 2.0, 8.0];

    #[test]
    fn the_mean_of_two_rows() {
        assert_eq!(pool(&ROWS, 2, Pooling::Mean, false), [3.0, 4.0]);
        assert_eq!(pool(&ROWS, 2, Pooling::Mean, true), [0.6, 0.8]);
    }

    #[test]
    fn the_first_row() {
        assert_eq!(pool(&ROWS, 2, Pooling::Cls, false), [4.0, 0.0]);
        assert_eq!(pool(&ROWS, 2, Pooling::Cls, true), [1.0, 0.0]);
    }

    #[test]
    fn nothing_has_no_direction() {
        for pooling in [Pooling::Mean, Pooling::Cls] {
            assert_eq!(pool(&[], 3, pooling, true), [0.0, 0.0, 0.0]);
            assert_eq!(pool(&[0.0, 0.0], 2, pooling, true), [0.0, 0.0]);
        }
    }
}
