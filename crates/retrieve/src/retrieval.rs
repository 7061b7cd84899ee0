//! The result of a search, with the record of what each stage did.

use std::collections::{BTreeMap, BTreeSet};

use campanile_bundle::ChunkId;
use campanile_corpus::metadata::{Aspect, Date, Reason};
use campanile_index::Hit;
use serde::Serialize;

use crate::conflict::Conflict;
use crate::expansion::{Expansion, Phrasing};
use crate::neighbours::Excerpt;
use crate::passage::Passage;
use crate::query::Query;
use crate::spelling::Correction;

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Retrieval {
    /// The question, analysed.
    pub query: Query,
    /// The person who asks, in words; empty where nothing is told.
    pub asker: String,
    /// The day for which is asked; none where nothing told it.
    pub today: Option<Date>,
    /// The passages, best first.
    pub passages: Vec<Passage>,
    /// The passages with what stands around them, where that is wanted; else none.
    pub excerpts: Vec<Excerpt>,
    /// Passages that would be among these if they were for the visitor, best first.
    pub left_out: Vec<LeftOut>,
    /// The conflicts between passages of different levels of the university that state different values,
    /// the nearest to the visitor first.
    pub conflicts: Vec<Conflict>,
    /// Parts of the site that could not be used, each named.
    pub problems: Vec<String>,
    /// The chunks that each stage put forward, in its order.
    pub rankings: Rankings,
    /// A record of what each stage did.
    pub trace: Trace,
    /// The time that all of it took.
    pub milliseconds: f64,
}

impl Retrieval {
    /// Milliseconds by stage, `total` among them.
    pub fn timings_ms(&self) -> BTreeMap<&'static str, f64> {
        let mut timings = BTreeMap::from([("total", self.milliseconds)]);
        for stage in &self.trace.stages {
            // A stage may run twice.
            *timings.entry(stage.name).or_default() += stage.milliseconds;
        }
        timings
    }
}

/// A passage that is for others: it would have ranked among those shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct LeftOut {
    /// The chunk.
    pub chunk: ChunkId,
    /// The title of its document.
    pub title: String,
    /// The path that its document's file had.
    pub document: String,
    /// Its document's public address.
    pub link: Option<String>,
    /// The visitors that its document is for, in words, and when it holds.
    pub audience: String,
    /// The reasons that keep it from the visitor.
    #[cfg_attr(
        feature = "typescript",
        tsify(
            type = "{ aspect: string; outcome: { excluded: { document: string; profile: string } } }[]"
        )
    )]
    pub reasons: Vec<Reason>,
}

impl LeftOut {
    /// Returns `true` if nothing keeps it from the visitor but the day: it holds no more, or not yet.
    pub fn is_only_untimely(&self) -> bool {
        let mut aspects = self.reasons.iter().map(|reason| reason.aspect);
        !self.reasons.is_empty() && aspects.all(|aspect| aspect == Aspect::Validity)
    }
}

/// Chunks, best first, by stage.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rankings {
    /// The stages that took part, in the order they ran; one that found nothing has an empty list.
    pub stages: Vec<Ranking>,
    /// Chunks that a search would have put forward if they were for the visitor, by rising number; older
    /// editions are among them where [`SearchOptions::behind_filter`](crate::SearchOptions::behind_filter) asks
    /// for them.
    pub left_out: BTreeSet<ChunkId>,
}

/// The order that one stage gave to the chunks.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The stage, by the name that the trace has for it.
    pub stage: &'static str,
    /// Its chunks, best first, with scores on its own scale.
    pub hits: Vec<Hit<ChunkId>>,
}

impl Rankings {
    /// Returns the chunks that the stage of this name put forward; `None` where it took no part.
    pub fn of(&self, stage: &str) -> Option<&[Hit<ChunkId>]> {
        let ranking = self.stages.iter().find(|ranking| ranking.stage == stage)?;
        Some(&ranking.hits)
    }
}

/// A record of what each stage of one retrieval did, in order.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Trace {
    /// The question's index terms.
    pub terms: Vec<String>,
    /// Those of them that no text has; empty where keywords were not searched.
    pub absent: Vec<String>,
    /// Words that no text holds, and what was searched for instead.
    pub corrections: Vec<Correction>,
    /// Other forms of what the question says, which were searched as well.
    pub expansions: Vec<Expansion>,
    /// The question in other words, which were searched beside it.
    pub phrasings: Vec<Phrasing>,
    /// The stages, in the order they ran.
    pub stages: Vec<Stage>,
}

/// One stage of a retrieval.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Stage {
    /// `spelling` where a word was corrected, `synonyms`, `filter` where something is left out, `lexical`, `embed`,
    /// `dense`, `further` where other words or units were searched too, `feedback`, `fused`, `rerank`, `families`
    /// where the site has pages of one make, `cross`, `levels`, `cut`, `passages`, `neighbours`, `conflicts`.
    pub name: &'static str,
    /// The number of candidates that came out of it.
    pub candidates: usize,
    /// The time it took, shards that had to be fetched included.
    pub milliseconds: f64,
}

impl Trace {
    pub(crate) fn record(&mut self, name: &'static str, candidates: usize, milliseconds: f64) {
        self.stages.push(Stage { name, candidates, milliseconds });
    }
}
