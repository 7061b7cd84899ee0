//! Another program in a process of its own, which is asked one thing and given so much time.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;

/// The end of a child's complaints that is kept, in bytes.
// The last line says what happened; a program that prints without end must not fill our memory.
const COMPLAINT_BYTES: usize = 64 * 1024;
/// The longest time that a child that has answered may take to end.
// Its streams are closed, so its answer is there: this is for one that it left behind.
const FAREWELL: Duration = Duration::from_secs(5);
/// Nothing is waited for longer, whatever the limit.
// `Instant` overflows, and panics, when a limit of many years is added to it.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The status and the output of a child that ended in time.
#[derive(Debug)]
pub struct Ended {
    /// The exit status.
    pub status: ExitStatus,
    /// The beginning of its standard output.
    pub reply: Vec<u8>,
    /// The end of its standard error.
    pub complaint: Vec<u8>,
}

/// Starts a program, writes `request` to its standard input and waits until it has ended; `None` where it takes
/// longer than `time`. It is ended then, with all that it started. At most `reply_bytes` of what it prints are kept.
///
/// # Errors
/// Where the program cannot be started, or not be ended.
pub fn ask(
    mut command: Command,
    request: Vec<u8>,
    time: Duration,
    reply_bytes: u64,
) -> io::Result<Option<Ended>> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(JobObject);
    let mut child = command.spawn()?;
    let deadline = Instant::now() + time.min(LONGEST);
    if let Some(mut stdin) = child.stdin().take() {
        // A child that ended already does not listen; its status says why.
        thread::spawn(move || drop(stdin.write_all(&request)));
    }
    // On threads: a child that fills one pipe while we wait at the other would hang with us.
    let reply = on_thread(child.stdout().take(), move |stream| beginning(stream, reply_bytes));
    let complaint = on_thread(child.stderr().take(), end);
    let streams = || Some((receive(&reply, deadline)?, receive(&complaint, deadline)?));
    let Some((reply, complaint)) = streams() else {
        // The whole group: it may have started a program of its own.
        child.kill()?;
        return Ok(None);
    };
    Ok(Some(Ended { status: ended(child.as_mut())?, reply, complaint }))
}

fn on_thread<R: Read + Send + 'static>(
    stream: Option<R>,
    read: impl FnOnce(R) -> Vec<u8> + Send + 'static,
) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        // Nobody waits any longer where the time ran out.
        let _late = sender.send(stream.map(read).unwrap_or_default());
    });
    receiver
}

/// The first bytes of a stream, which is read to its end: a program whose pipe is full never ends.
fn beginning(mut stream: impl Read, most_bytes: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What was read before a stream broke says more than that it broke.
    let _broken = stream.by_ref().take(most_bytes).read_to_end(&mut bytes);
    let _rest = io::copy(&mut stream, &mut io::sink());
    bytes
}

/// The last bytes of a stream.
fn end(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut block = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut block) {
        bytes.extend_from_slice(&block[..length]);
        let surplus = bytes.len().saturating_sub(COMPLAINT_BYTES);
        bytes.drain(..surplus);
    }
    bytes
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
        // Its streams have ended, so it is about to end as well.
        thread::sleep(Duration::from_millis(1));
    }
}
