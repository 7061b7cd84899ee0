//! Time, at the edge: tests of patience should need none.

use std::time::{Duration, Instant, SystemTime};

/// A clock that can be waited by.
pub trait Pace {
    /// Time since some fixed moment; it never goes back.
    fn uptime(&self) -> Duration;
    /// The date.
    fn date(&self) -> SystemTime;
    /// Waits.
    fn sleep(&mut self, duration: Duration);
}

/// The clock of this machine.
#[derive(Debug)]
pub struct RealPace {
    start: Instant,
}

impl Default for RealPace {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl Pace for RealPace {
    fn uptime(&self) -> Duration {
        self.start.elapsed()
    }

    fn date(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&mut self, duration: Duration) {
        std::thread::sleep(duration);
    }
}
