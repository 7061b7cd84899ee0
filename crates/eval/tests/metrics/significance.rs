use std::time::Instant;

use campanile_eval::significance::{
    Bootstrap, Caution, Comparison, SampleError, holm, mean_estimate, questions_needed,
    share_not_better, smallest_detectable, wilson,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::assert_close;

/// Few resamples, as there are many cases.
const QUICK: Bootstrap = Bootstrap { resamples: 400, seed: 3, level: 0.95 };

fn pairs() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let hit = || (0..2_u32).prop_map(f64::from);
    prop_oneof![vec((hit(), hit()), 1..60), vec((0.0..=1.0, 0.0..=1.0), 1..60)]
}

proptest! {
    #[test]
    fn an_interval_holds_its_mean(values in vec(0.0..=1.0_f64, 1..80)) {
        let estimate = mean_estimate(&values, &QUICK).unwrap();
        prop_assert!(estimate.interval.lower <= estimate.mean + 1e-12);
        prop_assert!(estimate.mean <= estimate.interval.upper + 1e-12);
        prop_assert!((0.0..=1.0 + 1e-12).contains(&estimate.interval.lower));
        prop_assert_eq!(estimate, mean_estimate(&values, &QUICK).unwrap());
    }

    #[test]
    fn p_is_symmetric_and_the_rest_is_mirrored(pairs in pairs()) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let there = Comparison::new(&a, &b, &QUICK).unwrap();
        let back = Comparison::new(&b, &a, &QUICK).unwrap();
        prop_assert_eq!(there.two_sided_p, back.two_sided_p);
        prop_assert!((there.difference + back.difference).abs() < 1e-12);
        prop_assert!((there.interval.lower + back.interval.upper).abs() < 1e-9);
        prop_assert!(there.two_sided_p > 0.0 && there.two_sided_p <= 1.0);
        // Ties count as not better on both sides.
        prop_assert!(there.share_not_better + back.share_not_better >= 1.0 - 1e-12);
        prop_assert_eq!(there.share_not_better, share_not_better(&a, &b, 1.0, &QUICK).unwrap());
        prop_assert!(there.interval.lower - 1e-12 <= there.difference);
        prop_assert!(there.difference <= there.interval.upper + 1e-12);
    }

    #[test]
    fn a_wilson_interval_holds_its_share(total in 1..500_usize, part in any::<prop::sample::Index>()) {
        let count = part.index(total + 1);
        let (narrow, wide) = (wilson(count, total, 0.9).unwrap(), wilson(count, total, 0.99).unwrap());
        let share = count as f64 / total as f64;
        prop_assert!(0.0 <= wide.lower && wide.lower <= narrow.lower && narrow.lower <= share);
        prop_assert!(share <= narrow.upper && narrow.upper <= wide.upper && wide.upper <= 1.0);
    }

    #[test]
    fn adjusted_p_are_never_smaller_and_keep_their_order(p_values in vec(0.0..=1.0_f64, 0..12)) {
        let adjusted = holm(&p_values);
        for (left, &p) in p_values.iter().enumerate() {
            prop_assert!(p <= adjusted[left] && adjusted[left] <= 1.0);
            for (right, &other) in p_values.iter().enumerate() {
                prop_assert!(p > other || adjusted[left] <= adjusted[right]);
            }
        }
    }

    #[test]
    fn the_questions_needed_show_the_difference(spread in 0.01..1.0_f64, difference in 0.001..1.0_f64) {
        let needed = questions_needed(spread, difference, 0.05).unwrap();
        prop_assert!(smallest_detectable(spread, needed as usize, 0.05) <= difference * (1.0 + 1e-9));
        if needed > 2 {
            prop_assert!(smallest_detectable(spread, needed as usize - 1, 0.05) > difference * (1.0 - 1e-9));
        }
    }
}

