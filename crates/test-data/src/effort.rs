//! How long something keeps the processor busy.

use std::time::Duration;

/// The processor's time for some work on this thread, which other programs on the machine do not lengthen.
///
/// A limit on a clock fails by chance where the machine has more to do.
///
/// ```
/// let effort = campanile_test_data::effort(|| std::thread::sleep(std::time::Duration::from_millis(20)));
/// # #[cfg(unix)]
/// assert!(effort < std::time::Duration::from_millis(20));
/// ```
pub fn effort(work: impl FnOnce()) -> Duration {
    let before = now();
    work();
    now().saturating_sub(before)
}

#[cfg(unix)]
fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Elsewhere by the clock.
#[cfg(not(unix))]
fn now() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}
