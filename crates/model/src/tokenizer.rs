//! Text to token ids and back, from a model's `tokenizer.json`.

use std::collections::BTreeMap;

use tokenizers::tokenizer::{AddedToken, EncodeInput, PostProcessor, TruncationDirection};

use crate::error::ModelError;

/// A tokenizer without the truncation and padding that its file may ask for.
///
/// Both are the encoder's business: the file of all-MiniLM-L6-v2, for one, cuts and pads to 128
/// word pieces, where the model reads 256.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    /// Control tokens by id.
    special: BTreeMap<u32, String>,
}

impl Tokenizer {
    /// Reads the bytes of a `tokenizer.json`.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where they are damaged or of a kind that is not known.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut inner = tokenizers::Tokenizer::from_bytes(bytes).map_err(|e| {
            ModelError::tokenizer(format!(
                "tokenizer.json cannot be read: {e}; fetch the model again"
            ))
        })?;
        inner.with_truncation(None).map_err(ModelError::tokenizer)?.with_padding(None);
        let added: BTreeMap<u32, AddedToken> =
            inner.get_added_tokens_decoder().into_iter().collect();
        let special = added
            .into_iter()
            .filter(|(_, token)| token.special)
            .map(|(id, token)| (id, token.content))
            .collect();
        Ok(Self { inner, special })
    }

    /// The ids of `text` alone: no special tokens around it, nothing cut.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokenizer refuses the text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, ModelError> {
        Ok(self.encoding(text)?.get_ids().to_vec())
    }

    /// The ids of `text` with the model's special tokens around it, at most `max_tokens` in all.
    ///
    /// What is too long is cut at its end, before the closing special token.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokenizer refuses the text.
    pub fn encode_for_model(&self, text: &str, max_tokens: usize) -> Result<Vec<u32>, ModelError> {
        let mut encoding = self.encoding(text)?;
        let room = max_tokens.saturating_sub(self.special_tokens());
        encoding.truncate(room, 0, TruncationDirection::Right);
        let encoding =
            self.inner.post_process(encoding, None, true).map_err(ModelError::tokenizer)?;
        Ok(encoding.get_ids().to_vec())
    }

    /// How many special tokens [`Tokenizer::encode_for_model`] puts around a text.
    pub fn special_tokens(&self) -> usize {
        self.inner.get_post_processor().map_or(0, |processor| processor.added_tokens(false))
    }

    /// Number of ids in the vocabulary, special tokens among them.
    pub fn vocabulary_size(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    /// The id of a token written exactly so, special tokens among them.
    pub fn token_id(&self, token: &str) -> Option<u32> {
        self.inner.token_to_id(token)
    }

    /// The text of `ids`, special tokens left out. Bytes that are no character become `U+FFFD`.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokenizer cannot put them together.
    pub fn decode(&self, ids: &[u32]) -> Result<String, ModelError> {
        self.inner.decode(ids, true).map_err(ModelError::tokenizer)
    }

    /// Whether a token is a control token and not text.
    pub fn is_special(&self, id: u32) -> bool {
        self.special.contains_key(&id)
    }

    /// How the control tokens are written, sorted by id.
    pub fn special_texts(&self) -> Vec<String> {
        self.special.values().cloned().collect()
    }

    fn encoding(&self, text: &str) -> Result<tokenizers::Encoding, ModelError> {
        self.inner.encode_fast(EncodeInput::from(text), false).map_err(ModelError::tokenizer)
    }
}
