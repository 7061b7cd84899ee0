//! `campanile federate`: a page that asks many departments' sites.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use campanile_build::Plan;
use campanile_build::campus::{Member, write_campus};
use campanile_build::config::{ListedSite, load_campus};
use campanile_bundle::{CampusEntry, CampusSite};
use campanile_ingest::Severity;
use campanile_model_store::Store;
use campanile_retrieve::{Engine, SystemClock};
use campanile_terminal::console::Watching;
use campanile_terminal::files::SiteFiles;
use campanile_terminal::models::find_or_fetch;
use campanile_terminal::{console, say, tell};
use futures_lite::future::block_on;

use crate::cli::FederateArguments;
use crate::commands::build::page;

/// Looks at each site and writes the page that asks them.
pub fn run(arguments: &FederateArguments) -> anyhow::Result<ExitCode> {
    let campus = load_campus(&arguments.campus)?;
    let page = page();
    if !arguments.index_only && page.is_none() {
        bail!(
            "this `campanile` was built without the browser's modules, so it cannot write a page\n  \
             way out: `cargo xtask web`, then build the command again; or `--index-only` for what a page \
             reads alone"
        );
    }
    if campus.sites.len() > CampusEntry::MOST_SITES {
        bail!(
            "`{}` lists {} sites, and a page asks {} at most",
            arguments.campus.display(),
            campus.sites.len(),
            CampusEntry::MOST_SITES
        );
    }
    let store = Store::open(None)?;
    let encoder = find_or_fetch(&store, &campus.config.encoder.model)?;
    let bar = console::counting_bar(campus.sites.len(), "Looking", "sites");
    let mut members = Vec::new();
    let mut left_out = Vec::new();
    for listed in &campus.sites {
        match member(listed, &arguments.output, encoder.weights_sha256()) {
            Ok(member) => members.push(member),
            Err(error) => left_out.push((listed, error)),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    for (site, reason) in &left_out {
        tell!("warning: `{}` is left out: {reason:#}", site.address);
    }
    if members.is_empty() || (arguments.strict && !left_out.is_empty()) {
        let count = console::count(left_out.len(), "site");
        bail!(
            "{count} of `{}` cannot be asked, and {}\n  \
             way out: each is named above with the reason; a folder's address is relative to `{}`",
            arguments.campus.display(),
            if members.is_empty() { "no other is there" } else { "--strict was given" },
            arguments.output.display()
        );
    }
    let folder = arguments.campus.parent().unwrap_or(Path::new("."));
    let plan = Plan {
        page: page.filter(|_| !arguments.index_only),
        observer: &Watching { from: Severity::Warning },
        ..Plan::new(folder, &arguments.output, &campus.config, &encoder)
    };
    let bytes = write_campus(&plan, &members, campus.most_asked)?;
    let output = arguments.output.display();
    say!("Written   {output}");
    say!("Asks      {}", console::count(members.len(), "site"));
    if !left_out.is_empty() {
        say!("Left out  {} (named above)", console::count(left_out.len(), "site"));
    }
    say!(
        "Size      page and sketches {}, models {} (fetched once for all sites)",
        console::bytes(bytes.page),
        console::bytes(bytes.models)
    );
    say!("");
    if !arguments.index_only {
        say!("Look at it: campanile serve {output}");
    }
    say!("Ask it: campanile ask {output} \"QUESTION\"");
    let is_whole = left_out.is_empty();
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(console::EXIT_PARTIAL) })
}

/// One site's entry in the campus, read from the site itself.
fn member(listed: &ListedSite, output: &Path, weights: Option<&str>) -> anyhow::Result<Member> {
    let files = SiteFiles::beside(output, &listed.address);
    let engine = block_on(Engine::open(files, SystemClock::default()))?;
    let manifest = engine.manifest();
    if manifest.campus.is_some() {
        bail!("it is a campus's page itself\n  way out: list the sites that it asks");
    }
    if let Some(own) = &manifest.encoder
        && own.weights_sha256.as_deref() != weights
    {
        bail!(
            "it was built with another encoder, `{}`\n  way out: `model` in `[encoder]`, there or in the campus's file",
            own.name
        );
    }
    let Some(entry) = &manifest.sketch else {
        bail!("it was built by a version that made no sketches\n  way out: build it again");
    };
    let site = CampusSite {
        name: listed.name.clone().unwrap_or_else(|| manifest.title.clone()),
        address: listed.address.clone(),
        analyzer: manifest.analyzer,
        sketch: entry.path.clone(),
        choices: block_on(engine.choices())?,
    };
    let sketch = block_on(engine.sketch()).context("its sketch cannot be read")?;
    Ok(Member { site, sketch, counts: manifest.counts })
}
