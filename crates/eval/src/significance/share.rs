use super::normal::quantile;
use super::sample::Interval;

/// Wilson's score interval of a share: `count` of `total` at a level of confidence (0.95).
///
/// (p + z²/2n ± z · √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), with p = count / n (Wilson 1927; advised
/// by Brown, Cai and DasGupta 2001). It stays within 0..=1 and says something where none or all
/// count: 0 of 20 may still be 16 %. `None` where `total` is 0, `count` is above it or the level is
/// not between 0 and 1.
pub fn wilson(count: usize, total: usize, level: f64) -> Option<Interval> {
    if total == 0 || count > total || !(level > 0.0 && level < 1.0) {
        return None;
    }
    let n = total as f64;
    let share = count as f64 / n;
    let z = quantile(f64::midpoint(1.0, level));
    let middle = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // The ends are exactly 0 and 1 there, which rounding would miss.
    let lower = if count == 0 { 0.0 } else { (middle - half) / scale };
    let upper = if count == total { 1.0 } else { (middle + half) / scale };
    Some(Interval { lower, upper })
}
