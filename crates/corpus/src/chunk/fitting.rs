//! Search for the largest count that fits.

/// The largest count up to `wanted` that fits; 0 if not even one does.
///
/// Takes for granted that fewer always fit where more do. What it returns has been tried.
pub(super) fn most(wanted: usize, fits: impl Fn(usize) -> bool) -> usize {
    if fits(wanted) {
        return wanted;
    }
    let (mut fitting, mut too_many) = (0, wanted);
    while too_many - fitting > 1 {
        let middle = fitting.midpoint(too_many);
        if fits(middle) {
            fitting = middle;
        } else {
            too_many = middle;
        }
    }
    fitting
}

#[cfg(test)]
mod tests {
    use super::most;

    #[test]
    fn the_largest_fitting_count_is_found() {
        for limit in 0..20 {
            for wanted in 1..20 {
                assert_eq!(most(wanted, |count| count <= limit), wanted.min(limit));
            }
        }
    }
}
