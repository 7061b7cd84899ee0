//! From the terms of each chunk to a head and its shards.

use std::collections::BTreeMap;

use super::{Bm25Parameters, LexicalHead, Posting, shard::ShardWriter};

/// Collects the terms of each chunk. Chunks are numbered from 0 in the order they are added.
#[derive(Debug, Default)]
pub struct LexicalBuilder {
    parameters: Bm25Parameters,
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

    /// Adds the next chunk by its analysed terms, repetitions included. A chunk without terms
    /// still takes its number. Lengths above 65,535 terms count as that, far beyond any chunk.
    pub fn add_chunk(&mut self, terms: impl IntoIterator<Item = String>) {
        // The format counts to 2^31, which would be a terabyte of text: the number does not wrap.
        let chunk = self.lengths.len() as u32;
        let mut length = 0usize;
        for term in terms.into_iter().filter(|term| !term.is_empty()) {
            length += 1;
            let list = self.lists.entry(term).or_default();
            match list.last_mut() {
                Some(last) if last.chunk == chunk => last.frequency += 1,
                _ => list.push(Posting { chunk, frequency: 1 }),
            }
        }
        self.lengths.push(u16::try_from(length).unwrap_or(u16::MAX));
    }

    /// Encodes the index. A shard is closed once it holds `shard_bytes` bytes; a term's list is
    /// never split, so a frequent term makes a longer shard.
    pub fn finish(self, shard_bytes: usize) -> LexicalIndex {
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
            head: LexicalHead::new(self.parameters, self.lengths, separators).encode(),
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
