//! Finds answers in passages: from the logits of a window's tokens to spans with probabilities.

use std::ops::Range;

use campanile_kernels::softmax;

use super::file::{Adapter, Task, TaskHead};
use super::pair::{PairNetwork, PairTexts, Place, Windows};
use super::reading::{AnswerKinds, ReadSpan, Reading, TokenEvidence};
use super::{Calibration, sigmoid};
use crate::encoder::{BertConfig, Encoder, Linear, Pass, SpanModel, try_map};
use crate::error::ModelError;
use crate::tokenizer::{TokenSequence, Tokenizer};

/// The longest answer of a model that says nothing of it, in tokens: as in the reference.
const MAX_ANSWER: usize = 30;

/// Finds the spans of a passage that answer a question.
///
/// ```no_run
/// use campanile_model::{Adapter, Encoder, ModelError, Reader};
///
/// # fn demo(encoder: &Encoder, file: &[u8]) -> Result<(), ModelError> {
/// let adapter = Adapter::read(file)?;
/// let passage = "The library opens at nine.";
/// let found = Reader::new(encoder, &adapter)?.read("When does it open?", &[passage], 3)?;
/// for span in &found[0].spans {
///     println!("{:.2} {}", span.probability, &passage[span.bytes.clone()]);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Reader<'a> {
    head: ReaderHead<'a>,
    network: PairNetwork<'a>,
}

/// A [`Reader`] whose network runs elsewhere, on a graphics processor for one: makes its inputs, and readings of the
/// vectors that come out of its last layer.
pub struct ReaderHead<'a> {
    texts: PairTexts<'a>,
    heads: &'a ReaderHeads,
    max_answer: usize,
    calibration: Calibration,
}

/// A question beside each of some passages, as a network takes them.
pub struct Pairs {
    windows: Windows,
    /// The tokens of each passage and where they stand in it.
    pieces: Vec<Vec<(u32, Range<usize>)>>,
}

impl Pairs {
    /// Returns the sequences that the network is to be given, one after the other.
    pub fn sequences(&self) -> &[TokenSequence] {
        &self.windows.sequences
    }
}

/// The heads of a reader. All but the first may be missing.
pub(crate) struct ReaderHeads {
    /// A start and an end, at each token.
    pub(super) span: Linear,
    /// At `[CLS]`: that there is an answer.
    pub(super) answerable: Option<Linear>,
    /// At each token: that it stands in a sentence that answers.
    pub(super) evidence: Option<Linear>,
    /// At `[CLS]`: the kind of answer, [`AnswerKinds`].
    pub(super) kind: Option<Linear>,
}

impl ReaderHeads {
    /// The head of a model that finds spans and says nothing else.
    pub(crate) fn span_only(span: Linear) -> Self {
        Self { span, answerable: None, evidence: None, kind: None }
    }

    /// The logits of each head behind each other, as [`ReaderHeads::split`] takes them.
    fn logits(&self, rows: &[f32]) -> Result<Vec<f32>, ModelError> {
        let first = &rows[..rows.len().min(self.span.inputs())];
        let mut logits = self.span.of(rows)?;
        // What has one number a token comes first: `split` then finds the number of tokens from the length.
        for (head, rows) in [(&self.evidence, rows), (&self.answerable, first), (&self.kind, first)]
        {
            if let Some(head) = head {
                logits.extend(head.of(rows)?);
            }
        }
        Ok(logits)
    }

    fn split<'l>(&self, logits: &'l [f32]) -> WindowLogits<'l> {
        let size = |head: &Option<Linear>, outputs| head.as_ref().map_or(0, |_| outputs);
        let fixed = size(&self.answerable, 1) + size(&self.kind, AnswerKinds::COUNT);
        let tokens = logits.len().saturating_sub(fixed) / (2 + size(&self.evidence, 1));
        let (spans, rest) = logits.split_at(2 * tokens);
        let (evidence, rest) = rest.split_at(tokens * size(&self.evidence, 1));
        let (answerable, kind) = rest.split_at(size(&self.answerable, 1));
        WindowLogits {
            spans: spans.as_chunks().0,
            evidence,
            answerable: answerable.first().copied(),
            kind: kind.first_chunk().copied(),
        }
    }
}

