//! `campanile build`: a folder of documents becomes a site.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use campanile_build::config::{self, SiteConfig};
use campanile_build::instant::Outcome;
use campanile_build::{Page, Plan, Summary, single_file};
use campanile_ingest::Severity;
use campanile_model_store::Store;
use campanile_terminal::console::{Watching, this_program};
use campanile_terminal::models::find_or_fetch;
use campanile_terminal::{console, say, tell};

use crate::cli::BuildArguments;
#[cfg(not(feature = "parts"))]
use crate::features;

/// Builds the site and prints what was done.
pub fn run(arguments: &BuildArguments) -> anyhow::Result<ExitCode> {
    check_single_file(arguments)?;
    let Built { summary, unsaid } = build(arguments)?;
    let single_file = arguments.single_file.as_deref().map(|to| pack(arguments, to)).transpose()?;
    if let Some(warning) = unsaid {
        tell!("{warning}");
    }
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        print(&summary, arguments);
        if let Some((file, bytes)) = single_file {
            let with =
                if arguments.without_encoder { "without the encoder" } else { "with the encoder" };
            say!("One file  {}: {}, {with}", file.display(), console::bytes(bytes));
        }
        say!("");
        let site = summary.site.display();
        if arguments.index_only {
            say!("Ask it: campanile ask {site} \"QUESTION\"");
        } else {
            say!("Look at it: campanile serve {site}");
        }
    }
    Ok(if summary.failed > 0 { ExitCode::from(console::EXIT_PARTIAL) } else { ExitCode::SUCCESS })
}

/// The one file would be read as a document by the next build where it lay among these.
fn check_single_file(arguments: &BuildArguments) -> anyhow::Result<()> {
    let Some(file) = &arguments.single_file else { return Ok(()) };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let found = folder.canonicalize().with_context(|| {
        format!("the folder `{}` for `{}` cannot be found", folder.display(), file.display())
    })?;
    let docs = arguments.documents();
    let documents = docs.canonicalize().unwrap_or_else(|_| docs.clone());
    if found.starts_with(&documents) {
        bail!(
            "`{}` lies among the documents, and the next build would read it as one\n  \
             way out: a place outside of `{}`",
            file.display(),
            docs.display()
        );
    }
    Ok(())
}

/// Writes the site that was built into one file, and gives its length in bytes.
fn pack<'a>(arguments: &BuildArguments, to: &'a Path) -> anyhow::Result<(&'a Path, u64)> {
    let page = page().context("this `campanile` was built without the browser's modules")?;
    let bytes = single_file::write(&page, &arguments.output, !arguments.without_encoder, to)?;
    Ok((to, bytes))
}

/// A site that was built.
pub struct Built {
    /// The counts and times of it.
    pub summary: Summary,
    /// A warning of what its settings do not say and visitors would miss.
    pub unsaid: Option<String>,
}

/// Builds the site and shows how far that is.
pub fn build(arguments: &BuildArguments) -> anyhow::Result<Built> {
    #[cfg(not(feature = "parts"))]
    if arguments.from.is_some() {
        return Err(features::lacking("parts"));
    }
    let docs = arguments.documents();
    if arguments.from.is_none() && !docs.is_dir() {
        bail!(
            "`{}` is no folder\n  way out: `campanile build DOCS -o SITE`, where DOCS is the folder \
             that holds the documents",
            docs.display()
        );
    }
    #[cfg(feature = "parts")]
    let mut parts =
        arguments.from.as_deref().map(campanile_parts::folder::Folder::open).transpose()?;
    let page = page();
    if !arguments.index_only && page.is_none() {
        bail!(
            "this `campanile` was built without the browser's modules, so it cannot write a page\n  \
             way out: `cargo xtask web`, then build the command again; or `--index-only` for the \
             index alone"
        );
    }
    let mut config = config::load(&docs, arguments.config.as_deref())?;
    if let Some(device) = arguments.device {
        config.encoder.device = device;
    }
    let store = Store::open(None)?;
    let encoder = find_or_fetch(&store, &config.encoder.model)?;
    let prose = config.prose.model.as_ref().map(|name| find_or_fetch(&store, name)).transpose()?;
    let writer = config.propositions.by_model();
    let writer = writer.map(|name| find_or_fetch(&store, name)).transpose()?;
    let (report, program) = (report_folder(arguments), this_program()?);
    let plan = Plan {
        prose: prose.as_ref(),
        writer: writer.as_ref(),
        fresh: arguments.fresh,
        strict: arguments.strict,
        page: page.filter(|_| !arguments.index_only),
        report: report.as_deref(),
        file_program: Some(&program),
        observer: &Watching { from: Severity::Warning },
        ..Plan::new(&docs, &arguments.output, &config, &encoder)
    };
    #[cfg(feature = "parts")]
    let summary = match &mut parts {
        Some(parts) => {
            let documents = parts.documents(&plan)?;
            let vectors = parts.vectors(plan.observer)?;
            campanile_build::assemble(&Plan { vectors: Some(&vectors), ..plan }, documents)?
        }
        None => campanile_build::build(&plan)?,
    };
    #[cfg(not(feature = "parts"))]
    let summary = campanile_build::build(&plan)?;
    if let Some((document, question)) = summary.stale_questions.first() {
        tell!(
            "warning: {} left out, whose sentences the documents no longer have: \"{question}\" ({document}){}\n  \
             way out: `campanile questions write` asks anew about what has changed",
            console::count(summary.stale_questions.len(), "written question"),
            if summary.stale_questions.len() > 1 { " is the first" } else { "" }
        );
    }
    Ok(Built { summary, unsaid: unsaid(&config.site, arguments) })
}

