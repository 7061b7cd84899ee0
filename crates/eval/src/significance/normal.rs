/// Beyond this, the normal distribution holds nothing that an `f64` could tell from 0.
const FARTHEST: f64 = 40.0;

/// The normal quantile: below which z a share of the standard normal distribution lies. `share` is
/// between 0 and 1; outside, the farthest z.
///
/// Found by halving until two neighbouring numbers are left, as it is asked for a few times a
/// report.
pub(super) fn quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-FARTHEST, FARTHEST);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if below(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The share of the standard normal distribution below z.
fn below(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}
