//! Calibration: does confidence mean what it says, and what is refusing worth.
//!
//! A [`Forecast`] is a confidence and what came of it: that the answer was right (for
//! [`RiskCoverage`] and [`Reliability`]), or that the documents answer the question at all (for
//! [`Roc`]). [`correctness`], [`answerability`] and [`refusals`] take them from a run's records.
//! Curves are returned as points, for plots.
//!
//! Questions with the same confidence cannot be told apart by any threshold. They enter a curve
//! together, and averages are taken over all orders of them, so that the order of the questions in
//! a file changes nothing.
//!
//! ```
//! use campanile_eval::calibration::{Forecast, RiskCoverage};
//!
//! let forecast = |confidence, outcome| Forecast { confidence, outcome };
//! let answers = [forecast(0.9, true), forecast(0.7, true), forecast(0.4, false), forecast(0.2, true)];
//! let curve = RiskCoverage::new(&answers, 0)?;
//! assert_eq!(curve.accuracy_at(0.5), Some(1.0));
//! assert_eq!(curve.accuracy_at(1.0), Some(0.75));
//! # Ok::<(), campanile_eval::calibration::ForecastError>(())
//! ```

mod fit;
mod forecast;
mod records;
mod refusal;
mod reliability;
mod risk_coverage;
mod roc;

pub use fit::{Fit, Observation, Worth, fit};
pub use forecast::{Forecast, ForecastError};
pub use records::{Correctness, answerability, correctness, refusals};
pub use refusal::RefusalCounts;
pub use reliability::{Reliability, ReliabilityBin};
pub use risk_coverage::{RiskCoverage, RiskPoint};
pub use roc::{Roc, RocPoint};
