//! An open site.

mod models;
mod pair_models;
mod parts;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use campanile_bundle::{
    AudienceTable, Bundle, BundleError, BundleIndex, Choices, ChunkId, DocumentId, DocumentRecord,
    DocumentsHead, Fetch, Manifest, ModelFile, SearchSettings,
};
use campanile_corpus::families::PageFamilies;
use campanile_index::{Graph, Hit, Sketch};
use campanile_model::{Encoder, Side, TokenVectors, WordPieces};
use campanile_text::{Analyzer, Span};

pub(crate) use models::Instant;
pub(crate) use parts::Reach;

pub use models::{NEAR_WORDS_FILE, QUERY_ADAPTER_FILE, ReaderParts, is_word_part, word_part_file};
pub use pair_models::{ADAPTER_FILE, LOW_RANK, PairTask, SPANS};

use self::pair_models::PairModels;
use crate::error::RetrieveError;
use crate::expansion::OtherForms;
use crate::passage::on_chunks;
use crate::rerank::ContentPieces;

/// The title of a document, with the headings in it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Contents {
    /// The title.
    pub title: String,
    /// The headings, in their order.
    pub headings: Vec<String>,
}

/// The models that are loaded: those of one site, or of sites that have the same.
#[derive(Default)]
struct Models {
    encoder: RefCell<Option<Rc<Encoder>>>,
    readers: PairModels,
}

/// An open site that can be searched.
pub struct Engine<F: Fetch, C: Clock> {
    bundle: Bundle<F>,
    clock: C,
    analyzer: Analyzer,
    models: Rc<Models>,
    instant: RefCell<Option<Rc<Instant>>>,
    /// Made when first asked for.
    pieces: OnceCell<ContentPieces>,
    /// Made when first asked for.
    other_forms: OnceCell<OtherForms>,
    /// Read when first asked for.
    families: OnceCell<PageFamilies>,
}

impl<F: Fetch, C: Clock> Engine<F, C> {
    /// Opens a site: reads its manifest, and nothing else yet.
    ///
    /// # Errors
    /// Where the manifest is missing, damaged or of a newer format.
    pub async fn open(fetch: F, clock: C) -> Result<Self, RetrieveError> {
        let bundle = Bundle::open(fetch).await?;
        let analyzer = Analyzer::new(bundle.manifest().analyzer);
        Ok(Self {
            bundle,
            clock,
            analyzer,
            models: Rc::default(),
            instant: RefCell::new(None),
            pieces: OnceCell::new(),
            other_forms: OnceCell::new(),
            families: OnceCell::new(),
        })
    }

    /// Opens another site beside this one, which has this one's encoder and what goes with it: they are in memory once,
    /// and loaded for both.
    ///
    /// # Errors
    /// As [`Engine::open`], and [`RetrieveError::BesideOther`] where the other site was built with another encoder: a
    /// question's vector can then not be compared with its own.
    pub async fn open_beside(&self, fetch: F, clock: C) -> Result<Self, RetrieveError> {
        let other = Self::open(fetch, clock).await?;
        let weights = |engine: &Self| {
            let encoder = engine.manifest().encoder.as_ref();
            encoder.map(|encoder| (encoder.name.clone(), encoder.weights_sha256.clone()))
        };
        match (weights(&other), weights(self)) {
            // It is searched by keywords alone.
            (None, _) => Ok(other),
            (theirs, ours) if theirs == ours => {
                Ok(Self { models: Rc::clone(&self.models), ..other })
            }
            (Some((name, _)), _) => Err(RetrieveError::BesideOther { name }),
        }
    }

    /// The site's manifest.
    pub fn manifest(&self) -> &Manifest {
        self.bundle.manifest()
    }

    /// The site's files.
    pub(crate) fn bundle(&self) -> &Bundle<F> {
        &self.bundle
    }

    /// The engine's clock.
    pub fn clock(&self) -> &C {
        &self.clock
    }

    /// Returns the analyzer that made the site's texts into terms.
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    /// Fetches what searches by meaning before the encoder is there, some hundred kilobytes.
    ///
    /// # Errors
    /// Where the site has none, or a file of it is damaged twice over.
    pub async fn load_instant(&self) -> Result<(), RetrieveError> {
        if self.instant_ready() {
            return Ok(());
        }
        let parts = self.bundle.instant().await?;
        let pieces = WordPieces::from_bytes(&parts.word_pieces)?;
        let instant = Instant::new(pieces, parts.table, parts.passages)?;
        self.instant.replace(Some(Rc::new(instant)));
        Ok(())
    }

    /// Returns `true` if the static encoder is loaded, so that questions can be searched by meaning without
    /// the site's own.
    pub fn instant_ready(&self) -> bool {
        self.instant.borrow().is_some()
    }

    /// The static encoder with the vectors of its passages, where they are loaded.
    pub(crate) fn instant(&self) -> Option<Rc<Instant>> {
        self.instant.borrow().clone()
    }

