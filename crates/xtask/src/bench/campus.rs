//! A campus of twelve sites beside one site over all their documents.

use std::process::ExitCode;

use anyhow::Result;

use super::report::CampusTable;
use super::{announce, results};
use crate::setup;
use crate::workspace::Workspace;

/// The text that `cargo xtask bench campus --help` prints.
pub const HELP: &str = "\
Asks a campus of twelve sites what one site over all their documents is asked

Usage: cargo xtask bench campus

The sites are eleven handbooks of one kind and the sample campus, with twenty questions of each. It says how many sites
are asked, how often the passage that answers is among the first five, and what a question fetches; then the
same with one of the sites broken and one gone.

The table goes into docs/reference/performance.md, all figures into bench/campus.json of the target
folder.";

/// Builds the sites, asks them and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    setup::everything(workspace)?;
    let log = workspace.log("bench-campus")?;
    let build = ["build", "--release", "--locked", "--package", "campanile-campus"];
    log.run(workspace.cargo().args(build).args(["--example", "recall"]))?;
    let machine = announce(workspace);
    let out = results(workspace, "campus.json")?;
    let mut python = workspace.program("python3");
    python.arg("benches/campus/campus.py").arg(workspace.command());
    python.arg(workspace.target.join("release/examples/recall"));
    python.args(["training/data/handbooks", "samples"]);
    log.run(python.arg(workspace.target.join("campus")).arg(&out))?;
    let table = CampusTable::read(&out)?;
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;
    Ok(ExitCode::SUCCESS)
}
