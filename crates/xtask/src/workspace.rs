//! The folders of the project: the checkout, and the cache folder that outlives it.
//!
//! One target folder serves all checkouts, so our own packages in it belong to one at a time. Cargo
//! tells packages apart by their place within the workspace and looks at file times. In a second
//! checkout it may take a test program of the first for fresh, with the first one's paths inside:
//! tests then look for their data in a folder that is another's, or gone.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::files;
use crate::process::{Log, output};

/// Packages that are compiled for wasm32 only.
pub const BROWSER_PACKAGES: [&str; 8] = [
    "campanile-browser-core",
    "campanile-browser-core-module",
    "campanile-browser-gpu",
    "campanile-browser-gpu-module",
    "campanile-browser-keywords",
    "campanile-browser-models",
    "campanile-browser-shared",
    WASM_TESTS,
];
/// The target of what runs in a browser.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";
/// The profile of what runs in a browser.
pub const WASM_PROFILE: &str = "browser";
/// Cargo's words for a build that runs in a browser.
pub const FOR_WASM: [&str; 4] = ["--profile", WASM_PROFILE, "--target", WASM_TARGET];
/// The tests that run inside Chromium.
pub const WASM_TESTS: &str = "campanile-browser-tests";

/// The tool that makes the modules' JavaScript.
pub const BINDGEN: &str = "campanile-bindgen";

/// The folders every job works with.
pub struct Workspace {
    /// The checkout.
    pub root: PathBuf,
    /// Downloads and build results shared by all checkouts.
    pub cache: PathBuf,
    /// The folder that cargo compiles into: dependencies are compiled once for all checkouts.
    pub target: PathBuf,
}

impl Workspace {
    /// Finds the checkout and the user's cache folder. `cargo run` tells which checkout is meant: where several share a target
    /// folder, this program may have been compiled from another one.
    ///
    /// The target folder's packages are this checkout's from then on.
    pub fn open() -> Result<Self> {
        let workspace = Self::locate()?;
        claim_target(&workspace)?;
        Ok(workspace)
    }

    /// [`Workspace::open`] that changes nothing, for tests and for jobs that compile nothing.
    pub fn locate() -> Result<Self> {
        let told = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let manifest = told.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = manifest
            .ancestors()
            .nth(2)
            .context("the xtask crate is expected at crates/xtask in the workspace")?
            .to_owned();
        let cache = cache_folder()?;
        // Cargo, which runs in the checkout, takes a relative folder from there.
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| cache.join("target"), |folder| root.join(folder));
        Ok(Self { root, cache, target })
    }

    /// Programs that setup installs.
    pub fn tools(&self) -> PathBuf {
        self.cache.join("tools")
    }

    /// The Node.js packages of `tests/browser/package.json`.
    pub fn node_tools(&self) -> PathBuf {
        self.tools().join("node")
    }

    /// One log file for each step of a job.
    pub fn logs(&self) -> PathBuf {
        self.target.join("xtask-logs")
    }

    /// An empty log of a step.
    pub fn log(&self, step: &str) -> Result<Log> {
        Log::create(&self.logs(), step)
    }

    /// The `campanile` command, natively compiled.
    pub fn command(&self) -> PathBuf {
        self.compiled("campanile")
    }

    /// A program of the workspace, natively compiled.
    pub fn compiled(&self, program: &str) -> PathBuf {
        self.target.join("release").join(format!("{program}{}", env::consts::EXE_SUFFIX))
    }

    /// A program that runs in the checkout.
    pub fn program(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// The workspace's own packages, as `cargo metadata` describes them.
    pub fn packages(&self) -> Result<Vec<Value>> {
        // Without dependencies, which cargo would have to have fetched.
        let words = ["metadata", "--no-deps", "--format-version", "1"];
        let mut metadata: Value = serde_json::from_str(&output(self.cargo().args(words))?)
            .context("cargo metadata is not JSON")?;
        match metadata["packages"].take() {
            Value::Array(packages) => Ok(packages),
            _ => bail!("cargo metadata lists no packages"),
        }
    }

    /// Cargo in the checkout, with the shared target folder.
    pub fn cargo(&self) -> Command {
        let mut command = self.program("cargo");
        command.env("CARGO_TARGET_DIR", &self.target);
        // The output goes into logs, and `test` reads it.
        command.env("CARGO_TERM_COLOR", "never");
        // `cargo xtask` describes the xtask package in these. Build scripts that watch them
        // would run again each time a job follows a cargo call made by hand.
        for (name, _) in env::vars_os() {
            let own = name.to_str().is_some_and(|name| {
                name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
            });
            if own {
                command.env_remove(name);
            }
        }
        command
    }
}

fn cache_folder() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("CAMPANILE_CACHE") {
        return Ok(PathBuf::from(folder));
    }
    let home = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    home("XDG_CACHE_HOME")
        .or_else(|| home("HOME").map(|home| home.join(".cache")))
        .or_else(|| home("LOCALAPPDATA"))
        .map(|folder| folder.join("campanile"))
        .context("no cache folder: set HOME, or CAMPANILE_CACHE to a folder that may hold some gigabytes")
}

/// The feature of the command that has all others which a release has.
const ALL_JOBS: &str = "campanile/full";

/// Has cargo look at all packages that are not for the browser, and at the command with all its jobs. With fewer at a time
/// it would choose other features for the dependencies, and compile burn and all below it once more.
pub fn native_packages(cargo: &mut Command) -> &mut Command {
    checked_packages(cargo).args(["--exclude", BINDGEN])
}

/// The same with the tool that has been compiled by itself by then: it is only looked at, and compiled no second time.
pub fn checked_packages(cargo: &mut Command) -> &mut Command {
    without_browser(cargo).args(["--features", ALL_JOBS])
}

/// Selects all packages of the workspace but those for the browser.
pub fn without_browser(cargo: &mut Command) -> &mut Command {
    cargo.arg("--workspace");
    for package in BROWSER_PACKAGES {
        cargo.args(["--exclude", package]);
    }
    cargo
}

/// Names the checkout whose packages the target folder holds.
const OWNER: &str = "checkout.txt";

/// The kinds of build that jobs make.
const BUILDS: [&[&str]; 2] = [&["--release"], &FOR_WASM];

/// Removes the workspace's own packages from the target folder when another checkout compiled
/// them; dependencies stay.
fn claim_target(workspace: &Workspace) -> Result<()> {
    let owner = workspace.target.join(OWNER);
    let root = workspace.root.to_string_lossy();
    if files::holds(&owner, root.as_bytes()) {
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
    files::make_folder(&workspace.target)?;
    files::write(&owner, root.as_bytes())
}

fn own_packages(workspace: &Workspace) -> Result<Vec<String>> {
    let packages = workspace.packages()?;
    let names = packages.iter().filter_map(|package| package["name"].as_str().map(str::to_owned));
    let names: Vec<String> = names.collect();
    ensure!(!names.is_empty(), "cargo metadata names no package of this workspace");
    Ok(names)
}
