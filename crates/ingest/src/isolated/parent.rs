//! The parent's side: starting a child, waiting for it, saying what became of it.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

use super::{Reply, Request};
use crate::discover::slashed;
use crate::{Finding, IngestError, IngestOptions, Reading};

/// The most that a child may print about its fault, in bytes; more is cut.
const COMPLAINT_BYTES: u64 = 64 * 1024;
/// The longest time that a child that has answered may take to end.
const FAREWELL: Duration = Duration::from_secs(5);

/// The settings for reading files in processes of their own.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// The program and the arguments that make it call [`serve`](super::serve).
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
        let no_child = |source| IngestError::NoChild { path: name.clone(), source };
        let request = Request {
            root: root.to_owned(),
            path: path.to_owned(),
            options: options.clone(),
            memory_bytes: self.memory_bytes,
        };
        let request = serde_json::to_vec(&request).map_err(io::Error::from).map_err(no_child)?;
        let mut child = self.spawn().map_err(no_child)?;
        let answer = converse(child.as_mut(), request, self.time);
        if answer.is_none() {
            // The whole group: a reader may have started a program of its own.
            child.kill().map_err(no_child)?;
            return Err(IngestError::TooSlow { path: name, limit: self.time });
        }
        let status = ended(child.as_mut()).map_err(no_child)?;
        let (reply, complaint) = answer.unwrap_or_default();
        if status.success()
            && let Ok(reply) = serde_json::from_slice(&reply)
        {
            return Ok(reply);
        }
        Err(self.fault(name, status, &complaint))
    }

    fn spawn(&self) -> io::Result<Box<dyn ChildWrapper>> {
        let (program, arguments) = &self.command;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(JobObject);
        command.spawn()
    }

    fn fault(&self, path: String, status: ExitStatus, complaint: &[u8]) -> IngestError {
        let complaint = String::from_utf8_lossy(complaint);
        if complaint.contains("memory allocation of") {
            return IngestError::TooMuchMemory { path, limit_bytes: self.memory_bytes };
        }
        let reason = if complaint.contains("has overflowed its stack") {
            "it is nested too deep".to_owned()
        } else {
            let last = complaint.lines().rev().find(|line| !line.trim().is_empty());
            last.map_or_else(|| status.to_string(), |line| line.trim().to_owned())
        };
        IngestError::ReaderFailed { path, reason }
    }
}

/// Sends the request and takes answer and complaints; `None` where the time runs out.
fn converse(
    child: &mut dyn ChildWrapper,
    request: Vec<u8>,
    time: Duration,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let deadline = Instant::now() + time;
    if let Some(mut stdin) = child.stdin().take() {
        // A child that ended already does not listen; its status says why.
        thread::spawn(move || drop(stdin.write_all(&request)));
    }
    let answer = collect(child.stdout().take(), u64::MAX);
    let complaint = collect(child.stderr().take(), COMPLAINT_BYTES);
    Some((receive(&answer, deadline)?, receive(&complaint, deadline)?))
}

/// Reads a stream to its end on a thread of its own, and keeps at most `limit` bytes of it.
fn collect(stream: Option<impl Read + Send + 'static>, limit: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What was read before a stream broke says more than that it broke.
            let _broken = stream.by_ref().take(limit).read_to_end(&mut bytes);
            let _rest = io::copy(&mut stream, &mut io::sink());
        }
        // Nobody waits any longer where the time ran out.
        let _late = sender.send(bytes);
    });
    receiver
}

fn receive(stream: &Receiver<Vec<u8>>, deadline: Instant) -> Option<Vec<u8>> {
    match stream.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(bytes) => Some(bytes),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(Vec::new()),
    }
}

/// The status of a child whose streams have ended.
fn ended(child: &mut dyn ChildWrapper) -> io::Result<ExitStatus> {
    let deadline = Instant::now() + FAREWELL;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() > deadline {
            child.kill()?;
            return child.wait();
        }
        thread::sleep(Duration::from_millis(1));
    }
}
