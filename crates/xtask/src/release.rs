//! A release archive: the command for one target with the page inside, and what its licences ask for.
//!
//! The workflow of a release (`.github/workflows/release.yml`) runs this job and nothing else, and `cargo xtask
//! test release` runs it here. The browser modules are the same for all targets: one machine builds them, the others
//! get them and pass `--modules-built`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::campanile;
use crate::files;
use crate::process;
use crate::setup;
use crate::web::{self, WebOptions};
use crate::workspace::Workspace;

pub const HELP: &str = "\
Pack a release archive: the campanile command with the page inside

Usage: cargo xtask release [options]

Options:
  --target TRIPLE      the target to compile for [default: this machine's]
  --modules-built      take the browser modules that lie in pkg/, and need no Node.js

It leaves campanile-VERSION-TRIPLE.tar.gz, and its SHA-256 beside it, in release-archives/ of the target folder.
Who unpacks it needs neither Rust nor Node.js: `campanile model fetch all-MiniLM-L6-v2` once, then
`campanile build`.";

/// The options of the job.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ReleaseOptions {
    /// None is this machine's target.
    pub target: Option<String>,
    /// `true` if `pkg/` holds the browser modules already.
    pub modules_built: bool,
}

/// Files of the checkout that go with the command.
const BESIDE_THE_COMMAND: [&str; 4] =
    ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Compiles, packs and says where the archive lies.
pub fn run(workspace: &Workspace, options: &ReleaseOptions) -> Result<()> {
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
        Some(target) => compile_for(workspace, target)?,
    };
    let target = match &options.target {
        Some(target) => target.clone(),
        None => host(workspace)?,
    };
    let archive = pack(workspace, &command, &target)?;
    println!("release {}", archive.display());
    Ok(())
}

/// Compiles the command for another target than this machine's.
fn compile_for(workspace: &Workspace, target: &str) -> Result<PathBuf> {
    println!("build   the campanile command for {target}");
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--release", "--locked", "--package", "campanile", "--bin", "campanile"]);
    cargo.args(["--target", target]);
    workspace.log("build-release")?.run(&mut cargo)?;
    let name = if target.contains("windows") { "campanile.exe" } else { "campanile" };
    Ok(workspace.target.join(target).join("release").join(name))
}

/// This machine's target, as its compiler tells it.
fn host(workspace: &Workspace) -> Result<String> {
    let told = process::output(workspace.program("rustc").arg("-vV"))?;
    let line = told.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("`rustc -vV` names no host")?.to_owned())
}

/// The folder that archives are left in.
fn archives(workspace: &Workspace) -> PathBuf {
    workspace.target.join("release-archives")
}

/// The name of an archive, and of the one folder in it.
fn archive_name(target: &str) -> String {
    format!("campanile-{}-{target}", env!("CARGO_PKG_VERSION"))
}

/// Packs a compiled command into an archive whose one folder has the archive's name.
fn pack(workspace: &Workspace, command: &Path, target: &str) -> Result<PathBuf> {
    let name = archive_name(target);
    let archives = archives(workspace);
    let folder = archives.join(&name);
    files::remove_folder(&folder)?;
    files::make_folder(&folder)?;
    let file = command.file_name().context("the command has no file name")?;
    files::copy(command, &folder.join(file))?;
    for file in BESIDE_THE_COMMAND {
        files::copy(&workspace.root.join(file), &folder.join(file))?;
    }
    let archive = archives.join(format!("{name}.tar.gz"));
    // Every system of the five targets has `tar`, Windows since 2018.
    let mut tar = Command::new("tar");
    tar.current_dir(&archives).arg("-czf").arg(&archive).arg(&name);
    process::output(&mut tar)?;
    files::remove_folder(&folder)?;
    let digest = Sha256::digest(files::read(&archive)?);
    let hexadecimal: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    files::write(
        &archives.join(format!("{name}.tar.gz.sha256")),
        format!("{hexadecimal}  {name}.tar.gz\n"),
    )?;
    Ok(archive)
}

/// A file of each release beside the archives: hosts of jobs that are not GitHub fetch it there.
const PUBLISH_SCRIPT: &str = "publish/publish.sh";

/// Lays this machine's archive out as a release lies on its host, and returns the folder of all releases.
pub fn lay_out(workspace: &Workspace) -> Result<PathBuf> {
    let archive = pack(workspace, &workspace.command(), &host(workspace)?)?;
    let releases = archives(workspace).join("releases");
    files::remove_folder(&releases)?;
    let release = releases.join(concat!("v", env!("CARGO_PKG_VERSION")));
    files::make_folder(&release)?;
    let script = workspace.root.join(PUBLISH_SCRIPT);
    for file in [archive.with_extension("gz.sha256"), archive, script] {
        let name = file.file_name().context("a release's file has no name")?;
        files::copy(&file, &release.join(name))?;
    }
    Ok(releases)
}

/// Unpacks this machine's archive into an empty folder, and has the command in it build a site and answer from it, on
/// a path on which nothing is installed.
pub fn try_archive(workspace: &Workspace) -> Result<()> {
    let target = host(workspace)?;
    let archive = pack(workspace, &workspace.command(), &target)?;
    let folder = archives(workspace).join("tried");
    files::remove_folder(&folder)?;
    let documents = folder.join("handbook");
    files::make_folder(&documents)?;
    files::write(
        &documents.join("library.md"),
        "# Library\n\nThe library is open from 8 to 20 o'clock on weekdays.\n\n## Loans\n\nBooks are lent for four weeks.\n",
    )?;
    process::output(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(&folder))?;
    let unpacked = folder.join(archive_name(&target));
    let command = unpacked.join(format!("campanile{}", std::env::consts::EXE_SUFFIX));
    let run = |arguments: &[&str]| {
        let mut program = Command::new(&command);
        program.current_dir(&folder).args(arguments).env_clear();
        // The models' cache is found through these; nothing that is installed is.
        for name in ["HOME", "XDG_CACHE_HOME", "CAMPANILE_MODELS", "LOCALAPPDATA", "SystemRoot"] {
            if let Some(value) = std::env::var_os(name) {
                program.env(name, value);
            }
        }
        process::output(program.env("PATH", ""))
    };
    run(&["build", "handbook", "-o", "site"])?;
    for file in ["index.html", "campanile.json", "campanile/pkg/core/campanile_core_bg.wasm"] {
        ensure!(folder.join("site").join(file).is_file(), "the archive's site lacks {file}");
    }
    let answer = run(&["ask", "site", "For how long are books lent?"])?;
    ensure!(answer.contains("four weeks"), "the archive's site answers otherwise:\n{answer}");
    files::remove_folder(&folder)
}
