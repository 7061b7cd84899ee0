//! `campanile eval run`: question sets asked of sites in several configurations, the report, and the thresholds it has
//! to reach.
//!
//! What may take hours is kept as it is made: sites under `WORK/sites`, named by a hash over their
//! documents and settings, and records under `WORK/runs`, a line for each question. A run that was
//! broken off goes on where it stopped, and one that was made before is only read.

mod runs;
mod sites;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use campanile_corpus::Granularity;
use campanile_corpus::metadata::Date;
use campanile_eval::judged_prose::ProseTally;
use campanile_eval::plan::{Plan, PlannedConfiguration, PlannedSet, read_plan};
use campanile_eval::report::{ExperimentReport, ReportSettings};
use campanile_eval::significance::Bootstrap;
use campanile_eval::{Configuration, Experiment, Record, Run, SetInfo, Thresholds, evidence};
use campanile_model_store::{InstalledModel, Store};
use campanile_questions::{Question, read_questions};
use campanile_terminal::models::find_or_fetch;
use campanile_terminal::{say, tell};
use sha2::{Digest as _, Sha256};

use crate::arguments::EvalRunArguments;
use crate::prose;
use sites::Sites;

pub(crate) use runs::Asked;

/// The way in which an experiment is run.
pub(crate) struct Options<'a> {
    /// The folder that keeps sites and records.
    pub(crate) work: &'a Path,
    /// The number of questions that are asked at once.
    pub(crate) jobs: usize,
    /// Ask again what was asked before.
    pub(crate) fresh: bool,
    /// The command line that makes the same again, for the report.
    pub(crate) command: String,
}

/// Builds the sites, asks the questions, and gathers all records.
///
/// # Errors
/// Where a question set cannot be read, a site cannot be built or opened, or the folder cannot be
/// written.
pub(crate) fn run(plan: &Plan, options: &Options) -> anyhow::Result<Experiment> {
    let mut experiment = Experiment {
        title: plan.title.clone(),
        made: today(),
        machine: machine(),
        command: options.command.clone(),
        ..Experiment::default()
    };
    // Read before anything is asked: a slip in a file should not wait for the end of a long run.
    for (name, file) in &plan.judged_prose {
        let sentences = prose::parsed(file, &super::read(file)?)?;
        experiment.prose.insert(name.clone(), ProseTally::of(&sentences));
    }
    let mut session = Session {
        plan,
        options,
        sites: Sites::new(options.work, &plan.language_model.name),
        model: language_model(plan)?,
    };
    let sets: Vec<(&PlannedSet, Questions)> =
        plan.sets.iter().map(|set| Ok((set, questions(set)?))).collect::<anyhow::Result<_>>()?;
    // All of them before the first is built: what is wrong with the last is told before hours have gone into the
    // others.
    for set in &plan.sets {
        for configuration in &plan.configurations {
            session.check(set, configuration)?;
        }
    }
    for (set, questions) in &sets {
        experiment.sets.push(info(set, &questions.list));
        for configuration in &plan.configurations {
            experiment.runs.push(session.run(set, questions, configuration)?);
        }
    }
    Ok(experiment)
}

/// The language model, where any configuration needs one.
fn language_model(plan: &Plan) -> anyhow::Result<Option<InstalledModel>> {
    let is_needed = |one: &PlannedConfiguration| plan.needs_language_model(&one.settings);
    match plan.configurations.iter().any(is_needed) {
        true => find_or_fetch(&Store::open(None)?, &plan.language_model.name).map(Some),
        false => Ok(None),
    }
}

/// A question set as it was read.
struct Questions {
    list: Vec<Question>,
    /// Over the file's bytes.
    fingerprint: String,
}

fn questions(set: &PlannedSet) -> anyhow::Result<Questions> {
    let path = &set.questions;
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the question set `{}`", path.display()))?;
    let mut list = read_questions(&text).with_context(|| format!("in `{}`", path.display()))?;
    if !set.categories.is_empty() {
        list.retain(|question| set.categories.contains(&question.category));
    }
    let list = match set.sample {
        Some(count) => sample(list, count),
        None => list,
    };
    let chosen = format!("{} {:?}", list.len(), set.categories);
    Ok(Questions { fingerprint: fingerprint_of(&[text.as_bytes(), chosen.as_bytes()]), list })
}

/// `count` of the questions in their order: those whose names have the least hashes, so that a set that
/// grows keeps most of its sample.
fn sample(mut list: Vec<Question>, count: usize) -> Vec<Question> {
    let mut hashes: Vec<String> =
        list.iter().map(|question| fingerprint_of(&[question.id.as_bytes()])).collect();
    hashes.sort();
    let Some(least) = hashes.get(count) else { return list };
    list.retain(|question| fingerprint_of(&[question.id.as_bytes()]) < *least);
    list
}

