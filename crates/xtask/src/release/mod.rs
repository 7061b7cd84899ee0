//! What a release has for one target: the compiled command with the page inside, as an archive, as a wheel for pip and as a
//! package for npm. All three hold the same bytes of it.
//!
//! The workflow of a release (`.github/workflows/release.yml`) runs this job and nothing else, and `cargo xtask
//! test release` runs it here. The browser modules are the same for all targets: one machine builds them, the others
//! get them and pass `--modules-built`.

mod archive;
mod npm;
mod targets;
mod trial;
mod wheel;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::campanile;
use crate::files;
use crate::setup;
use crate::web::{self, WebOptions};
use crate::workspace::Workspace;

pub use archive::lay_out;
pub use npm::pack_main;
pub use trial::try_all;

use targets::Target;

pub const HELP: &str = "\
Pack what a release has for one target: the campanile command with the page inside

Usage: cargo xtask release [options]

Options:
  --target TRIPLE      the target to compile for [default: this machine's]
  --modules-built      take the browser modules that lie in pkg/

It leaves these in release-archives/ of the target folder:
  campanile-VERSION-TRIPLE.tar.gz                  the command, and its SHA-256 in a file beside it
  campanile_site-VERSION-py3-none-PLATFORM.whl     the same for pip
  campanile-cli-OS-CPU-VERSION.tgz                 the same for npm; `cargo xtask packages` packs @campanile/cli, which runs it

Who takes one of them needs no Rust: `campanile model fetch all-MiniLM-L6-v2` once, then `campanile build`. Packing them
needs Python 3 with pip and Node.js.";

/// The options of the job.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ReleaseOptions {
    /// None is this machine's target.
    pub target: Option<String>,
    /// `true` if `pkg/` holds the browser modules already.
    pub modules_built: bool,
}

/// The release's version. Every package has the workspace's.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files of the checkout that go with the command, however it is packed.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The page about the command that registries show.
const ABOUT: &str = "publish/about.md";

/// Compiles, packs and says where the files lie.
pub fn run(workspace: &Workspace, options: &ReleaseOptions) -> Result<()> {
    // Before anything is compiled: a release of something that is none would be told of after half an hour.
    let target = match &options.target {
        Some(triple) => Target::named(triple)?,
        None => Target::host(workspace)?,
    };
    if options.modules_built {
        let module = workspace.root.join("pkg/core/campanile_core_bg.wasm");
        ensure!(module.is_file(), "there is no {}: run `cargo xtask web` first", module.display());
    } else {
        setup::for_web(workspace)?;
        web::build(workspace, &WebOptions::default())?;
    }
    let command = match &options.target {
        None => {
            campanile::build(workspace)?;
            workspace.command()
        }
        Some(_) => compile_for(workspace, target)?,
    };
    for packed in [
        archive::pack(workspace, &command, target)?,
        wheel::pack(workspace, &command, target)?,
        npm::pack_platform(workspace, &command, target)?,
    ] {
        println!("release {}", packed.display());
    }
    Ok(())
}

/// Compiles the command for a target by its name.
fn compile_for(workspace: &Workspace, target: &Target) -> Result<PathBuf> {
    println!("build   the campanile command for {}", target.triple);
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--release", "--locked", "--package", "campanile", "--features", "full"]);
    cargo.args(["--target", target.triple]);
    workspace.log("build-release")?.run(&mut cargo)?;
    Ok(target.compiled(workspace))
}

/// The folder that a release's files are left in, and nothing else: the workflow attaches all that lies there.
fn release_folder(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.target.join("release-archives");
    files::make_folder(&folder)?;
    Ok(folder)
}

/// An empty folder to put something together in.
fn work_folder(workspace: &Workspace, name: &str) -> Result<PathBuf> {
    let folder = workspace.target.join("release-work").join(name);
    files::remove_folder(&folder)?;
    files::make_folder(&folder)?;
    Ok(folder)
}

/// Copies files of the checkout into a folder, under their own names.
fn copy_from_checkout(workspace: &Workspace, paths: &[&str], folder: &Path) -> Result<()> {
    for path in paths {
        let name = Path::new(path).file_name().unwrap_or_default();
        files::copy(&workspace.root.join(path), &folder.join(name))?;
    }
    Ok(())
}
