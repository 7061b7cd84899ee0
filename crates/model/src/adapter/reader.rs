//! Finds answers in passages.

use std::ops::Range;

use super::file::{Adapter, Task, TaskHead};
use super::pair::{Limits, PairNetwork, PairTexts, Windows};
use super::spans::{Best, Calibration};
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
    span: &'a Linear,
    answerable: Option<&'a Linear>,
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
    /// What the network is to be given, one after the other.
    pub fn sequences(&self) -> &[TokenSequence] {
        &self.windows.sequences
    }
}

/// What a reader finds in a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Answers, most probable first.
    pub spans: Vec<ReadSpan>,
    /// How probable it is that the passage holds no answer.
    pub no_answer: f32,
    /// By how much an answer is better than none, as a logit; `no_answer` follows from it.
    pub margin: f32,
}

impl Reading {
    /// Readings as numbers, to be handed from one module of a page to another: of each how probable it is that there is
    /// no answer, the margin, how many spans there are, and of each span its first byte, the byte behind its last, its
    /// probability and its score. A place above 2²⁴ is not exact; passages are shorter by far.
    pub fn to_numbers(readings: &[Self]) -> Vec<f32> {
        let mut numbers = Vec::new();
        for Self { spans, no_answer, margin } in readings {
            numbers.extend([*no_answer, *margin, spans.len() as f32]);
            for ReadSpan { bytes, probability, score } in spans {
                numbers.extend([bytes.start as f32, bytes.end as f32, *probability, *score]);
            }
        }
        numbers
    }

    /// What [`Reading::to_numbers`] made numbers of; `None` where they are not of that form.
    pub fn from_numbers(mut numbers: &[f32]) -> Option<Vec<Self>> {
        let mut readings = Vec::new();
        while let Some(([no_answer, margin, count], rest)) = numbers.split_first_chunk() {
            let (spans, rest) = rest
                .as_chunks::<4>()
                .0
                .split_at_checked(*count as usize)
                .map(|(spans, _)| (spans, &rest[4 * spans.len()..]))?;
            let spans = spans.iter().map(|&[start, end, probability, score]| ReadSpan {
                bytes: start as usize..end as usize,
                probability,
                score,
            });
            readings.push(Self { spans: spans.collect(), no_answer: *no_answer, margin: *margin });
            numbers = rest;
        }
        numbers.is_empty().then_some(readings)
    }
}

/// An answer in a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadSpan {
    /// Where it is in the passage.
    pub bytes: Range<usize>,
    /// How probable it is that it is the answer.
    pub probability: f32,
    /// The sum of the logits of its start and its end.
    pub score: f32,
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
        let limits = Limits::of(model.max_tokens());
        let network = PairNetwork::new(model.tokenizer(), &model.trunk, Pass::default(), limits)?;
        let head = ReaderHead {
            texts: network.texts,
            span: &model.span,
            answerable: None,
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
        let logits = self.network.run(&pairs.windows, &|rows| self.head.logits(rows))?;
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
        let TaskHead::Reader { span, answerable, max_answer } = &adapter.head else {
            return Err(adapter.other_task(Task::Reader));
        };
        Ok(Self {
            texts,
            span,
            answerable: answerable.as_ref(),
            max_answer: *max_answer,
            calibration: adapter.calibration,
        })
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
        let logits = rows.iter().map(|rows| self.logits(rows)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.best(pairs, &logits, count))
    }

    fn best(&self, pairs: &Pairs, logits: &[Vec<f32>], count: usize) -> Vec<Reading> {
        let Pairs { windows, pieces } = pairs;
        let mut best: Vec<Best> =
            pieces.iter().map(|_| Best::new(count, self.max_answer, self.calibration)).collect();
        for (place, logits) in windows.places.iter().zip(logits) {
            if let Some(best) = best.get_mut(place.passage) {
                best.add(place, logits);
            }
        }
        best.iter().zip(pieces).map(|(best, pieces)| self.reading(best, pieces)).collect()
    }

    /// The logits of a start and an end at each token, `[tokens, 2]`, and where a head says so that
    /// of there being an answer.
    fn logits(&self, rows: &[f32]) -> Result<Vec<f32>, ModelError> {
        let mut logits = self.span.of(rows)?;
        if let Some(head) = self.answerable {
            logits.extend(head.of(&rows[..rows.len().min(self.span.inputs())])?);
        }
        Ok(logits)
    }

    fn reading(&self, best: &Best, pieces: &[(u32, Range<usize>)]) -> Reading {
        let byte = |token: usize| pieces.get(token).map(|(_, bytes)| bytes.clone());
        let spans = best.spans.iter().filter_map(|span| {
            let bytes = byte(span.first)?.start..byte(span.last)?.end;
            Some(ReadSpan { bytes, probability: span.probability, score: span.score })
        });
        let no_answer = 1.0 - self.calibration.probability(best.margin);
        Reading { spans: spans.collect(), no_answer, margin: best.margin }
    }
}

#[cfg(test)]
mod tests {
    use super::{ReadSpan, Reading};

    #[test]
    fn readings_come_back_from_their_numbers() {
        let span =
            |start: usize| ReadSpan { bytes: start..start + 7, probability: 0.25, score: -1.5 };
        let reading = |count: usize| Reading {
            spans: (0..count).map(span).collect(),
            no_answer: 0.75,
            margin: f32::NEG_INFINITY,
        };
        for readings in [vec![], vec![reading(0)], vec![reading(2), reading(0), reading(1)]] {
            let numbers = Reading::to_numbers(&readings);
            assert_eq!(Reading::from_numbers(&numbers), Some(readings));
        }
    }

    #[test]
    fn other_numbers_are_refused() {
        for numbers in [
            &[0.5][..],
            &[0.5, 1.0],
            &[0.5, 1.0, 1.0],
            &[0.5, 1.0, 1.0, 0.0, 4.0, 0.5],
            &[0.5, 1.0, 1e9],
        ] {
            assert_eq!(Reading::from_numbers(numbers), None, "{numbers:?}");
        }
    }
}
