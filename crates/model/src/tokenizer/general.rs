//! Any tokenizer of the Hugging Face format, through the `tokenizers` crate.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde_json::Value;
use tokenizers::tokenizer::{
    AddedToken, EncodeInput, Encoding, PostProcessor, TruncationDirection,
};

use super::TokenSequence;
use super::template::{Template, longest_first};
use crate::error::ModelError;

/// The parts of a `tokenizer.json` that are checked before the crate reads it.
#[derive(Deserialize)]
struct File {
    /// That it can be read is all that matters.
    #[serde(default, rename = "decoder")]
    _decoder: Value,
    #[serde(default)]
    post_processor: Value,
}

/// The name of a special token that a post-processor, or one within it, does not explain.
fn unexplained(processor: &Value) -> Option<String> {
    if let Some(processors) = processor.get("processors").and_then(Value::as_array) {
        return processors.iter().find_map(unexplained);
    }
    Template::deserialize(processor).ok()?.unexplained().map(str::to_owned)
}

#[derive(Clone, Debug)]
pub(super) struct General {
    inner: tokenizers::Tokenizer,
    /// Control tokens by id.
    special: BTreeMap<u32, String>,
}

impl General {
    pub(super) fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        let damaged = |reason: &dyn std::fmt::Display| {
            ModelError::tokenizer(format!(
                "tokenizer.json cannot be read: {reason}; fetch the model again"
            ))
        };
        // The crate panics where its decoder's part is no JSON, or where a template's token has no id: that
        // is found out first.
        let file: File = serde_json::from_slice(bytes).map_err(|e| damaged(&e))?;
        if let Some(name) = unexplained(&file.post_processor) {
            return Err(damaged(&format!("the template's token \"{name}\" has no id")));
        }
        let mut inner = tokenizers::Tokenizer::from_bytes(bytes).map_err(|e| damaged(&e))?;
        // How much is read is the model's to say: files ask for 128 of 256 tokens, for one.
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

    pub(super) fn special(&self) -> &BTreeMap<u32, String> {
        &self.special
    }

    pub(super) fn encode(&self, text: &str) -> Result<Vec<u32>, ModelError> {
        Ok(self.encoding(text)?.get_ids().to_vec())
    }

    /// One text or two with the special tokens, `max_tokens` in all.
    pub(super) fn sequence(
        &self,
        first: &str,
        second: Option<&str>,
        max_tokens: usize,
    ) -> Result<TokenSequence, ModelError> {
        let room = max_tokens.saturating_sub(self.special_tokens(second.is_some()));
        let mut first = self.encoding(first)?;
        let mut second = second.map(|text| self.encoding(text)).transpose()?;
        if let Some(second) = &mut second {
            second.set_type_ids(vec![1; second.len()]);
            let (keep, keep_second) = longest_first(first.len(), second.len(), room);
            cut(&mut first, keep);
            cut(second, keep_second);
        } else {
            cut(&mut first, room);
        }
        let whole = self.inner.post_process(first, second, true).map_err(ModelError::tokenizer)?;
        Ok(TokenSequence { ids: whole.get_ids().to_vec(), segments: whole.get_type_ids().to_vec() })
    }

    pub(super) fn special_tokens(&self, pair: bool) -> usize {
        self.inner.get_post_processor().map_or(0, |processor| processor.added_tokens(pair))
    }

    pub(super) fn vocabulary_size(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    pub(super) fn token_id(&self, token: &str) -> Option<u32> {
        self.inner.token_to_id(token)
    }

    /// Every token as it is written, by its id; an id that none has is empty.
    pub(super) fn pieces(&self) -> Vec<String> {
        let ids = 0..u32::try_from(self.vocabulary_size()).unwrap_or(u32::MAX);
        ids.map(|id| self.inner.id_to_token(id).unwrap_or_default()).collect()
    }

    pub(super) fn decode(&self, ids: &[u32]) -> Result<String, ModelError> {
        self.inner.decode(ids, true).map_err(ModelError::tokenizer)
    }

    /// The ids of a text alone, each with the bytes of the text that it is made of.
    pub(super) fn pieces_of(&self, text: &str) -> Result<Vec<(u32, Range<usize>)>, ModelError> {
        let encoding =
            self.inner.encode(EncodeInput::from(text), false).map_err(ModelError::tokenizer)?;
        let spans = encoding.get_offsets().iter().map(|&(start, end)| {
            // A piece may be a part of a character.
            let start = text.floor_char_boundary(start);
            start..text.ceil_char_boundary(end).max(start)
        });
        Ok(encoding.get_ids().iter().copied().zip(spans).collect())
    }

    /// Two texts' tokens with the special tokens, and the place of the second's first.
    pub(super) fn join(
        &self,
        first: &[u32],
        second: &[u32],
    ) -> Result<(TokenSequence, usize), ModelError> {
        let [first, second] = [(first, 0), (second, 1)].map(|(ids, segment)| {
            let count = ids.len();
            Encoding::new(
                ids.to_vec(),
                vec![segment; count],
                vec![String::new(); count],
                vec![None; count],
                vec![(0, 0); count],
                vec![0; count],
                vec![1; count],
                Vec::new(),
                Default::default(),
            )
        });
        let whole =
            self.inner.post_process(first, Some(second), true).map_err(ModelError::tokenizer)?;
        let second = whole.get_sequence_ids().iter().position(|&id| id == Some(1));
        let start = second.unwrap_or(whole.len());
        let segments = whole.get_type_ids().to_vec();
        Ok((TokenSequence { ids: whole.get_ids().to_vec(), segments }, start))
    }

    fn encoding(&self, text: &str) -> Result<Encoding, ModelError> {
        self.inner.encode_fast(EncodeInput::from(text), false).map_err(ModelError::tokenizer)
    }
}

/// Keeps the first `tokens` of a text.
fn cut(text: &mut Encoding, tokens: usize) {
    text.truncate(tokens, 0, TruncationDirection::Right);
    // What was cut off would be given special tokens of its own.
    text.take_overflowing();
}
