//! `campanile questions`: what a large model knows about the passages, compiled into the site.

mod export;
mod review;
mod write;

use std::process::ExitCode;

use crate::cli::{QuestionsAction, QuestionsArguments};

/// Runs one action.
pub fn run(arguments: &QuestionsArguments) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        QuestionsAction::Export(arguments) => export::run(arguments),
        QuestionsAction::Write(arguments) => write::run(arguments),
        QuestionsAction::Review(arguments) => review::run(arguments),
    }
}
