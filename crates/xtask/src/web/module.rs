//! One browser module, from crate to small wasm file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::scripts;
use super::stamp::{Fingerprint, sources_of};
use super::wasm;
use crate::process::{Log, output};
use crate::setup;
use crate::workspace::Workspace;

/// A crate that becomes a folder of JavaScript and wasm.
pub struct Module {
    pub package: &'static str,
    /// The name of the JavaScript and wasm files.
    pub name: &'static str,
    /// The folder's name.
    pub folder: &'static str,
}

/// Three modules: the first passages wait for little, and who only searches needs no language model (see
/// ARCHITECTURE.md).
pub const MODULES: [Module; 3] = [
    Module {
        package: "campanile-browser-keywords",
        name: "campanile_keywords",
        folder: "keywords",
    },
    Module { package: "campanile-browser-core-module", name: "campanile_core", folder: "core" },
    Module { package: "campanile-browser-gpu-module", name: "campanile_gpu", folder: "gpu" },
];

/// The models by themselves, for benchmarks and tests of devices; it does not go into `pkg/`.
pub const MODELS: Module =
    Module { package: "campanile-browser-models", name: "campanile_models", folder: "models" };

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "browser";
const BUILDS_KEPT: usize = 4;

/// The options of wasm-opt: the features that the browsers of the support table have, and rustc or
/// wasm-bindgen makes use of.
const WASM_OPT: [&str; 9] = [
    "-Oz",
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

impl Module {
    /// The wasm file's name as wasm-bindgen writes it.
    pub fn wasm_file(&self) -> String {
        format!("{}_bg.wasm", self.name)
    }
}

/// The folder of a finished build of `module`, made now unless these very sources were built before.
pub fn provide(workspace: &Workspace, module: &Module, log: &Log) -> Result<PathBuf> {
    let builds = workspace.cache.join("wasm");
    let fingerprint = fingerprint(workspace, module)?;
    let finished = builds.join(format!("{}-{fingerprint}", module.folder));
    if finished.exists() {
        println!("web     module {}: nothing changed", module.folder);
        return Ok(finished);
    }
    println!("web     module {}: building (some minutes the first time)", module.folder);
    let staging = builds.join(format!("{}-unfinished-{}", module.folder, std::process::id()));
    let _ = fs::remove_dir_all(&staging);
    fs::create_dir_all(&staging).with_context(|| format!("cannot create {}", staging.display()))?;
    build(workspace, module, &staging, log)?;
    if let Err(error) = fs::rename(&staging, &finished) {
        // Another checkout may have finished the same build in the meantime.
        if !finished.exists() {
            return Err(error).with_context(|| format!("cannot create {}", finished.display()));
        }
        fs::remove_dir_all(&staging)?;
    }
    remove_old_builds(&builds, module)?;
    Ok(finished)
}

fn build(workspace: &Workspace, module: &Module, folder: &Path, log: &Log) -> Result<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--profile", PROFILE, "--target", TARGET, "--package", module.package]);
    log.run(&mut cargo)?;

    let file = format!("{}.wasm", module.package.replace('-', "_"));
    let linked = workspace.target.join(TARGET).join(PROFILE).join(file);
    refuse_constructor_wrappers(module, &linked)?;

    let mut bind = workspace.program(setup::wasm_bindgen_program(workspace, "wasm-bindgen")?);
    bind.args(["--target", "web", "--out-name", module.name, "--out-dir"]);
    log.run(bind.arg(folder).arg(&linked))?;

    let script = folder.join(format!("{}.js", module.name));
    scripts::shorten(workspace, &script, &script, log)?;

    let wasm = folder.join(module.wasm_file());
    let mut shrink = workspace.program(setup::node_tool(workspace, "wasm-opt"));
    log.run(shrink.args(WASM_OPT).arg(&wasm).arg("-o").arg(&wasm))
}

/// Libraries may register themselves in static constructors. Unless the module calls them
/// itself, the linker wraps every export so that all of them run at each call from JavaScript,
/// which once took 95 % of the time of a WebGPU step.
fn refuse_constructor_wrappers(module: &Module, linked: &Path) -> Result<()> {
    let bytes = fs::read(linked).with_context(|| format!("cannot read {}", linked.display()))?;
    let wrapped =
        wasm::constructor_wrappers(&bytes).with_context(|| format!("in {}", linked.display()))?;
    let Some(first) = wrapped.first() else {
        return Ok(());
    };
    bail!(
        "{} exports of {} run every static constructor each time they are called, `{first}` among them: \
         call `__wasm_call_ctors` once from the function marked `#[wasm_bindgen(start)]`",
        wrapped.len(),
        module.package,
    )
}

/// Everything that decides what a build gives.
fn fingerprint(workspace: &Workspace, module: &Module) -> Result<String> {
    let mut fingerprint = Fingerprint::default();
    fingerprint.text(&output(workspace.program("rustc").arg("-vV"))?);
    fingerprint.text(&WASM_OPT.join(" "));
    for file in
        ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", "tests/browser/package-lock.json"]
    {
        fingerprint.file(&workspace.root, Path::new(file))?;
    }
    for folder in sources_of(workspace, module.package)? {
        fingerprint.folder(&workspace.root, &folder)?;
    }
    Ok(fingerprint.finish())
}

fn remove_old_builds(builds: &Path, module: &Module) -> Result<()> {
    let prefix = format!("{}-", module.folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(builds)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            found.push((entry.metadata()?.modified()?, entry.path()));
        }
    }
    found.sort();
    let surplus = found.len().saturating_sub(BUILDS_KEPT);
    for (_, path) in found.into_iter().take(surplus) {
        fs::remove_dir_all(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(())
}
