//! Search by meaning: our scan and our graph beside usearch, over the same vectors.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};
use campanile_index::{Graph, Hit, VectorTable};
use usearch::{Index, IndexOptions, MetricKind, ScalarKind};

use crate::corpus::Corpus;
use crate::embed::Vectors;
use crate::measured::{Case, Check, Measured, take_turns};

/// As many as a page shows.
const LIMIT: usize = 10;
/// The lowest share of the true ten nearest that a graph may find.
const LEAST_RECALL: f64 = 0.98;
const SEED: u64 = 8420;

/// Measures one size.
pub fn measure(vectors: &Vectors, count: usize, measured: &mut Measured) -> Result<()> {
    let rows = vectors.of(count);
    let table = Arc::new(VectorTable::from_f32(&rows, vectors.dimension)?);
    let start = Instant::now();
    let graph = Graph::build(&table, SEED)?;
    let built_s = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let peer = Peer::build(&rows, vectors.dimension)?;
    let peer_built_s = start.elapsed().as_secs_f64();

    let questions = &vectors.questions;
    let sides = take_turns(vec![
        ("campanile, graph", asking(questions, |question| graph.search(question, LIMIT, &|_| true))),
        (
            "campanile, all vectors",
            asking(questions, |question| table.search(question, LIMIT, &|_| true)),
        ),
        ("usearch, graph", asking(questions, |question| peer.search(question))),
        ("usearch, all vectors", asking(questions, |question| peer.exact(question))),
    ]);
    measured.cases.push(Case {
        name: format!("{count} passages by meaning, the best {LIMIT}"),
        tokens: questions.len(),
        unit: "questions",
        sides,
    });
    let exact = nearest(&table, questions)?;
    let ours = recall(&exact, |place| Ok(chunks(&graph.search(&questions[place], LIMIT, &|_| true)?)))?;
    measured.checks.push(least_recall(format!("{count} passages"), ours));
    let theirs = recall(&exact, |place| peer.search(&questions[place]))?;
    let bytes = graph.encode()?.len() as f64 / count as f64;
    let table_bytes = table.encode().len() as f64 / count as f64;
    measured
        .checks
        .push(Check::told(format!("{count} passages: usearch's graph"), format!("{theirs:.4}")));
    measured.checks.push(Check::told(
        format!("{count} passages: bytes a passage, and the time to build on one thread"),
        format!(
            "vectors {table_bytes:.0}, graph {bytes:.0}, {built_s:.0} s (usearch with both: {:.0}, {peer_built_s:.0} s)",
            peer.index.serialized_length() as f64 / count as f64
        ),
    ));
    measured.versions.insert("usearch".to_owned(), "2.26.6".to_owned());
    Ok(())
}

/// How much of the true ten nearest our graph finds in the published sets by themselves.
pub fn sets(corpus: &Corpus, vectors: &Vectors, measured: &mut Measured) -> Result<()> {
    for set in &corpus.sets {
        let rows: Vec<&Vec<f32>> =
            set.passages.iter().map(|&place| &vectors.passages[place]).collect();
        let table = Arc::new(VectorTable::from_f32(&rows, vectors.dimension)?);
        let graph = Graph::build(&table, SEED)?;
        let questions = &vectors.questions[set.questions.clone()];
        let exact = nearest(&table, questions)?;
        let near = |place: usize| Ok(chunks(&graph.search(&questions[place], LIMIT, &|_| true)?));
        let what = format!("{} ({} vectors)", set.name, rows.len());
        measured.checks.push(least_recall(what, recall(&exact, near)?));
    }
    Ok(())
}

fn nearest(table: &VectorTable, questions: &[Vec<f32>]) -> Result<Vec<Vec<Hit>>> {
    let search = |question: &Vec<f32>| Ok(table.search(question, LIMIT, &|_| true)?);
    questions.iter().map(search).collect()
}

fn least_recall(what: String, found: f64) -> Check {
    Check {
        what: format!("{what}: share of the true ten nearest in our graph's"),
        passed: found >= LEAST_RECALL,
        found: format!("{found:.4}"),
    }
}

fn asking<'a, Found: 'a>(
    questions: &'a [Vec<f32>],
    search: impl Fn(&[f32]) -> Found + 'a,
) -> Box<dyn FnMut() + 'a> {
    Box::new(move || {
        for question in questions {
            black_box(search(question));
        }
    })
}

fn chunks(hits: &[Hit]) -> Vec<u32> {
    hits.iter().map(|hit| hit.id).collect()
}

/// The share of the exact hits that a search finds.
fn recall(exact: &[Vec<Hit>], search: impl Fn(usize) -> Result<Vec<u32>>) -> Result<f64> {
    let (mut found, mut all) = (0, 0);
    for (place, exact) in exact.iter().enumerate() {
        let near = search(place)?;
        found += exact.iter().filter(|hit| near.contains(&hit.id)).count();
        all += exact.len();
    }
    Ok(found as f64 / all.max(1) as f64)
}

/// usearch with numbers of eight bits, as ours, and its own defaults for making the graph.
struct Peer {
    index: Index,
}

impl Peer {
    fn build(rows: &[Vec<f32>], dimension: usize) -> Result<Self> {
        let options = IndexOptions {
            dimensions: dimension,
            metric: MetricKind::Cos,
            quantization: ScalarKind::I8,
            // As many candidates in view as ours has; usearch's own default is 64.
            expansion_search: Graph::CANDIDATES,
            ..IndexOptions::default()
        };
        let index = Index::new(&options).map_err(peer_error)?;
        index.reserve_capacity_and_threads(rows.len(), 1).map_err(peer_error)?;
        for (key, row) in (0u64..).zip(rows) {
            index.add(key, row).map_err(peer_error)?;
        }
        Ok(Self { index })
    }

    fn search(&self, question: &[f32]) -> Result<Vec<u32>> {
        let found = self.index.search(question, LIMIT).map_err(peer_error)?;
        Ok(found.keys.into_iter().map(|key| key as u32).collect())
    }

    fn exact(&self, question: &[f32]) -> Result<Vec<u32>> {
        let found = self.index.exact_search(question, LIMIT).map_err(peer_error)?;
        Ok(found.keys.into_iter().map(|key| key as u32).collect())
    }
}

fn peer_error(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("usearch: {error}")
}
