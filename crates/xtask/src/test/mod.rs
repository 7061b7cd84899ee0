//! Every check of the project, one after the other, with a table at the end.

mod count;
mod report;
mod steps;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::process::Log;
use crate::setup;
use crate::setup::browser::{self, Browser};
use crate::workspace::Workspace;
use count::Count;
use report::Outcome;
use steps::{STEPS, Step, page_script};

/// The things that the steps share.
pub struct Context<'a> {
    pub workspace: &'a Workspace,
    browser: OnceCell<Browser>,
}

impl<'a> Context<'a> {
    fn new(workspace: &'a Workspace) -> Self {
        Self { workspace, browser: OnceCell::new() }
    }

    /// The browser to drive; found, or installed, when the first step asks.
    pub fn browser(&self) -> Result<&Browser> {
        if let Some(browser) = self.browser.get() {
            return Ok(browser);
        }
        let browser = browser::provide(self.workspace)?;
        Ok(self.browser.get_or_init(|| browser))
    }
}

/// Runs all steps, or the named ones. A step that cannot run counts as failed.
pub fn run(workspace: &Workspace, names: &[String]) -> Result<ExitCode> {
    let steps = select(names)?;
    let context = Context::new(workspace);
    let mut outcomes = Vec::new();
    let mut failed = BTreeSet::new();
    for (number, step) in (1..).zip(&steps) {
        println!("\n[{number}/{}] {}: {}", steps.len(), step.name, step.what);
        let start = Instant::now();
        let count = match step.needs.iter().find(|needed| failed.contains(*needed)) {
            Some(needed) => Count::not_run(format!("`{needed}` has to pass first")),
            None => run_step(&context, step),
        };
        if count.failed > 0 {
            failed.insert(step.name);
        }
        let outcome = Outcome { name: step.name, count, seconds: start.elapsed().as_secs_f64() };
        println!("{}", report::line(&outcome));
        outcomes.push(outcome);
    }
    println!("\n{}", report::table(&outcomes));
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Node.js with the browser of the tests, for a script that drives a page.
pub fn page_program(workspace: &Workspace) -> Result<Command> {
    page_script(&Context::new(workspace))
}

/// Takes the README's pictures with the browser of the tests.
pub fn screenshots(workspace: &Workspace) -> Result<()> {
    setup::everything(workspace)?;
    let log = Log::create(&workspace.logs(), "screenshots")?;
    log.run(page_program(workspace)?.arg("tests/browser/screenshots.js"))?;
    print!("{}", log.text()?);
    Ok(())
}

fn run_step(context: &Context<'_>, step: &Step) -> Count {
    let result =
        Log::create(&context.workspace.logs(), step.name).and_then(|log| (step.run)(context, &log));
    result.unwrap_or_else(|error| Count::not_run(format!("{error:#}")))
}

fn select(names: &[String]) -> Result<Vec<&'static Step>> {
    let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("there is no step `{name}`; the steps are: {}", known.join(", "));
    }
    let chosen =
        STEPS.iter().filter(|step| names.is_empty() || names.iter().any(|name| name == step.name));
    let chosen: Vec<_> = chosen.collect();
    ensure!(!chosen.is_empty(), "no step to run");
    Ok(chosen)
}
