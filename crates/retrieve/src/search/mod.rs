//! One question, stage by stage.
//!
//! A [`Search`] carries what the stages share. A stage is a method, in the file of what it looks at: it reads what
//! came before it, puts chunks in an order, and writes down the order and its time. What a stage
//! decides by is a pure function in a room of its own ([`fuse`](crate::fuse) and its neighbours), so that it can
//! be tested without a site.

mod candidates;
mod documents;
mod filter;
mod lexical;
mod meaning;
mod shown;
mod wording;

use std::rc::Rc;

use campanile_bundle::{BundleIndex, ChunkId, DocumentsHead, Fetch};
use campanile_index::Hit;
use lexical::Words;
use meaning::{AskedStatic, NearQuestions};
use wording::Further;

use crate::engine::{Clock, Engine};
use crate::error::RetrieveError;
use crate::families::Kinship;
use crate::options::SearchOptions;
use crate::passage::Children;
use crate::query::Query;
use crate::retrieval::{Ranking, Rankings, Retrieval, Trace};
use crate::settings::Settings;
use crate::visitor::{Scope, Visitor};

/// The number of parts that a search puts forward for each chunk wanted: several parts of one chunk may be
/// among the best.
const PARTS: usize = 4;

/// One question on its way through the stages.
struct Search<'a, F: Fetch, C: Clock> {
    engine: &'a Engine<F, C>,
    index: BundleIndex<'a, F>,
    settings: Settings,
    query: Query,
    /// The terms that the keyword search read, once it has.
    words: Option<Words>,
    /// Lists beside the question's own.
    further: Vec<Further>,
    /// The best score that the keyword search gave to any unit.
    best_unit: f32,
    /// The question as the static encoder sees it, where that takes part.
    asked_static: Option<AskedStatic>,
    children: Children,
    questions: NearQuestions,
    /// The shape of the documents, where it could be had.
    head: Option<Rc<DocumentsHead>>,
    /// The person who asks, where the documents tell their visitors apart.
    visitor: Option<Visitor>,
    /// The chunks that may be found.
    scope: Rc<Scope>,
    /// The relation of the passages to pages of one make, where there are such pages.
    kinship: Option<Rc<Kinship>>,
    /// The lists that each search would put forward without a filter, where there is one.
    unfiltered: Vec<Ranking>,
    rankings: Rankings,
    problems: Vec<String>,
    trace: Trace,
}

impl<F: Fetch, C: Clock> Engine<F, C> {
    /// Finds the passages for a question: by keywords, and by meaning where the encoder is ready.
    ///
    /// # Errors
    /// Where the encoder fails, or is wanted and not loaded, and where damaged shards leave no passage at all. Those
    /// that the search could do without are named in [`Retrieval::problems`].
    pub async fn search(
        &self,
        question: &str,
        options: &SearchOptions,
    ) -> Result<Retrieval, RetrieveError> {
        let began = self.clock().now_ms();
        let mut search = Search::begin(self, question, options)?;
        // What changes the question comes first, then what leaves passages out: every list that follows is made of the
        // same question and over the same passages.
        search.spelling().await;
        search.synonyms().await;
        search.filter().await;
        search.kinship().await;
        search.lexical().await;
        search.meaning().await?;
        search.instant().await?;
        search.further().await?;
        search.feedback().await;
        // From here on each stage looks closer at fewer: it is dearer for each, and orders what the one before chose.
        let mut pool = search.fused().await;
        search.rerank(&mut pool).await;
        let ranked = search.ordered(&pool);
        let ranked = search.families(ranked, pool.chunks().len());
        let ranked = search.cross(ranked).await?;
        let ranked = search.levels(ranked, pool.chunks().len());
        let candidates = search.shown(&pool, ranked).await;
        let passages = search.passages(&candidates).await;
        if passages.is_empty() && !search.problems.is_empty() {
            return Err(RetrieveError::Unreached { problems: search.problems });
        }
        let excerpts = search.excerpts(&passages)?;
        let left_out = search.left_out().await;
        let conflicts = search.conflicts(&passages);
        // The index has stems only, so how a word is spelled is known once passages are there.
        search.spelled_as_found(&passages);
        let asker = search.settings.profile.describe();
        let today = search.settings.profile.date;
        let Search { query, rankings, problems, trace, .. } = search;
        let milliseconds = self.clock().now_ms() - began;
        Ok(Retrieval {
            query,
            asker,
            today,
            passages,
            excerpts,
            left_out,
            conflicts,
            problems,
            rankings,
            trace,
            milliseconds,
        })
    }
}

impl<'a, F: Fetch, C: Clock> Search<'a, F, C> {
    fn begin(
        engine: &'a Engine<F, C>,
        question: &str,
        options: &SearchOptions,
    ) -> Result<Self, RetrieveError> {
        let settings = Settings::of(options, engine.manifest());
        let granularity = settings.search.granularity;
        let index =
            engine.bundle().index(granularity).ok_or(RetrieveError::NoIndex { granularity })?;
        let query = Query::new(question, engine.analyzer(), None);
        let trace = Trace { terms: query.terms.clone(), ..Trace::default() };
        Ok(Self {
            engine,
            index,
            settings,
            query,
            words: None,
            further: Vec::new(),
            best_unit: 0.0,
            asked_static: None,
            children: Children::default(),
            questions: NearQuestions::default(),
            head: None,
            visitor: None,
            scope: Rc::default(),
            kinship: None,
            unfiltered: Vec::new(),
            rankings: Rankings::default(),
            problems: Vec::new(),
            trace,
        })
    }

    fn now(&self) -> f64 {
        self.engine.clock().now_ms()
    }

    /// Writes down what a stage that began at `started` put forward.
    fn ranked(&mut self, stage: &'static str, started: f64, hits: Vec<Hit<ChunkId>>) {
        self.trace.record(stage, hits.len(), self.now() - started);
        self.keep(stage, hits);
    }

    /// Keeps the order that a stage gave.
    fn keep(&mut self, stage: &'static str, hits: Vec<Hit<ChunkId>>) {
        self.rankings.stages.push(Ranking { stage, hits });
    }

    /// Takes what could be had; else the problem is [noted](Self::note), and the search goes on without it.
    fn had<T, E: std::error::Error>(&mut self, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.note(&error)).ok()
    }

    /// Names a problem once, however many passages it touches.
    fn note(&mut self, error: &dyn std::error::Error) {
        let problem = error.to_string();
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Returns how many units of an index give about as many chunks as a search puts forward.
    fn units_of_index(&self, index: &BundleIndex<'_, F>) -> usize {
        let depth = self.settings.depth;
        let has_parts = index.units() > self.engine.manifest().counts.chunks;
        if has_parts { depth * PARTS } else { depth }
    }

    /// Hits on units as hits on their chunks, each at the rank of its best part.
    async fn chunks_of(&mut self, hits: Vec<Hit>) -> Vec<Hit<ChunkId>> {
        let parents = self.index.parents().await;
        let Some(parents) = self.had(parents) else { return Vec::new() };
        self.children.collapse(hits, parents.as_deref(), self.settings.depth)
    }
}
