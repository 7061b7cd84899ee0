//! Cuts documents into chunks, with the text that both indexes see.

use std::cell::Cell;

use anyhow::Context as _;
use campanile_corpus::{Chunk, Document, IndexedText, chunk_by, indexed_text};
use rayon::prelude::*;

use crate::config::ChunksConfig;
use crate::embed::Embedder;
use crate::observer::{Observer, Stage};

/// A chunk with its place in the corpus.
pub struct Indexed {
    /// Index of its document.
    pub document: usize,
    /// Where it lies there.
    pub chunk: Chunk,
    /// Headings and text: what is embedded and what is indexed.
    pub text: IndexedText,
}

/// All chunks, numbered as they will be in the bundle: by document, then by place.
///
/// # Errors
/// Where options make no sense, or the encoder fails while sentences are compared.
pub fn cut(
    documents: &[Document],
    embedder: &Embedder,
    config: &ChunksConfig,
    observer: &dyn Observer,
) -> anyhow::Result<Vec<Indexed>> {
    let strategy = config.strategy()?;
    let cutting = observer.begin(&Stage::counted("Cutting", documents.len(), "documents"));
    let cut: Vec<Vec<Indexed>> = documents
        .par_iter()
        .enumerate()
        .map(|(index, document)| {
            let chunks = chunk_by(document, embedder, &strategy, Some(embedder))
                .with_context(|| format!("cannot cut `{}` into passages", document.path))?;
            cutting.advance(1);
            let indexed = |chunk: Chunk| Indexed {
                document: index,
                text: indexed_text(document, &chunk),
                chunk,
            };
            Ok(chunks.into_iter().map(indexed).collect())
        })
        .collect::<anyhow::Result<_>>()?;
    Ok(cut.into_iter().flatten().collect())
}

/// The chunks that are kept, numbered anew within their documents.
pub fn without(chunks: Vec<Indexed>, folded: impl Fn(usize) -> bool) -> Vec<Indexed> {
    let last = Cell::new((usize::MAX, 0));
    let kept = chunks.into_iter().enumerate().filter(|(place, _)| !folded(*place));
    let renumbered = kept.map(|(_, mut indexed)| {
        let (document, next) = last.get();
        let number = if document == indexed.document { next } else { 0 };
        last.set((indexed.document, number + 1));
        indexed.chunk.index = number;
        indexed
    });
    renumbered.collect()
}
