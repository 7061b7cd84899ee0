//! The wasm-bindgen command. Its version has to be exactly that of the library in Cargo.lock.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::provide;
use crate::process::Log;
use crate::workspace::Workspace;

/// The path of `wasm-bindgen` or of `wasm-bindgen-test-runner`, which comes with it.
pub fn program(workspace: &Workspace, name: &str) -> Result<PathBuf> {
    let version = locked_version(workspace)?;
    let folder = workspace.tools().join(format!("wasm-bindgen-{version}"));
    Ok(folder.join("bin").join(format!("{name}{EXE_SUFFIX}")))
}

/// Compiles the command of the locked version.
pub fn install(workspace: &Workspace) -> Result<()> {
    let version = locked_version(workspace)?;
    let is_there = program(workspace, "wasm-bindgen")?.exists()
        && program(workspace, "wasm-bindgen-test-runner")?.exists();
    provide(
        &format!("wasm-bindgen {version}"),
        is_there,
        "compiling the command (3 to 5 minutes on two cores)",
        || compile(workspace, &version),
    )
}

fn compile(workspace: &Workspace, version: &str) -> Result<()> {
    let log = Log::create(&workspace.logs(), "setup-wasm-bindgen")?;
    let install = |locked: bool| {
        let mut cargo = workspace.cargo();
        // A temporary target folder: these are not the project's own dependencies.
        cargo.env_remove("CARGO_TARGET_DIR");
        cargo.args(["install", "wasm-bindgen-cli", "--version", version, "--root"]);
        cargo.arg(workspace.tools().join(format!("wasm-bindgen-{version}")));
        if locked {
            cargo.arg("--locked");
        }
        cargo
    };
    // The lock file of a fresh release may name versions that a mirror does not have yet.
    if log.status(&mut install(true))?.success() {
        return Ok(());
    }
    println!("        its own locked dependencies are not all to be had: taking compatible ones");
    log.run(&mut install(false))
}

fn locked_version(workspace: &Workspace) -> Result<String> {
    let path = workspace.root.join("Cargo.lock");
    let lock =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    version_of("wasm-bindgen", &lock).context("Cargo.lock holds no package `wasm-bindgen`")
}

/// The version of a package in the text of a Cargo.lock.
fn version_of(package: &str, lock: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::version_of;

    #[test]
    fn finds_the_locked_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"9.9.9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"x\"\n";
        assert_eq!(version_of("wasm-bindgen", lock).as_deref(), Some("0.2.130"));
        assert_eq!(version_of("burn", lock), None);
    }
}
