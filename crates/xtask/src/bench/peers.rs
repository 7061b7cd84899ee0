//! The other engines: pinned, in the cache folder, never in the checkout.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{Log, answers};
use crate::setup::{self, NodePackages};
use crate::workspace::Workspace;

const SOURCE: &str = "benches/model";
const REQUIREMENTS: &str = "requirements.txt";
const COMPLETE: &str = "complete.txt";

/// The paths of the peers.
pub struct Peers {
    pub python: PathBuf,
    node_packages: PathBuf,
}

/// Installs what is missing or of another version than the pinned one.
pub fn install(workspace: &Workspace) -> Result<Peers> {
    let node_packages = workspace.tools().join("bench-node");
    setup::node_packages(
        workspace,
        &NodePackages {
            source: Path::new(SOURCE),
            folder: &node_packages,
            what: "Node.js packages (onnxruntime-web, wllama, node-llama-cpp)",
            effort: "installing (about 250 MB on disk)",
            // Not `ci`, which wants optional packages in the lock file even when they are omitted:
            // here they are 640 MB of builds for other devices.
            words: &["install", "--omit=optional", "--no-save"],
        },
    )?;
    Ok(Peers { python: python(workspace)?, node_packages })
}

impl Peers {
    /// Tells the scripts where the peers are.
    pub fn environment(&self, command: &mut Command) {
        command.env("CAMPANILE_BENCH_PYTHON", &self.python);
        command.env("CAMPANILE_BENCH_PEERS", &self.node_packages);
    }
}

/// The Python of a virtual environment that holds the pinned packages.
fn python(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.tools().join("bench-python");
    let program = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let requirements = workspace.root.join(SOURCE).join(REQUIREMENTS);
    let wanted = fs::read(&requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    let complete = folder.join(COMPLETE);
    setup::provide(
        "Python packages (onnxruntime, onnx)",
        fs::read(&complete).is_ok_and(|installed| installed == wanted),
        "installing (about 200 MB on disk)",
        || {
            if !answers(workspace.program("python3").args(["-c", "import venv, ensurepip"])) {
                bail!(
                    "`python3` with its `venv` module is needed: on Debian, `apt-get install python3-venv`"
                );
            }
            let log = Log::create(&workspace.logs(), "bench-python")?;
            log.run(workspace.program("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
            let mut pip = workspace.program(&program);
            pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--requirement"]);
            log.run(pip.arg(&requirements))?;
            fs::write(&complete, &wanted)?;
            Ok(())
        },
    )?;
    Ok(program)
}
