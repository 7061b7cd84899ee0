//! Chromium for the tests, with WebGPU on the processor.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::files;
use crate::process::{answers, output};
use crate::sources::Fingerprint;
use crate::workspace::Workspace;

/// The program itself: `/usr/bin/chromium` is a script, and the copy with lavapipe needs the program.
const DEBIAN_CHROMIUM: &str = "/usr/lib/chromium/chromium";
const CHROMIUM_NAMES: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ADAPTER_SOURCES: [&str; 2] =
    ["tests/browser/webgpu/adapter.c", "tests/browser/webgpu/make-chromium.sh"];

/// The browser that the tests drive.
pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

/// Finds or installs Chromium and its WebDriver server, and gives its WebGPU the better of two
/// software adapters: lavapipe, several times faster and with 16-bit floats, where it can be
/// had, and otherwise the SwiftShader that Chromium brings. A small kernel has to give the
/// right numbers on the one that is chosen.
pub fn provide(workspace: &Workspace) -> Result<Browser> {
    let found = || {
        Some((
            find("CAMPANILE_CHROMIUM", &CHROMIUM_NAMES)?,
            find("CHROMEDRIVER", &["chromedriver"])?,
        ))
    };
    provide_chromium(workspace, found().is_some())?;
    let (chromium, driver) =
        found().context("Chromium was installed, and still is not on the PATH")?;
    let browser = Browser { chromium, driver };
    match with_lavapipe(workspace) {
        Ok(chromium) => {
            println!("setup   WebGPU for the tests: lavapipe, with 16-bit floats");
            Ok(Browser { chromium, ..browser })
        }
        Err(reason) => {
            println!(
                "setup   WebGPU for the tests: SwiftShader, slow and without 16-bit floats ({reason:#})"
            );
            probe(workspace, &browser.chromium)
                .context("the WebGPU adapter of Chromium itself does not work")?;
            Ok(browser)
        }
    }
}

/// The variables by which native tests find the lavapipe that Chromium was given; none where there
/// is none, and then they look for the system's own drivers.
pub fn native_adapter(workspace: &Workspace) -> Result<Vec<(&'static str, OsString)>> {
    let mesa = workspace.tools().join("chromium-lavapipe/mesa");
    let driver = mesa.join("libvulkan_lvp.so");
    if !driver.is_file() {
        return Ok(Vec::new());
    }
    let description = workspace.target.join("lavapipe.json");
    let path = driver.display().to_string();
    let json = format!(
        r#"{{"file_format_version": "1.0.0", "ICD": {{"library_path": {path:?}, "api_version": "1.3.0"}}}}"#
    );
    files::write(&description, json)?;
    Ok(vec![("VK_DRIVER_FILES", description.into()), ("LD_LIBRARY_PATH", mesa.into())])
}

fn provide_chromium(workspace: &Workspace, is_there: bool) -> Result<()> {
    super::provide(
        "Chromium and chromedriver",
        is_there,
        "installing the packages chromium and chromium-driver",
        || {
            install_packages(
                workspace,
                "setup-chromium",
                &["chromium", "chromium-driver"],
                "install Chromium and its chromedriver with this system's package manager, or set \
                 CAMPANILE_CHROMIUM and CHROMEDRIVER to the two programs",
            )
        },
    )
}

/// Installs packages of Debian; `way_out` says what to do on another system.
pub(super) fn install_packages(
    workspace: &Workspace,
    log: &str,
    packages: &[&str],
    way_out: &str,
) -> Result<()> {
    if !Path::new("/etc/debian_version").exists()
        || !answers(workspace.program("apt-get").arg("--version"))
    {
        bail!("{way_out}");
    }
    let user = output(workspace.program("id").arg("-u"))?;
    // A job does not ask for a password, behind a log.
    if user.trim() != "0" {
        bail!("run `sudo apt-get install {}`, then start again", packages.join(" "));
    }
    let log = workspace.log(log)?;
    log.run(workspace.program("apt-get").arg("update"))?;
    let mut install = workspace.program("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    log.run(install.env("DEBIAN_FRONTEND", "noninteractive"))
}

/// The program that a variable names, or the first of `names` on the PATH.
pub(super) fn find(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(path) = env::var_os(variable) {
        // A variable that names nothing is a mistake, which the browser on the PATH would hide.
        return Some(PathBuf::from(path)).filter(|path| path.exists());
    }
    let folders = env::var_os("PATH")?;
    let mut programs = env::split_paths(&folders)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    programs.find(|path| path.is_file())
}

/// Makes the copy of Chromium with the lavapipe adapter, or says why it can't be made.
fn with_lavapipe(workspace: &Workspace) -> Result<PathBuf> {
    if env::var_os("CAMPANILE_CHROMIUM").is_some() {
        bail!("CAMPANILE_CHROMIUM names the browser to use as it is");
    }
    if !Path::new(DEBIAN_CHROMIUM).exists() {
        bail!("lavapipe is set up for Debian's Chromium only");
    }
    let folder = workspace.tools().join("chromium-lavapipe");
    let chromium = folder.join("chromium");
    let stamp = folder.join("campanile-stamp");
    let wanted = lavapipe_fingerprint(workspace)?;
    let is_there = files::holds(&stamp, &wanted);
    super::provide(
        "Chromium with the lavapipe adapter",
        is_there,
        "making it (20 MB of Mesa packages)",
        || {
            let script = workspace.root.join("tests/browser/webgpu/make-chromium.sh");
            let log = workspace.log("setup-webgpu")?;
            log.run(workspace.program("sh").arg(script).arg(&folder))?;
            files::write(&stamp, &wanted)
        },
    )?;
    let adapter = probe(workspace, &chromium)?;
    // Whoever took another adapter would measure, and test, something else than the line above says.
    if !adapter.contains("\"shader-f16\":true") {
        bail!("the browser did not take it: {}", adapter.trim());
    }
    Ok(chromium)
}

/// Changes with Chromium's version, which an upgrade replaces, and with the adapter's sources.
fn lavapipe_fingerprint(workspace: &Workspace) -> Result<String> {
    let mut fingerprint = Fingerprint::default();
    fingerprint.text(&output(workspace.program(DEBIAN_CHROMIUM).arg("--version"))?);
    for path in ADAPTER_SOURCES {
        fingerprint.file(&workspace.root, Path::new(path))?;
    }
    Ok(fingerprint.finish())
}

fn probe(workspace: &Workspace, chromium: &Path) -> Result<String> {
    let mut node = workspace.program("node");
    node.arg("tests/browser/webgpu/probe.js");
    node.env("CAMPANILE_NODE_TOOLS", workspace.node_tools());
    node.env("CAMPANILE_CHROMIUM", chromium);
    output(&mut node)
}
