//! One target folder serves all checkouts, so our own packages in it belong to one at a time.
//!
//! Cargo tells packages apart by their place within the workspace and looks at file times. In a
//! second checkout it may take a test program of the first for fresh, with the first one's paths
//! inside: tests then look for their data in a folder that is another's, or gone.

use std::fs;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::process::output;
use crate::workspace::Workspace;

/// Names the checkout whose packages the target folder holds.
const OWNER: &str = "checkout.txt";

/// The kinds of build that jobs make.
const BUILDS: [&[&str]; 2] =
    [&["--release"], &["--profile", "browser", "--target", "wasm32-unknown-unknown"]];

/// Removes the workspace's own packages from the target folder when another checkout compiled
/// them; dependencies stay.
pub fn target(workspace: &Workspace) -> Result<()> {
    let owner = workspace.target.join(OWNER);
    let root = workspace.root.to_string_lossy();
    if fs::read_to_string(&owner).is_ok_and(|found| found == root) {
        return Ok(());
    }
    let packages = own_packages(workspace)?;
    for build in BUILDS {
        let mut clean = workspace.cargo();
        clean.arg("clean").arg("--quiet").args(build);
        for package in &packages {
            clean.args(["--package", package]);
        }
        output(&mut clean)?;
    }
    fs::create_dir_all(&workspace.target)
        .and_then(|()| fs::write(&owner, root.as_bytes()))
        .with_context(|| format!("cannot write {}", owner.display()))
}

fn own_packages(workspace: &Workspace) -> Result<Vec<String>> {
    let metadata =
        output(workspace.cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata is not JSON")?;
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let names: Vec<String> =
        packages.iter().filter_map(|package| package["name"].as_str().map(str::to_owned)).collect();
    ensure!(!names.is_empty(), "cargo metadata names no package of this workspace");
    Ok(names)
}
