//! The `campanile` command: compiled, given its models, and run for the demo.

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::setup;
use crate::web::{self, WebOptions};
use crate::workspace::{Workspace, native_packages};

/// Compiles `campanile` as a release has it, with all its jobs, and with `pkg/`, `web/` and `www/` inside.
pub fn build(workspace: &Workspace) -> Result<()> {
    println!("build   the campanile command with all its jobs (some minutes the first time)");
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--release", "--locked", "--bin", "campanile"]);
    // With the packages of the tests: for this one alone, cargo would choose other features.
    workspace.log("build-command")?.run(native_packages(&mut cargo))
}

/// Compiles `campanile` as a clone has it: what reads, builds, asks and serves, and half the packages.
pub fn build_lean(workspace: &Workspace) -> Result<()> {
    println!("build   the campanile command (some minutes the first time)");
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--release", "--locked", "--package", "campanile"]);
    workspace.log("build-command")?.run(&mut cargo)
}

/// The models of the demo and the tests: the encoder that a site searches with by default, and one that writes.
const MODELS: [&str; 2] = ["all-MiniLM-L6-v2", "smollm2-135m-instruct"];

/// Lets `campanile model fetch` put each model into its cache folder; it skips what is there
/// and shows its own progress.
pub fn fetch_models(workspace: &Workspace) -> Result<()> {
    for model in MODELS {
        println!("setup   model {model}");
        let status = workspace
            .program(workspace.command())
            .args(["model", "fetch", model])
            .status()
            .context("cannot run the campanile command")?;
        ensure!(status.success(), "`campanile model fetch {model}` failed ({status})");
    }
    Ok(())
}

/// The options of the demo.
#[derive(Debug, PartialEq, Eq)]
pub struct DemoOptions {
    pub port: u16,
    pub serve: bool,
}

impl Default for DemoOptions {
    fn default() -> Self {
        Self { port: 8420, serve: true }
    }
}

/// Builds everything the sample site needs, then the site, then serves it until Ctrl-C.
pub fn demo(workspace: &Workspace, options: &DemoOptions) -> Result<ExitCode> {
    setup::for_web(workspace)?;
    web::build(workspace, &WebOptions::default())?;
    build_lean(workspace)?;
    fetch_models(workspace)?;

    let site = workspace.cache.join("demo-site");
    let campanile = |words: &[&str]| {
        println!("$ campanile {}", words.join(" "));
        let status = workspace.program(workspace.command()).args(words).status();
        status.context("cannot run the campanile command")
    };
    // It becomes a word of the command line that is shown.
    let site = site.to_str().context("the cache folder's path is not valid Unicode")?;
    let status = campanile(&["build", "samples/campus", "-o", site])?;
    ensure!(status.success(), "the sample campus could not be built ({status})");
    if !options.serve {
        return Ok(ExitCode::SUCCESS);
    }
    let status = campanile(&["serve", site, "--port", &options.port.to_string()])?;
    // Ctrl-C ends the server by a signal and is how a demo is meant to end.
    Ok(match status.code() {
        Some(code) if code != 0 => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}
