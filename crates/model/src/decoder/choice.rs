//! The token that follows: by the model, the sampling and the constraint.

use super::backend::Penalty;
use super::constraint::MORE_CANDIDATES;
use super::generate::Generation;
use super::ranking::{best_of, best_within, penalise};
use super::sampling::Candidates;
use crate::error::ModelError;

impl Generation<'_> {
    /// The token that follows; `None` where the constraint allows none.
    pub(super) async fn choose(&mut self) -> Result<Option<u32>, ModelError> {
        let seen = self.repetition_penalty.map(|penalty| self.seen(penalty.window));
        let penalty = self
            .repetition_penalty
            .zip(seen.as_ref())
            .map(|(penalty, seen)| Penalty { factor: penalty.factor, seen });
        let count = match self.candidates {
            Candidates::Best(count) if count <= self.most_candidates() => Some(count),
            Candidates::Best(_) | Candidates::Within(_) => None,
        };
        if let Some(count) = count {
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
        let known = tried.len();
        for &(token, _) in candidates.iter().take_while(|(_, logit)| logit.is_finite()) {
            if tried.get(..known).unwrap_or_default().contains(&token) {
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
        let all = self.prompt.iter().chain(&self.answer).rev();
        let mut seen: Vec<u32> = all.take(window.unwrap_or(usize::MAX)).copied().collect();
        seen.sort_unstable();
        seen.dedup();
        seen
    }
}
