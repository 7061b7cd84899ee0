//! Runs of words.

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
