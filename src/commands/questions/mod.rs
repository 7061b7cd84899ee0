//! `campanile questions`: what a large model knows about the passages, compiled into the site.

mod export;
mod review;
mod write;

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
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

/// Writes a file whole or not at all.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!("{name}.part"));
    let named = |error: io::Error| {
        io::Error::new(error.kind(), format!("cannot write `{}`: {error}", path.display()))
    };
    let mut file = fs::File::create(&part).map_err(named)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(named)?;
    fs::rename(&part, path).map_err(named)
}
