//! Parts of chunks: what the finer indexes count.

use std::cell::Cell;

use campanile_bundle::ChildRecord;
use campanile_corpus::{
    Chunk, Document, Granularity, IndexedText, Proposer, Proposition, SentenceUnit, chunk_by,
    indexed_sentence, indexed_text, question_of, sentences_of,
};
use campanile_text::Language;
use rayon::prelude::*;

use crate::BuildError;
use crate::config::ChunksConfig;
use crate::embed::Embedder;
use crate::observer::{Observer, Stage};

/// The parts of all chunks, of one kind.
pub struct Units {
    /// The kind of units.
    pub granularity: Granularity,
    /// The number of units of each chunk.
    pub counts: Vec<u32>,
    /// The text of each unit that is embedded and indexed, in the order of the chunks.
    pub texts: Vec<IndexedText>,
    /// For each chunk, its parts as the document keeps them; their chunk numbers are the caller's.
    pub records: Vec<Vec<ChildRecord>>,
}

/// Makes the parts of all chunks.
pub fn of(
    granularity: Granularity,
    chunks: &[Indexed],
    documents: &[Document],
    language: Language,
) -> Units {
    let proposer = Proposer::new(language);
    let made: Vec<Vec<(ChildRecord, IndexedText)>> = chunks
        .par_iter()
        .map(|indexed| {
            let Some(document) = documents.get(indexed.document) else { return Vec::new() };
            match granularity {
                Granularity::Chunk => Vec::new(),
                Granularity::Sentence => sentences_of(document, &indexed.chunk)
                    .iter()
                    .map(|unit| sentence(document, unit))
                    .collect(),
                Granularity::Proposition => proposer
                    .propositions(document, &indexed.chunk)
                    .into_iter()
                    .map(proposition)
                    .collect(),
                Granularity::Question => question_of(document, &indexed.chunk)
                    .map(|asked| question(&indexed.chunk, asked))
                    .into_iter()
                    .collect(),
            }
        })
        .collect();
    Units::new(granularity, made)
}

impl Units {
    /// From the parts of each chunk: how the document keeps them, and what is indexed.
    pub fn new(granularity: Granularity, made: Vec<Vec<(ChildRecord, IndexedText)>>) -> Self {
        let count = |units: &Vec<_>| u32::try_from(units.len()).unwrap_or(u32::MAX);
        let counts = made.iter().map(count).collect();
        let mut texts = Vec::new();
        let mut records = Vec::with_capacity(made.len());
        for units in made {
            let (own, own_texts): (Vec<_>, Vec<_>) = units.into_iter().unzip();
            texts.extend(own_texts);
            records.push(own);
        }
        Self { granularity, counts, texts, records }
    }

    /// The parts of each chunk, as [`Units::new`] takes them.
    pub fn into_made(self) -> Vec<Vec<(ChildRecord, IndexedText)>> {
        let mut texts = self.texts.into_iter();
        let of_chunk = |own: Vec<ChildRecord>| own.into_iter().zip(texts.by_ref()).collect();
        self.records.into_iter().map(of_chunk).collect()
    }
}

fn sentence(document: &Document, unit: &SentenceUnit) -> (ChildRecord, IndexedText) {
    let record = ChildRecord {
        granularity: Granularity::Sentence,
        chunk: unit.parent,
        span: unit.span,
        text: None,
    };
    (record, indexed_sentence(document, unit))
}

/// A question that a chunk answers, as the document keeps it, and what is indexed of it.
fn question(chunk: &Chunk, asked: &str) -> (ChildRecord, IndexedText) {
    let record = ChildRecord {
        granularity: Granularity::Question,
        chunk: chunk.index,
        span: chunk.span,
        text: Some(asked.to_owned()),
    };
    (record, IndexedText::plain(asked.to_owned()))
}

/// A proposition as the document keeps it, and what is indexed of it.
pub fn proposition(proposition: Proposition) -> (ChildRecord, IndexedText) {
    let record = ChildRecord {
        granularity: Granularity::Proposition,
        chunk: proposition.parent,
        span: proposition.source,
        text: Some(proposition.text.clone()),
    };
    (record, IndexedText::plain(proposition.text))
}

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
) -> Result<Vec<Indexed>, BuildError> {
    let strategy = config.strategy()?;
    let cutting = observer.begin(&Stage::counted("Cutting", documents.len(), "documents"));
    let cut: Vec<Vec<Indexed>> = documents
        .par_iter()
        .enumerate()
        .map(|(index, document)| {
            let chunks = chunk_by(document, embedder, &strategy, Some(embedder))
                .map_err(|error| BuildError::Cut(document.path.clone(), error))?;
            cutting.advance(1);
            let indexed = |chunk: Chunk| Indexed {
                document: index,
                text: indexed_text(document, &chunk),
                chunk,
            };
            Ok(chunks.into_iter().map(indexed).collect())
        })
        .collect::<Result<_, BuildError>>()?;
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