impl<'a> Reader<'a> {
    /// An encoder that reads with an adapter.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where the adapter is for another task or another network.
    pub fn new(encoder: &'a Encoder, adapter: &'a Adapter) -> Result<Self, ModelError> {
        let network = PairNetwork::adapted(encoder, adapter, None)?;
        Ok(Self { head: ReaderHead::of(network.texts, adapter)?, network })
    }

    /// A whole model that was trained to read.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where it takes too few tokens for a question and a passage.
    pub fn whole(model: &'a SpanModel) -> Result<Self, ModelError> {
        let network = PairNetwork::whole(&model.model, Pass::default(), false)?;
        let head = ReaderHead {
            texts: network.texts,
            heads: &model.heads,
            max_answer: MAX_ANSWER,
            calibration: Calibration::PLAIN,
        };
        Ok(Self { head, network })
    }

    /// The `count` best answers in each passage, in the order given.
    ///
    /// A passage that is longer than the network reads at once is read in windows that overlap. An
    /// answer begins and ends with a token, and spans may overlap. Natively all cores take part.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where a text cannot be cut into tokens,
    /// [`ModelError::Device`] where the computation fails.
    pub fn read(
        &self,
        question: &str,
        passages: &[&str],
        count: usize,
    ) -> Result<Vec<Reading>, ModelError> {
        let pairs = self.head.pairs(question, passages)?;
        let logits = self.network.run(&pairs.windows, &|rows| self.head.heads.logits(rows))?;
        Ok(self.head.best(&pairs, &logits, count))
    }
}

impl<'a> ReaderHead<'a> {
    /// For an encoder's network of that shape, with an adapter.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where the adapter is for another task or another network.
    pub fn new(
        tokenizer: &'a Tokenizer,
        config: &BertConfig,
        adapter: &'a Adapter,
    ) -> Result<Self, ModelError> {
        Self::of(PairTexts::adapted(tokenizer, config, adapter)?, adapter)
    }

    fn of(texts: PairTexts<'a>, adapter: &'a Adapter) -> Result<Self, ModelError> {
        let TaskHead::Reader { heads, max_answer } = &adapter.head else {
            return Err(adapter.other_task(Task::Reader));
        };
        Ok(Self { texts, heads, max_answer: *max_answer, calibration: adapter.calibration })
    }

    /// The question beside each passage, in windows where one is longer than the network reads at once.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where a text cannot be cut into tokens.
    pub fn pairs(&self, question: &str, passages: &[&str]) -> Result<Pairs, ModelError> {
        let pieces = try_map(passages, |text| self.texts.tokenizer().encode_spans(text))?;
        let ids = |pieces: &Vec<(u32, Range<usize>)>| pieces.iter().map(|(id, _)| *id).collect();
        let ids: Vec<Vec<u32>> = pieces.iter().map(ids).collect();
        Ok(Pairs { windows: self.texts.windows(question, &ids)?, pieces })
    }

    /// The `count` best answers in each passage, from the last layer's vectors, `[tokens, hidden]`, of each of the
    /// pairs' sequences.
    ///
    /// # Errors
    /// [`ModelError::Device`] where there are vectors for more or fewer sequences.
    pub fn readings(
        &self,
        pairs: &Pairs,
        rows: &[Vec<f32>],
        count: usize,
    ) -> Result<Vec<Reading>, ModelError> {
        let wanted = pairs.sequences().len();
        if rows.len() != wanted {
            let reason = format!("it gave vectors for {} inputs, not {wanted}", rows.len());
            return Err(ModelError::device("reading passages", reason));
        }
        let logits =
            rows.iter().map(|rows| self.heads.logits(rows)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.best(pairs, &logits, count))
    }

