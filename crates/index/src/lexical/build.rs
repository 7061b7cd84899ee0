//! From the terms of each chunk to a head and its shards, with weights by where a word stands.

use std::collections::BTreeMap;

use thiserror::Error;

use super::shard::ShardWriter;
use super::{Bm25Parameters, LexicalHead, Posting};

/// Collects the terms of each chunk. Chunks are numbered from 0 in the order they are added.
#[derive(Debug, Default)]
pub struct LexicalBuilder {
    parameters: Bm25Parameters,
    fields: FieldWeights,
    lengths: Vec<u16>,
    // In order from the beginning: shards are stretches of the alphabet.
    lists: BTreeMap<String, Vec<Posting>>,
}

/// An inverted index, encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LexicalIndex {
    /// For [`LexicalHead::decode`].
    pub head: Vec<u8>,
    /// For [`PostingsShard::decode`](super::PostingsShard::decode); the head counts them from 0.
    pub shards: Vec<Vec<u8>>,
}

impl LexicalBuilder {
    /// Starts an empty index; `parameters` travel in its head.
    pub fn new(parameters: Bm25Parameters) -> Self {
        Self { parameters, ..Self::default() }
    }

    /// Lets words count by where they stand.
    pub fn with_fields(self, fields: FieldWeights) -> Self {
        Self { fields, ..self }
    }

    /// Adds the next chunk by its analysed terms, repetitions included; all are of its body. A chunk
    /// without terms still takes its number. Lengths above 65,535 terms count as that, far beyond any
    /// chunk.
    pub fn add_chunk(&mut self, terms: impl IntoIterator<Item = String>) {
        self.add_chunk_with_fields(terms.into_iter().map(|term| (term, Field::Body)));
    }

    /// As [`add_chunk`](Self::add_chunk), with the field that each term stands in. A chunk's length is
    /// counted with the same weights, to the nearest whole word.
    pub fn add_chunk_with_fields(&mut self, terms: impl IntoIterator<Item = (String, Field)>) {
        // The format counts to 2^31, which would be a terabyte of text: the number does not wrap.
        let chunk = self.lengths.len() as u32;
        let mut length = 0u64;
        for (term, field) in terms.into_iter().filter(|(term, _)| !term.is_empty()) {
            let weight = self.fields.of(field);
            if weight == 0 {
                continue;
            }
            length += u64::from(weight);
            let list = self.lists.entry(term).or_default();
            match list.last_mut() {
                // Chunks come one after the other, so a term of this one is the last of its list or new.
                Some(last) if last.chunk == chunk => last.frequency += weight,
                _ => list.push(Posting { chunk, frequency: weight }),
            }
        }
        let unit = u64::from(self.fields.unit());
        self.lengths.push(u16::try_from((length + unit / 2) / unit).unwrap_or(u16::MAX));
    }

    /// The parameters as readers of the index need them: where a word of the body counts `unit`, so does
    /// the point at which occurrences stop counting. All scores of the index then grow by one factor,
    /// which changes no ranking.
    fn parameters_in_units(&self) -> Bm25Parameters {
        let Bm25Parameters { k1, b } = self.parameters;
        Bm25Parameters { k1: k1 * self.fields.unit() as f32, b }
    }

    /// Returns the number of chunks so far.
    pub fn chunk_count(&self) -> u32 {
        self.lengths.len() as u32
    }

    /// Returns every term so far with the number of chunks that hold it, in the order of the alphabet.
    pub fn chunks_of_terms(&self) -> impl Iterator<Item = (&str, u32)> {
        self.lists.iter().map(|(term, list)| (term.as_str(), list.len() as u32))
    }

    /// Encodes the index. A shard is closed once it holds `shard_bytes` bytes; a term's list is
    /// never split, so a frequent term makes a longer shard.
    pub fn finish(self, shard_bytes: usize) -> LexicalIndex {
        let parameters = self.parameters_in_units();
        let mut shards = Vec::new();
        let mut separators = Vec::new();
        let mut writer = ShardWriter::default();
        let mut last_term = String::new();
        for (term, list) in self.lists {
            if writer.is_empty() {
                separators.push(separator(&last_term, &term, shards.is_empty()));
            }
            writer.add(&term, &list);
            if writer.len() >= shard_bytes {
                shards.push(std::mem::take(&mut writer).finish());
            }
            last_term = term;
        }
        if !writer.is_empty() {
            shards.push(writer.finish());
        }
        LexicalIndex {
            head: LexicalHead::new(parameters, self.lengths, separators).encode(),
            shards,
        }
    }
}

