//! Runs programs with their output in a log file and a sign of life on the terminal.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::files;

const POLL: Duration = Duration::from_millis(50);
/// The time after which a person at the terminal begins to wonder.
const SIGN_OF_LIFE: Duration = Duration::from_secs(20);
const LINES_SHOWN: usize = 60;
/// Enough for [`LINES_SHOWN`] lines of a compiler, in a log of any length.
const TAIL_BYTES: u64 = 64 * 1024;

/// The log of one step: every program the step runs writes into the same file.
pub struct Log {
    path: PathBuf,
}

impl Log {
    /// Starts an empty log named after `step` in `folder`.
    pub fn create(folder: &Path, step: &str) -> Result<Self> {
        files::make_folder(folder)?;
        let name: String = step
            .chars()
            .map(|character| if character.is_ascii_alphanumeric() { character } else { '-' })
            .collect();
        let path = folder.join(format!("{name}.log"));
        File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path })
    }

    /// Runs a program to its end. When it fails, the error holds the end of what it wrote.
    pub fn run(&self, command: &mut Command) -> Result<()> {
        let status = self.status(command)?;
        if !status.success() {
            bail!("`{}` {}\n{}", command_line(command), told_end(status), self.failure());
        }
        Ok(())
    }

    /// Runs a program to its end and gives its exit status, whatever it is.
    pub fn status(&self, command: &mut Command) -> Result<ExitStatus> {
        let line = command_line(command);
        // At its end, where the program before this one stopped.
        let mut log = File::options().append(true).open(&self.path)?;
        writeln!(log, "$ {line}")?;
        let mut child = command
            // A question that nobody sees would be waited for without end.
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| cannot_run(command))?;
        let (start, mut next) = (Instant::now(), SIGN_OF_LIFE);
        loop {
            // Asked again and again: waiting would leave no time for a sign of life.
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if start.elapsed() >= next {
                next += SIGN_OF_LIFE;
                let last = self.last_lines(1)?;
                println!("      {:>4} s  {}", start.elapsed().as_secs(), shortened(last.trim()));
            }
            thread::sleep(POLL);
        }
    }

    /// Everything written so far.
    pub fn text(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&files::read(&self.path)?).into_owned())
    }

    /// The log file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The end of the log and where the whole of it is, for an error message.
    pub fn failure(&self) -> String {
        let tail = self.last_lines(LINES_SHOWN).unwrap_or_default();
        let indented: String = tail.lines().map(|line| format!("    | {line}\n")).collect();
        format!("{indented}    the whole log: {}", self.path.display())
    }

    fn last_lines(&self, count: usize) -> Result<String> {
        let mut file = File::open(&self.path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        Ok(lines[lines.len().saturating_sub(count)..].join("\n"))
    }
}

/// Runs a short program and gives what it wrote to standard output.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().with_context(|| cannot_run(command))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed ({})\n{}", command_line(command), output.status, complaint.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns `true` if a program is there and answers without an error.
pub fn answers(command: &mut Command) -> bool {
    output(command).is_ok()
}

/// The words for how a program ended. One that was killed leaves no reason, so the likeliest is named.
pub fn told_end(status: ExitStatus) -> String {
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&status) == Some(9) {
        return format!("ended with {status}, as by a lack of memory or a limit of time");
    }
    format!("ended with {status}")
}

fn cannot_run(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    format!("cannot run `{program}`: is it installed and on the PATH?")
}

fn command_line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(command.get_args().map(|word| word.to_string_lossy()));
    words.join(" ")
}

fn shortened(line: &str) -> String {
    // What fits on a line of a terminal, behind the time.
    line.chars().take(100).collect()
}
