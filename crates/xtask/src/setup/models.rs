//! The models of the demo and the tests, through the project's own command.

use anyhow::{Context, Result};

use crate::workspace::Workspace;

const MODELS: [&str; 2] = ["all-MiniLM-L6-v2", "smollm2-135m-instruct"];

/// Lets `campanile model fetch` put each model into its cache folder; it skips what is there
/// and shows its own progress.
pub fn fetch(workspace: &Workspace) -> Result<()> {
    for model in MODELS {
        println!("setup   model {model}");
        let status = workspace
            .program(workspace.command())
            .args(["model", "fetch", model])
            .status()
            .context("cannot run the campanile command")?;
        anyhow::ensure!(status.success(), "`campanile model fetch {model}` failed ({status})");
    }
    Ok(())
}
