use campanile_eval::significance::{
    Bootstrap, Comparison, holm, mean_estimate, share_not_better, wilson,
};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;
use serde::Deserialize;

use crate::assert_close;

#[derive(Deserialize)]
struct Fixture {
    pcg: Vec<u32>,
    comparisons: Vec<Case>,
    /// Count, total, level, interval.
    wilson: Vec<(usize, usize, f64, [f64; 2])>,
    adjusted: Vec<Adjusted>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    a: Vec<f64>,
    b: Vec<f64>,
    /// By NumPy, from the same random numbers.
    exact: Exact,
    /// By SciPy and statsmodels, from their own.
    scipy: Independent,
    mean_of_a: Mean,
}

#[derive(Deserialize)]
struct Exact {
    difference: f64,
    interval: [f64; 2],
    two_sided_p: f64,
    share_not_better: f64,
    share_not_better_half: f64,
    standard_deviation: f64,
}

#[derive(Deserialize)]
struct Independent {
    interval: [f64; 2],
    t_test_p: f64,
    smallest_detectable: f64,
}

#[derive(Deserialize)]
struct Mean {
    mean: f64,
    interval: [f64; 2],
}

#[derive(Deserialize)]
struct Adjusted {
    p: Vec<f64>,
    holm: Vec<f64>,
}

fn fixture() -> Fixture {
    serde_json::from_str(include_str!("../fixtures/significance.json")).unwrap()
}

#[test]
fn random_numbers_are_those_of_the_paper() {
    let mut chances = Pcg32::new(1, 0x0a02_bdbf_7bb3_c0a7);
    for expected in fixture().pcg {
        assert_eq!(chances.next_u32(), expected);
    }
}

#[test]
fn comparisons_are_those_of_numpy_on_the_same_resamples() {
    let bootstrap = Bootstrap::default();
    for case in fixture().comparisons {
        let Case { name, a, b, exact, mean_of_a, .. } = case;
        let ours = Comparison::new(&a, &b, &bootstrap).unwrap();
        let half = share_not_better(&a, &b, 0.5, &bootstrap).unwrap();
        let mean = mean_estimate(&a, &bootstrap).unwrap();
        let figures = [
            (ours.difference, exact.difference),
            (ours.interval.lower, exact.interval[0]),
            (ours.interval.upper, exact.interval[1]),
            (ours.two_sided_p, exact.two_sided_p),
            (ours.share_not_better, exact.share_not_better),
            (half, exact.share_not_better_half),
            (ours.standard_deviation.unwrap(), exact.standard_deviation),
            (mean.mean, mean_of_a.mean),
            (mean.interval.lower, mean_of_a.interval[0]),
            (mean.interval.upper, mean_of_a.interval[1]),
        ];
        for (place, (ours, reference)) in figures.into_iter().enumerate() {
            assert_close(ours, reference, 1e-9, &format!("{name}, figure {place}"));
        }
    }
}

#[test]
fn comparisons_agree_with_scipy_up_to_chance_and_theory() {
    for case in fixture().comparisons {
        let ours = Comparison::new(&case.a, &case.b, &Bootstrap::default()).unwrap();
        let width = ours.interval.upper - ours.interval.lower;
        let [lower, upper] = case.scipy.interval;
        assert_close(ours.interval.lower, lower, 0.05 * width, &case.name);
        assert_close(ours.interval.upper, upper, 0.05 * width, &case.name);
        // Student's test assumes normal values, the bootstrap does not.
        assert_close(ours.two_sided_p, case.scipy.t_test_p, 0.02, &case.name);
        // statsmodels has t for z: 1 % more of 100 questions, 3 % of 35.
        let less = ours.smallest_detectable.unwrap() / case.scipy.smallest_detectable;
        let least = if case.a.len() < 35 { 0.8 } else { 0.97 };
        assert!((least..1.0).contains(&less), "{}: {less}", case.name);
    }
}

#[test]
fn wilson_intervals_are_those_of_statsmodels() {
    for (count, total, level, [lower, upper]) in fixture().wilson {
        let ours = wilson(count, total, level).unwrap();
        assert_close(ours.lower, lower, 1e-12, &format!("{count} of {total}"));
        assert_close(ours.upper, upper, 1e-12, &format!("{count} of {total}"));
    }
}

#[test]
fn adjusted_p_are_those_of_statsmodels() {
    for Adjusted { p, holm: expected } in fixture().adjusted {
        for (ours, expected) in holm(&p).into_iter().zip(expected) {
            assert_close(ours, expected, 1e-12, &format!("{p:?}"));
        }
    }
}
