//! The child's side.

use std::io::{self, Read, Write};

use super::{Reply, Request};
use crate::discover::slashed;
use crate::{Finding, read};

/// Reads one [`Request`] from `input`, limits this process's memory, reads the file and writes the
/// answer to `output`. For a process that does nothing else: the limit stays.
///
/// Memory is limited where the system can limit it, which Windows cannot; there the time alone is.
///
/// # Errors
/// Where the request is not one, or the streams fail.
pub fn serve(mut input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut request = Vec::new();
    input.read_to_end(&mut request)?;
    let request: Request = serde_json::from_slice(&request)?;
    limit_memory(request.memory_bytes)?;
    let reply = match read(&request.root, &request.path, &request.options) {
        Ok(reading) => Reply::Read(reading),
        Err(error) => Reply::Failed(Finding::failed(slashed(&request.path), &error)),
    };
    serde_json::to_writer(&mut output, &reply)?;
    output.flush()
}

#[cfg(unix)]
fn limit_memory(bytes: u64) -> io::Result<()> {
    let (_, hard) = rlimit::Resource::AS.get()?;
    let bytes = bytes.min(hard);
    rlimit::Resource::AS.set(bytes, bytes)
}

#[cfg(not(unix))]
fn limit_memory(_bytes: u64) -> io::Result<()> {
    Ok(())
}