    /// Embeds texts with the site's encoder.
    ///
    /// # Errors
    /// Where the encoder is not loaded yet, or fails.
    pub async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, RetrieveError> {
        let encoder = self.encoder().ok_or(RetrieveError::EncoderNotLoaded)?;
        self.with_words(|| Ok(encoder.encode(texts)?)).await
    }

    /// Returns the length of a text: in word pieces of the site's encoder, without those that stand around
    /// it; in words where no encoder is loaded.
    ///
    /// # Errors
    /// Where the tokenizer refuses the text.
    pub fn count_tokens(&self, text: &str) -> Result<usize, RetrieveError> {
        match &*self.models.encoder.borrow() {
            Some(encoder) => Ok(encoder.tokenizer().encode(text)?.len()),
            None => Ok(text.split_whitespace().count()),
        }
    }

    /// Embeds a question, which some encoders want to be told from a text, and its tokens: to be compared with
    /// passages.
    pub(crate) async fn embed_question(
        &self,
        question: &str,
    ) -> Result<(Vec<f32>, TokenVectors), RetrieveError> {
        let encoder = self.encoder().ok_or(RetrieveError::EncoderNotLoaded)?;
        self.with_words(|| Ok(encoder.encode_query(question)?)).await
    }

    /// Embeds a question with the site's encoder and its adapter for questions, to be compared with the vectors of passages.
    ///
    /// # Errors
    /// Where the encoder is not loaded yet, or fails.
    pub async fn question_vector(&self, question: &str) -> Result<Vec<f32>, RetrieveError> {
        Ok(self.embed_question(question).await?.0)
    }

    /// Embeds a question to be compared with other questions: as a text, where the encoder has an adapter that turns
    /// questions towards their answers.
    pub(crate) async fn embed_beside_questions(
        &self,
        question: &str,
        embedded: &[f32],
    ) -> Result<Vec<f32>, RetrieveError> {
        // With an adapter, what was embedded lies where answers are, and far from other questions.
        let has_adapter = self.encoder().is_some_and(|encoder| encoder.has_adapter(Side::Query));
        if !has_adapter {
            return Ok(embedded.to_vec());
        }
        Ok(self.embed(&[question]).await?.pop().unwrap_or_default())
    }

    /// The encoder's tokens that are compared one by one.
    pub(crate) fn content_pieces(&self) -> Result<&ContentPieces, RetrieveError> {
        let encoder = self.encoder().ok_or(RetrieveError::EncoderNotLoaded)?;
        let new = || ContentPieces::new(encoder.tokenizer(), self.manifest().analyzer);
        Ok(self.pieces.get_or_init(new))
    }

    /// Returns the forms that the documents introduce for the same thing, and reads them at the first call.
    pub(crate) async fn other_forms(&self) -> Result<&OtherForms, RetrieveError> {
        if let Some(forms) = self.other_forms.get() {
            return Ok(forms);
        }
        let synonyms = self.bundle.synonyms().await?;
        Ok(self.other_forms.get_or_init(|| OtherForms::new(&synonyms, &self.analyzer)))
    }

    /// The documents that are of one make.
    pub(crate) async fn families(&self) -> Result<&PageFamilies, RetrieveError> {
        if let Some(families) = self.families.get() {
            return Ok(families);
        }
        let families = self.bundle.families().await?;
        Ok(self.families.get_or_init(|| families))
    }

    /// Returns how near texts are to a question by the static encoder: a cosine for each, 0 for a text of
    /// which it knows no word. `None` where it is not loaded, or knows no word of the question.
    pub fn nearness(&self, question: &str, texts: &[&str]) -> Option<Vec<f32>> {
        let instant = self.instant()?;
        let asked = instant.embed(question)?;
        let cosine = |text: &&str| {
            let vector = instant.embed(text)?;
            Some(asked.iter().zip(&vector).map(|(left, right)| left * right).sum::<f32>())
        };
        Some(texts.iter().map(|text| cosine(text).unwrap_or_default()).collect())
    }

    /// The chunks nearest to a vector: the search by meaning by itself, whoever made the vector.
    ///
    /// `vector` is `[dimension]` numbers, as many as the site's encoder gives. There are at most
    /// `count` hits, best first, and fewer only where the site has fewer chunks, or its graph
    /// reaches fewer; a score is the cosine where the vector's length is 1.
    ///
    /// # Errors
    /// [`RetrieveError::Bundle`] where the site has no vectors, or they or their graph are damaged
    /// twice over; [`RetrieveError::Index`] for a vector of another length, or with a number that
    /// is not finite.
    pub async fn nearest(
        &self,
        vector: &[f32],
        count: usize,
    ) -> Result<Vec<Hit<ChunkId>>, RetrieveError> {
        let index = self.bundle.chunk_index();
        let graph = self.graph(&index, &self.manifest().search).await?;
        Ok(on_chunks(compared(&index, vector, count, graph, Reach::Far, &|_| true).await?))
    }

    /// The site's sketch.
    ///
    /// # Errors
    /// Where it has no sketch, or that is damaged twice over.
    pub async fn sketch(&self) -> Result<Sketch, RetrieveError> {
        Ok(self.bundle.sketch().await?)
    }

