//! Drawing at random, the same for the same seed.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng as _;

/// The stream of the generator: any number, and always the same.
const STREAM: u64 = 0x1717;

/// Chances from PCG-XSH-RR 64/32 (O'Neill 2014), the same on every machine.
pub(super) struct Chances(Pcg32);

impl Chances {
    pub(super) fn new(seed: u64) -> Self {
        Self(Pcg32::new(seed, STREAM))
    }

    /// A number below `count`, each as likely; 0 where `count` is.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let count = u32::try_from(count).unwrap_or(u32::MAX).max(1);
        // Lemire, "Fast random integer generation in an interval" (2019).
        let least = count.wrapping_neg() % count;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(count);
            if product & u64::from(u32::MAX) >= u64::from(least) {
                return usize::try_from(product >> 32).unwrap_or_default();
            }
        }
    }
}

/// `count` of the numbers below `total`, each subset as likely (Fisher and Yates), in the order
/// drawn; all of them, where there are no more.
///
/// ```
/// use campanile_eval::proposals::sample;
///
/// let drawn = sample(1_000, 5, 7);
/// assert_eq!(drawn, sample(1_000, 5, 7));
/// assert_ne!(drawn, sample(1_000, 5, 8));
/// assert_eq!(sample(3, 10, 7).len(), 3);
/// ```
pub fn sample(total: u32, count: usize, seed: u64) -> Vec<u32> {
    let mut chances = Chances::new(seed);
    let mut order: Vec<u32> = (0..total).collect();
    for place in 0..order.len().min(count) {
        let other = place + chances.below(order.len() - place);
        order.swap(place, other);
    }
    order.truncate(count);
    order
}
