//! From logits of starts and ends to spans with probabilities.

use campanile_kernels::softmax;

use super::pair::Place;
use super::reading::AnswerKinds;
use super::sigmoid;

/// From logits to probabilities.
#[derive(Clone, Copy)]
pub(crate) struct Calibration {
    /// The number that logits are divided by.
    pub(crate) temperature: f32,
    /// The margin at which an answer is as probable as none; for a checker the probability of support from
    /// which on a claim counts as supported.
    pub(crate) threshold: f32,
}

impl Calibration {
    /// Of a model that says nothing of it.
    pub(super) const PLAIN: Self = Self { temperature: 1.0, threshold: 0.0 };

    /// Returns the probability of an answer, by the margin between it and none.
    pub(super) fn probability(self, margin: f32) -> f32 {
        sigmoid((margin - self.threshold) / self.temperature)
    }
}

/// The logits that a reader's heads give to a window.
pub(super) struct WindowLogits<'a> {
    /// Of a start and an end at each token.
    pub(super) spans: &'a [[f32; 2]],
    /// Of standing in a sentence that answers, at each token; empty where no head says so.
    pub(super) evidence: &'a [f32],
    /// Of there being an answer, where a head of its own says so.
    pub(super) answerable: Option<f32>,
    /// Of each kind of answer, where a head says so.
    pub(super) kind: Option<[f32; AnswerKinds::COUNT]>,
}

/// Some tokens of a passage, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TokenSpan {
    pub(super) first: usize,
    pub(super) last: usize,
    /// Sum of the start's and the end's logit.
    pub(super) score: f32,
    pub(super) probability: f32,
}

/// The best spans of a passage, most probable first.
pub(super) struct Best {
    /// The number of spans that are wanted, and the most tokens that they may have.
    count: usize,
    max_answer: usize,
    calibration: Calibration,
    pub(super) spans: Vec<TokenSpan>,
    /// The greatest of all windows, by how much an answer is better than none.
    pub(super) margin: f32,
    /// For each of the passage's tokens how probably it stands in a sentence that answers, the greatest of all windows;
    /// empty where no head says so.
    pub(super) evidence: Vec<f32>,
    /// The kinds of answer by the window with the greatest margin.
    pub(super) kinds: Option<AnswerKinds>,
}

impl Best {
    pub(super) fn new(count: usize, max_answer: usize, calibration: Calibration) -> Self {
        Self {
            count,
            max_answer,
            calibration,
            spans: Vec::new(),
            margin: f32::NEG_INFINITY,
            evidence: Vec::new(),
            kinds: None,
        }
    }

    /// Adds what the heads say of a window.
    pub(super) fn add(&mut self, place: &Place, logits: &WindowLogits<'_>) {
        let tokens = logits.spans.get(place.start..).unwrap_or_default();
        let tokens = &tokens[..place.tokens.len().min(tokens.len())];
        let mut spans = Vec::new();
        let mut greatest = f32::NEG_INFINITY;
        for (first, [start, _]) in tokens.iter().enumerate() {
            for (length, [_, end]) in tokens[first..].iter().take(self.max_answer).enumerate() {
                let score = start + end;
                greatest = greatest.max(score);
                let first = place.tokens.start + first;
                spans.push(TokenSpan { first, last: first + length, score, probability: 0.0 });
            }
        }
        let none = logits.spans.first().map_or(0.0, |[start, end]| start + end);
        let margin = match logits.answerable {
            Some(margin) if !spans.is_empty() => margin,
            _ => greatest - none,
        };
        if margin > self.margin || self.kinds.is_none() {
            self.kinds = logits.kind.map(AnswerKinds::of_logits);
        }
        self.margin = self.margin.max(margin);
        self.add_evidence(place, logits.evidence);
        let mut shares: Vec<f32> = spans.iter().map(|span| span.score).collect();
        softmax(&mut shares);
        let answered = self.calibration.probability(margin);
        for (span, share) in spans.iter_mut().zip(shares) {
            span.probability = share * answered;
            self.offer(*span);
        }
    }

    fn add_evidence(&mut self, place: &Place, logits: &[f32]) {
        let said = logits.get(place.start..).unwrap_or_default().iter().take(place.tokens.len());
        for (token, logit) in place.tokens.clone().zip(said) {
            if self.evidence.len() <= token {
                self.evidence.resize(token + 1, 0.0);
            }
            if let Some(known) = self.evidence.get_mut(token) {
                *known = known.max(sigmoid(*logit));
            }
        }
    }

    /// Keeps a span where it is among the best, and of the same span the more probable.
    fn offer(&mut self, span: TokenSpan) {
        let better = |known: &TokenSpan| known.probability >= span.probability;
        if self.spans.len() >= self.count && self.spans.last().is_none_or(better) {
            return;
        }
        let same = |known: &TokenSpan| (known.first, known.last) == (span.first, span.last);
        if let Some(known) = self.spans.iter().position(same) {
            if better(&self.spans[known]) {
                return;
            }
            self.spans.remove(known);
        }
        let at = self.spans.iter().position(|known| !better(known)).unwrap_or(self.spans.len());
        self.spans.insert(at, span);
        self.spans.truncate(self.count);
    }
}
