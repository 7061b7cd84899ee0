use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use campanile_bundle::{
    Bundle, BundleIndex, DocumentId, DocumentRecord, Fetch, Manifest, ModelEntry, ModelFile,
};
use campanile_index::{Graph, Hit, bm25};
use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};
use campanile_text::{Analyzer, Span};

use crate::children::Children;
use crate::clock::Clock;
use crate::editions::{without_older, years};
use crate::error::RetrieveError;
use crate::fuse::{Fused, reciprocal_rank_fusion};
use crate::options::{Retriever, SearchOptions};
use crate::passage::{Passage, Scores, StageScore};
use crate::query::Query;
use crate::trace::Trace;

/// How many times as many parts as chunks a search puts forward.
const PARTS: usize = 4;

/// The architecture of encoders this version runs.
const BERT: &str = "bert";

/// An open site that can be searched.
pub struct Engine<F: Fetch, C: Clock> {
    bundle: Bundle<F>,
    clock: C,
    analyzer: Analyzer,
    encoder: RefCell<Option<Rc<Encoder>>>,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct Retrieval {
    /// The question, analysed.
    pub query: Query,
    /// The passages, best first.
    pub passages: Vec<Passage>,
    /// Parts of the site that could not be used, each named.
    pub problems: Vec<String>,
    /// What each search put forward, and how it was fused.
    pub rankings: Rankings,
    /// What each stage did.
    pub trace: Trace,
    /// How long all of it took.
    pub milliseconds: f64,
}

impl Retrieval {
    /// Milliseconds by stage, `total` among them.
    pub fn timings_ms(&self) -> BTreeMap<&'static str, f64> {
        let stages = self.trace.stages.iter().map(|stage| (stage.name, stage.milliseconds));
        stages.chain([("total", self.milliseconds)]).collect()
    }
}

/// Chunks, best first, by stage; a search that took no part has none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rankings {
    /// By BM25.
    pub lexical: Vec<Hit>,
    /// By cosine.
    pub dense: Vec<Hit>,
    /// By reciprocal rank fusion of the two; the passages are its first.
    pub fused: Vec<Hit>,
    /// Chunks that a search put forward and a filter left out, by rising number.
    pub left_out: BTreeSet<u32>,
}

impl<F: Fetch, C: Clock> Engine<F, C> {
    /// Opens a site: reads its manifest, and nothing else yet.
    ///
    /// # Errors
    /// Where the manifest is missing, damaged or of a newer format.
    pub async fn open(fetch: F, clock: C) -> Result<Self, RetrieveError> {
        let bundle = Bundle::open(fetch).await?;
        let analyzer = Analyzer::new(bundle.manifest().analyzer);
        Ok(Self { bundle, clock, analyzer, encoder: RefCell::new(None) })
    }

    /// The site's manifest.
    pub fn manifest(&self) -> &Manifest {
        self.bundle.manifest()
    }

    /// The engine's clock.
    pub fn clock(&self) -> &C {
        &self.clock
    }

    /// How the site's texts were made into terms.
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    /// Whether questions are embedded.
    pub fn encoder_ready(&self) -> bool {
        self.encoder.borrow().is_some()
    }

    /// The site's encoder, where it is loaded.
    pub fn encoder(&self) -> Option<Rc<Encoder>> {
        self.encoder.borrow().clone()
    }

    /// Fetches the site's encoder and makes it ready; `progress` is told loaded and total bytes.
    ///
    /// # Errors
    /// Where the site has none, a file of it is damaged twice over, or it cannot be run.
    pub async fn load_encoder(
        &self,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), RetrieveError> {
        if self.encoder_ready() {
            return Ok(());
        }
        let entry = self.manifest().encoder.as_ref().ok_or(RetrieveError::NoEncoder)?;
        if entry.architecture != BERT {
            return Err(RetrieveError::Architecture {
                name: entry.name.clone(),
                architecture: entry.architecture.clone(),
            });
        }
        let encoder = self.read_encoder(entry, progress).await?;
        self.encoder.replace(Some(Rc::new(encoder)));
        Ok(())
    }

