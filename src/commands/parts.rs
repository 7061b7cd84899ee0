//! `campanile passages` and `campanile embed`: a build whose middle is done by many machines.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use campanile_build::config;
use campanile_build::parts::{PartEncoder, identity};
use campanile_build::{Observer as _, Plan};
use campanile_ingest::Severity;
use campanile_model_store::Store;
use campanile_parts::texts::Part;
use campanile_parts::{Facts, PartsError, folder, texts, vectors};
use campanile_terminal::console::{Watching, this_program};
use campanile_terminal::models::find_or_fetch;
use campanile_terminal::{console, say, tell};
use serde::Serialize;

use crate::cli::{EmbedArguments, PassagesArguments};

/// Writes the texts of a build in parts.
pub fn passages(arguments: &PassagesArguments) -> anyhow::Result<ExitCode> {
    let docs = &arguments.docs;
    if !docs.is_dir() {
        bail!(
            "`{}` is no folder\n  way out: `campanile passages DOCS -o PARTS`, where DOCS is the folder that holds the \
             documents",
            docs.display()
        );
    }
    let own = docs.join(config::FILE_NAME);
    let settings = arguments.config.clone().or_else(|| own.exists().then_some(own));
    let config = config::load(docs, arguments.config.as_deref())?;
    let store = Store::open(None)?;
    let encoder = find_or_fetch(&store, &config.encoder.model)?;
    let writer = config.propositions.by_model();
    let writer = writer.map(|name| find_or_fetch(&store, name)).transpose()?;
    let program = this_program()?;
    let plan = Plan {
        writer: writer.as_ref(),
        strict: arguments.strict,
        file_program: Some(&program),
        observer: &Watching { from: Severity::Warning },
        ..Plan::new(docs, &arguments.output, &config, &encoder)
    };
    let written =
        folder::write(&plan, settings.as_deref(), &arguments.output, arguments.rows as usize)?;
    let (folder, collected) = (arguments.output.display(), &written.collected);
    if collected.metadata_mistakes > 0 {
        say!(
            "Metadata  {} in whom documents are for and when they hold: `campanile lint {}` names them",
            console::count(collected.metadata_mistakes, "likely mistake"),
            docs.display()
        );
    }
    say!(
        "{} in {} in `{folder}`: {}",
        console::count(collected.texts.len(), "text"),
        console::count(written.parts as usize, "part"),
        by_role(collected.texts.iter().map(|text| text.role.name()))
    );
    say!("");
    say!("Embed them: campanile embed {folder}");
    say!("Then build: campanile build --from {folder} -o SITE");
    let is_partial = collected.failed > 0;
    Ok(if is_partial { ExitCode::from(console::EXIT_PARTIAL) } else { ExitCode::SUCCESS })
}

/// `3 passages, 12 sentences`.
fn by_role(roles: impl Iterator<Item = &'static str>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for role in roles {
        match counts.iter_mut().find(|(known, _)| *known == role) {
            Some((_, count)) => *count += 1,
            None => counts.push((role, 1)),
        }
    }
    let counts: Vec<String> =
        counts.into_iter().map(|(role, count)| console::count(count, role)).collect();
    counts.join(", ")
}

/// The outcome of embedding one part.
#[derive(Serialize)]
struct Embedded {
    part: PathBuf,
    vectors: PathBuf,
    texts: usize,
    /// `false` where its vectors were there.
    is_new: bool,
    seconds: f64,
    text_bytes: u64,
    vector_bytes: u64,
    /// The most memory that this process has had so far, where the system tells.
    memory_bytes: Option<u64>,
}

