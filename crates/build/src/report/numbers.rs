//! The index in numbers.

use campanile_corpus::{
    FillStatistics, Granularity, IndexedText, LengthStatistics, TokenCounter as _, fill_context,
    word_count,
};
use rayon::prelude::*;
use serde::Serialize;

use crate::chunks::Indexed;
use crate::embed::Embedder;
use crate::units::Units;

/// The context that is filled: what the language models have that a page can run, and what the
/// studies-guide thesis measured with.
const CONTEXT_TOKENS: usize = 8_192;
/// How often it is filled, as there.
const DRAWS: usize = 1_000;
/// Any number will do, as long as it stays the same.
const SEED: u64 = 8420;

/// How many units of each size there are, and how long they are.
#[derive(Debug, Serialize)]
pub struct Numbers {
    /// By size, the largest first.
    pub granularities: Vec<UnitNumbers>,
}

/// One size of units in numbers.
#[derive(Debug, Serialize)]
pub struct UnitNumbers {
    /// The size.
    pub granularity: Granularity,
    /// How many units there are.
    pub count: usize,
    /// How many a passage has.
    pub per_chunk: LengthStatistics,
    /// Their lengths in words, context included.
    pub words: LengthStatistics,
    /// Their lengths in the encoder's tokens, context included.
    pub tokens: LengthStatistics,
    /// How many fit a language model's context.
    pub fit: FillStatistics,
}

impl Numbers {
    /// Counts everything.
    pub fn of<'u>(
        embedder: &Embedder,
        chunks: &[Indexed],
        parts: impl Iterator<Item = &'u Units>,
    ) -> Self {
        let texts: Vec<&str> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        let ones = vec![1; chunks.len()];
        let mut granularities = vec![numbers(embedder, Granularity::Chunk, &texts, &ones)];
        for units in parts {
            let texts: Vec<&str> = units.texts.iter().map(IndexedText::as_str).collect();
            let counts: Vec<usize> = units.counts.iter().map(|count| *count as usize).collect();
            granularities.push(numbers(embedder, units.granularity, &texts, &counts));
        }
        Self { granularities }
    }
}

fn numbers(
    embedder: &Embedder,
    granularity: Granularity,
    texts: &[&str],
    per_chunk: &[usize],
) -> UnitNumbers {
    let words: Vec<usize> = texts.iter().map(|text| word_count(text)).collect();
    let tokens: Vec<usize> = texts.par_iter().map(|text| embedder.count(text)).collect();
    UnitNumbers {
        granularity,
        count: texts.len(),
        per_chunk: LengthStatistics::of(per_chunk),
        words: LengthStatistics::of(&words),
        tokens: LengthStatistics::of(&tokens),
        fit: fill_context(&tokens, CONTEXT_TOKENS, DRAWS, SEED),
    }
}
