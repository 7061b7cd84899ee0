//! The child's side.

use std::io::{self, Read, Write};

use super::{Reply, Request};
use crate::discover::slashed;
use crate::{Finding, IngestError, read};

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
        Err(error) => {
            let error = short_of_memory(error, request.memory_bytes);
            Reply::Failed(Finding::failed(slashed(&request.path), &error))
        }
    };
    serde_json::to_writer(&mut output, &reply)?;
    output.flush()
}

/// A system that has no memory for the file's bytes says so as of any file it cannot hand over; here it
/// is the limit that was reached.
fn short_of_memory(error: IngestError, limit_bytes: u64) -> IngestError {
    match error {
        IngestError::Unreadable { path, source } if source.kind() == io::ErrorKind::OutOfMemory => {
            IngestError::TooMuchMemory { path, limit_bytes }
        }
        other => other,
    }
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
