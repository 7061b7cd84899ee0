//! `campanile lint`: whom each document is for, and what looks wrong.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use campanile_build::metadata::lint::{DocumentReport, Report, lint};
use campanile_build::metadata::{Resolver, Sidecars, today};
use campanile_build::{config, documents};
use campanile_corpus::metadata::{Date, Profile};
use campanile_ingest::Severity;
use campanile_terminal::console::{Watching, this_program};
use campanile_terminal::{console, say};
use serde_json::json;

use crate::cli::LintArguments;

/// Reads the documents, resolves their metadata and prints what was found.
pub fn run(arguments: &LintArguments) -> anyhow::Result<ExitCode> {
    if !arguments.docs.is_dir() {
        bail!(
            "`{}` is no folder\n  way out: `campanile lint DOCS`, where DOCS is the folder that \
             holds the documents",
            arguments.docs.display()
        );
    }
    let today = arguments.today.or_else(today).context(
        "this machine's clock is not set\n  way out: `--today DATE`, as in `--today 2026-03-31`",
    )?;
    let profile = arguments.profile.as_deref().map(|text| profile(text, today)).transpose()?;
    let config = config::load(&arguments.docs, arguments.config.as_deref())?;
    let watching = Watching { from: Severity::Failure };
    let read = documents::read_all(&arguments.docs, &config, Some(&this_program()?), &watching)?;
    let sidecars = Sidecars::read(&arguments.docs, &read.sidecars);
    let resolver = Resolver::new(&config, sidecars)?;
    let report = lint(&read.documents, &resolver, profile.as_ref(), today)
        .with_findings(&read.files, &read.passed_over);
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&as_json(&report, read.failed))?);
    } else {
        print(&report, read.failed);
    }
    Ok(match (arguments.strict && report.warnings() > 0, read.failed) {
        (true, _) => ExitCode::from(console::EXIT_FAILURE),
        (false, 0) => ExitCode::SUCCESS,
        (false, _) if arguments.strict => ExitCode::from(console::EXIT_FAILURE),
        (false, _) => ExitCode::from(console::EXIT_PARTIAL),
    })
}

/// `department=Computer Science, batch=2023, courses=CS101+CS102`.
fn profile(text: &str, today: Date) -> anyhow::Result<Profile> {
    let mut profile = Profile { date: Some(today), ..Profile::default() };
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (field, value) = part.split_once('=').unwrap_or((part, ""));
        let value = value.trim().to_owned();
        let place = match field.trim().to_ascii_lowercase().as_str() {
            "programme" | "program" => &mut profile.programme,
            "department" => &mut profile.department,
            "faculty" => &mut profile.faculty,
            "batch" => &mut profile.batch,
            "courses" | "course" => {
                profile.courses.extend(value.split('+').map(|code| code.trim().to_owned()));
                continue;
            }
            _ => bail!(
                "`--profile` has the part \"{part}\", which is not known\n  way out: use programme, \
                 department, faculty, batch and courses, as in `--profile \"department=Computer \
                 Science, batch=2023, courses=CS101+CS102\"`"
            ),
        };
        *place = Some(value).filter(|value| !value.is_empty());
    }
    Ok(profile)
}

fn print(report: &Report, failed: usize) {
    for document in &report.documents {
        print_document(document);
    }
    for warning in &report.warnings {
        say!("warning: {warning}");
    }
    if !report.warnings.is_empty() {
        say!("");
    }
    say!("{}", summary(report, failed));
}

fn print_document(document: &DocumentReport) {
    say!("{}", document.path);
    say!("  For {}.", document.audience);
    // By where it stands, in the order of the fields.
    let mut origins: Vec<&str> = Vec::new();
    let mut said: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for stated in &document.values {
        if !origins.contains(&stated.origin.as_str()) {
            origins.push(&stated.origin);
        }
        said.entry(&stated.origin).or_default().push(format!("{} {}", stated.field, stated.value));
    }
    for origin in origins {
        let said = said.get(origin).map(|said| said.join("; ")).unwrap_or_default();
        say!("  From {origin}: {said}.");
    }
    if let Some(applicability) = &document.applicability {
        let against: Vec<String> = applicability.exclusions().map(ToString::to_string).collect();
        match against.is_empty() {
            true => say!("  This visitor finds it."),
            false => say!("  This visitor does not find it ({}).", against.join("; ")),
        }
    }
    for warning in &document.warnings {
        say!("  warning: {warning}");
    }
    say!("");
}

/// "37 documents: 3 warnings, about 2 of them. 30 are for this visitor. 1 could not be read."
fn summary(report: &Report, failed: usize) -> String {
    let total = report.documents.len();
    let mut summary = console::count(total, "document");
    match report.warnings() {
        0 => summary += ": nothing looks wrong.",
        warnings => summary += &format!(": {}.", console::count(warnings, "warning")),
    }
    let outcomes: Vec<bool> = report
        .documents
        .iter()
        .filter_map(|document| Some(document.applicability.as_ref()?.applies()))
        .collect();
    if !outcomes.is_empty() {
        let found = outcomes.iter().filter(|applies| **applies).count();
        summary += &format!(" This visitor finds {found} of {total}.");
    }
    if failed > 0 {
        summary += &format!(" {} could not be read.", console::count(failed, "file"));
    }
    summary
}

fn as_json(report: &Report, failed: usize) -> serde_json::Value {
    json!({ "report": report, "failed": failed, "summary": summary(report, failed) })
}
