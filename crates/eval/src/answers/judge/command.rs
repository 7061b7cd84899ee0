use std::ffi::OsString;
use std::io;
use std::process::Command;
use std::time::Duration;

use campanile_ingest::child::{self, Ended};

use super::{Exhibit, Judge, JudgeError, Verdict};

/// A verdict is no longer; more is not read.
// A verdict takes some hundred bytes. A command that prints without end (`yes`) must not fill the memory.
const REPLY_BYTES: u64 = 64 * 1024;
/// So much of what a command complains about is kept for its error message: the end.
const COMPLAINT_BYTES: usize = 2000;

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
        let mut command = Command::new(program);
        command.args(arguments);
        let ended = child::ask(command, request, self.limit, REPLY_BYTES).map_err(run)?;
        let Some(Ended { status, reply, complaint }) = ended else {
            return Err(JudgeError::TooSlow { program: name(), limit: self.limit });
        };
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

fn tail(complaint: &[u8]) -> String {
    let end = &complaint[complaint.len().saturating_sub(COMPLAINT_BYTES)..];
    let text = String::from_utf8_lossy(end);
    let text = text.trim();
    if text.is_empty() { "it wrote nothing to standard error".to_owned() } else { text.to_owned() }
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
