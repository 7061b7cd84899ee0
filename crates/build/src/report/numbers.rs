//! The index in numbers.

use std::collections::BTreeMap;

use campanile_corpus::{
    Document, FillStatistics, Granularity, IndexedText, LengthStatistics, TokenCounter as _,
    fill_context, word_count,
};
use rayon::prelude::*;
use serde::Serialize;

use crate::embed::Embedder;
use crate::quality::FoldedChunk;
use crate::units::{Indexed, Units};

/// The context that is filled: what the language models have that a page can run, and what the
/// studies-guide thesis measured with.
const CONTEXT_TOKENS: usize = 8_192;
/// Times that the context is filled, as in that study.
const DRAWS: usize = 1_000;
/// Any number will do, as long as it stays the same.
const SEED: u64 = 8420;

/// The number and the lengths of the units of each size.
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
    /// The number of units.
    pub count: usize,
    /// Units of a passage.
    pub per_chunk: LengthStatistics,
    /// Their lengths in words, context included.
    pub words: LengthStatistics,
    /// Their lengths in the encoder's tokens, context included.
    pub tokens: LengthStatistics,
    /// Units that fit into a language model's context.
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

/// Longest excerpt of a passage, in characters.
const EXCERPT_CHARS: usize = 120;

/// A passage that another one stands for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoldedPassage {
    /// The document it stands in.
    pub document: String,
    /// The document whose passage stands for it.
    pub kept_in: String,
    /// The Jaccard similarity of the two, from 0 to 1.
    pub similarity: f64,
    /// Its beginning.
    pub excerpt: String,
}

/// Duplicates that were folded into one.
pub struct Folding {
    /// For the report, in the order of the passages.
    pub passages: Vec<FoldedPassage>,
    /// By the folded passage's place: the document it stands in, and the place of the one kept.
    by_place: BTreeMap<usize, (usize, usize)>,
}

impl Folding {
    /// Puts what was found about `chunks` together.
    pub fn new(chunks: &[Indexed], folded: &[FoldedChunk], documents: &[Document]) -> Self {
        let mut passages = Vec::with_capacity(folded.len());
        let mut by_place = BTreeMap::new();
        let document = |place: usize| {
            let indexed = chunks.get(place)?;
            Some((indexed, documents.get(indexed.document)?))
        };
        for &FoldedChunk { folded, kept, similarity } in folded {
            let (Some((own, own_document)), Some((_, other))) = (document(folded), document(kept))
            else {
                continue;
            };
            by_place.insert(folded, (own.document, kept));
            passages.push(FoldedPassage {
                document: own_document.path.clone(),
                kept_in: other.path.clone(),
                similarity,
                excerpt: excerpt(own.chunk.span.slice(&own_document.text).unwrap_or_default()),
            });
        }
        Self { passages, by_place }
    }

    /// Whether the passage at this place is left to another.
    pub fn is_folded(&self, place: usize) -> bool {
        self.by_place.contains_key(&place)
    }

    /// For passages that stand for others: their place once the folded ones are gone, and the other's
    /// document. A document is named once for a passage, and never for its own.
    pub fn also(&self, document_of: impl Fn(usize) -> Option<usize>) -> Vec<(usize, usize)> {
        let mut also: Vec<(usize, usize)> = self
            .by_place
            .values()
            .filter(|(document, kept)| document_of(*kept) != Some(*document))
            .map(|(document, kept)| {
                let gone = self.by_place.range(..kept).count();
                (kept - gone, *document)
            })
            .collect();
        also.sort_unstable();
        also.dedup();
        also
    }
}

fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXCERPT_CHARS) {
        Some((cut, _)) => format!("{}…", line.get(..cut).unwrap_or_default()),
        None => line,
    }
}
