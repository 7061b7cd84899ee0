//! Learns what searches by meaning before the encoder is there.
//!
//! The encoder embeds short windows of the passages and each of their word pieces alone; a table of
//! one vector a piece is learned from that (`campanile-distil`). All of it follows from the passages
//! and the encoder, so what an earlier build learned from the same passages is taken as it is.

mod kept;
mod quality;
mod texts;

use std::time::{Duration, Instant};

use anyhow::Context as _;
use campanile_distil::{Examples, PrincipalAxes, Ridge, learn};
use campanile_index::ReducedTable;
use rayon::prelude::*;
use serde::Serialize;

use crate::embed::{self, Job, Role};
use kept::Kept;
use texts::Texts;

/// The length of the reduced vectors: 57 bytes a word piece, and 57 a passage. On SciFact the ranking
/// is the same with 128 numbers, and a point of nDCG worse with 96.
const DIMENSION: usize = 112;
/// With fewer passages there are hardly directions to tell apart, and keywords find them all.
const FEWEST_PASSAGES: usize = 20;
/// With fewer windows nothing is learned that the pieces alone did not say.
const FEWEST_WINDOWS: usize = 100;

/// What was learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// The word pieces, encoded.
    pub word_pieces: Vec<u8>,
    /// Their vectors.
    pub table: ReducedTable,
    /// The passages' vectors.
    pub passages: ReducedTable,
    /// How often it finds what the encoder finds (overlap@10).
    pub overlap: f32,
}

/// What became of it, for the summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Outcome {
    /// The settings do without it.
    Off,
    /// This corpus cannot have it.
    LeftOut {
        /// Why.
        reason: String,
    },
    /// The site has it.
    Learned {
        /// Word pieces with a vector.
        pieces: usize,
        /// Bytes of all its parts, before they are packed.
        bytes: usize,
        /// The share of the encoder's ten nearest passages that it finds among its own ten.
        overlap: f32,
        /// Texts embedded for it by this build.
        embedded: usize,
        /// Seconds for embedding these and for learning.
        seconds: f64,
    },
}

/// Learns from the passages' `texts` and their `vectors`, unless an earlier build has.
///
/// # Errors
/// Where the encoder fails.
pub fn learned(
    job: &Job<'_>,
    texts: &[&str],
    vectors: &[Vec<f32>],
) -> anyhow::Result<(Option<Learned>, Outcome)> {
    let started = Instant::now();
    let plan = job.plan;
    if !plan.config.search.instant_semantics {
        return Ok((None, Outcome::Off));
    }
    if texts.len() < FEWEST_PASSAGES {
        let reason = match texts.len() {
            1 => "1 passage is too few to learn from".to_owned(),
            count => format!("{count} passages are too few to learn from"),
        };
        return Ok((None, Outcome::LeftOut { reason }));
    }
    let kept = Kept::of(job, texts);
    if let Some(learned) = kept.read().filter(|_| !plan.fresh) {
        let outcome = outcome(&learned, 0, started.elapsed());
        return Ok((Some(learned), outcome));
    }
    let drawn = match texts::drawn(job.embedder, texts)? {
        None => {
            let reason = "the encoder's tokenizer has no word pieces of BERT's kind".to_owned();
            return Ok((None, Outcome::LeftOut { reason }));
        }
        Some(drawn) if drawn.windows.len() < FEWEST_WINDOWS => {
            let reason = "the passages are too short to learn from".to_owned();
            return Ok((None, Outcome::LeftOut { reason }));
        }
        Some(drawn) => drawn,
    };
    let all: Vec<&str> =
        drawn.windows.iter().map(String::as_str).chain(drawn.pieces.iter()).collect();
    let embedded = embed::vectors(job, &all, Role::Questions)?;
    let (of_windows, of_pieces) = embedded.rows.split_at(drawn.windows.len());
    let learned = from_vectors(&drawn, of_windows, of_pieces, vectors)
        .context("cannot learn the static encoder")?;
    kept.write(&learned, plan.observer);
    let outcome = outcome(&learned, embedded.embedded, started.elapsed());
    Ok((Some(learned), outcome))
}

fn from_vectors(
    drawn: &Texts,
    of_windows: &[Vec<f32>],
    of_pieces: &[Vec<f32>],
    of_passages: &[Vec<f32>],
) -> anyhow::Result<Learned> {
    let width = of_passages.first().map_or(0, Vec::len);
    let axes = PrincipalAxes::of(of_passages, DIMENSION.min(width).min(of_passages.len()) / 2 * 2)?;
    let dimension = axes.count();
    let windows: Vec<(Vec<u32>, &Vec<f32>)> = drawn
        .windows
        .par_iter()
        .zip(of_windows)
        .map(|(window, vector)| (drawn.pieces.encode(window), vector))
        .collect();
    let targets: Vec<Vec<f32>> =
        windows.par_iter().map(|(_, vector)| axes.project(vector)).collect();
    let mut examples = Examples::new(drawn.pieces.len(), dimension);
    for (number, ((pieces, _), target)) in windows.iter().zip(&targets).enumerate() {
        if !quality::is_held_back(number) {
            examples.push(pieces, target)?;
        }
    }
    let rows = learn(&examples, &prior(&drawn.rarity, of_pieces, &axes), Ridge::default())?;
    let rows: Vec<&[f32]> = rows.chunks_exact(dimension.max(1)).collect();
    let table = ReducedTable::from_f32(&rows, dimension)?;
    let reduced: Vec<Vec<f32>> =
        of_passages.par_iter().map(|vector| axes.project_from_mean(vector)).collect();
    let passages = ReducedTable::from_f32(&reduced, dimension)?;
    let overlap = quality::overlap_of(&windows, of_passages, &table, &passages)?;
    Ok(Learned { word_pieces: drawn.pieces.to_bytes(), table, passages, overlap })
}

/// What a piece means by itself, more where it is rare: its vector's difference from the mean of
/// all, since what all have in common says nothing, times its inverse document frequency.
fn prior(rarity: &[f32], of_pieces: &[Vec<f32>], axes: &PrincipalAxes) -> Vec<f32> {
    let projected: Vec<Vec<f32>> =
        of_pieces.par_iter().map(|vector| axes.project(vector)).collect();
    let mut mean = vec![0f32; axes.count()];
    for vector in &projected {
        mean.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
    }
    mean.iter_mut().for_each(|value| *value /= projected.len().max(1) as f32);
    let weighted = projected.iter().zip(rarity).flat_map(|(vector, rarity)| {
        vector.iter().zip(&mean).map(move |(value, mean)| (value - mean) * rarity)
    });
    weighted.collect()
}

fn outcome(learned: &Learned, embedded: usize, spent: Duration) -> Outcome {
    let parts = [learned.table.encode(), learned.passages.encode()];
    Outcome::Learned {
        pieces: learned.table.len(),
        bytes: learned.word_pieces.len() + parts.iter().map(Vec::len).sum::<usize>(),
        overlap: learned.overlap,
        embedded,
        seconds: spent.as_secs_f64(),
    }
}
