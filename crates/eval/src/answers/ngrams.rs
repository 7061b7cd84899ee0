use std::collections::BTreeMap;

/// The number of times that each run of so many tokens occurs.
pub(super) type Counts<'a> = BTreeMap<&'a [String], usize>;

/// The runs of `length` tokens; `length` is at least 1.
pub(super) fn count(tokens: &[String], length: usize) -> Counts<'_> {
    let mut counts = Counts::new();
    for run in tokens.windows(length.max(1)) {
        *counts.entry(run).or_insert(0) += 1;
    }
    counts
}

/// Counts the runs that both have, each as often as the one that has it less often.
pub(super) fn shared(a: &Counts<'_>, b: &Counts<'_>) -> usize {
    a.iter().map(|(run, count)| b.get(run).map_or(0, |other| *count.min(other))).sum()
}
