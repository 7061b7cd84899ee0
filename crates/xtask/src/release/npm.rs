//! The command for npm: a package for each target that holds it (`@campanile/cli-linux-x64`), and one that people
//! install (`@campanile/cli`), whose script runs the command of the package that npm chose for their system.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};

use super::targets::{TARGETS, Target};
use super::{ABOUT, LICENCES, VERSION, copy_from_checkout, release_folder, work_folder};
use crate::files;
use crate::process;
use crate::setup;
use crate::workspace::Workspace;

/// The folder of the package that people install.
const MAIN: &str = "publish/npm";

/// Packs the package that people install into a folder. It is the same for all targets, and names theirs.
pub fn pack_main(workspace: &Workspace, to: &Path) -> Result<PathBuf> {
    let folder = work_folder(workspace, "npm-main")?;
    let described = files::read_json(&workspace.root.join(MAIN).join("package.json"))?;
    let described = main_manifest(described)?;
    files::write(&folder.join("package.json"), pretty(&described)?)?;
    for file in files::list(&workspace.root.join(MAIN))? {
        if file.extension().is_some_and(|extension| extension == "js") {
            files::copy(&file, &folder.join(file.file_name().unwrap_or_default()))?;
        }
    }
    pack(workspace, &folder, to)
}

/// Packs the package with a command that was compiled for a target.
pub fn pack_platform(workspace: &Workspace, command: &Path, target: &Target) -> Result<PathBuf> {
    let folder = work_folder(workspace, "npm-platform")?;
    let main = files::read_json(&workspace.root.join(MAIN).join("package.json"))?;
    files::write(&folder.join("package.json"), pretty(&platform_manifest(&main, target)?)?)?;
    files::copy(command, &folder.join(target.executable()))?;
    pack(workspace, &folder, &release_folder(workspace)?)
}

/// The name of the package for a target. The script in `publish/npm` looks for it by the same two words.
fn platform_name(main: &str, target: &Target) -> String {
    format!("{main}-{}-{}", target.os, target.cpu)
}

fn name_of(main: &Value) -> Result<&str> {
    main["name"].as_str().with_context(|| format!("{MAIN}/package.json has no name"))
}

/// What `publish/npm/package.json` says, with what stands elsewhere: the version, and the packages of the targets.
///
/// Each of these is optional, and says which system it is for: npm installs the one that fits.
fn main_manifest(mut main: Value) -> Result<Value> {
    let name = name_of(&main)?.to_owned();
    let packages = TARGETS.iter().map(|target| (platform_name(&name, target), json!(VERSION)));
    main["optionalDependencies"] = Value::Object(packages.collect::<Map<_, _>>());
    main["version"] = json!(VERSION);
    Ok(main)
}

fn platform_manifest(main: &Value, target: &Target) -> Result<Value> {
    let name = name_of(main)?;
    let mut described = json!({
        "name": platform_name(name, target),
        "version": VERSION,
        "description": format!("The campanile command for {}, which {name} runs", target.triple),
        "license": main["license"],
        "repository": main["repository"],
        "os": [target.os],
        "cpu": [target.cpu],
        // Package managers that keep packages packed cannot run what is in them.
        "preferUnplugged": true,
    });
    if let Some(libc) = target.libc {
        described["libc"] = json!([libc]);
    }
    Ok(described)
}

fn pretty(described: &Value) -> Result<String> {
    Ok(serde_json::to_string_pretty(described)? + "\n")
}

/// Has npm pack a folder, with what every package of ours holds beside its own, and gives the packed file.
fn pack(workspace: &Workspace, folder: &Path, to: &Path) -> Result<PathBuf> {
    copy_from_checkout(workspace, &LICENCES, folder)?;
    files::copy(&workspace.root.join(ABOUT), &folder.join("README.md"))?;
    let mut npm = npm(workspace);
    npm.args(["pack", "--json", "--ignore-scripts", "--pack-destination"]).arg(to);
    let told = process::output(npm.current_dir(folder)).context(WAY_OUT)?;
    let told: Value = serde_json::from_str(&told).context("`npm pack` does not tell in JSON")?;
    let name = told[0]["filename"].as_str().context("`npm pack` names no file")?;
    files::remove_folder(folder)?;
    Ok(to.join(name))
}

/// Said where npm fails: nobody who only wants the archive expects to need it.
const WAY_OUT: &str = "no package for npm: npm comes with Node.js, which has to be installed";

fn npm(workspace: &Workspace) -> Command {
    workspace.program(setup::NPM)
}

/// Installs packed packages into a folder as someone without a network would, and gives the script that runs the command.
pub fn install(workspace: &Workspace, packed: &[PathBuf], folder: &Path) -> Result<PathBuf> {
    let mut npm = npm(workspace);
    npm.args(["install", "--offline", "--no-audit", "--no-fund", "--cache"]);
    npm.arg(folder.join("npm-cache")).args(packed);
    process::output(npm.current_dir(folder)).context(WAY_OUT)?;
    Ok(folder.join("node_modules/@campanile/cli/campanile.js"))
}

/// The command that the script of an installed package runs.
pub fn command_beside(script: &Path, target: &Target) -> Result<PathBuf> {
    let main = script.parent().context("the script lies in no folder")?;
    let name = main.file_name().and_then(|name| name.to_str()).context("a package has no name")?;
    Ok(main.with_file_name(platform_name(name, target)).join(target.executable()))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    fn described() -> Value {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        files::read_json(&root.join(MAIN).join("package.json")).unwrap()
    }

    #[test]
    fn the_main_package_names_that_of_each_target() {
        let main = main_manifest(described()).unwrap();
        assert_eq!(main["version"], VERSION);
        let named = main["optionalDependencies"].as_object().unwrap();
        for target in &TARGETS {
            let platform = platform_manifest(&main, target).unwrap();
            assert_eq!(named[platform["name"].as_str().unwrap()], platform["version"]);
        }
        assert_eq!(named.len(), TARGETS.len());
    }

    #[test]
    fn a_platform_package_says_whom_it_is_for() {
        let of = |target: &Target| platform_manifest(&described(), target).unwrap();
        let linux = of(&TARGETS[1]);
        assert_eq!(linux["name"], "@campanile/cli-linux-arm64");
        assert_eq!(
            (&linux["os"], &linux["cpu"], &linux["libc"]),
            (&json!(["linux"]), &json!(["arm64"]), &json!(["glibc"]))
        );
        let windows = of(&TARGETS[4]);
        assert_eq!(windows["name"], "@campanile/cli-win32-x64");
        assert!(windows.get("libc").is_none());
        assert_eq!(windows["license"], "MIT OR Apache-2.0");
    }
}
