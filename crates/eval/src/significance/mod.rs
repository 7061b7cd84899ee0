//! The worth of a difference on a question set: intervals, tests, and how many questions it takes.
//!
//! Everything is resampled over questions, since another set of questions is what a figure has to
//! hold for. Two configurations are compared on the *same* questions: how hard a question is then
//! falls out of the difference, which makes the comparison much sharper than two separate
//! intervals.
//!
//! Random numbers come from PCG-XSH-RR 64/32 (O'Neill 2014) with a seed that is part of
//! [`Bootstrap`]: the same values and seed give the same figures on every platform.
//!
//! ```
//! use campanile_eval::significance::{Bootstrap, Comparison};
//!
//! let hybrid: Vec<f64> = (0..90).map(|number| f64::from(number % 3 != 0)).collect();
//! let keywords: Vec<f64> = (0..90).map(|number| f64::from(number % 2 == 0)).collect();
//! let comparison = Comparison::new(&hybrid, &keywords, &Bootstrap::default())?;
//! assert!((comparison.difference - 1.0 / 6.0).abs() < 1e-12);
//! assert!(comparison.interval.lower < 1.0 / 6.0 && 1.0 / 6.0 < comparison.interval.upper);
//! # Ok::<(), campanile_eval::significance::SampleError>(())
//! ```

mod bootstrap;
mod comparison;
mod holm;
mod normal;
mod pairs;
mod power;
mod sample;
mod share;

pub use bootstrap::{Bootstrap, MeanEstimate, mean_estimate};
pub use comparison::{Caution, Comparison, FEWEST_QUESTIONS, share_not_better};
pub use holm::holm;
pub use pairs::{PairedScores, metric_values, pair_scores};
pub use power::{POWER, questions_needed, smallest_detectable};
pub use sample::{Interval, SampleError, standard_deviation};
pub use share::wilson;