    /// The sketch of each site that a campus's page asks, in their order.
    ///
    /// # Errors
    /// Where this is no campus's, or they are damaged twice over.
    pub async fn sketches(&self) -> Result<Vec<Sketch>, RetrieveError> {
        Ok(self.bundle.sketches().await?)
    }

    /// Returns what a visitor may tell of themselves that makes a difference to this site's documents.
    ///
    /// # Errors
    /// Where the documents' head is damaged twice over.
    pub async fn choices(&self) -> Result<Choices, RetrieveError> {
        let head = self.documents_head().await?;
        Ok(head.audiences().map(AudienceTable::choices).unwrap_or_default())
    }

    /// The shape of the documents, and whom they are for.
    ///
    /// # Errors
    /// Where the site has lost it.
    pub async fn documents_head(&self) -> Result<Rc<DocumentsHead>, RetrieveError> {
        Ok(self.bundle.documents_head().await?)
    }

    /// The whole document that holds a chunk, and where the chunk stands in its text.
    ///
    /// # Errors
    /// Where there is no such chunk, or the document's shard is damaged twice over.
    pub async fn document_of(
        &self,
        chunk: ChunkId,
    ) -> Result<(Rc<DocumentRecord>, Span), RetrieveError> {
        let place = self.bundle.document_of_chunk(chunk).await?;
        let document = self.bundle.document(place.document).await?;
        // The head counts chunks, the document holds them: where they differ the site is damaged.
        let found = document.chunks.get(place.number as usize).ok_or(BundleError::NoSuch {
            what: "chunk of its document",
            number: place.number,
            count: document.chunks.len() as u32,
        })?;
        let span = found.span;
        Ok((document, span))
    }

    /// The titles of all documents with the headings in them, in their order: what a reader may look for by name.
    /// Every part of the documents is fetched, where it is not kept already.
    ///
    /// # Errors
    /// Where a part of the documents is damaged twice over.
    pub async fn contents(&self) -> Result<Vec<Contents>, RetrieveError> {
        let count = self.documents_head().await?.document_count();
        let mut all = Vec::with_capacity(count as usize);
        for number in 0..count {
            let document = self.bundle.document(DocumentId(number)).await?;
            let headings = document.sections.iter().map(|section| section.heading.clone());
            let headings = headings.filter(|heading| !heading.is_empty()).collect();
            all.push(Contents { title: document.title.clone(), headings });
        }
        Ok(all)
    }

    /// Fetches every part of the index, and what the encoder would ask for one day; `progress` is told loaded and total bytes.
    ///
    /// # Errors
    /// The first part that could not be had.
    pub async fn prefetch(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<(), RetrieveError> {
        let files: Vec<&ModelFile> =
            self.manifest().models().flat_map(|model| &model.files).collect();
        // Models are tens of megabytes, and are loaded by name when they are wanted.
        let mut shards = self.bundle.shards().await?;
        shards.retain(|shard| !files.iter().any(|file| file.shard.path == shard.path));
        if self.encoder_ready() {
            let on_demand = files.iter().filter(|file| file.on_demand);
            shards.extend(on_demand.map(|file| file.shard.clone()));
        }
        let total = shards.iter().map(|shard| shard.bytes).sum();
        Ok(self.bundle.warm(&shards, &mut |loaded| progress(loaded, total)).await?)
    }

    /// The graph, where there is one and the settings want it walked: else all vectors are compared, which finds as much.
    pub(crate) async fn graph(
        &self,
        index: &BundleIndex<'_, F>,
        search: &SearchSettings,
    ) -> Result<Option<Rc<Graph>>, RetrieveError> {
        if !search.uses_graph(index.units()) || !index.has_graph() {
            return Ok(None);
        }
        Ok(Some(index.graph().await?))
    }
}

/// Walks the graph, or compares with all vectors where there is none, or with those that lie near where they are in
/// parts; finds only what `keep` lets through.
pub(crate) async fn compared<F: Fetch>(
    index: &BundleIndex<'_, F>,
    vector: &[f32],
    count: usize,
    graph: Option<Rc<Graph>>,
    reach: Reach,
    keep: &dyn Fn(u32) -> bool,
) -> Result<Vec<Hit>, RetrieveError> {
    match graph {
        Some(graph) => Ok(graph.search(vector, count, keep)?),
        None if index.is_partitioned() => parts::compared(index, vector, count, reach, keep).await,
        None => Ok(index.vectors().await?.search(vector, count, keep)?),
    }
}

/// A source of time: a page and a terminal have different clocks.
pub trait Clock {
    /// Milliseconds since some fixed moment; only differences mean anything.
    fn now_ms(&self) -> f64;
}

/// The native clock: milliseconds since it was made.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    start: std::time::Instant,
}

#[cfg(not(target_arch = "wasm32"))]
impl Default for SystemClock {
    fn default() -> Self {
        Self { start: std::time::Instant::now() }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Clock for SystemClock {
    fn now_ms(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1000.0
    }
}
