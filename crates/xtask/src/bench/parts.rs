//! A build in parts, on a cluster of several workers of which one is killed.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use super::report::PartsTable;
use super::{announce, results};
use crate::campanile;
use crate::files;
use crate::setup::{self, PythonPackages};
use crate::workspace::Workspace;

/// The text that `cargo xtask bench parts --help` prints.
pub const HELP: &str = "\
Builds the sample campus in parts on a local Ray cluster, and kills a worker in the middle

Usage: cargo xtask bench parts

`campanile passages` writes the sample campus in parts of 300 texts. Three Ray workers on this machine
embed them, through the script of deploy/parts (Daft on Ray); one is killed while it works, and its
part is done by another. The site of `campanile build --from` has to have the same bytes as that of a
plain build. Then all passages are embedded as one part on one core: what a part costs, so that more
machines can be planned (about 900 MB are installed the first time; Linux only).

The table goes into docs/reference/performance.md, all figures into bench/parts.json of the target
folder.";

/// Runs the trial and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    // The index alone: the page's modules are no part of what is compared.
    campanile::build(workspace)?;
    campanile::fetch_models(workspace)?;
    let python = setup::install_python_packages(
        workspace,
        &PythonPackages {
            requirements: Path::new("deploy/parts/requirements.txt"),
            folder: &workspace.tools().join("parts"),
            what: "Daft and Ray",
            effort: "installing (about 900 MB on disk, one to three minutes)",
        },
    )?;
    let machine = announce(workspace);
    let out = results(workspace, "parts.json")?;
    let work = workspace.target.join("parts");
    let mut trial = workspace.program(&python);
    trial.arg("benches/parts/trial.py").arg(workspace.command()).arg("samples/campus");
    workspace.log("bench-parts")?.run(trial.arg(&work).arg(&out))?;
    files::remove_folder(&work)?;
    let table = PartsTable::read(&out)?;
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;
    Ok(ExitCode::SUCCESS)
}