/// The most memory that this process has had, in bytes. Whoever starts it cannot tell as well: Linux counts for a process
/// what the one that it was forked from had.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Embeds parts.
pub fn embed(arguments: &EmbedArguments) -> anyhow::Result<ExitCode> {
    let parts = named(&arguments.parts)?;
    let Some(first) = parts.values().next() else { return Ok(ExitCode::SUCCESS) };
    let mut config = config_of(&first.facts, &first.path)?;
    if let Some(device) = arguments.device {
        config.encoder.device = device;
    }
    let encoder = find_or_fetch(&Store::open(None)?, &first.facts.encoder)?;
    let observer = Watching { from: Severity::Warning };
    let plan =
        Plan { observer: &observer, ..Plan::new(Path::new(""), Path::new(""), &config, &encoder) };
    if identity(&plan)? != first.facts.identity {
        let (path, encoder) = (first.path.clone(), first.facts.encoder.clone());
        return Err(PartsError::OtherForm { path, encoder }.into());
    }
    let mut encoder = None;
    let mut done = Vec::new();
    for named in parts.values() {
        let started = Instant::now();
        let part = &texts::read(&named.path)?;
        let to =
            arguments.output.as_deref().or_else(|| part.path.parent()).unwrap_or(Path::new(""));
        let to = to.join(vectors::file_name(part.facts.part));
        // On the processor all machines agree, so that an encoder is loaded only where there is something to do.
        let is_on_processor = config.encoder.device == config::DeviceChoice::Cpu;
        if encoder.is_none() && !(is_on_processor && is_there(part, &to, None)) {
            encoder = Some(PartEncoder::start(&plan)?);
        }
        let mut is_new = false;
        if let Some(encoder) = &mut encoder
            && !is_there(part, &to, encoder.device())
        {
            vectors::embed(part, encoder, &to)?;
            is_new = true;
        }
        let bytes = |path: &Path| fs::metadata(path).map(|it| it.len()).unwrap_or_default();
        done.push(Embedded {
            vector_bytes: bytes(&to),
            text_bytes: bytes(&part.path),
            part: part.path.clone(),
            vectors: to,
            texts: part.texts.len(),
            is_new,
            seconds: started.elapsed().as_secs_f64(),
            memory_bytes: most_memory(),
        });
        let done = done.len();
        if is_new && done < parts.len() {
            observer.remark(&format!(
                "part {} is embedded, {done} of {}",
                part.facts.part,
                parts.len()
            ));
        }
    }
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&done)?);
        return Ok(ExitCode::SUCCESS);
    }
    let new: Vec<&Embedded> = done.iter().filter(|part| part.is_new).collect();
    say!(
        "{} embedded, {}; {} there already",
        console::count(new.len(), "part"),
        console::count(new.iter().map(|part| part.texts).sum(), "text"),
        match done.len() - new.len() {
            1 => "1 was".to_owned(),
            count => format!("{count} were"),
        }
    );
    Ok(ExitCode::SUCCESS)
}

/// A part that is to be embedded, of which the texts are not read yet.
struct Named {
    path: PathBuf,
    facts: Facts,
}

/// The parts that are meant, by their numbers: all of one set, and none of them twice.
fn named(parts: &[PathBuf]) -> Result<BTreeMap<u32, Named>, PartsError> {
    let mut named: BTreeMap<u32, Named> = BTreeMap::new();
    for path in folder::text_files(parts)? {
        let facts = texts::facts(&path)?;
        let part = facts.part;
        let new = Named { path, facts };
        if let Some(first) = named.values().next() {
            check_set(first, &new)?;
        }
        if let Some(first) = named.get(&part) {
            return Err(PartsError::Twice { part, first: first.path.clone(), second: new.path });
        }
        named.insert(part, new);
    }
    Ok(named)
}

/// Returns `true` if the vectors of a part are there, whole, and as this device computes them. Others are replaced.
fn is_there(part: &Part, path: &Path, device: Option<&campanile_bundle::EmbeddingDevice>) -> bool {
    if !path.exists() {
        return false;
    }
    match vectors::read(path) {
        Ok(found) => found.are_of(part, device),
        Err(error) => {
            let said = error.to_string();
            tell!("embedding anew: {}", said.lines().next().unwrap_or_default());
            false
        }
    }
}

fn config_of(facts: &Facts, path: &Path) -> anyhow::Result<config::Config> {
    let Some(config) = facts.config() else {
        bail!(
            "`{}` wants the language `{}` and the device `{}`, and this `campanile` does not know both\n  \
             way out: the version that wrote it",
            path.display(),
            facts.language,
            facts.device
        );
    };
    Ok(config)
}

/// Fails where two parts are of different encoders or sets: they were hardly meant to be embedded together.
fn check_set(first: &Named, other: &Named) -> Result<(), PartsError> {
    if first.facts.identity != other.facts.identity {
        return Err(PartsError::Encoders {
            path: other.path.clone(),
            found: folder::encoder_words(&other.facts),
            other: first.path.clone(),
            expected: folder::encoder_words(&first.facts),
            way_out: "`campanile embed` for each set of parts",
        });
    }
    if first.facts.set != other.facts.set {
        return Err(PartsError::OtherSet {
            path: other.path.clone(),
            folder: first.path.parent().unwrap_or(Path::new("")).to_owned(),
        });
    }
    Ok(())
}