/// The shortest beginning of `first` that still sorts behind `last`: it divides two shards as
/// well as the whole term does.
fn separator(last: &str, first: &str, is_first_shard: bool) -> String {
    if is_first_shard {
        return String::new();
    }
    first
        .char_indices()
        .map(|(start, letter)| &first[..start + letter.len_utf8()])
        .find(|&beginning| beginning > last)
        .unwrap_or(first)
        .to_owned()
}

/// Steps between 0 and 1.
// Finer steps make longer frequencies: 1.5 stores the postings of Cranfield in 16 % more bytes
// (docs/concepts/retrieval.md), and half a step more hardly moves a set of questions.
const STEPS: u32 = 4;

/// The place of a word in a chunk's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// In the title of its document.
    Title,
    /// In the headings above it, or a table's caption.
    Headings,
    /// In the text itself.
    Body,
}

/// The weights of a word in a title and in headings, beside one in the body, which counts 1.
///
/// This is BM25 with weighted fields in its simple form (Robertson, Zaragoza and Taylor, CIKM 2004): the
/// frequency of a term in a chunk is the sum of its occurrences, each with its field's weight, and
/// so is the chunk's length. A weight of 2 ranks as if the title stood there twice. Weighting
/// frequencies keeps what makes BM25 robust: a word in title and body saturates once, where two
/// scores that are added would count it as two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldWeights {
    title: u32,
    headings: u32,
    body: u32,
}

/// A number that is no field's weight.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("a field's weight lies between 0 and 8, in steps of 0.25; found {0}")]
pub struct FieldWeightError(f32);

impl FieldWeights {
    /// The highest weight: beyond it a word of a title is found whatever the text is about.
    pub const HIGHEST: f32 = 8.0;
    /// Weights are whole multiples of this, for the index counts in whole numbers.
    pub const STEP: f32 = 1.0 / STEPS as f32;

    /// Weights of a word in a title and in headings; 0 leaves such words out of the index.
    ///
    /// # Errors
    /// A weight that is not one of 0, 0.25, 0.5 … 8.
    pub fn new(title: f32, headings: f32) -> Result<Self, FieldWeightError> {
        let (title, headings) = (steps(title)?, steps(headings)?);
        // The fewest whole numbers that stand to each other as the weights do: most words are in the
        // body, and a frequency of 1 is the shortest to store.
        let divisor = [STEPS, 2, 1].into_iter().find(|n| (title | headings) % n == 0).unwrap_or(1);
        Ok(Self { title: title / divisor, headings: headings / divisor, body: STEPS / divisor })
    }

    /// Returns what an occurrence adds to a term's frequency.
    pub(super) fn of(self, field: Field) -> u32 {
        match field {
            Field::Title => self.title,
            Field::Headings => self.headings,
            Field::Body => self.body,
        }
    }

    /// Returns what one word of the body adds: the unit in which the index counts.
    pub(super) fn unit(self) -> u32 {
        self.body
    }
}

impl Default for FieldWeights {
    /// A word counts the same wherever it stands.
    fn default() -> Self {
        Self { title: 1, headings: 1, body: 1 }
    }
}

fn steps(weight: f32) -> Result<u32, FieldWeightError> {
    let steps = weight * STEPS as f32;
    if (0.0..=FieldWeights::HIGHEST).contains(&weight) && steps.fract() == 0.0 {
        Ok(steps as u32)
    } else {
        Err(FieldWeightError(weight))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::{Field, FieldWeights};

    #[test]
    fn weights_are_counted_in_the_fewest_whole_numbers() {
        let cases = [
            (1.0, 1.0, [1, 1, 1]),
            (2.0, 1.0, [2, 1, 1]),
            (8.0, 0.0, [8, 0, 1]),
            (0.0, 0.0, [0, 0, 1]),
            (1.5, 1.0, [3, 2, 2]),
            (0.5, 3.0, [1, 6, 2]),
            (1.25, 2.0, [5, 8, 4]),
            (0.75, 0.25, [3, 1, 4]),
        ];
        for (title, headings, expected) in cases {
            let weights = FieldWeights::new(title, headings).unwrap();
            let found = [Field::Title, Field::Headings, Field::Body].map(|field| weights.of(field));
            assert_eq!(found, expected, "{title} {headings}");
            assert_eq!(weights.unit(), expected[2]);
        }
        assert_eq!(FieldWeights::new(1.0, 1.0), Ok(FieldWeights::default()));
    }

    #[test]
    fn other_numbers_are_refused() {
        for weight in [-1.0, 0.1, 1.3, 8.25, f32::NAN, f32::INFINITY] {
            assert!(FieldWeights::new(weight, 1.0).is_err(), "{weight}");
            let told = FieldWeights::new(1.0, weight).unwrap_err().to_string();
            assert!(told.contains("steps of 0.25") && told.contains(&weight.to_string()), "{told}");
        }
    }
}
