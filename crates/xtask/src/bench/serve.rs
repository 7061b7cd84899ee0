//! `campanile serve` under load, beside other servers of files.

use std::process::ExitCode;

use anyhow::Result;

use super::report::LoadTable;
use super::{announce, results, sample_site};
use crate::setup;
use crate::workspace::Workspace;

/// The text that `cargo xtask bench serve --help` prints.
pub const HELP: &str = "\
Measures `campanile serve` under load, beside other servers of files

Usage: cargo xtask bench serve

Two hundred connections ask for the files of the sample campus, one after the other, for eight
seconds; then once more while a hundred others ask and take nothing, or never finish their question.
The same of Python's server and of static-web-server, which is compiled for it (some minutes the
first time).

The table goes into docs/reference/performance.md, all figures into bench/serve.json of the target
folder.";

/// Builds the site, serves it and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let site = sample_site(workspace)?;
    setup::install_static_server(workspace)?;
    let machine = announce(workspace);
    let out = results(workspace, "serve.json")?;
    let mut node = workspace.program("node");
    node.arg("benches/serve/load.js").arg(site).arg(&out);
    node.env("CAMPANILE_COMMAND", workspace.command());
    node.env("CAMPANILE_STATIC_SERVER", setup::static_server_program(workspace));
    workspace.log("bench-serve")?.run(&mut node)?;
    let table = LoadTable::read(&out)?;
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;
    Ok(ExitCode::SUCCESS)
}
