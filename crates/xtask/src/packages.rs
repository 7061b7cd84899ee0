//! The packages for npm: what other programs and pages use of a site.

use anyhow::Result;

use crate::setup;
use crate::web::{self, WebOptions};
use crate::workspace::Workspace;

/// Builds the browser modules and puts the packages together from them, in `pkg/npm`.
pub fn run(workspace: &Workspace) -> Result<()> {
    setup::for_web(workspace)?;
    web::build(workspace, &WebOptions::default())?;
    let log = workspace.log("packages")?;
    let mut node = workspace.program("node");
    node.arg("web/packages/assemble.js").arg(setup::node_tool(workspace, "tsc"));
    log.run(&mut node)?;
    // Below the line that repeats the command.
    for line in log.text()?.lines().skip(1) {
        println!("{line}");
    }
    Ok(())
}