fn info(set: &PlannedSet, questions: &[Question]) -> SetInfo {
    let mut counts = BTreeMap::new();
    for question in questions {
        *counts.entry(question.category).or_insert(0) += 1;
    }
    SetInfo { name: set.name.clone(), questions: counts }
}

/// The things that the runs of an experiment share.
struct Session<'a> {
    plan: &'a Plan,
    options: &'a Options<'a>,
    sites: Sites<'a>,
    model: Option<InstalledModel>,
}

impl Session<'_> {
    /// Checks that one configuration can be asked the questions of one set.
    fn check(
        &mut self,
        set: &PlannedSet,
        configuration: &PlannedConfiguration,
    ) -> anyhow::Result<()> {
        let parts = parts(self.plan, configuration);
        let checked = self.sites.check(set, configuration, &parts);
        checked.with_context(|| named(set, configuration))
    }

    /// Asks one configuration the questions of one set.
    fn run(
        &mut self,
        set: &PlannedSet,
        questions: &Questions,
        configuration: &PlannedConfiguration,
    ) -> anyhow::Result<Run> {
        let PlannedConfiguration { name, settings } = configuration;
        let context = || named(set, configuration);
        let plan = self.plan;
        let parts = parts(plan, configuration);
        let site = self.sites.provide(set, configuration, &parts).with_context(context)?;
        let model = self.model.as_ref().filter(|_| plan.needs_language_model(settings));
        let written_by = model.map(|_| &plan.language_model);
        let all_settings = serde_json::to_string(&(settings, &plan.scores, written_by))?;
        let hash = fingerprint_of(&[
            runs::VERSION.as_bytes(),
            site.fingerprint.as_bytes(),
            questions.fingerprint.as_bytes(),
            all_settings.as_bytes(),
        ]);
        let file = format!("{hash}.jsonl");
        let asked = Asked {
            set: &set.name,
            name,
            site: &site,
            questions: &questions.list,
            settings,
            scores: &plan.scores,
            model,
            max_tokens: plan.language_model.max_tokens,
            grounded: settings.grounded.unwrap_or(plan.language_model.grounded),
            file: self.options.work.join("runs").join(&set.name).join(file),
        };
        let mut records = runs::ask_all(&asked, self.options).with_context(context)?;
        forget_rankings(&mut records, &plan.metrics);
        let mut settings = in_words(settings)?;
        settings.extend(model.map(|model| ("language_model".to_owned(), model.name.clone())));
        let baseline = *name == plan.baseline;
        let configuration = Configuration { name: name.clone(), hash, settings, baseline };
        Ok(Run { set: set.name.clone(), configuration, records })
    }
}

/// Leaves out the rankings of questions that nothing is to be said about: those that have the best value in each
/// of the report's metrics. The file keeps them. A report takes failures apart; of the others it wants
/// the scores, and the rankings of some ten thousand questions would fill the memory.
fn forget_rankings(records: &mut [Record], metrics: &[String]) {
    if metrics.is_empty() {
        return;
    }
    for record in records {
        let is_best = |name: &String| record.scores.get(name).is_none_or(|score| *score >= 1.0);
        if record.lost.is_none() && metrics.iter().all(is_best) {
            record.stages.iter_mut().for_each(|stage| stage.passages = Vec::new());
        }
    }
}

/// The subject of an error.
fn named(set: &PlannedSet, configuration: &PlannedConfiguration) -> String {
    format!("in the configuration `{}` on the set `{}`", configuration.name, set.name)
}

/// The smaller units that a site needs, so that all configurations that are built alike share it.
fn parts(plan: &Plan, configuration: &PlannedConfiguration) -> BTreeSet<Granularity> {
    plan.configurations
        .iter()
        .filter(|other| other.settings.build == configuration.settings.build)
        .filter_map(|other| other.settings.overrides.granularity)
        .filter(|granularity| *granularity != Granularity::Chunk)
        .collect()
}

/// Settings by their dotted names, as the experiment's file has them.
fn in_words(settings: &campanile_eval::plan::Settings) -> anyhow::Result<BTreeMap<String, String>> {
    let mut words = BTreeMap::new();
    flatten(&toml::Table::try_from(settings)?, "", &mut words);
    Ok(words)
}

fn flatten(table: &toml::Table, prefix: &str, words: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let name = format!("{prefix}{key}");
        match value {
            toml::Value::Table(inner) => flatten(inner, &format!("{name}."), words),
            toml::Value::String(text) => drop(words.insert(name, text.clone())),
            other => drop(words.insert(name, other.to_string())),
        }
    }
}

