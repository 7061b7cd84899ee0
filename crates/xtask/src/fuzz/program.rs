//! The program of one target: built once, run for a while, its corpus kept.

use std::env::consts::ARCH;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::report::{Figures, Outcome};
use super::{Folders, emptied};
use crate::files;
use crate::process::Log;
use crate::setup;
use crate::workspace::Workspace;

/// The longest input, in bytes: room for a small package, and the fuzzer stays quick.
const LONGEST_BYTES: usize = 20_000;
/// The longest time that one input may take, in seconds. A sanitized program is some ten times slower than
/// the one that ships.
const LONGEST_SECONDS: u64 = 20;
/// The most memory that one program may take, in megabytes, sanitizer included.
const MOST_MEGABYTES: usize = 3_000;

/// A built target.
pub struct Program {
    name: String,
    path: PathBuf,
    corpus: PathBuf,
    findings: PathBuf,
    scratch: PathBuf,
    dictionary: Option<PathBuf>,
    log: PathBuf,
}

/// Builds the programs of the targets.
pub fn build(
    workspace: &Workspace,
    folders: &Folders,
    targets: &[String],
    log: &Log,
) -> Result<Vec<Program>> {
    let mut cargo = setup::cargo_fuzz(workspace);
    cargo.args(["fuzz", "build", "--fuzz-dir", "crates/fuzz", "--features", "libfuzzer"]);
    // Optimised, and with the checks of overflow and of `debug_assert!`.
    cargo.args(["--release", "--debug-assertions", "--target-dir"]).arg(folders.target());
    log.run(&mut cargo)?;
    let built = folders.target().join(format!("{ARCH}-unknown-linux-gnu")).join("release");
    let dictionaries = workspace.root.join("crates/fuzz/dictionaries");
    files::make_folder(&workspace.logs())?;
    let program = |name: &String| {
        let dictionary = dictionaries.join(format!("{name}.dict"));
        Program {
            name: name.clone(),
            path: built.join(name),
            corpus: folders.corpus(name),
            findings: folders.findings(name),
            scratch: folders.scratch(name),
            dictionary: dictionary.exists().then_some(dictionary),
            log: workspace.logs().join(format!("fuzz-{name}.log")),
        }
    };
    Ok(targets.iter().map(program).collect())
}

impl Program {
    /// Adds the seeds, and what earlier runs kept, to the corpus.
    pub fn unpack(&self, workspace: &Workspace, log: &Log) -> Result<()> {
        log.run(&mut self.corpora(workspace, "unpack", &self.corpus))
    }

    /// Lets the fuzzer look for `seconds`.
    pub fn run(&self, seconds: u64) -> Result<Outcome> {
        emptied(&self.findings)?;
        let mut command = self.command(&self.corpus)?;
        command.arg(format!("-max_total_time={seconds}"));
        if let Some(dictionary) = &self.dictionary {
            command.arg(format!("-dict={}", dictionary.display()));
        }
        command.arg(&self.corpus);
        let status = command.status().with_context(|| self.cannot_run())?;
        let text = files::read(&self.log)?;
        let figures = Figures::read(&String::from_utf8_lossy(&text));
        let mut findings = files::list(&self.findings)?;
        if !status.success() && findings.is_empty() {
            // The program itself could not go on: its log says why.
            findings.push(self.log.clone());
        }
        Ok(Outcome {
            target: self.name.clone(),
            program: self.path.clone(),
            log: self.log.clone(),
            figures,
            findings,
        })
    }

    /// Keeps in the checkout the fewest inputs that reach all the code that the corpus does.
    pub fn keep(&self, workspace: &Workspace, log: &Log) -> Result<()> {
        emptied(&self.scratch)?;
        let mut merge = self.command(&self.corpus)?;
        // Only what reaches new code goes into the checkout, where every test run reads it.
        merge.arg("-merge=1").arg(&self.scratch).arg(&self.corpus);
        merge.stdout(Stdio::null()).stderr(Stdio::null());
        log.run(&mut merge)?;
        log.run(&mut self.corpora(workspace, "keep", &self.scratch))?;
        files::remove_folder(&self.scratch)
    }

    /// The program with its limits, its output in its log.
    fn command(&self, corpus: &Path) -> Result<Command> {
        files::make_folder(corpus)?;
        files::make_folder(&self.findings)?;
        let log = File::create(&self.log).with_context(|| self.cannot_run())?;
        let mut command = Command::new(&self.path);
        command.args([
            format!("-max_len={LONGEST_BYTES}"),
            format!("-timeout={LONGEST_SECONDS}"),
            format!("-rss_limit_mb={MOST_MEGABYTES}"),
            format!("-artifact_prefix={}/", self.findings.display()),
            "-print_final_stats=1".to_owned(),
        ]);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        Ok(command)
    }

    fn corpora(&self, workspace: &Workspace, job: &str, folder: &Path) -> Command {
        let mut cargo = workspace.cargo();
        cargo.args(["run", "--release", "-p", "campanile-fuzz", "--example", "corpora", "--"]);
        cargo.arg(job).arg(&self.name).arg(folder);
        cargo
    }

    fn cannot_run(&self) -> String {
        format!("cannot run {}", self.path.display())
    }
}
