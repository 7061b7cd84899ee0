//! The waiting of a first visit: on a slow line, which this measures out itself, and on one as fast as the machine.

use std::process::ExitCode;

use anyhow::Result;

use super::report::WaitingTable;
use super::{announce, results, sample_site};
use crate::files;
use crate::setup;
use crate::workspace::Workspace;

/// The text that `cargo xtask bench page --help` prints.
pub const HELP: &str = "\
Measures what a first visit to the sample campus waits for

Usage: cargo xtask bench page

The page is opened with a question in its address: how long until the first passages, the answer and
until all is kept for offline use, how many bytes and requests. On a slow line (180 kB a second over
all connections, 562 ms from a request to its first byte) and on one as fast as the machine; three
visits each, about ten minutes. The waterfall of the first visit is printed.

The table goes into docs/reference/performance.md, all requests into bench/page.json of the target
folder.";

/// Builds the site, visits it and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let site = sample_site(workspace)?;
    let machine = announce(workspace);
    let out = results(workspace, "page.json")?;
    let mut node = workspace.program("node");
    node.arg("benches/page/waiting.js").arg(site).arg(&out);
    node.env("CAMPANILE_NODE_TOOLS", workspace.node_tools());
    node.env("CAMPANILE_CHROMIUM", setup::browser::provide(workspace)?.chromium);
    let log = workspace.log("bench-page")?;
    log.run(&mut node)?;
    println!("{}", files::read_text(log.path())?);
    let table = WaitingTable::read(&out)?;
    println!("{}", table.markdown()?);
    table.write_into(&workspace.root, &machine)?;
    Ok(ExitCode::SUCCESS)
}
