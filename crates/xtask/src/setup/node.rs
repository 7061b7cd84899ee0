//! The pinned Node.js packages: wasm-opt, the TypeScript checker, and what drives Chromium.

use std::fs;
use std::path::{Path, PathBuf};

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

/// Some pinned packages: a `package.json` with its lock file.
pub struct NodePackages<'a> {
    /// The folder that holds the two, in the checkout.
    pub source: &'a Path,
    /// The folder that the packages go into, in the cache folder.
    pub folder: &'a Path,
    pub what: &'a str,
    pub effort: &'a str,
    /// The words after `npm`.
    pub words: &'a [&'a str],
}

/// Installs the packages of the browser tests into the cache folder.
pub fn install(workspace: &Workspace) -> Result<()> {
    install_packages(
        workspace,
        &NodePackages {
            source: Path::new("tests/browser"),
            folder: &workspace.node_tools(),
            what: "Node.js packages (wasm-opt, terser, tsc, playwright-core, axe-core)",
            effort: "installing (about 150 MB on disk)",
            words: &["ci"],
        },
    )
}

/// Installs pinned packages unless the very same are there.
pub fn install_packages(workspace: &Workspace, packages: &NodePackages<'_>) -> Result<()> {
    require_node(workspace)?;
    let source = workspace.root.join(packages.source);
    let lock = fs::read(source.join("package-lock.json")).with_context(|| {
        format!("cannot read {}", packages.source.join("package-lock.json").display())
    })?;
    let complete = packages.folder.join(COMPLETE);
    provide(
        packages.what,
        fs::read(&complete).is_ok_and(|installed| installed == lock),
        packages.effort,
        || {
            fs::create_dir_all(packages.folder)?;
            for name in MANIFESTS {
                fs::copy(source.join(name), packages.folder.join(name))?;
            }
            let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
            let mut install = workspace.program(npm);
            install.args(packages.words).args(["--ignore-scripts", "--no-audit", "--no-fund"]);
            install.current_dir(packages.folder);
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
