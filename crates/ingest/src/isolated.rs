//! Reading each file in a process of its own, within limits.
//!
//! The parsers of foreign formats are other people's, and their input is anybody's. A fault that
//! Rust can catch is caught where it happens; an endless loop, a stack that overflows and memory
//! without end cannot be. So a build reads each file in a child process that has so many seconds
//! and so much memory, and a file that needs more is reported like any other that cannot be read.
//!
//! The child is the same program, started with a hidden command that calls [`serve`]; it gets one
//! [`Request`] as JSON on its standard input and answers with one line of JSON. A child costs a few
//! milliseconds, which is little beside embedding what it read.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::child::{self, Ended};
use crate::discover::slashed;
use crate::{Finding, IngestError, IngestOptions, Reading, Trouble, read};

/// A request to a child to read a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The documents' folder.
    pub root: PathBuf,
    /// The file, relative to it.
    pub path: PathBuf,
    /// The options of reading.
    pub options: IngestOptions,
    /// The most memory that the child may take, in bytes.
    pub memory_bytes: u64,
}

/// The reply of a child.
#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    Read(Reading),
    Failed(Finding),
}

/// The settings for reading files in processes of their own.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// The program and the arguments that make it call [`serve`].
    pub command: (PathBuf, Vec<OsString>),
    /// The longest time that a file may take.
    pub time: Duration,
    /// The most memory that reading it may take, in bytes of address space.
    pub memory_bytes: u64,
}

impl Isolation {
    /// Reads one file of a folder as [`read`](crate::read()) does, in a process of its own. Whatever
    /// goes wrong is a finding that names the file: this never fails, and never takes longer than
    /// [`time`](Self::time) and a moment.
    pub fn read(&self, root: &Path, path: &Path, options: &IngestOptions) -> Reading {
        let reply = self
            .ask(root, path, options)
            .unwrap_or_else(|error| Reply::Failed(Finding::failed(slashed(path), &error)));
        match reply {
            Reply::Read(reading) => reading,
            Reply::Failed(finding) => Reading { findings: vec![finding], ..Reading::default() },
        }
    }

    fn ask(&self, root: &Path, path: &Path, options: &IngestOptions) -> Result<Reply, IngestError> {
        let name = slashed(path);
        let no_child = |source| Trouble::NoChild(source).of(name.as_str());
        let request = Request {
            root: root.to_owned(),
            path: path.to_owned(),
            options: options.clone(),
            memory_bytes: self.memory_bytes,
        };
        let request = serde_json::to_vec(&request).map_err(io::Error::from).map_err(no_child)?;
        let (program, arguments) = &self.command;
        let mut command = Command::new(program);
        command.args(arguments);
        let ended = child::ask(command, request, self.time, u64::MAX).map_err(no_child)?;
        let Some(Ended { status, reply, complaint }) = ended else {
            return Err(Trouble::TooSlow(self.time).of(name));
        };
        if status.success()
            && let Ok(reply) = serde_json::from_slice(&reply)
        {
            return Ok(reply);
        }
        Err(self.fault(status, &complaint).of(name))
    }

    fn fault(&self, status: ExitStatus, complaint: &[u8]) -> Trouble {
        let complaint = String::from_utf8_lossy(complaint);
        // These are the words of Rust's own runtime. The signal that ends the process is not the same on
        // every system, and says less.
        if complaint.contains("memory allocation of") {
            return Trouble::TooMuchMemory { limit_bytes: self.memory_bytes };
        }
        let reason = if complaint.contains("has overflowed its stack") {
            "it is nested too deep".to_owned()
        } else {
            let last = complaint.lines().rev().find(|line| !line.trim().is_empty());
            last.map_or_else(|| status.to_string(), |line| line.trim().to_owned())
        };
        Trouble::ReaderFailed(reason)
    }
}

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
        IngestError::Document { path, trouble: Trouble::Unreadable(source) }
            if source.kind() == io::ErrorKind::OutOfMemory =>
        {
            Trouble::TooMuchMemory { limit_bytes }.of(path)
        }
        other => other,
    }
}

#[cfg(unix)]
fn limit_memory(bytes: u64) -> io::Result<()> {
    // Address space, because Linux does not enforce a limit on resident memory. A limit may be lowered,
    // never raised.
    let (_, hard) = rlimit::Resource::AS.get()?;
    let bytes = bytes.min(hard);
    rlimit::Resource::AS.set(bytes, bytes)
}

#[cfg(not(unix))]
fn limit_memory(_bytes: u64) -> io::Result<()> {
    Ok(())
}
