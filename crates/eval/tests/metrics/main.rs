//! The metrics beside reference implementations, and what must hold of them.
//!
//! The fixtures were made by the scripts in `tests/scripts`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod calibration;
mod calibration_parity;
mod retrieval;
mod retrieval_parity;
mod significance;
mod significance_parity;
mod significance_simulated;

/// Panics where two values are further apart.
#[track_caller]
fn assert_close(ours: f64, reference: f64, tolerance: f64, what: &str) {
    assert!((ours - reference).abs() <= tolerance, "{what}: {ours}, the reference has {reference}");
}