/// Runs the experiment, writes the report, and checks the thresholds if there are any.
pub(crate) fn run_eval(arguments: &EvalRunArguments) -> anyhow::Result<ExitCode> {
    let path = &arguments.experiment;
    let text = super::read(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let plan = read_plan(&text, folder.unwrap_or(Path::new(".")))
        .with_context(|| format!("in `{}`", path.display()))?;
    // Read before anything is asked: a slip in it should not wait for the end of a long run.
    let thresholds = arguments.check.as_deref().map(thresholds).transpose()?;
    let work = arguments.work.clone().unwrap_or_else(|| beside(path, "work"));
    let options = Options {
        work: &work,
        jobs: arguments.jobs.map_or_else(
            || std::thread::available_parallelism().map_or(1, Into::into),
            usize::from,
        ),
        fresh: arguments.fresh,
        command: format!("campanile eval run {}", path.display()),
    };
    let experiment = run(&plan, &options)?;
    let report = arguments.report.clone().unwrap_or_else(|| beside(path, "report"));
    let settings = ReportSettings { metrics: plan.metrics.clone(), ..ReportSettings::default() };
    let written = write_report(&experiment, &settings, &report)?;
    if arguments.json {
        say!("{}", written.json()?);
    } else {
        say!("{}", written.summary());
        say!("Report: {}", report.join("report.html").display());
    }
    match thresholds {
        None => Ok(ExitCode::SUCCESS),
        Some(thresholds) => checked(&thresholds, &experiment),
    }
}

fn write_report(
    experiment: &Experiment,
    settings: &ReportSettings,
    folder: &Path,
) -> anyhow::Result<ExperimentReport> {
    let metrics = ExperimentReport::main_metrics(experiment, settings);
    let evidence = evidence(experiment, &metrics, &Bootstrap::default())?;
    let report = ExperimentReport::new(experiment, &evidence, settings);
    report.write(folder, settings)?;
    Ok(report)
}

/// `campus.toml` as `campus-report`, in the folder one is in: what is made does not lie beside sources.
fn beside(path: &Path, what: &str) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{name}-{what}"))
}

fn thresholds(path: &Path) -> anyhow::Result<Thresholds> {
    let text = super::read(path)?;
    Thresholds::read(&text).with_context(|| format!("in `{}`", path.display()))
}

fn checked(thresholds: &Thresholds, experiment: &Experiment) -> anyhow::Result<ExitCode> {
    let checks = thresholds.check(experiment)?;
    for check in &checks {
        say!("{check}");
    }
    let failed = checks.iter().filter(|check| !check.passed).count();
    if failed > 0 {
        tell!("{} of {} thresholds were not reached", failed, checks.len());
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// So many of the hash's digits name a thing: two alike among some thousand are a matter of one in 10^12.
const DIGITS: usize = 16;

/// A name for these parts, in their order.
fn fingerprint_of(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // Lengths keep `ab`, `c` from being the same parts as `a`, `bc`.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()[..DIGITS].to_owned()
}

/// A name for a folder: the names and bytes of all files below it.
///
/// # Errors
/// Where a folder or file cannot be read.
fn fingerprint_of_folder(folder: &Path) -> anyhow::Result<String> {
    let mut files = Vec::new();
    collect_files(folder, &mut files)?;
    files.sort();
    let mut parts = Vec::new();
    for file in &files {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.strip_prefix(folder).unwrap_or(file).to_string_lossy().into_owned();
        parts.push(fingerprint_of(&[name.as_bytes(), &bytes]).into_bytes());
    }
    Ok(fingerprint_of(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let failed = || format!("cannot read the folder {}", folder.display());
    for entry in fs::read_dir(folder).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        let path = entry.path();
        if path.is_dir() { collect_files(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// The processor and how many threads it has, as far as the system tells.
fn machine() -> String {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = known
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map(|rest| rest.trim_start_matches([' ', '\t', ':']).trim())
        .filter(|name| !name.is_empty() && *name != "unknown")
        .unwrap_or(std::env::consts::ARCH);
    let threads = campanile_terminal::console::count(threads, "thread");
    format!("{name}, {threads}, {}", std::env::consts::OS)
}

/// The day in UTC, as `2026-11-21`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let days = i64::try_from(seconds / 86_400).ok();
    days.and_then(Date::from_unix_days).map(|date| date.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(fingerprint_of(&[b"ab", b"c"]), fingerprint_of(&[b"a", b"bc"]));
        assert_eq!(fingerprint_of(&[b"ab"]).len(), 16);
    }
}
