//! An encoder for tests that knows nothing but words.

use std::convert::Infallible;

use campanile_eval::answers::{Embed, TokenVector};

/// A prime, so that few words share a place.
const DIMENSION: usize = 4093;

/// A text's vector counts its words, each at a place that follows from its letters. As with a real
/// encoder a few words are little like a long passage, and like a sentence that has the same words.
pub struct WordVectors;

impl Embed for WordVectors {
    type Error = Infallible;

    fn sentences(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Infallible> {
        Ok(texts.iter().map(|text| count(text)).collect())
    }

    fn tokens(&self, text: &str) -> Result<Vec<TokenVector>, Infallible> {
        let piece = |word: &str| TokenVector { token: place(word) as u32, vector: count(word) };
        Ok(words(text).iter().map(|word| piece(word)).collect())
    }
}

fn words(text: &str) -> Vec<String> {
    let words =
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn count(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSION];
    for word in words(text) {
        vector[place(&word)] += 1.0;
    }
    vector
}

/// FNV-1a.
fn place(word: &str) -> usize {
    let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash % DIMENSION as u64) as usize
}
