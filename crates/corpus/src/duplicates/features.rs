//! The features by which texts are compared: shingles, their signatures, and the words by which like texts differ.

use campanile_language::documents;

use crate::facts::{bare, facts};

/// The hashes of all runs of `count` words of a text, sorted, none twice; of all its words where
/// there are fewer. Case and punctuation make no difference.
pub(super) fn shingles(text: &str, count: usize) -> Vec<u64> {
    let words: Vec<String> = text
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let count = count.clamp(1, words.len().max(1));
    let mut hashes: Vec<u64> =
        words.windows(count).map(|run| hashed(run.iter().map(String::as_str))).collect();
    // Sorted, so that two sets are compared by halves and the order of the text counts for nothing.
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The share of all elements of two sorted sets that is in both; 0 where both are empty.
pub(super) fn jaccard(left: &[u64], right: &[u64]) -> f64 {
    let both = left.iter().filter(|hash| right.binary_search(hash).is_ok()).count();
    let all = left.len() + right.len() - both;
    if all == 0 {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "a text has far fewer than 2^52 words")]
    let share = both as f64 / all as f64;
    share
}

/// A 64-bit hash of some words in their order (FNV-1a, stirred by SplitMix64): the same on every
/// platform.
pub(super) fn hashed<'a>(words: impl Iterator<Item = &'a str>) -> u64 {
    // The standard library's hasher may change with any release, and a rebuild has to give the same bytes.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    for word in words {
        word.bytes().for_each(&mut add);
        add(0xff); // In no UTF-8 text: "ab c" and "a bc" differ.
    }
    stirred(hash)
}

/// SplitMix64's output function (Steele, Lea and Flood 2014): each bit depends on all.
pub(super) fn stirred(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Minima in a signature.
pub(super) const HASHES: usize = BANDS * ROWS;
/// Bands of a signature.
const BANDS: usize = 32;
/// Minima in a band.
const ROWS: usize = 4;

/// Signs sets of hashes.
pub(super) struct Signer {
    /// Each makes another hash function of one.
    seeds: Vec<u64>,
}

impl Signer {
    pub(super) fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut next = || {
            state = stirred(state);
            state
        };
        Self { seeds: (0..HASHES).map(|_| next()).collect() }
    }

    /// For each hash function the least value of any element.
    pub(super) fn signature(&self, set: &[u64]) -> Vec<u64> {
        let least = |seed: &u64| set.iter().map(|hash| stirred(hash ^ seed)).min();
        self.seeds.iter().map(|seed| least(seed).unwrap_or(u64::MAX)).collect()
    }

    /// A key for each band; sets that share a key should be compared. Sets with another `salt` share
    /// none.
    pub(super) fn keys(&self, set: &[u64], salt: u64) -> Vec<u64> {
        let signature = self.signature(set);
        let key = |(band, rows): (usize, &[u64])| {
            let start = stirred(salt ^ band as u64);
            rows.iter().fold(start, |key, row| stirred(key ^ row))
        };
        signature.chunks(ROWS).enumerate().map(key).collect()
    }
}

/// Returns the tokens that two duplicates must share, in their order: facts, names, and the words below.
pub(super) fn protected(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut begins_sentence = true;
    for word in text.split_whitespace() {
        if facts(word).is_empty() {
            // Signs that join words hide none of them: "Mon/Wed", "not-for-credit".
            let parts = word.split(|letter: char| !letter.is_alphanumeric() && letter != '\'');
            for part in parts.filter(|part| !part.is_empty()) {
                let lower = part.to_lowercase();
                if documents::PROTECTED.contains(&lower) || is_name(part, begins_sentence) {
                    found.push(lower);
                }
                begins_sentence = false;
            }
        } else {
            found.push(bare(word).to_lowercase());
        }
        begins_sentence = word.ends_with(['.', '!', '?', ':', ';', '…']);
    }
    found
}

/// A word with a capital that no sentence gave it, or in capitals.
fn is_name(word: &str, begins_sentence: bool) -> bool {
    let mut letters = word.chars();
    // Any word that begins a sentence has a capital; one in capitals throughout is a name there too.
    let has_capital = letters.next().is_some_and(char::is_uppercase);
    let is_code = word.chars().count() > 1 && letters.all(char::is_uppercase);
    has_capital && (is_code || !begins_sentence)
}
