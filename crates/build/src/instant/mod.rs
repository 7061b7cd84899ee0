//! Learns what searches by meaning before the encoder is there.
//!
//! The encoder embeds short windows of the passages and each of their word pieces alone; a table of
//! one vector a piece is learned from that (`campanile-distil`). All of it follows from the passages
//! and the encoder, so what an earlier build learned from the same passages is taken as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use campanile_distil::{
    Examples, PrincipalAxes, Ridge, inverse_document_frequency, learn, overlap, windows,
};
use campanile_index::{IndexError, ReducedTable, VectorTable};
use campanile_model::WordPieces;
use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::embed::{self, Embedder, Job, Role};
use crate::kept::{Kept, Key, key, place};
use crate::{BuildError, LearningError};

/// The length of the reduced vectors: 57 bytes a word piece, and 57 a passage. On SciFact the ranking
/// is the same with 128 numbers, and a point of nDCG worse with 96.
const DIMENSION: usize = 112;
/// The way of learning: to be changed when that changes.
const FORM: &str = "instant-1";
/// With fewer passages there are hardly directions to tell apart, and keywords find them all.
const FEWEST_PASSAGES: usize = 20;
/// With fewer windows nothing is learned that the pieces alone did not say.
const FEWEST_WINDOWS: usize = 100;

/// A static encoder that was learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// The word pieces, encoded.
    pub word_pieces: Vec<u8>,
    /// Their vectors.
    pub table: ReducedTable,
    /// The passages' vectors.
    pub passages: ReducedTable,
    /// The share of the encoder's ten nearest that it finds (overlap@10).
    pub overlap: f32,
}

impl Learned {
    /// The one that an earlier build learned, if it was from the same `origin`.
    fn of_parts(parts: &[Vec<u8>], origin: &[u8]) -> Option<Self> {
        let [known, overlap, word_pieces, table, passages] = parts else { return None };
        (known == origin).then_some(())?;
        Some(Self {
            word_pieces: word_pieces.clone(),
            table: ReducedTable::decode(table).ok()?,
            passages: ReducedTable::decode(passages).ok()?,
            overlap: f32::from_le_bytes(overlap.as_slice().try_into().ok()?),
        })
    }
}

/// The hash of all that it is learned from.
fn origin(identity: String, passages: &[&str]) -> Key {
    let mut origin = Sha256::new_with_prefix(identity);
    for text in passages {
        origin.update(key(text));
    }
    origin.finalize().into()
}

/// The outcome of learning, for the summary.
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
) -> Result<(Option<Learned>, Outcome), BuildError> {
    let started = Instant::now();
    let plan = job.plan;
    if !plan.config.search.instant_semantics {
        return Ok((None, Outcome::Off));
    }
    let identity = format!("{}{FORM}{}", embed::identity(plan)?, job.device.identity());
    let path = place("instant", plan.docs, &identity, "instant");
    let kept = Kept { path, what: "the static encoder" };
    let origin = origin(identity, texts);
    let known = || kept.read().and_then(|parts| Learned::of_parts(&parts, &origin));
    // Vectors that are brought may be another device's than this one's.
    let is_kept = plan.vectors.is_none();
    if let Some(learned) = known().filter(|_| is_kept && !plan.fresh) {
        let outcome = outcome(&learned, 0, started.elapsed());
        return Ok((Some(learned), outcome));
    }
    let drawn = match enough(job.embedder, texts)? {
        Ok(drawn) => drawn,
        Err(reason) => return Ok((None, Outcome::LeftOut { reason })),
    };
    let all: Vec<&str> =
        drawn.windows.iter().map(String::as_str).chain(drawn.pieces.iter()).collect();
    let embedded = embed::vectors(job, &all, Role::Questions)?;
    let (of_windows, of_pieces) = embedded.rows.split_at(drawn.windows.len());
    let learned = from_vectors(&drawn, of_windows, of_pieces, vectors)
        .map_err(|error| BuildError::Learning("cannot learn the static encoder", error))?;
    let Learned { word_pieces, table, passages, overlap } = &learned;
    let (table, passages) = (table.encode(), passages.encode());
    let parts = [&origin[..], &overlap.to_le_bytes(), word_pieces, &table, &passages];
    if is_kept {
        kept.write(&parts, plan.observer);
    }
    let outcome = outcome(&learned, embedded.embedded, started.elapsed());
    Ok((Some(learned), outcome))
}

