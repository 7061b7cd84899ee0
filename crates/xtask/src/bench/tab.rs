//! Random questions in one tab: does its memory grow, does it say anything else than the terminal?

use std::process::ExitCode;

use anyhow::Result;

use super::report::TabTable;
use super::{announce, results, sample_site};
use crate::test;
use crate::workspace::Workspace;

/// The text that `cargo xtask bench tab --help` prints.
pub const HELP: &str = "\
Asks random questions in one tab, and measures its memory

Usage: cargo xtask bench tab [MINUTES]

The questions of the sample campus, and each with a word less or two words exchanged, for an hour or
as long as is said. Each answer is compared with the terminal's, and the console has to stay quiet.

The table goes into docs/reference/performance.md, all figures into bench/tab.json of the target
folder.";

/// Builds the site, asks and writes the table.
pub fn run(workspace: &Workspace, minutes: u32) -> Result<ExitCode> {
    let site = sample_site(workspace)?;
    let machine = announce(workspace);
    let out = results(workspace, "tab.json")?;
    let mut node = test::page_program(workspace)?;
    node.arg("benches/page/hour.js").arg(site);
    node.arg("samples/questions.jsonl").arg(minutes.to_string()).arg(&out);
    workspace.log("bench-tab")?.run(&mut node)?;
    let table = TabTable::read(&out)?;
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;
    Ok(ExitCode::SUCCESS)
}
