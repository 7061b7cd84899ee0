//! Signatures, and the bands they are cut into.

use super::shingles::stirred;

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
