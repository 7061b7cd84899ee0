//! Installs what the jobs need: each part says what it does, and is skipped when it is there.

pub mod browser;
pub mod engines;
mod tools;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::campanile;
use crate::process::{answers, output};
use crate::web::{self, WebOptions};
use crate::workspace::{WASM_TARGET, Workspace};

pub use tools::{
    NPM, NodePackages, PythonPackages, hosts_folder, install_hosts, install_mdbook,
    install_node_packages, install_python_packages, install_static_server,
    install_wasm_test_runner, mdbook_program, nextest, node_tool, static_server_program,
    wasm_test_runner,
};

/// All that `demo` and `test` need, in the order in which one part needs the other.
pub fn everything(workspace: &Workspace) -> Result<()> {
    for_checks(workspace)?;
    for_web(workspace)?;
    browser::provide(workspace)?;
    web::build(workspace, &WebOptions::default())?;
    campanile::build(workspace)?;
    campanile::fetch_models(workspace)
}

/// Installs what building the browser modules needs.
pub fn for_web(workspace: &Workspace) -> Result<()> {
    wasm_target(workspace)?;
    tools::install_node_tools(workspace)
}

/// Reports one part: runs `install` unless it `is_there`. `effort` says what installing takes.
pub fn provide(
    part: &str,
    is_there: bool,
    effort: &str,
    install: impl FnOnce() -> Result<()>,
) -> Result<()> {
    if is_there {
        println!("setup   {part}: here");
        return Ok(());
    }
    println!("setup   {part}: {effort}");
    install().with_context(|| format!("could not set up {part}"))
}

/// The standard library for the browser.
fn wasm_target(workspace: &Workspace) -> Result<()> {
    // Looked for where it lies, since not every toolchain comes from rustup.
    let sysroot = output(workspace.program("rustc").args(["--print", "sysroot"]))?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib").join(WASM_TARGET).join("lib");
    provide(
        &format!("Rust target {WASM_TARGET}"),
        library.exists(),
        "adding it to the toolchain (about 30 MB)",
        || rustup(workspace, &["target", "add", WASM_TARGET]),
    )
}

/// Installs what formatting and clippy need: a minimal toolchain lacks both.
pub fn for_checks(workspace: &Workspace) -> Result<()> {
    for (component, job) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        provide(
            component,
            answers(workspace.cargo().args([job, "--version"])),
            "adding it to the toolchain",
            || rustup(workspace, &["component", "add", component]),
        )?;
    }
    Ok(())
}

fn rustup(workspace: &Workspace, words: &[&str]) -> Result<()> {
    if !answers(workspace.program("rustup").arg("--version")) {
        bail!(
            "`rustup` is not there to run `rustup {}`: install it, or this part another way",
            words.join(" ")
        );
    }
    workspace.log("setup-rust")?.run(workspace.program("rustup").args(words))
}

/// Installs what fuzzing needs: a nightly compiler, which alone has sanitizers, and the `cargo-fuzz`
/// command.
pub fn for_fuzzing(workspace: &Workspace) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "fuzzing is set up for Linux: libFuzzer's runtime and the sanitizer differ elsewhere"
    );
    let nightly = answers(workspace.program("cargo").args(["+nightly", "--version"]));
    provide("nightly compiler", nightly, "installing it beside the stable one", || {
        let words = ["toolchain", "install", "nightly", "--profile", "minimal"];
        workspace.log("setup-nightly")?.run(workspace.program("rustup").args(words))
    })?;
    let command = fuzz_tools(workspace).join("bin/cargo-fuzz");
    provide("cargo-fuzz", command.exists(), "compiling the command (about a minute)", || {
        let mut cargo = workspace.cargo();
        // Compiled once and not kept: these are not the project's own dependencies.
        cargo.env_remove("CARGO_TARGET_DIR");
        cargo.args(["install", "cargo-fuzz", "--locked", "--root"]).arg(fuzz_tools(workspace));
        workspace.log("setup-cargo-fuzz")?.run(&mut cargo)
    })
}

/// `cargo +nightly`, which finds `fuzz`.
pub fn cargo_fuzz(workspace: &Workspace) -> Command {
    let mut cargo = workspace.cargo();
    cargo.arg("+nightly");
    let folder = fuzz_tools(workspace).join("bin");
    let known = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder).chain(std::env::split_paths(&known));
    if let Ok(path) = std::env::join_paths(folders) {
        cargo.env("PATH", path);
    }
    // Set by rustup for `cargo xtask` itself: it would win over `+nightly`.
    cargo.env_remove("RUSTUP_TOOLCHAIN");
    cargo
}

fn fuzz_tools(workspace: &Workspace) -> PathBuf {
    workspace.tools().join("fuzz")
}
