//! Against definitions written down independently, in double precision or on unpacked blocks.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod attention;
mod definition;
mod elementwise;
mod product;

/// Numbers of a fixed sequence, spread over -1 to 1.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15))
    }

    /// Any 32 bits (splitmix64).
    pub(crate) fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 32) as u32
    }

    pub(crate) fn next(&mut self) -> f32 {
        self.bits() as f32 / u32::MAX as f32 * 2.0 - 1.0
    }

    pub(crate) fn vector(&mut self, len: usize) -> Vec<f32> {
        (0..len).map(|_| self.next()).collect()
    }
}

/// A number that stands for all these bits (FNV-1a).
pub(crate) fn fingerprint(values: &[f32]) -> u64 {
    values.iter().fold(0xcbf2_9ce4_8422_2325, |hash, value| {
        (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01b3)
    })
}
