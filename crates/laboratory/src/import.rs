//! `campanile eval import`: question sets of other layouts.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use campanile_eval::import::{
    DOCUMENTS_FOLDER, ImportedSet, QUESTIONS_FILE, SetFiles, beir, cmu, cranfield, csv, scifact,
    squad, write_set,
};
use campanile_terminal::{console, say};
use serde_json::json;

use crate::arguments::{EvalImportArguments, SetLayout};

/// Reads the set, writes it, and says what to do with it.
pub fn run(arguments: &EvalImportArguments) -> anyhow::Result<ExitCode> {
    let set = read(arguments)
        .with_context(|| format!("cannot import `{}`", arguments.source.display()))?;
    write_set(&set, &arguments.to)?;
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&as_json(&set))?);
    } else {
        print(&set, &arguments.to);
    }
    Ok(ExitCode::SUCCESS)
}

fn read(arguments: &EvalImportArguments) -> anyhow::Result<ImportedSet> {
    let split = arguments.split.as_deref();
    let has_splits = matches!(arguments.layout, SetLayout::Beir | SetLayout::Scifact);
    if split.is_some() && !has_splits {
        bail!("`--split` is for beir and scifact\n  way out: leave it out");
    }
    let name = arguments.source.file_name().unwrap_or_default().to_string_lossy();
    let files = || SetFiles::open(&arguments.source);
    Ok(match arguments.layout {
        SetLayout::Squad => squad(&name, &text(&arguments.source)?)?,
        SetLayout::Csv => csv(&name, &text(&arguments.source)?)?,
        SetLayout::Beir => beir(&files()?, split)?,
        SetLayout::Scifact => scifact(&files()?, split)?,
        SetLayout::Cranfield => cranfield(&files()?)?,
        SetLayout::Cmu => cmu(&files()?)?,
    })
}

/// The text of a set that is one file.
fn text(source: &Path) -> anyhow::Result<String> {
    if source.is_dir() {
        bail!("a file is expected, and this is a folder\n  way out: name the file in it");
    }
    let files = SetFiles::open(source)?;
    let name = files.names().next().context("no file in it")?;
    Ok(files.text(name)?)
}

fn print(set: &ImportedSet, folder: &Path) {
    let folder = folder.display();
    let categories: Vec<String> =
        categories(set).into_iter().map(|(name, count)| format!("{count} {name}")).collect();
    let questions = console::count(set.questions.len(), "question");
    say!("{questions} ({}) in `{folder}/{QUESTIONS_FILE}`", categories.join(", "));
    if !set.documents.is_empty() {
        let documents = console::count(set.documents.len(), "document");
        say!("{documents} in `{folder}/{DOCUMENTS_FOLDER}`");
    }
    for remark in &set.remarks {
        say!("note: {remark}");
    }
    let site = if set.documents.is_empty() { "SITE" } else { "site" };
    say!("\nNext:");
    if !set.documents.is_empty() {
        say!("  campanile build {folder}/{DOCUMENTS_FOLDER} -o site --index-only");
    }
    say!("  campanile eval {site} {folder}/{QUESTIONS_FILE}");
}

fn as_json(set: &ImportedSet) -> serde_json::Value {
    json!({
        "questions": set.questions.len(),
        "categories": categories(set),
        "documents": set.documents.len(),
        "remarks": set.remarks,
    })
}

fn categories(set: &ImportedSet) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for question in &set.questions {
        *counts.entry(question.category.name()).or_insert(0) += 1;
    }
    counts
}
