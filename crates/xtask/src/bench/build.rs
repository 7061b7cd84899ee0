//! A build of very many documents, of which some are hostile.

use std::process::ExitCode;

use anyhow::Result;

use super::report::BuildTable;
use super::{announce, results};
use crate::files;
use crate::setup;
use crate::workspace::Workspace;

/// The text that `cargo xtask bench build --help` prints.
pub const HELP: &str = "\
Builds a site of very many documents, one in a hundred hostile

Usage: cargo xtask bench build [COUNT]

COUNT documents are made (100,000 unless another number is given): notices of one to three
sentences as Markdown, HTML, text and reStructuredText, and one in a hundred that nobody can read, of
thirteen kinds: cut, locked, too deep, a bomb. The build has to end, name each of those, and read all
others. Half an hour on two cores, and 2 GB on disk.

The table goes into docs/reference/performance.md, all figures into bench/build.json of the target
folder.";

/// Makes the documents, builds the site and writes the table.
pub fn run(workspace: &Workspace, count: u32) -> Result<ExitCode> {
    setup::everything(workspace)?;
    let machine = announce(workspace);
    let out = results(workspace, "build.json")?;
    let work = workspace.target.join("many-documents");
    let mut python = workspace.program("python3");
    python.arg("benches/build/many.py").arg(workspace.command()).arg(count.to_string());
    workspace.log("bench-build")?.run(python.arg(&work).arg(&out))?;
    files::remove_folder(&work)?;
    let table = BuildTable::read(&out)?;
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;
    Ok(ExitCode::SUCCESS)
}
