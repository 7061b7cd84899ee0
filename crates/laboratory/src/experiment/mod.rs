//! Experiments: question sets asked of sites in several configurations.
//!
//! What may take hours is kept as it is made: sites under `WORK/sites`, named by a hash over their
//! documents and settings, and records under `WORK/runs`, a line for each question. A run that was
//! broken off goes on where it stopped, and one that was made before is only read.

mod fingerprint;
mod machine;
mod planned_site;
mod runs;
mod sites;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use campanile_corpus::Granularity;
use campanile_eval::judged_prose::ProseTally;
use campanile_eval::plan::{Plan, PlannedConfiguration, PlannedSet};
use campanile_eval::{Configuration, Experiment, Question, Record, Run, SetInfo, read_questions};
use campanile_model_store::{InstalledModel, Store};
use campanile_terminal::models::find_or_fetch;

pub use runs::Asked;
use sites::Sites;

use crate::prose;

/// How an experiment is run.
pub struct Options<'a> {
    /// The folder that keeps sites and records.
    pub work: &'a Path,
    /// How many questions are asked at once.
    pub jobs: usize,
    /// Ask again what was asked before.
    pub fresh: bool,
    /// The command line that makes the same again, for the report.
    pub command: String,
}

/// Builds the sites, asks the questions, and gathers all records.
///
/// # Errors
/// Where a question set cannot be read, a site cannot be built or opened, or the folder cannot be
/// written.
pub fn run(plan: &Plan, options: &Options) -> anyhow::Result<Experiment> {
    let mut experiment = Experiment {
        title: plan.title.clone(),
        made: machine::today(),
        machine: machine::line(),
        command: options.command.clone(),
        ..Experiment::default()
    };
    // Read before anything is asked: a slip in a file should not wait for the end of a long run.
    for (name, file) in &plan.judged_prose {
        let sentences = prose::parsed(file, &crate::read(file)?)?;
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
    Ok(Questions { fingerprint: fingerprint::of(&[text.as_bytes(), chosen.as_bytes()]), list })
}

/// `count` of the questions in their order: those whose names have the least hashes, so that a set that
/// grows keeps most of its sample.
fn sample(mut list: Vec<Question>, count: usize) -> Vec<Question> {
    let mut hashes: Vec<String> =
        list.iter().map(|question| fingerprint::of(&[question.id.as_bytes()])).collect();
    hashes.sort();
    let Some(least) = hashes.get(count) else { return list };
    list.retain(|question| fingerprint::of(&[question.id.as_bytes()]) < *least);
    list
}

fn info(set: &PlannedSet, questions: &[Question]) -> SetInfo {
    let mut counts = BTreeMap::new();
    for question in questions {
        *counts.entry(question.category).or_insert(0) += 1;
    }
    SetInfo { name: set.name.clone(), questions: counts }
}

/// What the runs of an experiment share.
struct Session<'a> {
    plan: &'a Plan,
    options: &'a Options<'a>,
    sites: Sites<'a>,
    model: Option<InstalledModel>,
}

impl Session<'_> {
    /// Whether one configuration can be asked the questions of one set.
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
        let hash = fingerprint::of(&[
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

/// What an error is about.
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
