//! What a report says about where and when it was made.

use std::time::{SystemTime, UNIX_EPOCH};

use campanile_corpus::metadata::Date;

/// The processor and how many threads it has, as far as the system tells.
pub fn line() -> String {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = known
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map(|rest| rest.trim_start_matches([' ', '\t', ':']).trim())
        .filter(|name| !name.is_empty() && *name != "unknown")
        .unwrap_or(std::env::consts::ARCH);
    let threads = campanile_terminal::console::count(threads, "thread");
    format!("{name}, {threads}, {}", std::env::consts::OS)
}

/// The day in UTC, as `2026-11-21`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let days = i64::try_from(seconds / 86_400).ok();
    days.and_then(Date::from_unix_days).map(|date| date.to_string()).unwrap_or_default()
}
