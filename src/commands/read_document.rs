//! `campanile read-document`: the process that reads one file for a build.

use std::io;
use std::process::ExitCode;

/// Reads one request from standard input and answers on standard output.
pub fn run() -> anyhow::Result<ExitCode> {
    campanile_ingest::serve(io::stdin().lock(), io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
