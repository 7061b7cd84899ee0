//! The pinned Node.js packages: wasm-opt, the TypeScript checker, and what drives Chromium.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::provide;
use crate::process::{Log, output};
use crate::workspace::Workspace;

const OLDEST_NODE: u32 = 20;
const MANIFESTS: [&str; 2] = ["package.json", "package-lock.json"];
const COMPLETE: &str = "complete";

/// The path of a program that one of the packages brings.
pub fn tool(workspace: &Workspace, name: &str) -> PathBuf {
    workspace.node_tools().join("node_modules/.bin").join(name)
}

/// Installs the packages into the cache folder, from the lock file beside the browser tests.
pub fn install(workspace: &Workspace) -> Result<()> {
    require_node(workspace)?;
    let source = workspace.root.join("tests/browser");
    let lock = fs::read(source.join("package-lock.json"))
        .context("cannot read tests/browser/package-lock.json")?;
    let complete = workspace.node_tools().join(COMPLETE);
    provide(
        "Node.js packages (wasm-opt, tsc, playwright-core, axe-core)",
        fs::read(&complete).is_ok_and(|installed| installed == lock),
        "installing (about 150 MB on disk)",
        || {
            let folder = workspace.node_tools();
            fs::create_dir_all(&folder)?;
            for name in MANIFESTS {
                fs::copy(source.join(name), folder.join(name))?;
            }
            let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
            let mut install = workspace.program(npm);
            install.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
            install.current_dir(&folder);
            Log::create(&workspace.logs(), "setup-node")?.run(&mut install)?;
            fs::write(&complete, &lock)?;
            Ok(())
        },
    )
}

fn require_node(workspace: &Workspace) -> Result<()> {
    let version = output(workspace.program("node").arg("--version"))?;
    let major: Option<u32> = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|number| number.parse().ok());
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => bail!(
            "Node.js {OLDEST_NODE} or newer is needed, and `node --version` says {}",
            version.trim()
        ),
    }
}
