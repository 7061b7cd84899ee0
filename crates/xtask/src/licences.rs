//! Collects the licences of everything that is compiled into the browser's modules.
//!
//! A built site redistributes these packages, so their licences travel with it. The list comes from
//! what cargo builds for wasm32, not from a file kept by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::process::output;

/// The packages whose dependencies are shipped.
const SHIPPED: [&str; 3] =
    ["campanile-browser-keywords", "campanile-browser-core", "campanile-browser-gpu"];

/// Writes the licences of all packages in the browser's modules to `target`.
pub fn write(root: &Path, target: &Path) -> Result<()> {
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
    ensure!(packages.len() > 20, "only {} packages found: the graph was not read", packages.len());
    fs::write(target, page).with_context(|| format!("cannot write `{}`", target.display()))
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
    let outside = |package: &&Value| !package["source"].is_null();
    let named = |package: &&Value| {
        let name = (package["name"].as_str(), package["version"].as_str());
        name.0
            .zip(name.1)
            .is_some_and(|(name, version)| shipped.contains(&(name.to_owned(), version.to_owned())))
    };
    let mut packages: Vec<&Value> =
        array(&metadata["packages"]).iter().filter(outside).filter(named).collect();
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
            "tree",
            "--locked",
            "--package",
            package,
            "--target",
            "wasm32-unknown-unknown",
            "--edges",
            "normal,no-proc-macro",
            "--prefix",
            "none",
            "--format",
            "{p}",
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
    let mut paths: Vec<_> = fs::read_dir(folder)
        .with_context(|| format!("cannot read `{}`", folder.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            path.is_file()
                && ["LICENSE", "LICENCE", "COPYING", "NOTICE"]
                    .iter()
                    .any(|start| name.starts_with(start))
        })
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
        })
        .collect()
}

fn field<'a>(package: &'a Value, name: &str) -> Result<&'a str> {
    package[name].as_str().with_context(|| format!("a package without `{name}`"))
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
