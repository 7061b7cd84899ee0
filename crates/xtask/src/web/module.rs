//! One browser module, from crate to small wasm file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::shorten;
use crate::files;
use crate::process::{Log, output};
use crate::setup;
use crate::sources::{Fingerprint, sources_of};
use crate::workspace::{BINDGEN, FOR_WASM, WASM_PROFILE, WASM_TARGET, Workspace};

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

/// Builds kept of each module, some megabytes each: enough to go back and forth between a few branches.
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
    // With the process's number: two checkouts may build the same module at once.
    let staging = builds.join(format!("{}-unfinished-{}", module.folder, std::process::id()));
    let _ = fs::remove_dir_all(&staging);
    files::make_folder(&staging)?;
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
    cargo.arg("build").args(FOR_WASM).args(["--package", module.package]);
    log.run(&mut cargo)?;

    let file = format!("{}.wasm", module.package.replace('-', "_"));
    let linked = workspace.target.join(WASM_TARGET).join(WASM_PROFILE).join(file);
    // As early as it shows: what follows takes a minute or two.
    refuse_constructor_wrappers(module, &linked)?;

    bind(workspace, &linked, folder, module.name, log)?;

    let script = folder.join(format!("{}.js", module.name));
    shorten(workspace, &script, &script, log)?;

    let wasm = folder.join(module.wasm_file());
    let mut shrink = workspace.program(setup::node_tool(workspace, "wasm-opt"));
    log.run(shrink.args(WASM_OPT).arg(&wasm).arg("-o").arg(&wasm))
}

/// Writes the JavaScript of a linked module, and the wasm file that goes with it.
pub fn bind(
    workspace: &Workspace,
    linked: &Path,
    folder: &Path,
    name: &str,
    log: &Log,
) -> Result<()> {
    log.run(workspace.cargo().args(["build", "--release", "--locked", "--package", BINDGEN]))?;
    log.run(workspace.program(workspace.compiled(BINDGEN)).arg(linked).arg(folder).arg(name))
}

/// Libraries may register themselves in static constructors. Unless the module calls them
/// itself, the linker wraps every export so that all of them run at each call from JavaScript,
/// which once took 95 % of the time of a WebGPU step.
fn refuse_constructor_wrappers(module: &Module, linked: &Path) -> Result<()> {
    let bytes = files::read(linked)?;
    let wrapped =
        constructor_wrappers(&bytes).with_context(|| format!("in {}", linked.display()))?;
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
    // Another compiler makes another module of the same sources.
    fingerprint.text(&output(workspace.program("rustc").arg("-vV"))?);
    fingerprint.text(&WASM_OPT.join(" "));
    for file in
        ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", "tests/browser/package-lock.json"]
    {
        fingerprint.file(&workspace.root, Path::new(file))?;
    }
    // Packages from outside are pinned by `Cargo.lock`; those of the workspace are hashed file by file.
    for folder in sources_of(workspace, module.package)? {
        fingerprint.folder(&workspace.root, &folder)?;
    }
    Ok(fingerprint.finish())
}

fn remove_old_builds(builds: &Path, module: &Module) -> Result<()> {
    let prefix = format!("{}-", module.folder);
    let mut found = Vec::new();
    for build in files::list(builds)? {
        if build.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)) {
            found.push((fs::metadata(&build)?.modified()?, build));
        }
    }
    found.sort();
    let surplus = found.len().saturating_sub(BUILDS_KEPT);
    for (_, path) in found.into_iter().take(surplus) {
        files::remove_folder(&path)?;
    }
    Ok(())
}

const HEADER: &[u8] = b"\0asm\x01\0\0\0";
const CUSTOM_SECTION: u8 = 0;
const FUNCTION_NAMES: u8 = 1;
const WRAPPER_SUFFIX: &str = ".command_export";

/// The names of the exports that the linker wrapped in a call of all static constructors.
/// A file without function names is an error: it can't be told from one without wrappers.
fn constructor_wrappers(wasm: &[u8]) -> Result<Vec<String>> {
    let names = function_names(wasm)?;
    ensure!(!names.is_empty(), "the wasm file names no functions: was it stripped?");
    Ok(names.into_iter().filter(|name| name.ends_with(WRAPPER_SUFFIX)).collect())
}

fn function_names(wasm: &[u8]) -> Result<Vec<String>> {
    let mut file = Reader(wasm.strip_prefix(HEADER).context("not a wasm file of version 1")?);
    while !file.0.is_empty() {
        let (kind, mut content) = file.section()?;
        if kind != CUSTOM_SECTION || content.name()? != "name" {
            continue;
        }
        while !content.0.is_empty() {
            let (kind, names) = content.section()?;
            if kind == FUNCTION_NAMES {
                return names.name_map();
            }
        }
    }
    Ok(Vec::new())
}

/// The bytes that are left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) =
            self.0.split_at_checked(length).context("the wasm file ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        self.take(1)?.first().copied().context("the wasm file ends too early")
    }

    /// An unsigned number in LEB128.
    fn number(&mut self) -> Result<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(number).context("a number of the wasm file is too large");
            }
        }
        bail!("a number of the wasm file is too long")
    }

    fn section(&mut self) -> Result<(u8, Reader<'a>)> {
        let kind = self.byte()?;
        let length = self.number()?;
        Ok((kind, Reader(self.take(usize::try_from(length)?)?)))
    }

    fn name(&mut self) -> Result<String> {
        let length = self.number()?;
        Ok(String::from_utf8_lossy(self.take(usize::try_from(length)?)?).into_owned())
    }

    fn name_map(mut self) -> Result<Vec<String>> {
        let count = self.number()?;
        let mut names = Vec::new();
        for _ in 0..count {
            let _index = self.number()?;
            names.push(self.name()?);
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    /// A module that is nothing but a name section, with one byte for each length.
    fn module(names: &[&str]) -> Vec<u8> {
        let length = |bytes: &[u8]| u8::try_from(bytes.len()).unwrap();
        let mut map = vec![u8::try_from(names.len()).unwrap()];
        for (index, name) in names.iter().enumerate() {
            map.extend([u8::try_from(index).unwrap(), length(name.as_bytes())]);
            map.extend(name.as_bytes());
        }
        let mut section = b"\x04name\x01".to_vec();
        section.push(length(&map));
        section.extend(map);
        let mut wasm = HEADER.to_vec();
        wasm.extend([0, 1, 0]); // another custom section, with an empty name
        wasm.extend([0, length(&section)]);
        wasm.extend(section);
        wasm
    }

    #[test]
    fn finds_wrapped_exports() {
        let wrapped = module(&["ask", "ask.command_export", "drop"]);
        assert_eq!(constructor_wrappers(&wrapped).unwrap(), ["ask.command_export"]);
        assert!(constructor_wrappers(&module(&["ask", "drop"])).unwrap().is_empty());
    }

    #[test]
    fn refuses_what_it_cannot_judge() {
        let whole = module(&["ask"]);
        let cases: [(&[u8], &str); 3] = [
            (HEADER, "names no functions"),
            (b"something else", "not a wasm file"),
            (&whole[..whole.len() - 2], "ends too early"),
        ];
        for (wasm, reason) in cases {
            let error = constructor_wrappers(wasm).unwrap_err();
            assert!(format!("{error:#}").contains(reason), "{error:#}");
        }
    }
}
