//! The demo: the sample campus as a site on this machine.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::web::WebOptions;
use crate::workspace::Workspace;
use crate::{build, setup, web};

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
pub fn run(workspace: &Workspace, options: &DemoOptions) -> Result<ExitCode> {
    setup::for_web(workspace)?;
    web::build(workspace, &WebOptions::default())?;
    build::command(workspace)?;
    setup::fetch_models(workspace)?;

    let site = workspace.cache.join("demo-site");
    let campanile = |words: &[&str]| {
        println!("$ campanile {}", words.join(" "));
        let status = workspace.program(workspace.command()).args(words).status();
        status.context("cannot run the campanile command")
    };
    let site = site.to_str().context("the cache folder's path is not valid Unicode")?;
    let status = campanile(&["build", "samples/campus", "-o", site])?;
    anyhow::ensure!(status.success(), "the sample campus could not be built ({status})");
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
