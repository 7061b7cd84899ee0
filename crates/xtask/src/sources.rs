//! The sources of a build: its packages as cargo names them, a fingerprint of their files, and the
//! licences of those that a site redistributes.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::files;
use crate::process::output;
use crate::workspace::{WASM_TARGET, Workspace};

/// Files of a package that a build of its library never reads.
const NOT_SOURCES: [&str; 3] = ["tests", "benches", "examples"];

/// A hash over named texts and files.
#[derive(Default)]
pub struct Fingerprint {
    hash: Sha256,
}

impl Fingerprint {
    /// Takes in a text.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Takes in a file's name and content; `path` is relative to `root`.
    pub fn file(&mut self, root: &Path, path: &Path) -> Result<()> {
        self.text(&path.to_string_lossy());
        self.bytes(&files::read(&root.join(path))?);
        Ok(())
    }

    /// Takes in the sources below a package's folder, in the order of their names.
    pub fn folder(&mut self, root: &Path, folder: &Path) -> Result<()> {
        for place in files::list(&root.join(folder))? {
            let name = place.file_name().unwrap_or_default();
            let path = folder.join(name);
            if !place.is_dir() {
                self.file(root, &path)?;
            } else if !NOT_SOURCES.iter().any(|skipped| name == *skipped) {
                self.folder(root, &path)?;
            }
        }
        Ok(())
    }

    /// The first 16 hexadecimal digits of the hash.
    pub fn finish(self) -> String {
        self.hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    // The length goes first, so that no two lists of parts look the same.
    fn bytes(&mut self, bytes: &[u8]) {
        self.hash.update(bytes.len().to_le_bytes());
        self.hash.update(bytes);
    }
}

/// The folders, relative to the checkout, of a package and of all workspace packages below it.
pub fn sources_of(workspace: &Workspace, package: &str) -> Result<BTreeSet<PathBuf>> {
    let packages = workspace.packages()?;
    let mut folders = BTreeSet::new();
    let mut waiting = vec![package.to_owned()];
    while let Some(name) = waiting.pop() {
        let Some(found) = packages.iter().find(|candidate| candidate["name"] == *name) else {
            continue; // not of this workspace: Cargo.lock pins it
        };
        let manifest = found["manifest_path"].as_str().context("a package without a manifest")?;
        let folder = Path::new(manifest).parent().context("a manifest without a folder")?;
        let folder =
            folder.strip_prefix(&workspace.root).context("a package outside the checkout")?;
        if folders.insert(folder.to_owned()) {
            waiting.extend(library_dependencies(found));
        }
    }
    ensure!(!folders.is_empty(), "the workspace has no package `{package}`");
    Ok(folders)
}

fn library_dependencies(package: &Value) -> impl Iterator<Item = String> {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    dependencies
        // What only tests need changes no build of the library.
        .filter(|dependency| dependency["kind"] != "dev")
        .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
}

/// The packages whose dependencies are shipped.
const SHIPPED: [&str; 3] =
    ["campanile-browser-keywords", "campanile-browser-core", "campanile-browser-gpu"];

/// Writes the licences of all packages in the browser's modules to `target`.
pub fn write_licences(root: &Path, target: &Path) -> Result<()> {
    let metadata = metadata(root)?;
    let packages = shipped_packages(root, &metadata)?;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::new();
    for package in &packages {
        let name = format!("{} {}", field(package, "name")?, field(package, "version")?);
        let licence = package["license"].as_str().unwrap_or("see its licence file");
        let source = package["repository"].as_str().unwrap_or("");
        list.push_str(&format!("{name}  ({licence})  {source}\n"));
        for text in licence_texts(package)? {
            // Hundreds of packages share a few texts: each stands once, with the packages that it is for.
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut page = format!(
        "Third-party software in this site\n\
         =================================\n\n\
         The WebAssembly modules of this site contain the following packages.\n\n{list}\n"
    );
    for (text, users) in &texts {
        page.push_str(&format!(
            "{}\n{}\n\n{}\n\n",
            "-".repeat(80),
            users.join(", "),
            text.trim_end()
        ));
    }
    // `keywords` alone has a hundred, `gpu` three times as many.
    ensure!(packages.len() > 20, "only {} packages found: the graph was not read", packages.len());
    files::write(target, page)
}

fn metadata(root: &Path) -> Result<Value> {
    let arguments = ["metadata", "--format-version", "1", "--locked"];
    serde_json::from_str(&cargo(root, &arguments)?).context("cargo metadata printed no JSON")
}

/// Returns what cargo prints.
fn cargo(root: &Path, arguments: &[&str]) -> Result<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    output(Command::new(cargo).args(arguments).current_dir(root))
}

/// The packages from outside that the modules are compiled from, ordered by name and version.
fn shipped_packages<'a>(root: &Path, metadata: &'a Value) -> Result<Vec<&'a Value>> {
    let mut shipped = BTreeSet::new();
    for package in SHIPPED {
        shipped.extend(compiled_in(root, package)?);
    }
    // Those of this workspace are under the site's own licence.
    let outside = |package: &&Value| !package["source"].is_null();
    let named = |package: &&Value| {
        let name = (package["name"].as_str(), package["version"].as_str());
        name.0
            .zip(name.1)
            .is_some_and(|(name, version)| shipped.contains(&(name.to_owned(), version.to_owned())))
    };
    let mut packages: Vec<&Value> =
        array(&metadata["packages"]).iter().filter(outside).filter(named).collect();
    // By name, so that two builds of one version write the same file.
    packages.sort_by_key(|package| (package["name"].to_string(), package["version"].to_string()));
    Ok(packages)
}

