//! The packages for npm that are the same on every system: what other programs and pages use of a site, and
//! `@campanile/cli`, which runs the command of the package that a release has for each system.

use anyhow::Result;

use crate::release;
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
    println!("{}", release::pack_main(workspace, &workspace.root.join("pkg/npm"))?.display());
    Ok(())
}
