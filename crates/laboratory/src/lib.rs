//! `campanile eval`: question sets, and sites measured with them.
//!
//! It is the laboratory of the project. Researchers, and we, compare configurations here; who writes a site needs none of it. The
//! command has it as the feature `eval`, and nothing else knows it. Metrics and reports are in `campanile_eval`; this crate asks sites,
//! keeps what was made, and speaks to the terminal.
//!
//! ```no_run
//! use campanile_laboratory::{EvalArguments, run};
//! use clap::{Args as _, Command, FromArgMatches as _};
//!
//! // As the command has it: what was typed becomes arguments, and these a job.
//! let command = EvalArguments::augment_args(Command::new("eval"));
//! let typed = command.get_matches_from(["eval", "site", "questions.jsonl"]);
//! run(&EvalArguments::from_arg_matches(&typed)?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
mod arguments;
mod experiment;
mod prose;
mod question_sets;
mod site;

use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use campanile_questions::{Question, read_questions};

use crate::arguments::EvalAction;

pub use arguments::EvalArguments;

/// Runs one action; without one, a site is asked.
pub fn run(arguments: &EvalArguments) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        None if arguments.site.calibrate => site::calibrate(&arguments.site),
        None => site::run(&arguments.site),
        Some(EvalAction::Run(arguments)) => experiment::run_eval(arguments),
        Some(EvalAction::Import(arguments)) => question_sets::run_import(arguments),
        Some(EvalAction::Init(arguments)) => question_sets::run_init(arguments),
        Some(EvalAction::Agreement(arguments)) => question_sets::run_agreement(arguments),
        Some(EvalAction::Answers(arguments)) => answers::run(&arguments.action),
        Some(EvalAction::Prose(arguments)) => prose::run(&arguments.action),
    }
}

/// The questions of a set.
fn question_set(path: &Path) -> anyhow::Result<Vec<Question>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the question set `{}`", path.display()))?;
    read_questions(&text).with_context(|| format!("in `{}`", path.display()))
}

/// The text of a file that a first run writes; empty where it is not there yet.
fn read_if_there(path: &Path) -> anyhow::Result<String> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        text => text.with_context(|| format!("cannot read `{}`", path.display())),
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}
