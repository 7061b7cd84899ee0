use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{io, thread};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

use super::{Exhibit, Judge, JudgeError, Verdict};

/// A verdict is no longer; more is not read.
// A verdict takes some hundred bytes. A command that prints without end (`yes`) must not fill the memory; the rest is read
// and dropped, since a command whose pipe is full never ends.
const REPLY_BYTES: u64 = 64 * 1024;
/// So much of what a command complains about is kept for its error message: the end.
const COMPLAINT_BYTES: usize = 2000;
/// Nothing is waited for longer, whatever the limit.
// `Instant` overflows, and panics, when a limit of many years is added to it.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest time that a command that has answered may take to end.
// Its streams are closed, so the verdict is there: this is for a child that it left behind, which should not hold up the
// next question.
const FAREWELL: Duration = Duration::from_secs(5);

/// A judge that is a program of the user's.
///
/// It is started once for each answer, without a shell; it reads the [`Exhibit`] from standard
/// input as one JSON object (`question`, `gold`, `answer`, `context`) and writes a [`Verdict`] to
/// standard output, read as [`Verdict::parse`] says.
#[derive(Debug, Clone)]
pub struct CommandJudge {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// The longest time it may take for one answer; a day at most.
    pub limit: Duration,
}

impl Judge for CommandJudge {
    fn judge(&self, exhibit: &Exhibit<'_>) -> Result<Verdict, JudgeError> {
        let (program, arguments) = self.command.split_first().ok_or(JudgeError::NoCommand)?;
        let name = || program.to_string_lossy().into_owned();
        let run = |source| JudgeError::Run { program: name(), source };
        let request = serde_json::to_vec(exhibit).map_err(io::Error::from).map_err(run)?;
        let mut child = spawn(program, arguments).map_err(run)?;
        let deadline = Instant::now() + self.limit.min(LONGEST);
        let Some((reply, complaint)) = converse(child.as_mut(), request, deadline) else {
            // The whole group: it may have started a program of its own.
            child.kill().map_err(run)?;
            return Err(JudgeError::TooSlow { program: name(), limit: self.limit });
        };
        let status = ended(child.as_mut()).map_err(run)?;
        if !status.success() {
            let complaint = tail(&complaint);
            return Err(JudgeError::Failed {
                program: name(),
                status: status.to_string(),
                complaint,
            });
        }
        Verdict::parse(&String::from_utf8_lossy(&reply))
    }
}

fn spawn(program: &OsString, arguments: &[OsString]) -> io::Result<Box<dyn ChildWrapper>> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(JobObject);
    command.spawn()
}

/// Sends the request and takes reply and complaint; `None` where the time runs out.
fn converse(
    child: &mut dyn ChildWrapper,
    request: Vec<u8>,
    deadline: Instant,
) -> Option<(Vec<u8>, Vec<u8>)> {
    if let Some(mut stdin) = child.stdin().take() {
        // A command that does not read is judged by what it writes.
        thread::spawn(move || drop(stdin.write_all(&request)));
    }
    let reply = on_thread(child.stdout().take(), read_beginning);
    let complaint = on_thread(child.stderr().take(), read_end);
    Some((receive(&reply, deadline)?, receive(&complaint, deadline)?))
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

/// The first bytes of a stream, which is read to its end.
fn read_beginning(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What was read before a stream broke says more than that it broke.
    let _broken = stream.by_ref().take(REPLY_BYTES).read_to_end(&mut bytes);
    let _rest = io::copy(&mut stream, &mut io::sink());
    bytes
}

/// The last bytes of a stream.
fn read_end(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut block = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut block) {
        bytes.extend_from_slice(&block[..length]);
        let surplus = bytes.len().saturating_sub(COMPLAINT_BYTES);
        bytes.drain(..surplus);
    }
    bytes
}

fn tail(complaint: &[u8]) -> String {
    let text = String::from_utf8_lossy(complaint);
    let text = text.trim();
    if text.is_empty() { "it wrote nothing to standard error".to_owned() } else { text.to_owned() }
}

fn receive(stream: &Receiver<Vec<u8>>, deadline: Instant) -> Option<Vec<u8>> {
    match stream.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(bytes) => Some(bytes),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(Vec::new()),
    }
}

/// The status of a command whose streams have ended.
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

#[cfg(all(test, unix))]
mod tests {
    use std::time::{Duration, Instant};

    use super::{CommandJudge, Exhibit, Judge, JudgeError, Verdict};

    fn judge(script: &str, limit: Duration) -> Result<Verdict, JudgeError> {
        let command = ["sh", "-c", script].map(Into::into).to_vec();
        let exhibit = Exhibit {
            question: "When?",
            gold: &["May 3", "3 May"],
            answer: "May „3“\nor so",
            context: &["It is on May 3."],
        };
        CommandJudge { command, limit }.judge(&exhibit)
    }

    const ENOUGH: Duration = Duration::from_secs(20);

    #[test]
    fn a_command_reads_the_exhibit_and_gives_a_verdict() {
        // Right where all of the exhibit is there, on one line.
        let script = r#"read -r line; case "$line" in
            '{"question":"When?","gold":["May 3","3 May"],"answer":"May „3“\nor so","context":["It is on May 3."]}')
            found=true;; *) found=false;; esac
            printf '{"correct": %s, "score": 0.5, "reason": "read"}\n' "$found""#;
        let script = script.replace("read -r line;", "line=$(cat);");
        let verdict = judge(&script, ENOUGH);
        assert!(verdict.is_ok_and(|verdict| verdict.correct && verdict.reason == "read"));
    }

    #[test]
    fn a_command_that_fails_says_why() {
        let script = "i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done; exit 3";
        match judge(script, ENOUGH) {
            Err(JudgeError::Failed { status, complaint, .. }) => {
                assert!(status.contains('3') && complaint.ends_with("line 2999"), "{complaint}");
                assert!(complaint.len() <= super::COMPLAINT_BYTES);
            }
            other => assert!(matches!(other, Err(JudgeError::Failed { .. })), "{other:?}"),
        }
    }

    #[test]
    fn a_command_that_takes_too_long_is_ended_with_what_it_started() {
        let started = Instant::now();
        let verdict = judge("sleep 60 & sleep 60", Duration::from_millis(200));
        assert!(matches!(verdict, Err(JudgeError::TooSlow { .. })), "{verdict:?}");
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn anything_but_a_verdict_is_none() {
        let verdict = judge("echo perhaps", ENOUGH);
        assert!(matches!(verdict, Err(JudgeError::NoVerdict { .. })), "{verdict:?}");
        let verdict = judge("yes | head -c 1000000", ENOUGH);
        assert!(matches!(verdict, Err(JudgeError::NoVerdict { .. })), "too much");
    }

    #[test]
    fn no_command_and_no_program_are_errors() {
        let judge = |command| CommandJudge { command, limit: ENOUGH };
        let exhibit = Exhibit { question: "", gold: &[], answer: "", context: &[] };
        assert!(matches!(judge(Vec::new()).judge(&exhibit), Err(JudgeError::NoCommand)));
        let missing = judge(vec!["/no/such/program".into()]).judge(&exhibit);
        assert!(matches!(missing, Err(JudgeError::Run { .. })));
    }
}