/// The texts that are embedded to learn from, or the reason why there is nothing to learn.
///
/// # Errors
/// Where the tokenizer refuses a passage.
pub fn enough(embedder: &Embedder, passages: &[&str]) -> Result<Result<Texts, String>, BuildError> {
    if passages.len() < FEWEST_PASSAGES {
        return Ok(Err(match passages.len() {
            1 => "1 passage is too few to learn from".to_owned(),
            count => format!("{count} passages are too few to learn from"),
        }));
    }
    Ok(match drawn(embedder, passages)? {
        None => Err("the encoder's tokenizer has no word pieces of BERT's kind".to_owned()),
        Some(drawn) if drawn.windows.len() < FEWEST_WINDOWS => {
            Err("the passages are too short to learn from".to_owned())
        }
        Some(drawn) => Ok(drawn),
    })
}

fn from_vectors(
    drawn: &Texts,
    of_windows: &[Vec<f32>],
    of_pieces: &[Vec<f32>],
    of_passages: &[Vec<f32>],
) -> Result<Learned, LearningError> {
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
        if !is_held_back(number) {
            examples.push(pieces, target)?;
        }
    }
    let rows = learn(&examples, &prior(&drawn.rarity, of_pieces, &axes), Ridge::default())?;
    let rows: Vec<&[f32]> = rows.chunks_exact(dimension.max(1)).collect();
    let table = ReducedTable::from_f32(&rows, dimension)?;
    let reduced: Vec<Vec<f32>> =
        of_passages.par_iter().map(|vector| axes.project_from_mean(vector)).collect();
    let passages = ReducedTable::from_f32(&reduced, dimension)?;
    let overlap = overlap_of(&windows, of_passages, &table, &passages)?;
    Ok(Learned { word_pieces: drawn.pieces.to_bytes(), table, passages, overlap })
}

/// The vector of a piece by itself, larger where it is rare: its difference from the mean of
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

/// Of the windows each so-manieth is held back from learning.
const EVERY: usize = 20;
/// This many of them are enough to know the share to two points.
const ASKED: usize = 400;
/// Passages that are compared.
const NEAREST: usize = 10;

/// Whether a window is not learned from.
pub fn is_held_back(number: usize) -> bool {
    number.is_multiple_of(EVERY)
}

/// The share of the ten passages nearest by the encoder that are among the ten nearest by the static
/// one, over windows that were held back: their pieces and the encoder's vector of each.
///
/// # Errors
/// Where vectors do not fit.
pub fn overlap_of(
    windows: &[(Vec<u32>, &Vec<f32>)],
    of_passages: &[Vec<f32>],
    table: &ReducedTable,
    passages: &ReducedTable,
) -> Result<f32, IndexError> {
    let width = of_passages.first().map_or(0, Vec::len);
    let exact = VectorTable::from_f32(of_passages, width)?;
    let held_back: Vec<_> = windows.iter().step_by(EVERY).collect();
    let asked: Vec<_> = held_back.iter().step_by(held_back.len().div_ceil(ASKED).max(1)).collect();
    let pairs = asked
        .par_iter()
        .map(|(pieces, vector)| {
            let chunks = |hits: Vec<campanile_index::Hit>| hits.iter().map(|hit| hit.id).collect();
            let by_encoder = exact.search(vector, NEAREST, &|_| true)?;
            let by_static = match table.mean(pieces) {
                Some(mean) => passages.search(&mean, NEAREST, &|_| true)?,
                None => Vec::new(),
            };
            Ok([chunks(by_encoder), chunks(by_static)])
        })
        .collect::<Result<Vec<[Vec<u32>; 2]>, IndexError>>()?;
    Ok(overlap(&pairs).unwrap_or_default())
}

