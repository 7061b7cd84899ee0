//! The native command.

use anyhow::Result;

use crate::process::Log;
use crate::workspace::{Workspace, native_packages};

/// Compiles `campanile` with `pkg/`, `web/` and `www/` inside.
pub fn command(workspace: &Workspace) -> Result<()> {
    println!("build   the campanile command (some minutes the first time)");
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--release", "--locked", "--bin", "campanile"]);
    Log::create(&workspace.logs(), "build-command")?.run(native_packages(&mut cargo))
}
