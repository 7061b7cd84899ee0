//! Archive, wheel and package for npm, each taken by someone who has nothing else of ours and no compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::targets::Target;
use super::{VERSION, archive, npm, wheel, work_folder};
use crate::files;
use crate::process;
use crate::workspace::Workspace;

/// The documents that each way builds a site of.
const CAMPUS: &str = "samples/campus";
/// A question about them, and the words that answer it.
const QUESTION: &str = "Until when can I register for the January examinations?";
const ANSWER: &str = "4 December 2026";
/// The day on which it is asked: what has passed is answered otherwise.
const TODAY: &str = "2026-11-20";

/// Jobs that a command compiled for a demo may lack, and one of a release has.
const OF_A_RELEASE: [&str; 4] = ["eval", "export", "passages", "questions"];

/// Takes each way from the compiled command to a site of the sample campus, in an empty folder.
pub fn try_all(workspace: &Workspace) -> Result<()> {
    let compiled = workspace.command();
    let target = Target::host(workspace)?;
    let packed = archive::pack(workspace, &compiled, target)?;
    let way = Way::new(workspace, "archive")?;
    let command = archive::unpack(&packed, target, &way.folder)?;
    way.tried(&command, Command::new(&command), &compiled)?;

    let packed = wheel::pack(workspace, &compiled, target)?;
    let way = Way::new(workspace, "wheel")?;
    let command = wheel::install(workspace, &packed, &way.folder)?;
    way.tried(&command, Command::new(&command), &compiled)?;

    let platform = npm::pack_platform(workspace, &compiled, target)?;
    let way = Way::new(workspace, "npm")?;
    let main = npm::pack_main(workspace, &way.folder)?;
    let script = npm::install(workspace, &[main, platform], &way.folder)?;
    ensure!(way.folder.join("node_modules/.bin/campanile").exists(), "npm linked no command");
    let command = npm::command_beside(&script, target)?;
    // By its path, since nothing is on the path.
    let node = process::output(workspace.program("node").args(["-p", "process.execPath"]))?;
    let mut node = Command::new(node.trim());
    node.arg(script);
    way.tried(&command, node, &compiled)
}

/// One of the ways, in a folder of its own.
struct Way {
    name: &'static str,
    folder: PathBuf,
    documents: PathBuf,
}

impl Way {
    fn new(workspace: &Workspace, name: &'static str) -> Result<Self> {
        let folder = work_folder(workspace, &format!("tried-{name}"))?;
        Ok(Self { name, folder, documents: workspace.root.join(CAMPUS) })
    }

    /// Has `program` build a site and answer from it, where it ends in the file `command`, which has to be the command
    /// that was `compiled`.
    fn tried(self, command: &Path, program: Command, compiled: &Path) -> Result<()> {
        let name = self.name;
        // Not to be known from how it runs: a packer that strips or patches it, or packs an older one.
        ensure!(
            files::holds(command, files::read(compiled)?),
            "{} of the {name} is not the compiled command",
            command.display()
        );
        self.build_and_ask(&program).with_context(|| format!("what came by the {name}"))?;
        files::remove_folder(&self.folder)
    }

    fn build_and_ask(&self, program: &Command) -> Result<()> {
        let version = self.run(program, &["--version"])?;
        ensure!(version.trim() == format!("campanile {VERSION}"), "it says {version}");
        for job in OF_A_RELEASE {
            self.run(program, &[job, "--help"])?;
        }
        let documents = self.documents.to_str().context("a path is not valid Unicode")?;
        self.run(program, &["build", documents, "-o", "site"])?;
        for file in ["index.html", "campanile.json", "campanile/pkg/core/campanile_core_bg.wasm"] {
            ensure!(self.folder.join("site").join(file).is_file(), "its site lacks {file}");
        }
        let answer = self.run(program, &["ask", "site", QUESTION, "--today", TODAY])?;
        ensure!(answer.contains(ANSWER), "its site answers otherwise:\n{answer}");
        Ok(())
    }

    /// Runs the program on a path on which nothing is installed: neither a compiler nor Node.js.
    fn run(&self, program: &Command, arguments: &[&str]) -> Result<String> {
        let mut run = Command::new(program.get_program());
        run.args(program.get_args()).args(arguments).current_dir(&self.folder).env_clear();
        // The models' cache is found through these; nothing that is installed is.
        for name in ["HOME", "XDG_CACHE_HOME", "CAMPANILE_MODELS", "LOCALAPPDATA", "SystemRoot"] {
            if let Some(value) = std::env::var_os(name) {
                run.env(name, value);
            }
        }
        process::output(run.env("PATH", ""))
    }
}
