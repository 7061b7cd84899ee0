use serde::Serialize;

use crate::expansion::{Expansion, Phrasing};
use crate::spelling::Correction;

/// A record of what each stage of one retrieval did, in order.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Trace {
    /// The question's index terms.
    pub terms: Vec<String>,
    /// Words that no text holds, and what was searched for instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<Correction>,
    /// Other forms of what the question says, which were searched as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expansions: Vec<Expansion>,
    /// The question in other words, which were searched beside it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phrasings: Vec<Phrasing>,
    /// The stages, in the order they ran.
    pub stages: Vec<Stage>,
}

/// One stage of a retrieval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// `spelling` where a word was corrected, `synonyms`, `filter` where something is left out, `lexical`,
    /// `embed`, `dense`, `further` where other words or units were searched too, `feedback`, `fused`, `rerank`, `families` where the site has pages of one make, `cross`, `levels`, `cut`, `passages`, `neighbours`,
    /// `conflicts`.
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
