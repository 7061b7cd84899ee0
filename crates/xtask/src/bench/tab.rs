//! Random questions in one tab: does its memory grow, does it say anything else than the terminal?

use std::process::ExitCode;

use anyhow::Result;

use super::announce;
use super::report::TabTable;
use crate::campanile::{self, DemoOptions};
use crate::files;
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
    campanile::demo(workspace, &DemoOptions { serve: false, ..DemoOptions::default() })?;
    let machine = announce(workspace);
    let results = workspace.target.join("bench");
    files::make_folder(&results)?;
    let out = results.join("tab.json");
    let mut node = test::page_program(workspace)?;
    node.arg("benches/page/hour.js").arg(workspace.cache.join("demo-site"));
    node.arg("samples/questions.jsonl").arg(minutes.to_string()).arg(&out);
    workspace.log("bench-tab")?.run(&mut node)?;
    let table = TabTable::read(&out)?;
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;
    Ok(ExitCode::SUCCESS)
}
