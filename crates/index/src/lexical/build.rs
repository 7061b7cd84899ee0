//! From the terms of each chunk to a head and its shards.

use std::collections::BTreeMap;

use super::fields::{Field, FieldWeights};
use super::{Bm25Parameters, LexicalHead, Posting, shard::ShardWriter};

/// Collects the terms of each chunk. Chunks are numbered from 0 in the order they are added.
#[derive(Debug, Default)]
pub struct LexicalBuilder {
    parameters: Bm25Parameters,
    fields: FieldWeights,
    lengths: Vec<u16>,
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