/// Tokens that are embedded for learning, in proportion to those of the passages: learning takes
/// less time than embedding them.
const SHARE: f64 = 0.65;
/// Tokens of a window and of a piece, special tokens among them, on average.
const WINDOW_TOKENS: f64 = 10.0;
const PIECE_TOKENS: f64 = 3.0;
/// More windows than this add nothing that is worth the wait.
const MOST_WINDOWS: f64 = 60_000.0;

/// Texts that the encoder is asked about.
pub struct Texts {
    /// The word pieces that occur in the passages.
    pub pieces: WordPieces,
    /// For each piece how rare it is.
    pub rarity: Vec<f32>,
    /// Short texts from the passages.
    pub windows: Vec<String>,
}

/// Draws from the passages; `None` where the encoder does not read word pieces of BERT's kind.
///
/// # Errors
/// Where the tokenizer refuses a passage.
pub fn drawn(embedder: &Embedder, passages: &[&str]) -> Result<Option<Texts>, BuildError> {
    let tokenizer = embedder.encoder.tokenizer();
    let ids = passages
        .par_iter()
        .map(|text| tokenizer.encode(text))
        .collect::<Result<Vec<Vec<u32>>, _>>()
        .map_err(|error| BuildError::Encoder("cut a passage into word pieces", error))?;
    let of_corpus: BTreeSet<u32> = ids.iter().flatten().copied().collect();
    let Some(pieces) = tokenizer.word_pieces(&of_corpus) else { return Ok(None) };

    let encoded: Vec<Vec<u32>> = passages.par_iter().map(|text| pieces.encode(text)).collect();
    let mut passages_with: BTreeMap<u32, usize> = BTreeMap::new();
    for numbers in &encoded {
        for number in numbers.iter().collect::<BTreeSet<_>>() {
            *passages_with.entry(*number).or_default() += 1;
        }
    }
    let rarity = (0..pieces.len() as u32).map(|number| {
        let with = passages_with.get(&number).copied().unwrap_or_default();
        inverse_document_frequency(with, passages.len())
    });
    let rarity = rarity.collect();

    let limit = embedder.encoder.max_tokens();
    let tokens: Vec<usize> = ids.iter().map(|ids| (ids.len() + 2).min(limit)).collect();
    let wanted = shared_out(&tokens, pieces.len());
    let windows = passages
        .par_iter()
        .zip(wanted)
        .flat_map_iter(|(text, count)| windows(text, count))
        .collect();
    Ok(Some(Texts { pieces, rarity, windows }))
}

/// The number of windows that each passage gives, in proportion to its tokens.
fn shared_out(tokens: &[usize], pieces: usize) -> Vec<usize> {
    let all = tokens.iter().sum::<usize>() as f64;
    let room = all * SHARE - pieces as f64 * PIECE_TOKENS;
    let per_token = (room / WINDOW_TOKENS).clamp(0.0, MOST_WINDOWS) / all.max(1.0);
    let mut before = 0;
    let counts = tokens.iter().map(|tokens| {
        let start = before as f64 * per_token;
        before += tokens;
        (before as f64 * per_token) as usize - start as usize
    });
    counts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_follow_the_tokens() {
        let counts = shared_out(&[100, 300, 0, 600], 50);
        // (1000 × 0.65 - 150) / 10 = 50 windows.
        assert_eq!(counts, [5, 15, 0, 30]);
        assert_eq!(shared_out(&[10, 10], 1000), [0, 0]);
        assert_eq!(shared_out(&[], 0), [0usize; 0]);
        let many = shared_out(&[256; 100_000], 20_000);
        assert!(many.iter().sum::<usize>() <= 60_000);
    }
}
