//! `campanile questions export`: the passages, for a batch job that asks a model elsewhere.

use std::process::ExitCode;

use campanile_desk::prompt::of_site;
use campanile_terminal::console::replace;
use campanile_terminal::{console, say};
use futures_lite::future::block_on;

use crate::cli::QuestionsExportArguments;

/// Writes a line for each passage.
pub fn run(arguments: &QuestionsExportArguments) -> anyhow::Result<ExitCode> {
    let passages = block_on(of_site(&arguments.site))?;
    let mut text = String::new();
    for passage in &passages {
        text += &serde_json::to_string(&passage.exported(arguments.per_passage.into()))?;
        text.push('\n');
    }
    replace(&arguments.output, &text)?;
    say!(
        "{} in `{}`. Send each line's `messages` to a model, and write its replies as lines {{\"id\": …, \"reply\": \
         …}}; then `campanile questions write {} --replies FILE -o questions.jsonl`.",
        console::count(passages.len(), "passage"),
        arguments.output.display(),
        arguments.site.display()
    );
    Ok(ExitCode::SUCCESS)
}
