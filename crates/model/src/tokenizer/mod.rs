//! Text to token ids and back, from a model's `tokenizer.json`.

mod bert_text;
#[cfg(feature = "all-tokenizers")]
mod general;
mod pieces;
mod template;
mod word_piece;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::error::ModelError;
#[cfg(feature = "all-tokenizers")]
use general::General;
pub use pieces::WordPieces;
use word_piece::WordPiece;

/// The tokens of a text, or of two texts that are read together, as an encoder takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenSequence {
    /// The token ids, special tokens among them.
    pub(crate) ids: Vec<u32>,
    /// For each token the text it belongs to, as the tokenizer's file numbers them: mostly 0
    /// for the first and 1 for the second, in files for RoBERTa 0 for both.
    pub(crate) segments: Vec<u32>,
}

impl TokenSequence {
    /// The token ids, special tokens among them.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The segment of each token.
    pub fn segments(&self) -> &[u32] {
        &self.segments
    }
}

/// A tokenizer without the truncation and padding that its file may ask for.
///
/// Both are the encoder's business: the file of all-MiniLM-L6-v2, for one, cuts and pads to 128
/// word pieces, where the model reads 256.
///
/// BERT's word pieces are our own code, small enough for a page. All other kinds (byte-level BPE,
/// Unigram and whatever else a `tokenizer.json` may describe) need the feature `all-tokenizers`,
/// which is on unless it is turned off.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    WordPiece(Box<WordPiece>),
    #[cfg(feature = "all-tokenizers")]
    General(Box<General>),
}

/// Asks the tokenizer of whichever kind there is.
// A macro, since one of the two kinds is not there without its feature.
macro_rules! ask {
    ($this:expr, $tokenizer:ident => $answer:expr) => {
        match &$this.kind {
            Kind::WordPiece($tokenizer) => $answer,
            #[cfg(feature = "all-tokenizers")]
            Kind::General($tokenizer) => $answer,
        }
    };
}

/// Says how to get a program that reads the tokenizer which this one does not.
#[cfg(all(not(feature = "all-tokenizers"), not(target_arch = "wasm32")))]
fn with_way_out(error: ModelError) -> ModelError {
    match error {
        ModelError::Tokenizer { reason } => ModelError::tokenizer(format!(
            "{reason}\n  way out: this program was compiled for word pieces alone. A release of Campanile reads every \
             kind, and so does what `cargo install --path . --features tokenizers` gives"
        )),
        other => other,
    }
}

