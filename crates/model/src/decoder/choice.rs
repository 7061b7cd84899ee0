//! The token that follows: by the model, the sampling, and those who may change or forbid it.

use super::answer_text::Detokenizer;
use super::backend::{Penalty, best_of, best_within, penalise};
use super::generate::Generation;
use super::sampling::Candidates;
use crate::error::ModelError;
use crate::tokenizer::Tokenizer;

impl Generation<'_> {
    /// The token that follows; `None` where the constraint allows none.
    pub(super) async fn choose(&mut self) -> Result<Option<u32>, ModelError> {
        let seen = self.repetition_penalty.map(|penalty| self.seen(penalty.window));
        let penalty = self
            .repetition_penalty
            .zip(seen.as_ref())
            .map(|(penalty, seen)| Penalty { factor: penalty.factor, seen });
        let count = match self.candidates {
            // More than the device hands out, or all that chance may choose: only all logits will do.
            Candidates::Best(count) if count <= self.most_candidates() => Some(count),
            Candidates::Best(_) | Candidates::Within(_) => None,
        };
        if let Some(count) = count {
            // In the order of what each costs: a few tokens, 64, then all logits.
            let candidates = self.decoder.backend.best(count, penalty).await?;
            let mut tried = Vec::new();
            if let Some(token) = self.choose_among(candidates, &mut tried)? {
                return Ok(Some(token));
            }
            let more = MORE_CANDIDATES.min(self.most_candidates());
            let candidates = self.decoder.backend.best(more, penalty).await?;
            if let Some(token) = self.likeliest_of(&candidates, &mut tried)? {
                return Ok(Some(token));
            }
            let logits = self.logits(penalty).await?;
            return self.likeliest_of(&best_of(&logits, logits.len()), &mut tried);
        }
        let logits = self.logits(penalty).await?;
        let candidates = match self.candidates {
            Candidates::Best(count) => best_of(&logits, count),
            Candidates::Within(depth) => best_within(&logits, depth),
        };
        let mut tried = Vec::new();
        match self.choose_among(candidates, &mut tried)? {
            Some(token) => Ok(Some(token)),
            None => self.likeliest_of(&best_of(&logits, logits.len()), &mut tried),
        }
    }

    /// The most tokens that the device hands out by themselves: none where processors want all
    /// logits.
    fn most_candidates(&self) -> usize {
        match self.processors.is_empty() {
            true => self.decoder.backend.most_candidates().min(self.decoder.config.vocab_size),
            false => 0,
        }
    }

    /// All logits as processors and the penalty leave them.
    async fn logits(&mut self, penalty: Option<Penalty<'_>>) -> Result<Vec<f32>, ModelError> {
        let mut logits = self.decoder.backend.logits().await?;
        for processor in &mut self.processors {
            processor.process(&self.prompt, &self.answer, &mut logits);
        }
        if let Some(penalty) = penalty {
            penalise(&mut logits, penalty);
        }
        Ok(logits)
    }

    /// Chooses until a token may follow; `None` where none of the candidates may. Those that may
    /// not are added to `tried`.
    fn choose_among(
        &mut self,
        mut candidates: Vec<(u32, f32)>,
        tried: &mut Vec<u32>,
    ) -> Result<Option<u32>, ModelError> {
        loop {
            let best = candidates.first().map(|&(_, logit)| logit);
            let Some(token) = self.sampler.choose(&candidates) else {
                return if tried.is_empty() { Err(ModelError::NoToken { best }) } else { Ok(None) };
            };
            if self.may_follow(token)? {
                return Ok(Some(token));
            }
            tried.push(token);
            candidates.retain(|&(other, _)| other != token);
        }
    }

    /// The first of the sorted candidates that may follow, but for those that were tried.
    fn likeliest_of(
        &mut self,
        candidates: &[(u32, f32)],
        tried: &mut Vec<u32>,
    ) -> Result<Option<u32>, ModelError> {
        // Those of before were chosen by chance; here they come again in order. What is added below comes once only.
        let known = tried.len();
        for &(token, _) in candidates.iter().take_while(|(_, logit)| logit.is_finite()) {
            if tried[..known].contains(&token) {
                continue;
            }
            if self.may_follow(token)? {
                return Ok(Some(token));
            }
            tried.push(token);
        }
        Ok(None)
    }

    fn may_follow(&mut self, token: u32) -> Result<bool, ModelError> {
        let Some(constraint) = &mut self.constraint else { return Ok(true) };
        match self.decoder.ends_answer(token) {
            true => Ok(constraint.may_end()),
            false => constraint.allows(token, &self.detokenizer, &self.decoder.tokenizer),
        }
    }

    /// The tokens in the last `window` of prompt and answer: sorted, each once.
    fn seen(&self, window: Option<usize>) -> Vec<u32> {
        // From the end, so that a window has the newest.
        let all = self.prompt.iter().chain(&self.answer).rev();
        let mut seen: Vec<u32> = all.take(window.unwrap_or(usize::MAX)).copied().collect();
        seen.sort_unstable();
        seen.dedup();
        seen
    }
}

/// The number of the best tokens that are asked for where those of the choice are all forbidden, before all
/// are.
// As many as a graphics processor finds in its own memory (`MOST` in `campanile-webgpu`): asking it for more means
// all logits.
const MORE_CANDIDATES: usize = 64;

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
    fn allows(
        &mut self,
        token: u32,
        detokenizer: &Detokenizer,
        tokenizer: &Tokenizer,
    ) -> Result<bool, ModelError> {
        let (piece, is_certain) = detokenizer.preview(token, tokenizer)?;
        if is_certain {
            return Ok(self.constraint.allows(&self.text, &piece));
        }
        // Put on and taken off again, since a copy of the whole answer for every token would cost more.
        let length = self.text.len();
        self.text.push_str(&piece);
        let may_end = self.constraint.may_end(&self.text);
        self.text.truncate(length);
        Ok(may_end)
    }

    fn may_end(&mut self) -> bool {
        self.constraint.may_end(&self.text)
    }

    /// Takes a piece; returns what may be handed on with it.
    pub(super) fn push(&mut self, piece: &str) -> String {
        self.text.push_str(piece);
        if !self.may_end() {
            return String::new();
        }
        let certain = self.text[self.handed_on..].to_owned();
        self.handed_on = self.text.len();
        certain
    }
}

/// Changes logits before a token is chosen: `f32::NEG_INFINITY` forbids a token.
///
/// It comes before the repetition penalty and the sampling. With a processor all logits of the
/// vocabulary are brought to main memory for every token: nothing on the CPU, where they are
/// already, but 200 to 600 kB a token on a GPU, which otherwise hands out one number.
pub trait LogitProcessor {
    /// Changes `logits`, one for each token of the vocabulary, for the token that follows
    /// `prompt` and then `answer`.
    fn process(&mut self, prompt: &[u32], answer: &[u32], logits: &mut [f32]);
}

impl<F: FnMut(&[u32], &[u32], &mut [f32])> LogitProcessor for F {
    fn process(&mut self, prompt: &[u32], answer: &[u32], logits: &mut [f32]) {
        self(prompt, answer, logits);
    }
}