    async fn read_encoder(
        &self,
        entry: &ModelEntry,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Encoder, RetrieveError> {
        let (mut config, mut tokenizer, mut weights) = (None, None, Shards::default());
        let mut loaded = 0;
        for file in &entry.files {
            let bytes = self.bundle.model_file(file).await?;
            loaded += file.shard.bytes;
            progress(loaded, entry.bytes);
            match file.name.as_str() {
                "config.json" => config = Some(EncoderConfig::from_json(&bytes)?),
                "tokenizer.json" => tokenizer = Some(Tokenizer::from_json(&bytes)?),
                _ => weights.add(&file.shard.path, bytes)?,
            }
        }
        let missing =
            |file: &'static str| RetrieveError::ModelFile { name: entry.name.clone(), file };
        let config = config.ok_or_else(|| missing("config.json"))?;
        let tokenizer = tokenizer.ok_or_else(|| missing("tokenizer.json"))?;
        Ok(Encoder::load(&config, tokenizer, &weights)?)
    }

    /// Embeds texts with the site's encoder.
    ///
    /// # Errors
    /// Where the encoder is not loaded yet, or fails.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, RetrieveError> {
        let encoder = self.encoder.borrow().clone().ok_or(RetrieveError::EncoderNotLoaded)?;
        Ok(encoder.encode(texts)?)
    }

    /// How long a text is: in word pieces of the site's encoder, without those that stand around
    /// it; in words where no encoder is loaded.
    ///
    /// # Errors
    /// Where the tokenizer refuses the text.
    pub fn count_tokens(&self, text: &str) -> Result<usize, RetrieveError> {
        match &*self.encoder.borrow() {
            Some(encoder) => Ok(encoder.tokenizer().encode(text)?.len()),
            None => Ok(text.split_whitespace().count()),
        }
    }

