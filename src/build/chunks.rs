//! Cuts documents into chunks, with the text that both indexes see.

use campanile_corpus::{Chunk, ChunkOptions, Document, TokenCounter, chunk, indexed_text};
use rayon::prelude::*;

use crate::config::ChunksConfig;

/// A chunk with its place in the corpus.
pub struct Indexed {
    /// Index of its document.
    pub document: usize,
    /// Where it lies there.
    pub chunk: Chunk,
    /// Headings and text: what is embedded and what is indexed.
    pub text: String,
}

/// All chunks, numbered as they will be in the bundle: by document, then by place.
pub fn cut<C: TokenCounter + Sync>(
    documents: &[Document],
    counter: &C,
    config: &ChunksConfig,
) -> Vec<Indexed> {
    let options = ChunkOptions {
        max_tokens: config.max_tokens,
        target_words: config.target_words,
        overlap_sentences: config.overlap_sentences,
    };
    documents
        .par_iter()
        .enumerate()
        .flat_map_iter(|(index, document)| {
            chunk(document, counter, &options).into_iter().map(move |chunk| Indexed {
                document: index,
                text: indexed_text(document, &chunk),
                chunk,
            })
        })
        .collect()
}