/// Name and version of everything that is compiled into a module. The metadata's own graph holds
/// optional dependencies that no feature asks for; cargo's tree holds what is built. Build scripts,
/// tests and procedural macros do not end up in the module.
fn compiled_in(root: &Path, package: &str) -> Result<BTreeSet<(String, String)>> {
    let tree = cargo(
        root,
        &[
            "tree", "--locked", "--package", package, "--target", WASM_TARGET, "--edges",
            "normal,no-proc-macro", "--prefix", "none", "--format", "{p}",
        ],
    )?;
    Ok(tree
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let name = words.next()?.to_owned();
            let version = words.next()?.strip_prefix('v')?.to_owned();
            Some((name, version))
        })
        .collect())
}

fn licence_texts(package: &Value) -> Result<Vec<String>> {
    let manifest = field(package, "manifest_path")?;
    let folder = Path::new(manifest).parent().context("a manifest without a folder")?;
    let is_licence = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let starts = ["LICENSE", "LICENCE", "COPYING", "NOTICE"];
        path.is_file() && starts.iter().any(|start| name.starts_with(start))
    };
    let paths = files::list(folder)?;
    paths.iter().filter(|path| is_licence(path)).map(|path| files::read_text(path)).collect()
}

fn field<'a>(package: &'a Value, name: &str) -> Result<&'a str> {
    package[name].as_str().with_context(|| format!("a package without `{name}`"))
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let fingerprint = |parts: &[&str]| {
            let mut fingerprint = Fingerprint::default();
            parts.iter().for_each(|part| fingerprint.text(part));
            fingerprint.finish()
        };
        assert_eq!(fingerprint(&["ab", "c"]), fingerprint(&["ab", "c"]));
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
    }

    #[test]
    fn follows_workspace_dependencies() {
        let workspace = Workspace::locate().unwrap();
        let folders = sources_of(&workspace, "campanile-browser-gpu").unwrap();
        for folder in ["crates/browser/gpu", "crates/model"] {
            assert!(folders.contains(Path::new(folder)), "{folder} is not among {folders:?}");
        }
        assert!(!folders.contains(Path::new("crates/xtask")));
    }
}
