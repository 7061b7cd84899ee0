//! What a benchmark hands over, in the shape that `cargo xtask bench` reads.

use serde::Serialize;

/// Sides that take turns: rounds that are not counted, and rounds that are.
const WARM_UPS: usize = 2;
const ROUNDS: usize = 7;

/// Samples, checks and versions.
#[derive(Debug, Default, Serialize)]
pub struct Measured {
    /// Milliseconds for the same work by side, ours first.
    pub cases: Vec<Case>,
    /// Whether the sides computed the same.
    pub checks: Vec<Check>,
    /// Of the peers.
    pub versions: std::collections::BTreeMap<String, String>,
}

/// One piece of work.
#[derive(Debug, Serialize)]
pub struct Case {
    /// What was done.
    pub name: String,
    /// Its size.
    pub tokens: usize,
    /// What its size counts.
    pub unit: &'static str,
    /// Who did it.
    pub sides: Vec<Side>,
}

/// One engine's times.
#[derive(Debug, Serialize)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// Milliseconds for all of the work, by round.
    pub samples: Vec<f64>,
}

/// Something that has to hold before times are believed.
#[derive(Debug, Serialize)]
pub struct Check {
    /// What is checked.
    pub what: String,
    /// Whether it held.
    pub passed: bool,
    /// What was seen.
    pub found: String,
}

impl Check {
    /// A figure that is told and cannot fail.
    pub fn told(what: impl Into<String>, found: impl Into<String>) -> Self {
        Self { what: what.into(), passed: true, found: found.into() }
    }
}

/// A side: its name, and what it does in a round.
pub type Turn<'a> = (&'a str, Box<dyn FnMut() + 'a>);

/// Times the sides at the same work, in turns: what else the machine does falls on all alike.
pub fn take_turns(mut sides: Vec<Turn<'_>>) -> Vec<Side> {
    let mut taken: Vec<Side> = sides
        .iter()
        .map(|(name, _)| Side { name: (*name).to_owned(), samples: Vec::new() })
        .collect();
    for round in 0..WARM_UPS + ROUNDS {
        for ((_, work), side) in sides.iter_mut().zip(&mut taken) {
            let start = std::time::Instant::now();
            work();
            if round >= WARM_UPS {
                side.samples.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    taken
}
