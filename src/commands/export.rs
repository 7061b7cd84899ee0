//! `campanile export`: a site's passages as tables that other search engines read.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use campanile_bundle::{Bundle, DirectoryFetch};
use campanile_export::{passages, questions};
use campanile_questions::{Question, read_questions};
use campanile_terminal::site::{SearchMode, open};
use campanile_terminal::{console, say};
use futures_lite::future::block_on;

use crate::cli::{ExportArguments, TableForm};

/// Writes the tables.
pub fn run(arguments: &ExportArguments) -> anyhow::Result<ExitCode> {
    let TableForm::Parquet = arguments.to;
    // Read first: a set with a mistake in it should not be told of after the passages.
    let asked = arguments.questions.as_deref().map(read).transpose()?;
    let path = arguments.output.join("passages.parquet");
    let count = write_passages(&arguments.site, &path)?;
    say!("{} in `{}`", console::count(count as usize, "passage"), path.display());
    if let Some(asked) = asked {
        let path = arguments.output.join("questions.parquet");
        let engine = open(&arguments.site, SearchMode::Hybrid)?;
        let bar = console::counting_bar(asked.len(), "Asking", "questions");
        block_on(questions::write(&engine, &asked, &path, &mut |done| {
            bar.set_position(done as u64)
        }))?;
        bar.finish_and_clear();
        say!("{} in `{}`", console::count(asked.len(), "question"), path.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn write_passages(site: &Path, path: &Path) -> anyhow::Result<u32> {
    let opened = block_on(Bundle::open(DirectoryFetch::new(site)))
        .with_context(|| format!("cannot open the site `{}`", site.display()))?;
    let documents = opened.manifest().counts.documents;
    let bar = console::counting_bar(documents as usize, "Writing", "documents");
    let count =
        block_on(passages::write(&opened, path, &mut |done| bar.set_position(done.into())))?;
    bar.finish_and_clear();
    Ok(count)
}

fn read(file: &Path) -> anyhow::Result<Vec<Question>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read `{}`", file.display()))?;
    read_questions(&text).with_context(|| format!("in `{}`", file.display()))
}
