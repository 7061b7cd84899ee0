//! Fingerprints: whether anything that goes into a build has changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::process::output;
use crate::workspace::Workspace;

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
        let bytes =
            fs::read(root.join(path)).with_context(|| format!("cannot read {}", path.display()))?;
        self.bytes(&bytes);
        Ok(())
    }

    /// Takes in the sources below a package's folder, in the order of their names.
    pub fn folder(&mut self, root: &Path, folder: &Path) -> Result<()> {
        let place = root.join(folder);
        let entries =
            fs::read_dir(&place).with_context(|| format!("cannot read {}", place.display()))?;
        let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>>>()?;
        names.sort();
        for name in names {
            let path = folder.join(&name);
            if !root.join(&path).is_dir() {
                self.file(root, &path)?;
            } else if !NOT_SOURCES.iter().any(|skipped| name == **skipped) {
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
    let mut metadata = workspace.cargo();
    metadata.args(["metadata", "--format-version", "1", "--no-deps"]);
    let metadata: Value =
        serde_json::from_str(&output(&mut metadata)?).context("cargo metadata is not JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
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
    anyhow::ensure!(!folders.is_empty(), "the workspace has no package `{package}`");
    Ok(folders)
}

fn library_dependencies(package: &Value) -> impl Iterator<Item = String> {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    dependencies
        .filter(|dependency| dependency["kind"] != "dev")
        .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
}

#[cfg(test)]
#[expect(clippy::unwrap_used)]
mod tests {
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