/// Settings that visitors would miss, with the way out; none where nothing is missing.
fn unsaid(site: &SiteConfig, arguments: &BuildArguments) -> Option<String> {
    let missing = [
        ("title", site.title == SiteConfig::default().title),
        ("contact", site.contact.trim().is_empty()),
        ("examples", site.examples.is_empty()),
    ];
    let missing: Vec<&str> =
        missing.into_iter().filter(|(_, missing)| *missing).map(|(name, _)| name).collect();
    let (last, others) = missing.split_last()?;
    let listed = match others {
        [] => (*last).to_owned(),
        others => format!("{} or {last}", others.join(", ")),
    };
    let so = if missing.contains(&"contact") { ", so a refusal names nobody to ask" } else { "" };
    let docs = arguments.documents();
    let own = docs.join(config::FILE_NAME);
    let file = arguments.config.as_ref().unwrap_or(&own);
    let them = if matches!(missing[..], ["title"] | ["contact"]) { "it" } else { "them" };
    let way_out = if file.exists() {
        format!("`[site]` in `{}` takes {them}", file.display())
    } else {
        format!("`campanile init {}` asks for {them}", docs.display())
    };
    Some(format!("warning: the site has no {listed}{so}: {way_out}"))
}

/// Beside the site, not in it: what is published need not tell what was left out.
fn report_folder(arguments: &BuildArguments) -> Option<PathBuf> {
    if arguments.no_report {
        return None;
    }
    arguments.report.clone().or_else(|| {
        let name = arguments.output.file_name()?.to_string_lossy();
        Some(arguments.output.with_file_name(format!("{name}-report")))
    })
}

/// Prints what was done.
pub fn print(summary: &Summary, arguments: &BuildArguments) {
    let site = summary.site.display();
    let mut documents = console::count(summary.documents, "document");
    if summary.failed > 0 {
        documents += &format!("; {} could not be read (named above)", summary.failed);
    }
    if summary.warnings > 0 {
        documents += &format!("; {}", console::count(summary.warnings, "warning"));
    }
    say!("Built     {site}");
    say!("From      {documents}");
    say!(
        "Passages  {}, with {}; {} embedded anew",
        summary.chunks,
        console::count(summary.sentences, "sentence"),
        console::count(summary.embedded, "text")
    );
    // Of parts, `campanile passages` told it: the documents are not here.
    if let (Some(docs), 1..) = (&arguments.docs, summary.metadata_mistakes) {
        say!(
            "Metadata  {} in whom documents are for and when they hold: `campanile lint {}` names them",
            console::count(summary.metadata_mistakes, "likely mistake"),
            docs.display()
        );
    }
    if summary.questions > 0 {
        let mut questions =
            format!("{} with an answer", console::count(summary.questions, "question"));
        if summary.written_questions > 0 {
            questions += &format!(", {} of them written at the desk", summary.written_questions);
        }
        say!("FAQ       {questions}");
    }
    if let Some(device) = &summary.embedded_on {
        say!("Device    {device}");
    }
    match &summary.instant {
        Outcome::Off => {}
        Outcome::LeftOut { reason } => {
            say!("Instant   no search by meaning before the encoder: {reason}")
        }
        Outcome::Learned { pieces, bytes, overlap, embedded, .. } => say!(
            "Instant   {} for {}; {:.0} % of the encoder's nearest passages; {} embedded anew",
            console::bytes(*bytes as u64),
            console::count(*pieces, "word piece"),
            overlap * 100.0,
            console::count(*embedded, "text")
        ),
    }
    let handled = [
        (summary.dropped, "left out as noise"),
        (summary.folded, "folded into others"),
        (summary.replaced, "replaced by newer editions"),
    ];
    let told: Vec<String> = handled
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !told.is_empty() {
        say!("Tidied    {}", told.join(", "));
    }
    say!(
        "Size      page and index {}, models {} (fetched only when used)",
        console::bytes(summary.index_bytes),
        console::bytes(summary.model_bytes)
    );
    if summary.originals > 0 {
        say!(
            "Originals {} published as they are, {}",
            console::count(summary.originals, "file"),
            console::bytes(summary.original_bytes)
        );
    }
    if let Some(report) = &summary.report {
        say!("Report    {}", report.join("report.html").display());
    }
    say!("Time      {}", console::duration(Duration::from_secs_f64(summary.seconds)));
}

/// `campanile read-document`: reads one request from standard input and answers on standard output.
pub fn read_document() -> anyhow::Result<ExitCode> {
    campanile_ingest::serve(std::io::stdin().lock(), std::io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// The page, if this command was built with the browser's modules (`cargo xtask web` makes them).
pub fn page() -> Option<Page<'static>> {
    Page::new(FILES)
}

// The page's files, embedded by `build.rs`.
include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
