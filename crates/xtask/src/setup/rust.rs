//! The parts of the Rust toolchain that a minimal installation lacks.

use std::path::Path;

use anyhow::{Result, bail};

use super::provide;
use crate::process::{Log, answers, output};
use crate::workspace::Workspace;

const WASM: &str = "wasm32-unknown-unknown";

/// The standard library for the browser.
pub fn wasm_target(workspace: &Workspace) -> Result<()> {
    let sysroot = output(workspace.program("rustc").args(["--print", "sysroot"]))?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib").join(WASM).join("lib");
    provide(
        &format!("Rust target {WASM}"),
        library.exists(),
        "adding it to the toolchain (about 30 MB)",
        || rustup(workspace, &["target", "add", WASM]),
    )
}

/// `cargo fmt` and `cargo clippy`.
pub fn components(workspace: &Workspace) -> Result<()> {
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
    Log::create(&workspace.logs(), "setup-rust")?.run(workspace.program("rustup").args(words))
}
