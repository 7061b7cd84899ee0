//! The `campanile` command.
//!
//! A small layer over the library crates: it parses what was typed, runs one job and prints
//! what happened. Errors of the libraries arrive here as values and leave as a report with
//! a way out.

mod cli;
mod commands;
mod features;
mod profile;

use std::process::ExitCode;

use campanile_terminal::{console, log};
use clap::Parser;

use crate::cli::{Command, CommandLine};

fn main() -> ExitCode {
    let command = CommandLine::parse().command;
    // Not of a process that reads one file: a build reads what it writes to standard error.
    if !matches!(command, Command::ReadDocument)
        && let Err(error) = log::start()
    {
        console::report(&error);
        return ExitCode::from(console::EXIT_FAILURE);
    }
    let outcome = match command {
        Command::Init(arguments) => commands::init::run(&arguments),
        Command::Build(arguments) => commands::build::run(&arguments),
        Command::Watch(arguments) => commands::watch::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Ask(arguments) => commands::ask::run(&arguments),
        #[cfg(feature = "eval")]
        Command::Eval(arguments) => campanile_laboratory::run(&arguments),
        #[cfg(not(feature = "eval"))]
        Command::Eval(_) => Err(features::lacking("eval")),
        #[cfg(feature = "export")]
        Command::Export(arguments) => commands::export::run(&arguments),
        #[cfg(not(feature = "export"))]
        Command::Export(_) => Err(features::lacking("export")),
        Command::Federate(arguments) => commands::federate::run(&arguments),
        #[cfg(feature = "parts")]
        Command::Passages(arguments) => commands::parts::passages(&arguments),
        #[cfg(feature = "parts")]
        Command::Embed(arguments) => commands::parts::embed(&arguments),
        #[cfg(not(feature = "parts"))]
        Command::Passages(_) | Command::Embed(_) => Err(features::lacking("parts")),
        #[cfg(feature = "desk")]
        Command::Questions(arguments) => commands::questions::run(&arguments),
        #[cfg(not(feature = "desk"))]
        Command::Questions(_) => Err(features::lacking("desk")),
        Command::Lint(arguments) => commands::lint::run(&arguments),
        Command::Settings(arguments) => commands::settings::run(&arguments),
        Command::Model(arguments) => commands::model::run(&arguments),
        Command::ReadDocument => commands::build::read_document(),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            console::report(&error);
            ExitCode::from(console::EXIT_FAILURE)
        }
    }
}
