//! Checks that intervals, p and the smallest difference keep their word on made-up sets whose truth is known.

use campanile_eval::significance::{Bootstrap, Comparison, mean_estimate, smallest_detectable};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

const BOOTSTRAP: Bootstrap = Bootstrap { resamples: 1_000, seed: 1, level: 0.95 };
const SETS: usize = 1_000;

struct Chances(Pcg32);

impl Chances {
    fn new() -> Self {
        Self(Pcg32::new(20_261_121, 7))
    }

    /// Evenly from 0 to 1.
    fn share(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / f64::from(u32::MAX)
    }

    /// A hit with this chance.
    fn hit(&mut self, chance: f64) -> f64 {
        f64::from(self.share() < chance)
    }

    /// About normal, with a mean of 0 and a variance of 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.share()).sum::<f64>() - 6.0
    }
}

/// In how many of the sets something holds.
fn share_of_sets(mut holds: impl FnMut(&mut Chances) -> bool) -> f64 {
    let mut chances = Chances::new();
    let count = (0..SETS).filter(|_| holds(&mut chances)).count();
    let share = count as f64 / SETS as f64;
    println!("{share} of {SETS} sets");
    share
}

/// The share of sets in which a true difference is significant at 0.05.
fn found(questions: usize, difference: f64) -> f64 {
    share_of_sets(|chances| {
        let a: Vec<f64> = (0..questions).map(|_| chances.normal() + difference).collect();
        Comparison::new(&a, &vec![0.0; questions], &BOOTSTRAP).unwrap().two_sided_p < 0.05
    })
}

#[test]
fn nineteen_of_twenty_intervals_hold_the_truth() {
    let covered = share_of_sets(|chances| {
        let hits: Vec<f64> = (0..100).map(|_| chances.hit(0.6)).collect();
        let interval = mean_estimate(&hits, &BOOTSTRAP).unwrap().interval;
        interval.lower <= 0.6 && 0.6 <= interval.upper
    });
    assert!((0.92..=0.97).contains(&covered), "{covered}");
}

#[test]
fn one_in_twenty_equal_configurations_seems_different() {
    let wrong = found(60, 0.0);
    assert!((0.03..=0.07).contains(&wrong), "{wrong}");
}

#[test]
fn the_smallest_detectable_difference_is_found_four_times_in_five() {
    for questions in [40, 150] {
        let power = found(questions, smallest_detectable(1.0, questions, 0.05));
        assert!((0.75..=0.84).contains(&power), "{power} with {questions} questions");
    }
}
