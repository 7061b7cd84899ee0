//! A release's archive: the command and its licences in one folder, for who unpacks a file and puts it on the path.
//! `publish/publish.sh`, the container's file and `cargo binstall` fetch it too.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use super::targets::Target;
use super::{LICENCES, VERSION, copy_from_checkout, release_folder, work_folder};
use crate::files;
use crate::process;
use crate::workspace::Workspace;

/// Files of the checkout that stand beside the command and its licences: no registry shows them.
const TO_READ: [&str; 2] = ["README.md", "CHANGELOG.md"];

/// A file of each release beside the archives: hosts of jobs that are not GitHub fetch it there.
const PUBLISH_SCRIPT: &str = "publish/publish.sh";

/// Packs a compiled command into an archive whose one folder has the archive's name, and writes its SHA-256 beside it.
pub fn pack(workspace: &Workspace, command: &Path, target: &Target) -> Result<PathBuf> {
    let name = target.archive_name();
    let work = work_folder(workspace, "archive")?;
    let folder = work.join(&name);
    files::make_folder(&folder)?;
    files::copy(command, &folder.join(target.executable()))?;
    copy_from_checkout(workspace, &TO_READ, &folder)?;
    copy_from_checkout(workspace, &LICENCES, &folder)?;
    let archives = release_folder(workspace)?;
    let archive = archives.join(format!("{name}.tar.gz"));
    // Every system of the targets has `tar`, Windows since 2018.
    let mut tar = Command::new("tar");
    tar.current_dir(&work).arg("-czf").arg(&archive).arg(&name);
    process::output(&mut tar)?;
    files::remove_folder(&work)?;
    let digest = Sha256::digest(files::read(&archive)?);
    let hexadecimal: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    files::write(
        &archives.join(format!("{name}.tar.gz.sha256")),
        format!("{hexadecimal}  {name}.tar.gz\n"),
    )?;
    Ok(archive)
}

/// Unpacks an archive into a folder and gives the command in it.
pub fn unpack(archive: &Path, target: &Target, folder: &Path) -> Result<PathBuf> {
    process::output(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(folder))?;
    Ok(folder.join(target.archive_name()).join(target.executable()))
}

/// Lays this machine's archive out as a release lies on its host, and returns the folder of all releases.
pub fn lay_out(workspace: &Workspace) -> Result<PathBuf> {
    let archive = pack(workspace, &workspace.command(), Target::host(workspace)?)?;
    let releases = work_folder(workspace, "releases")?;
    let release = releases.join(format!("v{VERSION}"));
    files::make_folder(&release)?;
    let script = workspace.root.join(PUBLISH_SCRIPT);
    for file in [archive.with_extension("gz.sha256"), archive, script] {
        let name = file.file_name().context("a release's file has no name")?;
        files::copy(&file, &release.join(name))?;
    }
    Ok(releases)
}
