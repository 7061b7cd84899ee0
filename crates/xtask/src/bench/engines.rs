//! The waiting of a visitor in each browser engine.

use std::process::ExitCode;

use anyhow::{Context, Result};

use super::{announce, report};
use crate::process::output;
use crate::setup;
use crate::test;
use crate::workspace::Workspace;

/// The text that `cargo xtask bench engines --help` prints.
pub const HELP: &str = "\
Measures how long a visitor waits in Chromium, Firefox and WebKit, in turns on this machine

Usage: cargo xtask bench engines

From opening the sample campus with a question, in an empty profile, to the first passages and to the
answer; and from a later question to its answer. The table goes into docs/reference/performance.md.
CAMPANILE_ENGINES names the engines that are measured, all of them where it is not set.";

/// Opens the page again and again, and prints the versions and a table.
const SCRIPT: &str = "tests/browser/engine-times.js";

/// Measures all engines that were chosen, and writes the table into the document.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    setup::everything(workspace)?;
    let mut node = test::engines_program(workspace)?;
    let machine = announce(workspace);
    println!("bench   eight rounds, some minutes");
    let table = output(node.arg(SCRIPT)).context("the engines could not be measured")?;
    println!("\n{table}");
    let section = format!("\n`cargo xtask bench engines` on {}; {table}\n", machine.line());
    report::write_section(&workspace.root, "engines", &section)?;
    Ok(ExitCode::SUCCESS)
}
