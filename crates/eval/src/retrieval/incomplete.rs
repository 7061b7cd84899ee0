use super::ranking::real;

/// Binary preference: how rarely an item that was judged not relevant is ranked above a relevant
/// one. Items without a judgment (`None`) are as if they were not there.
///
/// bpref = (Σ over relevant items r in the ranking of 1 − min(n(r), R) / min(N, R)) / R, where n(r)
/// counts the rejected items above r, R = `relevant` all relevant and N = `rejected` all rejected
/// items of the question: Buckley and Voorhees 2004 in the form of `trec_eval` since version 8.
/// `None` where nothing is relevant.
pub fn bpref(judged: &[Option<u32>], relevant: usize, rejected: usize) -> Option<f64> {
    if relevant == 0 {
        return None;
    }
    let pairs = real(relevant.min(rejected));
    let mut above = 0;
    let mut sum = 0.0;
    for &grade in judged.iter().flatten() {
        match grade {
            0 => above += 1,
            _ if above == 0 => sum += 1.0,
            _ => sum += 1.0 - real(relevant.min(above)) / pairs,
        }
    }
    Some(sum / real(relevant))
}

/// The share of the first `k` items that were judged at all: how far the other metrics can be
/// trusted.
///
/// A ranking that is shorter than `k` is measured by its own length; `None` where it is empty.
pub fn judged_share(judged: &[Option<u32>], k: usize) -> Option<f64> {
    let seen = judged.len().min(k);
    let known = judged.iter().take(k).flatten().count();
    (seen > 0).then(|| real(known) / real(seen))
}
