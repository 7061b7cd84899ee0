//! Installs what the jobs need: each part says what it does, and is skipped when it is there.

pub mod browser;
mod fuzzing;
mod models;
mod node;
mod rust;
mod wasm_bindgen;

use anyhow::{Context, Result};

use crate::web::WebOptions;
use crate::workspace::Workspace;
use crate::{build, web};

pub use fuzzing::{cargo as cargo_fuzz, provide_all as for_fuzzing};
pub use models::fetch as fetch_models;
pub use node::{NodePackages, install_packages as node_packages, tool as node_tool};
pub use wasm_bindgen::program as wasm_bindgen_program;

/// All that `demo` and `test` need, in the order in which one part needs the other.
pub fn everything(workspace: &Workspace) -> Result<()> {
    for_checks(workspace)?;
    for_web(workspace)?;
    browser::provide(workspace)?;
    web::build(workspace, &WebOptions::default())?;
    build::command(workspace)?;
    fetch_models(workspace)
}

/// Installs what building the browser modules needs.
pub fn for_web(workspace: &Workspace) -> Result<()> {
    rust::wasm_target(workspace)?;
    wasm_bindgen::install(workspace)?;
    node::install(workspace)
}

/// Installs what formatting and clippy need.
pub fn for_checks(workspace: &Workspace) -> Result<()> {
    rust::components(workspace)
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
