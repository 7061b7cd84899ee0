//! What the encoder is asked about: windows of the passages, and their word pieces.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use campanile_distil::{inverse_document_frequency, windows};
use campanile_model::WordPieces;
use rayon::prelude::*;

use crate::embed::Embedder;

/// Tokens that are embedded for learning, in proportion to those of the passages: learning takes
/// less time than embedding them.
const SHARE: f64 = 0.65;
/// Tokens of a window and of a piece, special tokens among them, on average.
const WINDOW_TOKENS: f64 = 10.0;
const PIECE_TOKENS: f64 = 3.0;
/// More windows than this add nothing that is worth the wait.
const MOST_WINDOWS: f64 = 60_000.0;

/// What the encoder is asked about.
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
pub fn drawn(embedder: &Embedder, passages: &[&str]) -> anyhow::Result<Option<Texts>> {
    let tokenizer = embedder.encoder.tokenizer();
    let ids = passages
        .par_iter()
        .map(|text| tokenizer.encode(text).context("cannot cut a passage into word pieces"))
        .collect::<anyhow::Result<Vec<Vec<u32>>>>()?;
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

/// How many windows each passage gives, in proportion to its tokens.
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