    /// Embeds a question, which some encoders want to be told from a text.
    fn embed_question(&self, question: &str) -> Result<Option<Vec<f32>>, RetrieveError> {
        let encoder = self.encoder.borrow().clone().ok_or(RetrieveError::EncoderNotLoaded)?;
        Ok(encoder.encode_queries(&[question])?.pop())
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
    pub async fn nearest(&self, vector: &[f32], count: usize) -> Result<Vec<Hit>, RetrieveError> {
        let index = self.bundle.chunk_index();
        let graph = self.graph(&index).await?;
        compared(&index, vector, count, graph).await
    }

    /// Finds the passages for a question: by keywords, and by meaning where the encoder is ready.
    ///
    /// # Errors
    /// Where the encoder fails, or is wanted and not loaded. Damaged shards are named in
    /// [`Retrieval::problems`].
    pub async fn search(
        &self,
        question: &str,
        options: &SearchOptions,
    ) -> Result<Retrieval, RetrieveError> {
        let began = self.clock.now_ms();
        let mut trace = Trace::default();
        let mut problems = Vec::new();
        let mut query = Query::new(question, &self.analyzer, None);
        trace.terms.clone_from(&query.terms);

        let settings = &self.manifest().search;
        let granularity = options.granularity.unwrap_or(settings.granularity);
        let index = self.bundle.index(granularity).ok_or(RetrieveError::NoIndex { granularity })?;
        let depth = options.depth.unwrap_or(settings.candidates as usize);
        let mut children = Children::default();
        let mut left_out = BTreeSet::new();
        let mut lexical = Vec::new();
        if options.retriever != Retriever::Dense {
            let hits = self.lexical(&index, &query, depth, &mut trace, &mut problems).await;
            lexical = self.chunks_of(&index, hits, depth, &mut children, &mut problems).await;
            self.current(&mut lexical, &query, &mut left_out, &mut problems).await;
        }
        let mut dense = Vec::new();
        if self.embeds(options.retriever)? && !query.question.is_empty() {
            self.embed_query(&mut query, &mut trace)?;
            let hits = self.dense(&index, &query, depth, &mut trace, &mut problems).await;
            dense = self.chunks_of(&index, hits, depth, &mut children, &mut problems).await;
            self.current(&mut dense, &query, &mut left_out, &mut problems).await;
        }

        let started = self.clock.now_ms();
        let constant = options.fusion_constant.unwrap_or(settings.fusion_constant as f32);
        let fused = reciprocal_rank_fusion(&[&lexical, &dense], constant);
        trace.record("fuse", fused.len(), self.clock.now_ms() - started);

        let limit = options.limit.unwrap_or(settings.passages as usize);
        let mut passages = self.passages(&fused, limit, &mut trace, &mut problems).await;
        for passage in &mut passages {
            passage.child = children.of(passage, granularity);
        }
        let hit = |fused: &Fused| Hit { chunk: fused.chunk, score: fused.score as f32 };
        let fused = fused.iter().map(hit).collect();
        let rankings = Rankings { lexical, dense, fused, left_out };
        let milliseconds = self.clock.now_ms() - began;
        Ok(Retrieval { query, passages, problems, rankings, trace, milliseconds })
    }

    /// Whether a question is embedded.
    fn embeds(&self, retriever: Retriever) -> Result<bool, RetrieveError> {
        match retriever {
            Retriever::Lexical => Ok(false),
            Retriever::Dense if !self.encoder_ready() => Err(RetrieveError::EncoderNotLoaded),
            Retriever::Dense => Ok(true),
            Retriever::Hybrid => Ok(self.encoder_ready()),
        }
    }

    /// The whole document that holds a chunk, and where the chunk stands in its text.
    ///
    /// # Errors
    /// Where there is no such chunk, or the document's shard is damaged twice over.
    pub async fn document_of(
        &self,
        chunk: u32,
    ) -> Result<(Rc<DocumentRecord>, Span), RetrieveError> {
        let place = self.bundle.document_of_chunk(chunk).await?;
        let document = self.bundle.document(place.document).await?;
        let span = document.chunks.get(place.chunk as usize).map(|chunk| chunk.span);
        Ok((document, span.unwrap_or_default()))
    }

    /// Fetches every part of the index (no models); `progress` is told loaded and total bytes.
    ///
    /// # Errors
    /// The first part that could not be had.
    pub async fn prefetch(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<(), RetrieveError> {
        let manifest = self.manifest();
        let models = [&manifest.encoder, &manifest.prose];
        let files: Vec<&ModelFile> = models.into_iter().flatten().flat_map(|m| &m.files).collect();
        let mut shards = self.bundle.shards().await?;
        shards.retain(|shard| !files.iter().any(|file| file.shard.path == shard.path));
        let total = shards.iter().map(|shard| shard.bytes).sum();
        let mut loaded = 0;
        for shard in &shards {
            self.bundle.warm(shard).await?;
            loaded += shard.bytes;
            progress(loaded, total);
        }
        Ok(())
    }

    async fn lexical(
        &self,
        index: &BundleIndex<'_, F>,
        query: &Query,
        depth: usize,
        trace: &mut Trace,
        problems: &mut Vec<String>,
    ) -> Vec<Hit> {
        let started = self.clock.now_ms();
        let hits = match index.lexical_head().await {
            Err(error) => {
                note(problems, &error);
                Vec::new()
            }
            Ok(head) => {
                let mut postings = Vec::new();
                for list in index.postings(&query.terms).await {
                    match list {
                        Ok(list) => postings.push(list),
                        Err(error) => note(problems, &error),
                    }
                }
                bm25(&head, &postings, self.units(index, depth))
            }
        };
        trace.record("lexical", hits.len(), self.clock.now_ms() - started);
        hits
    }

    fn embed_query(&self, query: &mut Query, trace: &mut Trace) -> Result<(), RetrieveError> {
        let started = self.clock.now_ms();
        query.vector = self.embed_question(&query.question)?;
        trace.record("embed", 1, self.clock.now_ms() - started);
        Ok(())
    }

    async fn dense(
        &self,
        index: &BundleIndex<'_, F>,
        query: &Query,
        depth: usize,
        trace: &mut Trace,
        problems: &mut Vec<String>,
    ) -> Vec<Hit> {
        let Some(vector) = &query.vector else { return Vec::new() };
        let started = self.clock.now_ms();
        let graph = self.graph(index).await.unwrap_or_else(|error| {
            note(problems, &error);
            None
        });
        let hits = compared(index, vector, self.units(index, depth), graph).await;
        let hits = hits.unwrap_or_else(|error| {
            note(problems, &error);
            Vec::new()
        });
        trace.record("dense", hits.len(), self.clock.now_ms() - started);
        hits
    }

    /// How many units of an index give about `depth` chunks.
    fn units(&self, index: &BundleIndex<'_, F>, depth: usize) -> usize {
        // Several parts of one chunk may be among the best.
        if index.units() > self.manifest().counts.chunks { depth * PARTS } else { depth }
    }

    /// Hits on parts as hits on their chunks, each at the rank of its best part.
    async fn chunks_of(
        &self,
        index: &BundleIndex<'_, F>,
        hits: Vec<Hit>,
        depth: usize,
        children: &mut Children,
        problems: &mut Vec<String>,
    ) -> Vec<Hit> {
        match index.parents().await {
            Ok(None) => hits,
            Ok(Some(parents)) => children.collapse(hits, &parents, depth),
            Err(error) => {
                note(problems, &error);
                Vec::new()
            }
        }
    }

    /// Drops chunks of documents that a newer edition has taken the place of.
    async fn current(
        &self,
        hits: &mut Vec<Hit>,
        query: &Query,
        left_out: &mut BTreeSet<u32>,
        problems: &mut Vec<String>,
    ) {
        match self.bundle.documents_head().await {
            Ok(head) => {
                let found: BTreeSet<u32> = hits.iter().map(|hit| hit.chunk).collect();
                without_older(hits, &head, &years(&query.question));
                let kept: BTreeSet<u32> = hits.iter().map(|hit| hit.chunk).collect();
                left_out.extend(found.difference(&kept));
            }
            Err(error) => note(problems, &error),
        }
    }

    /// The graph, where walking it is quicker than comparing with all vectors.
    async fn graph(&self, index: &BundleIndex<'_, F>) -> Result<Option<Rc<Graph>>, RetrieveError> {
        if !self.manifest().search.uses_graph(index.units()) {
            return Ok(None);
        }
        Ok(Some(index.graph().await?))
    }

    /// The best chunks with their documents; a chunk whose shard is damaged makes room for the next.
    async fn passages(
        &self,
        fused: &[Fused],
        limit: usize,
        trace: &mut Trace,
        problems: &mut Vec<String>,
    ) -> Vec<Passage> {
        let started = self.clock.now_ms();
        let mut passages = Vec::new();
        let mut ranked = fused.iter().enumerate().peekable();
        while passages.len() < limit && ranked.peek().is_some() {
            let group: Vec<(usize, &Fused)> =
                ranked.by_ref().take(limit - passages.len()).collect();
            self.read_passages(&group, &mut passages, problems).await;
        }
        trace.record("passages", passages.len(), self.clock.now_ms() - started);
        passages
    }

    /// Reads the passages of one group, all their shards at once.
    async fn read_passages(
        &self,
        group: &[(usize, &Fused)],
        passages: &mut Vec<Passage>,
        problems: &mut Vec<String>,
    ) {
        let mut places = Vec::new();
        for (position, fused) in group {
            match self.bundle.document_of_chunk(fused.chunk).await {
                Ok(place) => places.push((place, *position, *fused)),
                Err(error) => note(problems, &error),
            }
        }
        let ids: Vec<DocumentId> = places.iter().map(|(place, _, _)| place.document).collect();
        let documents = self.bundle.documents(&ids).await;
        for ((place, position, fused), document) in places.into_iter().zip(documents) {
            match document {
                Err(error) => note(problems, &error),
                Ok(document) => {
                    let Some(chunk) = document.chunks.get(place.chunk as usize).copied() else {
                        continue;
                    };
                    passages.push(Passage {
                        chunk: fused.chunk,
                        document,
                        section: chunk.section,
                        span: chunk.span,
                        number: place.chunk,
                        child: None,
                        scores: scores(fused, position + 1),
                    });
                }
            }
        }
    }
}

/// Walks the graph, or compares with all vectors where there is none.
async fn compared<F: Fetch>(
    index: &BundleIndex<'_, F>,
    vector: &[f32],
    count: usize,
    graph: Option<Rc<Graph>>,
) -> Result<Vec<Hit>, RetrieveError> {
    match graph {
        Some(graph) => Ok(graph.search(vector, count)?),
        None => Ok(index.vectors().await?.search(vector, count, &|_| true)?),
    }
}

/// Names a problem once, however many passages it touches.
fn note(problems: &mut Vec<String>, error: &dyn std::error::Error) {
    let problem = error.to_string();
    if !problems.contains(&problem) {
        problems.push(problem);
    }
}

fn scores(fused: &Fused, rank: usize) -> Scores {
    let origin = |list: usize| {
        fused.origins.get(list).copied().flatten().map(|(rank, score)| StageScore { rank, score })
    };
    Scores {
        lexical: origin(0),
        dense: origin(1),
        fused: StageScore { rank, score: fused.score as f32 },
    }
}
