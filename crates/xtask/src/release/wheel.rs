//! A wheel with the command: `pip install` puts it on the path, and nothing of it is Python.
//!
//! maturin makes such wheels (`bindings = "bin"`), but only of what its own `cargo rustc` has compiled: it takes no command
//! that is there. Where one flag, feature or variable is another than ours, it compiles the command and all below it, many
//! minutes, a second time and to other bytes than the archive's. So the wheel is put together by what the specification
//! of binary distributions says of scripts, by hatchling (`publish/wheel`).

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::targets::Target;
use super::{ABOUT, LICENCES, VERSION, copy_from_checkout, release_folder, work_folder};
use crate::files;
use crate::process;
use crate::setup::{self, PythonPackages};
use crate::workspace::Workspace;

/// The wheel's description, and the hook that puts the command into it.
const SOURCES: [&str; 2] = ["publish/wheel/pyproject.toml", "publish/wheel/hatch_build.py"];

/// Packs a compiled command into a wheel for the systems that it runs on.
pub fn pack(workspace: &Workspace, command: &Path, target: &Target) -> Result<PathBuf> {
    let python = setup::install_python_packages(
        workspace,
        &PythonPackages {
            requirements: Path::new("publish/wheel/requirements.txt"),
            folder: &workspace.tools().join("wheel"),
            what: "what makes a wheel (hatchling, wheel, auditwheel)",
            effort: "installing (about 30 MB on disk)",
        },
    )?;
    let folder = work_folder(workspace, "wheel")?;
    copy_from_checkout(workspace, &SOURCES, &folder)?;
    copy_from_checkout(workspace, &LICENCES, &folder)?;
    files::copy(&workspace.root.join(ABOUT), &folder.join("README.md"))?;
    files::copy(command, &folder.join(target.executable()))?;
    let run = |words: &[&str], file: Option<&Path>| {
        let mut program = workspace.program(&python);
        program.current_dir(&folder).arg("-m").args(words).args(file);
        program.env("CAMPANILE_VERSION", VERSION).env("CAMPANILE_COMMAND", target.executable());
        program.env("CAMPANILE_PLATFORM", built_for(workspace, target)?);
        process::output(&mut program)
    };
    run(&["hatchling", "build", "--target", "wheel", "--directory", "."], None)?;
    let mut wheel = one_wheel(&folder)?;
    if target.os == "linux" {
        let told: Value =
            serde_json::from_str(&run(&["auditwheel", "show", "--json"], Some(&wheel))?)
                .context("`auditwheel show` does not tell in JSON")?;
        let platform = manylinux(&told)?;
        run(&["wheel", "tags", "--remove", "--platform-tag", platform], Some(&wheel))?;
        wheel = one_wheel(&folder)?;
    }
    let to = release_folder(workspace)?.join(wheel.file_name().unwrap_or_default());
    files::copy(&wheel, &to)?;
    files::remove_folder(&folder)?;
    Ok(to)
}

/// The wheel that lies in a folder.
fn one_wheel(folder: &Path) -> Result<PathBuf> {
    let mut wheels = files::list(folder)?;
    wheels.retain(|path| path.extension().is_some_and(|extension| extension == "whl"));
    match wheels.as_slice() {
        [wheel] => Ok(wheel.clone()),
        _ => bail!("{} wheels in {}, not one", wheels.len(), folder.display()),
    }
}

/// The tag of the platform that a target's command was compiled for. Of Linux it says too little to be published:
/// see [`manylinux`].
fn built_for(workspace: &Workspace, target: &Target) -> Result<String> {
    let arch = target.triple.split('-').next().unwrap_or_default();
    Ok(match target.os {
        "win32" => "win_amd64".to_owned(),
        "linux" => format!("linux_{arch}"),
        _ => {
            // `MACOSX_DEPLOYMENT_TARGET=11.0`: the oldest system that the compiler builds for.
            let mut rustc = workspace.program("rustc");
            rustc.args(["--print", "deployment-target", "--target", target.triple]);
            let told = process::output(&mut rustc)?;
            let (_, version) = told.trim().split_once('=').context("rustc tells no version")?;
            macos(version, arch)
        }
    })
}

fn macos(version: &str, arch: &str) -> String {
    let arch = if arch == "aarch64" { "arm64" } else { arch };
    format!("macosx_{}_{arch}", version.replace('.', "_"))
}

/// The tag of the oldest Linux that a wheel runs on, by the symbols of glibc that its command needs.
fn manylinux(told: &Value) -> Result<&str> {
    let tag = told["overall_tag"].as_str().context("`auditwheel show` names no tag")?;
    ensure!(
        tag.starts_with("manylinux_"),
        "the command needs what not every Linux has, so that no wheel of it can be published ({tag}): {}\n  way out: \
         link statically what it names, or compile it on an older system",
        told["external_libs"]
    );
    Ok(tag)
}

/// Installs a wheel into a new environment in a folder, as someone without a network would, and gives the command there.
pub fn install(workspace: &Workspace, wheel: &Path, folder: &Path) -> Result<PathBuf> {
    let environment = folder.join("environment");
    let mut python = workspace.program("python3");
    process::output(python.args(["-m", "venv"]).arg(&environment))
        .context("no environment for the wheel: on Debian, `apt-get install python3-venv`")?;
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let mut pip = workspace.program(programs.join("python"));
    pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-index"]);
    process::output(pip.arg(wheel))?;
    Ok(programs.join(format!("campanile{}", std::env::consts::EXE_SUFFIX)))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use serde_json::json;

    use super::super::targets::TARGETS;
    use super::*;

    #[test]
    fn each_target_has_its_tag() {
        let workspace = Workspace::locate().unwrap();
        let tags = TARGETS.each_ref().map(|target| built_for(&workspace, target).unwrap());
        // The compiler's oldest macOS changes with it.
        let fixed = ["linux_x86_64", "linux_aarch64", "macosx_1", "macosx_1", "win_amd64"];
        for (tag, fixed) in tags.iter().zip(fixed) {
            assert!(tag.starts_with(fixed), "{tag}");
        }
        assert_eq!(macos("11.0", "aarch64"), "macosx_11_0_arm64");
        assert_eq!(macos("10.12", "x86_64"), "macosx_10_12_x86_64");
    }

    #[test]
    fn a_command_that_needs_other_libraries_is_no_wheel() {
        let told = json!({"overall_tag": "manylinux_2_34_x86_64", "external_libs": {}});
        assert_eq!(manylinux(&told).unwrap(), "manylinux_2_34_x86_64");
        let told = json!({"overall_tag": "linux_x86_64", "external_libs": {"libssl.so.3": null}});
        let error = manylinux(&told).unwrap_err().to_string();
        assert!(error.contains("libssl.so.3"), "{error}");
    }
}
