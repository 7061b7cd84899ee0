//! The log: what the libraries do, for an operator who wants to know why a build takes long or a website was not read.
//!
//! It is off unless the environment variable [`VARIABLE`] says what is wanted. What a job's user has to know is never told
//! here alone.

use std::io::stderr;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use tracing_subscriber::EnvFilter;

/// The environment variable that turns the log on.
pub const VARIABLE: &str = "CAMPANILE_LOG";

/// `true` once the log is on.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// Turns the log on, to standard error, where [`VARIABLE`] says so: `info`, `debug`, or a level for a crate, as in
/// `campanile_website=debug`.
///
/// # Errors
/// Where its value is no such filter, or another log is on already.
pub fn start() -> anyhow::Result<()> {
    let Some(filter) = std::env::var(VARIABLE).ok().filter(|filter| !filter.is_empty()) else {
        return Ok(());
    };
    let parsed = EnvFilter::builder().parse(&filter).with_context(|| {
        format!(
            "`{VARIABLE}` is `{filter}`, which is no filter for the log\n  \
             way out: info, debug, or a level for one crate, as in campanile_website=debug"
        )
    })?;
    let log =
        tracing_subscriber::fmt().with_env_filter(parsed).with_writer(stderr).with_ansi(false);
    log.try_init().map_err(|error| anyhow::anyhow!("cannot turn the log on: {error}"))?;
    IS_ON.store(true, Ordering::Relaxed);
    Ok(())
}

/// Returns `true` if the log is on: bars that are drawn anew in place would run into its lines.
pub(crate) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}
