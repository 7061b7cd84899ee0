//! The browser modules: compiled, bound to JavaScript, shrunk, checked and put into `pkg/`. One
//! more, for benchmarks and tests, is made in the same way and shipped nowhere.
//!
//! What was built is kept in the cache folder under a fingerprint of everything that went into
//! it, so that a second checkout of the same sources takes it from there: link-time optimisation
//! is the longest single step of a build.

mod module;
mod scripts;
mod sizes;
pub mod stamp;
mod wasm;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::licences;
use crate::process::Log;
use crate::workspace::Workspace;
use module::MODULES;

/// The licences of what is compiled into the modules: part of every built site.
const LICENCES: &str = "third-party-licences.txt";
/// The folder of the shortened scripts; `build.rs` knows it too.
const SCRIPTS: &str = "page";

/// The options of building the browser modules.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WebOptions {
    /// Take the measured sizes as the new limits.
    pub record_sizes: bool,
}

/// Builds whatever of `pkg/` is missing or out of date, and checks the sizes.
pub fn build(workspace: &Workspace, options: &WebOptions) -> Result<()> {
    let log = Log::create(&workspace.logs(), "web")?;
    let pkg = workspace.root.join("pkg");
    let mut measured = Vec::new();
    for module in &MODULES {
        let built = module::provide(workspace, module, &log)?;
        copy_folder(&built, &pkg.join(module.folder))?;
        measured.push((module, sizes::measure(workspace, &built.join(module.wasm_file()))?));
    }
    scripts::shorten_all(workspace, &pkg.join(SCRIPTS), &log)?;
    let licences = workspace.target.join(LICENCES);
    licences::write(&workspace.root, &licences)?;
    copy_changed(&licences, &pkg.join(LICENCES))?;
    if options.record_sizes {
        return sizes::record(workspace, &measured);
    }
    sizes::check(workspace, &measured)
}

/// Builds the module that benchmarks and tests of devices load, as the others are built; gives its
/// folder.
pub fn models_module(workspace: &Workspace) -> Result<PathBuf> {
    module::provide(workspace, &module::MODELS, &Log::create(&workspace.logs(), "models-module")?)
}

/// Makes `to` hold the files of `from`, and nothing else.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if !from.join(entry.file_name()).exists() {
            fs::remove_file(entry.path())
                .with_context(|| format!("cannot remove {}", entry.path().display()))?;
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy_changed(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Copies a file. One that is the same already keeps its time of change, or the native command,
/// which embeds `pkg/`, would be compiled again each time.
fn copy_changed(from: &Path, to: &Path) -> Result<()> {
    let new = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    if fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    fs::write(to, new).with_context(|| format!("cannot write {}", to.display()))
}