#[test]
fn equal_differences_are_told_by_the_sign_test() {
    let ones = [1.0; 6];
    let better = Comparison::new(&ones, &[0.9; 6], &QUICK).unwrap();
    assert_close(better.two_sided_p, 1.0 / 32.0, 1e-15, "six of six");
    let same = Comparison::new(&ones, &ones, &QUICK).unwrap();
    assert_close(same.two_sided_p, 1.0, 0.0, "no difference at all");
    assert_close(same.share_not_better, 1.0, 0.0, "ties are not better");
}

#[test]
fn a_resample_as_far_as_the_observed_one_counts() {
    // Of the 27 resamples of these three, 6 have the observed t with the other sign, and 9 no spread.
    let comparison = Comparison::new(&[0.0, 0.0, 1.0], &[0.0; 3], &Bootstrap::default()).unwrap();
    assert_close(comparison.two_sided_p, 15.0 / 27.0, 0.02, "ties");
}

#[test]
fn a_set_that_is_too_small_says_so() {
    // A has every third question right, B every fourth: 1/12 of difference.
    let compare = |questions: u32| {
        let every =
            |step: u32| (0..questions).map(|n| f64::from(n % step == 0)).collect::<Vec<_>>();
        Comparison::new(&every(3), &every(4), &Bootstrap::default()).unwrap()
    };
    assert_eq!(compare(24).caution, Some(Caution::FewQuestions { questions: 24 }));
    let small = compare(120);
    let Some(Caution::TooSmallToTell { questions: 120, detectable, needed: Some(needed) }) =
        small.caution
    else {
        panic!("{small:?}");
    };
    let spread = small.standard_deviation.unwrap();
    assert_close(detectable, 2.801_585 * spread / 120.0_f64.sqrt(), 1e-6, "by the formula");
    assert!(detectable > small.difference && needed > 120);
    let enough = compare(12 * u32::try_from(needed.div_ceil(12)).unwrap());
    assert!(enough.caution.is_none() && enough.two_sided_p < 0.05, "{enough:?}");
    let words = Caution::TooSmallToTell { questions: 120, detectable, needed: Some(needed) };
    assert!(words.to_string().starts_with("too small to tell: 120 questions"), "{words}");
}

#[test]
fn what_cannot_be_resampled_is_named() {
    let error = |a: &[f64], b: &[f64], bootstrap| Comparison::new(a, b, &bootstrap).unwrap_err();
    assert_eq!(error(&[], &[], QUICK), SampleError::Empty);
    assert_eq!(error(&[1.0], &[], QUICK), SampleError::UnequalLengths { a: 1, b: 0 });
    assert_eq!(error(&[1.0, f64::NAN], &[0.0, 0.0], QUICK), SampleError::NotFinite(1));
    let none = Bootstrap { resamples: 0, ..QUICK };
    assert_eq!(error(&[1.0], &[1.0], none), SampleError::Settings { resamples: 0, level: 0.95 });
    let share = share_not_better(&[1.0], &[0.0], 1.5, &QUICK).unwrap_err();
    assert_eq!(share, SampleError::SampleShare(1.5));
    for (count, total, level) in [(0, 0, 0.95), (3, 2, 0.95), (1, 2, 1.0)] {
        assert_eq!(wilson(count, total, level), None);
    }
}

#[test]
fn a_thousand_questions_take_well_under_a_second() {
    if cfg!(debug_assertions) {
        campanile_test_data::skip("not a release build");
        return;
    }
    let a: Vec<f64> = (0..1000).map(|number| f64::from(number % 7) / 6.0).collect();
    let b: Vec<f64> = (0..1000).map(|number| f64::from(number % 5) / 4.0).collect();
    let start = Instant::now();
    Comparison::new(&a, &b, &Bootstrap::default()).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!("10,000 resamples of 1,000 questions: {:.0} ms", 1000.0 * seconds);
    assert!(seconds < 1.0, "{seconds} s");
}
