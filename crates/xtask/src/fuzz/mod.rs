//! Fuzzing the readers of foreign bytes: see the first page of `crates/fuzz`.

mod program;
mod report;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;

use anyhow::{Result, anyhow, bail, ensure};

use crate::files;
use crate::setup;
use crate::workspace::Workspace;
use program::Program;
use report::Outcome;

/// The text that `cargo xtask fuzz --help` prints.
pub const HELP: &str = "\
Looks for bytes that break a reader, with libFuzzer and the address sanitizer

Usage: cargo xtask fuzz [TARGET...] [options]

Targets, all of them unless some are named: the folders of crates/fuzz/seeds.

Options:
  --seconds N          how long each target runs [default: 600]
  --jobs N             how many run at once [default: as many as there are processors]
  --record             keep what was found worth keeping: smaller corpora with the same coverage go
                       into crates/fuzz/corpora, the figures into docs/reference/fuzzing.md

A nightly compiler and `cargo-fuzz` are installed the first time; a C++ compiler has to be there.
A run goes on with the corpora of the last one, in the cache folder. An input that breaks a reader
is kept beside them, and the command line that reads it again is printed.";

/// The options of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct FuzzOptions {
    /// The targets; all when empty.
    pub targets: Vec<String>,
    /// Seconds for each.
    pub seconds: u64,
    /// The number of targets that run at once; as many as there are processors when `None`.
    pub jobs: Option<usize>,
    /// `true` if corpora and figures are kept in the checkout.
    pub record: bool,
}

impl Default for FuzzOptions {
    fn default() -> Self {
        Self { targets: Vec::new(), seconds: 600, jobs: None, record: false }
    }
}

/// Runs the targets. Fails when one of them found an input that breaks its reader.
pub fn run(workspace: &Workspace, options: &FuzzOptions) -> Result<ExitCode> {
    let targets = chosen(workspace, &options.targets)?;
    setup::for_fuzzing(workspace)?;
    let folders = Folders { root: workspace.cache.join("fuzz") };
    println!("fuzz    building {} programs: several minutes the first time", targets.len());
    let log = workspace.log("fuzz-build")?;
    let programs = program::build(workspace, &folders, &targets, &log)?;
    for program in &programs {
        // What seeds and earlier runs reach needs no second search.
        program.unpack(workspace, &log)?;
    }

    let jobs =
        options.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
    println!("fuzz    {} seconds each, {jobs} at once", options.seconds);
    // A queue rather than equal shares: some targets end early, by a finding.
    let queue: Mutex<VecDeque<&Program>> = Mutex::new(programs.iter().collect());
    let outcomes = thread::scope(|scope| {
        let worker = || work(&queue, options.seconds);
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        let mut all = Vec::new();
        for worker in workers {
            all.extend(worker.join().map_err(|_| anyhow!("a worker ended early"))??);
        }
        anyhow::Ok(all)
    })?;
    let outcomes = report::sorted(outcomes);
    println!("\n{}", report::table(&outcomes, options.seconds));
    for outcome in outcomes.iter().filter(|outcome| !outcome.findings.is_empty()) {
        println!("{}", report::finding(outcome));
    }
    let sound = outcomes.iter().all(|outcome| outcome.findings.is_empty());
    if options.record {
        ensure!(sound, "nothing is recorded while an input breaks a reader");
        for program in &programs {
            program.keep(workspace, &log)?;
        }
        report::write(&workspace.root, &outcomes, options.seconds)?;
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Takes one program after the other until none is left.
fn work(queue: &Mutex<VecDeque<&Program>>, seconds: u64) -> Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    loop {
        let next = queue.lock().map_err(|_| anyhow!("a worker ended early"))?.pop_front();
        let Some(program) = next else { return Ok(outcomes) };
        let outcome = program.run(seconds)?;
        println!("fuzz    {}", report::line(&outcome));
        outcomes.push(outcome);
    }
}

/// The targets by name, each of which has a folder of seeds.
fn chosen(workspace: &Workspace, names: &[String]) -> Result<Vec<String>> {
    let seeds = workspace.root.join("crates/fuzz/seeds");
    let folders = files::list(&seeds)?;
    let names_of = folders.iter().filter_map(|folder| folder.file_name());
    let mut known: Vec<_> = names_of.map(|name| name.to_string_lossy().into_owned()).collect();
    if names.is_empty() {
        return Ok(known);
    }
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no target `{name}`; the targets are: {}", known.join(", "));
    }
    known.retain(|name| names.contains(name));
    Ok(known)
}

/// The folders in which a run keeps things, outside the checkout.
pub struct Folders {
    root: PathBuf,
}

impl Folders {
    /// Compiled code, with the sanitizer in it.
    pub fn target(&self) -> PathBuf {
        self.root.join("target")
    }

    /// Returns the folder of the inputs that are known to reach new code, a file each.
    pub fn corpus(&self, target: &str) -> PathBuf {
        self.root.join("corpora").join(target)
    }

    /// Inputs that broke a reader.
    pub fn findings(&self, target: &str) -> PathBuf {
        self.root.join("findings").join(target)
    }

    /// A folder for a while.
    pub fn scratch(&self, target: &str) -> PathBuf {
        self.root.join("scratch").join(target)
    }
}

/// An empty folder.
pub fn emptied(folder: &Path) -> Result<()> {
    files::remove_folder(folder)?;
    files::make_folder(folder)
}
