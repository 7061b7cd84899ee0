//! A nightly compiler, which alone has sanitizers, and the `cargo-fuzz` command.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

use super::provide;
use crate::process::{Log, answers};
use crate::workspace::Workspace;

/// Provides what fuzzing needs.
pub fn provide_all(workspace: &Workspace) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "fuzzing is set up for Linux: libFuzzer's runtime and the sanitizer differ elsewhere"
    );
    let nightly = answers(workspace.program("cargo").args(["+nightly", "--version"]));
    provide("nightly compiler", nightly, "installing it beside the stable one", || {
        let words = ["toolchain", "install", "nightly", "--profile", "minimal"];
        Log::create(&workspace.logs(), "setup-nightly")?
            .run(workspace.program("rustup").args(words))
    })?;
    let command = tools(workspace).join("bin/cargo-fuzz");
    provide("cargo-fuzz", command.exists(), "compiling the command (about a minute)", || {
        let mut cargo = workspace.cargo();
        cargo.env_remove("CARGO_TARGET_DIR");
        cargo.args(["install", "cargo-fuzz", "--locked", "--root"]).arg(tools(workspace));
        Log::create(&workspace.logs(), "setup-cargo-fuzz")?.run(&mut cargo)
    })
}

/// `cargo +nightly`, which finds `fuzz`.
pub fn cargo(workspace: &Workspace) -> Command {
    let mut cargo = workspace.cargo();
    cargo.arg("+nightly");
    let folder = tools(workspace).join("bin");
    let known = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder).chain(std::env::split_paths(&known));
    if let Ok(path) = std::env::join_paths(folders) {
        cargo.env("PATH", path);
    }
    // Set by rustup for `cargo xtask` itself: it would win over `+nightly`.
    cargo.env_remove("RUSTUP_TOOLCHAIN");
    cargo
}

fn tools(workspace: &Workspace) -> PathBuf {
    workspace.tools().join("fuzz")
}