impl Tokenizer {
    /// Reads the bytes of a `tokenizer.json`.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where they are damaged or of a kind that is not known.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        // Tried first, since most encoders have it; any other kind fails at the first field that differs.
        let word_piece = WordPiece::from_json(bytes).map(|t| Kind::WordPiece(Box::new(t)));
        #[cfg(feature = "all-tokenizers")]
        let word_piece =
            word_piece.or_else(|_| Ok(Kind::General(Box::new(General::from_json(bytes)?))));
        // A page's module has no other kinds on purpose, and no visitor could compile it otherwise.
        #[cfg(all(not(feature = "all-tokenizers"), not(target_arch = "wasm32")))]
        let word_piece = word_piece.map_err(with_way_out);
        Ok(Self { kind: word_piece? })
    }

    /// The ids of `text` alone: no special tokens around it, nothing cut.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokenizer refuses the text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, ModelError> {
        match &self.kind {
            Kind::WordPiece(tokenizer) => Ok(tokenizer.encode(text)),
            #[cfg(feature = "all-tokenizers")]
            Kind::General(tokenizer) => tokenizer.encode(text),
        }
    }

    /// As [`Tokenizer::encode`], with the bytes of `text` that each token is made of, which begin
    /// and end between characters.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokenizer refuses the text.
    pub fn encode_spans(&self, text: &str) -> Result<Vec<(u32, Range<usize>)>, ModelError> {
        match &self.kind {
            Kind::WordPiece(tokenizer) => Ok(tokenizer.pieces_of(text, true)),
            #[cfg(feature = "all-tokenizers")]
            Kind::General(tokenizer) => tokenizer.pieces_of(text),
        }
    }

    /// The tokens of two texts with the model's special tokens around and between them, and the
    /// place of the second text's first token.
    pub(crate) fn join(
        &self,
        first: &[u32],
        second: &[u32],
    ) -> Result<(TokenSequence, usize), ModelError> {
        match &self.kind {
            Kind::WordPiece(tokenizer) => Ok(tokenizer.join(first, second)),
            #[cfg(feature = "all-tokenizers")]
            Kind::General(tokenizer) => tokenizer.join(first, second),
        }
    }

    /// The ids of `text` with the model's special tokens around it, at most `max_tokens` in all.
    ///
    /// A text that is too long is cut at its end, before the closing special token.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokenizer refuses the text.
    pub fn encode_for_model(&self, text: &str, max_tokens: usize) -> Result<Vec<u32>, ModelError> {
        Ok(self.sequence(text, max_tokens)?.ids)
    }

    /// As [`Tokenizer::encode_for_model`], with the segments.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokenizer refuses the text.
    pub fn sequence(&self, text: &str, max_tokens: usize) -> Result<TokenSequence, ModelError> {
        self.whole(text, None, max_tokens)
    }

    /// Two texts with the model's special tokens around and between them, at most `max_tokens`
    /// in all.
    ///
    /// Texts that are too long are cut at their ends: the longer one until both are of one
    /// length, then of both (`longest_first` in the Hugging Face libraries).
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokenizer refuses a text.
    pub fn pair_sequence(
        &self,
        first: &str,
        second: &str,
        max_tokens: usize,
    ) -> Result<TokenSequence, ModelError> {
        self.whole(first, Some(second), max_tokens)
    }

    fn whole(
        &self,
        first: &str,
        second: Option<&str>,
        max_tokens: usize,
    ) -> Result<TokenSequence, ModelError> {
        match &self.kind {
            Kind::WordPiece(tokenizer) => Ok(tokenizer.sequence(first, second, max_tokens)),
            #[cfg(feature = "all-tokenizers")]
            Kind::General(tokenizer) => tokenizer.sequence(first, second, max_tokens),
        }
    }

    /// Returns the number of special tokens that [`Tokenizer::sequence`] puts around a text.
    pub(crate) fn special_tokens(&self) -> usize {
        ask!(self, tokenizer => tokenizer.special_tokens(false))
    }

    /// Returns the number of special tokens that [`Tokenizer::pair_sequence`] puts around and between two
    /// texts.
    pub fn pair_special_tokens(&self) -> usize {
        ask!(self, tokenizer => tokenizer.special_tokens(true))
    }

    /// Number of ids in the vocabulary, special tokens among them.
    pub fn vocabulary_size(&self) -> usize {
        ask!(self, tokenizer => tokenizer.vocabulary_size())
    }

    /// The id of a token written exactly so, special tokens among them.
    pub fn token_id(&self, token: &str) -> Option<u32> {
        ask!(self, tokenizer => tokenizer.token_id(token))
    }

    /// Every token as its file writes it, by id, with the marks that say how it stands in a word
    /// (`##ing`, `Ġthe`); an id that no token has is empty.
    pub fn pieces(&self) -> Vec<String> {
        ask!(self, tokenizer => tokenizer.pieces())
    }

    /// The word pieces of `ids` alone, with the rules by which texts are cut into them; special
    /// tokens and the one for the unknown are left out. `None` for tokenizers of another kind.
    pub fn word_pieces(&self, ids: &BTreeSet<u32>) -> Option<WordPieces> {
        match &self.kind {
            Kind::WordPiece(tokenizer) => Some(tokenizer.word_pieces(ids)),
            #[cfg(feature = "all-tokenizers")]
            Kind::General(_) => None,
        }
    }

    /// The text of `ids`, special tokens left out. Bytes that are no character become `U+FFFD`.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the tokenizer cannot put them together.
    pub fn decode(&self, ids: &[u32]) -> Result<String, ModelError> {
        match &self.kind {
            Kind::WordPiece(tokenizer) => Ok(tokenizer.decode(ids)),
            #[cfg(feature = "all-tokenizers")]
            Kind::General(tokenizer) => tokenizer.decode(ids),
        }
    }

    /// Returns `true` if a token is a control token and not text.
    pub fn is_special(&self, id: u32) -> bool {
        self.special().contains_key(&id)
    }

    /// Returns the text of a control token as it is written; `None` where the token is none.
    pub(crate) fn special_text(&self, id: u32) -> Option<&str> {
        self.special().get(&id).map(String::as_str)
    }

    /// Returns the texts of the control tokens as they are written, sorted by id.
    pub fn special_texts(&self) -> Vec<String> {
        self.special().values().cloned().collect()
    }

    fn special(&self) -> &BTreeMap<u32, String> {
        ask!(self, tokenizer => tokenizer.special())
    }
}
