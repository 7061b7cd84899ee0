//! A sentence encoder: a text in, a vector out.

use super::encoder_config::EncoderConfig;
use super::trunk::Trunk;
use super::{check_tokenizer, parallel, pooling};
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
    trunk: Trunk,
    /// Tokens that a text cannot use: special tokens and the longer prefix.
    reserved: usize,
}

/// The last layer's vectors of one text, special tokens among them.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenVectors {
    /// The token ids, as the encoder read them.
    pub ids: Vec<u32>,
    /// `[tokens, hidden]`, row by row.
    pub vectors: Vec<f32>,
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
        for prefix in [&config.prefixes.query, &config.prefixes.passage] {
            reserved = reserved.max(tokenizer.encode(prefix)?.len());
        }
        reserved += tokenizer.special_tokens();
        check_tokenizer(&config.network, &tokenizer, config.token_limit(), reserved)?;
        let trunk = Trunk::load(&config.network, weights)?;
        Ok(Self { config: config.clone(), tokenizer, trunk, reserved })
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
        self.trunk.each(&self.tokenize("", texts)?, |_, rows| Ok(self.pool_rows(rows)))
    }

    /// As [`Encoder::encode`], with the model's prefix for questions before each text.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn encode_queries(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let sequences = self.tokenize(&self.config.prefixes.query, texts)?;
        self.trunk.each(&sequences, |_, rows| Ok(self.pool_rows(rows)))
    }

    /// As [`Encoder::encode`], with the model's prefix for texts that are searched.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn encode_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let sequences = self.tokenize(&self.config.prefixes.passage, texts)?;
        self.trunk.each(&sequences, |_, rows| Ok(self.pool_rows(rows)))
    }

    /// The vectors of each text's tokens, neither pooled nor normalised: what late interaction
    /// compares. [`Encoder::pool`] makes one vector of them, without a second pass.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn token_vectors(&self, texts: &[&str]) -> Result<Vec<TokenVectors>, ModelError> {
        self.trunk.each(&self.tokenize("", texts)?, |sequence, rows| {
            Ok(TokenVectors { ids: sequence.ids.clone(), vectors: rows.to_vec() })
        })
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

    fn pool_rows(&self, rows: &[f32]) -> Vec<f32> {
        pooling::pool(rows, self.dimension(), self.config.pooling, self.config.normalize)
    }

    fn tokenize(&self, prefix: &str, texts: &[&str]) -> Result<Vec<TokenSequence>, ModelError> {
        parallel::try_map(texts, |text| {
            if prefix.is_empty() {
                return self.tokenizer.sequence(text, self.max_tokens());
            }
            self.tokenizer.sequence(&format!("{prefix}{text}"), self.max_tokens())
        })
    }
}
