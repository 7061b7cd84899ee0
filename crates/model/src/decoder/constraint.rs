//! Tokens that may not follow, asked about one at a time.

use super::detokenizer::Detokenizer;
use crate::error::ModelError;
use crate::tokenizer::Tokenizer;

/// The number of the best tokens that are asked for where those of the choice are all forbidden, before all
/// are.
pub(super) const MORE_CANDIDATES: usize = 64;

/// Says how an answer may go on, by its text.
///
/// It is asked about the token that would be chosen, and about the next likeliest where that one
/// may not follow. So a token costs one call most of the time, and nothing else: all logits of the
/// vocabulary are brought to main memory only where the best 64 are forbidden,
/// which a [`LogitProcessor`](super::LogitProcessor) needs for every token.
///
/// An answer ends only where it may. One that reaches its limit on the way to such a place, or
/// from which no token leads on, ends at the last one: what is written behind it is held back until
/// it may be the end, and never handed out if that does not come. [`GenerateOptions::stop`]
/// cuts what is handed out and asks nobody.
///
/// [`GenerateOptions::stop`]: super::GenerateOptions::stop
pub trait TokenConstraint {
    /// Returns `true` if `piece` may follow `text`, the answer so far. Both are whole characters: a token
    /// that ends within one is asked about as what is whole of it, which may be nothing, and may follow
    /// only where the answer may end too.
    fn allows(&mut self, text: &str, piece: &str) -> bool;

    /// Returns `true` if the answer may end after `text`. An empty answer may.
    fn may_end(&mut self, text: &str) -> bool;
}

impl<C: TokenConstraint + ?Sized> TokenConstraint for &mut C {
    fn allows(&mut self, text: &str, piece: &str) -> bool {
        (**self).allows(text, piece)
    }

    fn may_end(&mut self, text: &str) -> bool {
        (**self).may_end(text)
    }
}

/// An answer under a constraint.
pub(super) struct Constrained<'a> {
    constraint: Box<dyn TokenConstraint + 'a>,
    /// All that is written, and how many bytes of it were handed on.
    text: String,
    handed_on: usize,
}

impl<'a> Constrained<'a> {
    pub(super) fn new(constraint: impl TokenConstraint + 'a) -> Self {
        Self { constraint: Box::new(constraint), text: String::new(), handed_on: 0 }
    }

    /// Returns `true` if a token may follow that is part of the text.
    pub(super) fn allows(
        &mut self,
        token: u32,
        detokenizer: &Detokenizer,
        tokenizer: &Tokenizer,
    ) -> Result<bool, ModelError> {
        let (piece, is_certain) = detokenizer.preview(token, tokenizer)?;
        if is_certain {
            return Ok(self.constraint.allows(&self.text, &piece));
        }
        let length = self.text.len();
        self.text.push_str(&piece);
        let may_end = self.constraint.may_end(&self.text);
        self.text.truncate(length);
        Ok(may_end)
    }

    pub(super) fn may_end(&mut self) -> bool {
        self.constraint.may_end(&self.text)
    }

    /// Takes a piece; returns what may be handed on with it.
    pub(super) fn push(&mut self, piece: &str) -> String {
        self.text.push_str(piece);
        if !self.may_end() {
            return String::new();
        }
        let certain = self.text.get(self.handed_on..).unwrap_or_default().to_owned();
        self.handed_on = self.text.len();
        certain
    }
}