    fn best(&self, pairs: &Pairs, logits: &[Vec<f32>], count: usize) -> Vec<Reading> {
        let Pairs { windows, pieces } = pairs;
        let mut best: Vec<Best> =
            pieces.iter().map(|_| Best::new(count, self.max_answer, self.calibration)).collect();
        for (place, logits) in windows.places.iter().zip(logits) {
            best[place.passage].add(place, &self.heads.split(logits));
        }
        best.iter().zip(pieces).map(|(best, pieces)| self.reading(best, pieces)).collect()
    }

    fn reading(&self, best: &Best, pieces: &[(u32, Range<usize>)]) -> Reading {
        let spans = best.spans.iter().map(|span| {
            let bytes = pieces[span.first].1.start..pieces[span.last].1.end;
            ReadSpan { bytes, probability: span.probability, score: span.score }
        });
        let no_answer = 1.0 - self.calibration.probability(best.margin);
        let evidence = best
            .evidence
            .iter()
            .zip(pieces)
            .map(|(&probability, (_, bytes))| TokenEvidence { bytes: bytes.clone(), probability });
        Reading {
            spans: spans.collect(),
            no_answer,
            margin: best.margin,
            evidence: evidence.collect(),
            kinds: best.kinds,
        }
    }
}

/// The logits that a reader's heads give to a window.
struct WindowLogits<'a> {
    /// Of a start and an end at each token.
    spans: &'a [[f32; 2]],
    /// Of standing in a sentence that answers, at each token; empty where no head says so.
    evidence: &'a [f32],
    /// Of there being an answer, where a head of its own says so.
    answerable: Option<f32>,
    /// Of each kind of answer, where a head says so.
    kind: Option<[f32; AnswerKinds::COUNT]>,
}

/// Some tokens of a passage, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TokenSpan {
    first: usize,
    last: usize,
    /// Sum of the start's and the end's logit.
    score: f32,
    probability: f32,
}

/// The best spans of a passage, most probable first.
struct Best {
    /// The number of spans that are wanted, and the most tokens that they may have.
    count: usize,
    max_answer: usize,
    calibration: Calibration,
    spans: Vec<TokenSpan>,
    /// The greatest of all windows, by how much an answer is better than none.
    margin: f32,
    /// For each of the passage's tokens how probably it stands in a sentence that answers, the greatest of all windows;
    /// empty where no head says so.
    evidence: Vec<f32>,
    /// The kinds of answer by the window with the greatest margin.
    kinds: Option<AnswerKinds>,
}

impl Best {
    fn new(count: usize, max_answer: usize, calibration: Calibration) -> Self {
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
    fn add(&mut self, place: &Place, logits: &WindowLogits<'_>) {
        // Vectors from another device may be fewer than there are tokens: what is missing has no span.
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
        // `[CLS]`, whose start and end stand for no answer, as SQuAD 2.0 trains it.
        let none = logits.spans.first().map_or(0.0, |[start, end]| start + end);
        let margin = match logits.answerable {
            // Without a token of the passage there is nothing to show, whatever the head says.
            Some(margin) if !spans.is_empty() => margin,
            _ => greatest - none,
        };
        // A first window without tokens has the margin minus infinity, which is above no other: its kinds are taken
        // all the same.
        if margin > self.margin || self.kinds.is_none() {
            self.kinds = logits.kind.map(AnswerKinds::of_logits);
        }
        self.margin = self.margin.max(margin);
        self.add_evidence(place, logits.evidence);
        // Shares are among the spans of this window; what makes two windows comparable is the factor `answered`.
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
            self.evidence[token] = self.evidence[token].max(sigmoid(*logit));
        }
    }

    /// Keeps a span where it is among the best, and of the same span the more probable.
    fn offer(&mut self, span: TokenSpan) {
        let better = |known: &TokenSpan| known.probability >= span.probability;
        if self.spans.len() >= self.count && self.spans.last().is_none_or(better) {
            return;
        }
        // Windows overlap, so a span comes once from each window that has all of it.
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
