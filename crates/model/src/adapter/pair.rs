//! Two texts as a network reads them: a question and a passage, or a window of it.

use std::ops::Range;

use super::file::Adapter;
use super::low_rank::NetworkChanges as _;
use crate::encoder::{BertConfig, Encoder, PairModel, Pass, Pooling, Trunk};
use crate::error::ModelError;
use crate::tokenizer::{TokenSequence, Tokenizer};

/// The limits of what a network reads at once, in tokens.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Of both texts, special tokens among them.
    pub(crate) max_length: usize,
    /// Of a question; the rest is cut off.
    pub(crate) max_question: usize,
    /// By which two neighbouring windows of a passage overlap.
    pub(crate) stride: usize,
}

impl Limits {
    /// For a model that says nothing of windows: a quarter for the question, a quarter of overlap.
    fn of(max_length: usize) -> Self {
        // Half of each window, special tokens aside, is then text that the window before has not.
        Self { max_length, max_question: max_length / 4, stride: max_length / 4 }
    }
}

/// A network that reads pairs of texts.
#[derive(Clone, Copy)]
pub(super) struct PairNetwork<'a> {
    pub(super) texts: PairTexts<'a>,
    trunk: &'a Trunk,
    pass: Pass<'a>,
}

/// The means to make inputs of pairs of texts, wherever the network runs.
#[derive(Clone, Copy)]
pub(super) struct PairTexts<'a> {
    tokenizer: &'a Tokenizer,
    limits: Limits,
    /// `true` if the passage is the first of the two texts.
    passage_first: bool,
}

/// A function that makes logits of a window's vectors, `[tokens, hidden]`.
type HeadOf<'a> = dyn Fn(&[f32]) -> Result<Vec<f32>, ModelError> + Sync + 'a;

/// Windows of passages, each with the question.
#[derive(Default)]
pub(super) struct Windows {
    pub(super) sequences: Vec<TokenSequence>,
    pub(super) places: Vec<Place>,
}

/// The origin of a window's tokens.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The number of the passage.
    pub(super) passage: usize,
    /// The passage's tokens.
    pub(super) tokens: Range<usize>,
    /// The place of the first of them in the input.
    pub(super) start: usize,
}

impl<'a> PairNetwork<'a> {
    /// An encoder's network, changed by an adapter.
    pub(super) fn adapted(
        encoder: &'a Encoder,
        adapter: &'a Adapter,
        pooling: Option<Pooling>,
    ) -> Result<Self, ModelError> {
        let texts = PairTexts::adapted(encoder.tokenizer(), encoder.trunk.config(), adapter)?;
        let first_only = pooling == Some(Pooling::Cls);
        let pass = Pass { changes: Some(&adapter.changed.low_rank), first_only, observer: None };
        Ok(Self { texts, trunk: &encoder.trunk, pass })
    }

    /// A whole model's own network, run as `pass` says.
    pub(super) fn whole(
        model: &'a PairModel,
        pass: Pass<'a>,
        passage_first: bool,
    ) -> Result<Self, ModelError> {
        let PairModel { tokenizer, trunk, max_tokens } = model;
        let texts = PairTexts::new(tokenizer, trunk.config(), Limits::of(*max_tokens))?;
        Ok(Self { texts: PairTexts { passage_first, ..texts }, trunk, pass })
    }

    /// The logits that `head` makes of the last layer's vectors of each window.
    pub(super) fn run(
        &self,
        windows: &Windows,
        head: &HeadOf<'_>,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        self.trunk.each(self.pass, &windows.sequences, |_, rows| head(rows))
    }
}

impl<'a> PairTexts<'a> {
    /// For an encoder's network with an adapter.
    pub(super) fn adapted(
        tokenizer: &'a Tokenizer,
        config: &BertConfig,
        adapter: &Adapter,
    ) -> Result<Self, ModelError> {
        adapter.check(config)?;
        Self::new(tokenizer, config, adapter.limits)
    }

    fn new(
        tokenizer: &'a Tokenizer,
        config: &BertConfig,
        limits: Limits,
    ) -> Result<Self, ModelError> {
        let (length, positions) = (limits.max_length, config.positions());
        let taken = [limits.max_question, tokenizer.pair_special_tokens(), limits.stride];
        // `saturating_add`: the numbers are a file's, and a sum that overflows would seem to fit.
        if length > positions || taken.into_iter().fold(0, usize::saturating_add) >= length {
            return Err(ModelError::adapter(format!(
                "inputs of {length} tokens, {} of them for a question, in windows that overlap by {}: the network reads {positions}, and every window must bring something new",
                limits.max_question, limits.stride
            )));
        }
        Ok(Self { tokenizer, limits, passage_first: false })
    }

    /// The question beside every window of every passage, which is given as its tokens.
    ///
    /// A passage without tokens has one window without any.
    pub(super) fn windows(
        &self,
        question: &str,
        passages: &[Vec<u32>],
    ) -> Result<Windows, ModelError> {
        let mut question = self.tokenizer.encode(question)?;
        question.truncate(self.limits.max_question);
        let special = self.tokenizer.pair_special_tokens();
        // Above the stride, as was checked.
        let room = self.limits.max_length.saturating_sub(special + question.len());
        let mut windows = Windows::default();
        for (passage, ids) in passages.iter().enumerate() {
            let mut first = 0;
            loop {
                let tokens = first..ids.len().min(first + room);
                let part = &ids[tokens.clone()];
                let (sequence, start) = match self.passage_first {
                    true => self.tokenizer.join(part, &question)?,
                    false => self.tokenizer.join(&question, part)?,
                };
                // What the overlap would repeat is not read again once the passage has been read to its end.
                let is_last = tokens.end == ids.len();
                windows.sequences.push(sequence);
                windows.places.push(Place { passage, tokens, start });
                if is_last {
                    break;
                }
                first += room - self.limits.stride;
            }
        }
        Ok(windows)
    }

    /// As [`PairNetwork::windows`], of passages as they are written.
    pub(super) fn windows_of(
        &self,
        question: &str,
        passages: &[&str],
    ) -> Result<Windows, ModelError> {
        let passages = crate::encoder::try_map(passages, |passage| self.tokenizer.encode(passage))?;
        self.windows(question, &passages)
    }

    pub(super) fn tokenizer(&self) -> &'a Tokenizer {
        self.tokenizer
    }
}
