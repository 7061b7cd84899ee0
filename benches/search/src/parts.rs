//! Our index as files, for the module in the browser.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use campanile_index::{Graph, VectorTable};
use serde_json::json;

use crate::corpus::Corpus;
use crate::embed::Vectors;
use crate::keywords;

const SEED: u64 = 8420;

/// Writes head, shards, vectors, graph, and the questions as terms and as vectors.
pub fn write(corpus: &Corpus, vectors: &Vectors, count: usize, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let prepared = keywords::prepare(corpus, count);
    let table = Arc::new(VectorTable::from_f32(vectors.of(count), vectors.dimension)?);
    fs::write(folder.join("head"), &prepared.index.head)?;
    fs::write(folder.join("postings"), prepared.index.shards.concat())?;
    fs::write(folder.join("vectors"), table.encode())?;
    fs::write(folder.join("graph"), Graph::build(&table, SEED)?.encode()?)?;
    let shards: Vec<usize> = prepared.index.shards.iter().map(Vec::len).collect();
    let questions = json!({
        "shards": shards, "terms": prepared.questions, "vectors": vectors.questions,
    });
    Ok(fs::write(folder.join("questions.json"), serde_json::to_vec(&questions)?)?)
}
