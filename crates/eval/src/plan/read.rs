use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use campanile_questions::Category;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::error::PlanError;
use super::grid::combinations;
use super::settings::{Answers, JudgeChoice, LanguageModelSettings, ScoreSettings, Settings};

/// The plan of an experiment: what it compares.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The subject in a few words.
    pub title: String,
    /// The configuration that the others are compared with.
    pub baseline: String,
    /// The metrics of the report's main tables; empty where the report is to choose.
    pub metrics: Vec<String>,
    /// The scores to compute beside those that need no model.
    pub scores: ScoreSettings,
    /// The language model that writes prose, where a configuration asks for it.
    pub language_model: LanguageModelSettings,
    /// Files of sentences that people have judged, by name: the report tells what they found.
    pub judged_prose: BTreeMap<String, PathBuf>,
    /// The question sets, in the order of the file.
    pub sets: Vec<PlannedSet>,
    /// The configurations: those with a name of their own, then those of the grid.
    pub configurations: Vec<PlannedConfiguration>,
}

/// A question set and what it is asked of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedSet {
    /// Its name.
    pub name: String,
    /// The documents or the site to search.
    pub source: Source,
    /// The question set.
    pub questions: PathBuf,
    /// Only questions of these kinds are asked; all where none is named.
    pub categories: Vec<Category>,
    /// So many of its questions are asked, always the same; all of them when `None`.
    pub sample: Option<usize>,
}

/// The documents or the site to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A folder of documents, which a site is built of for each way of building.
    Documents(PathBuf),
    /// A site that is there.
    Site(PathBuf),
}

/// A configuration by name.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedConfiguration {
    /// Its name, unique in the plan.
    pub name: String,
    /// Its settings.
    pub settings: Settings,
}

impl Plan {
    /// Returns `true` if a configuration needs the language model: to ask in other words, to write, to judge
    /// or to compute perplexities.
    pub fn needs_language_model(&self, settings: &Settings) -> bool {
        if !settings.rewording().is_off() {
            return true;
        }
        let judges = matches!(self.scores.judge, Some(JudgeChoice::Model(_)));
        match settings.answers.unwrap_or(Answers::Extract) {
            Answers::None => false,
            Answers::Extract => judges || self.scores.perplexity,
            Answers::Prose | Answers::ClosedBook => true,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetTable {
    documents: Option<PathBuf>,
    site: Option<PathBuf>,
    questions: PathBuf,
    #[serde(default)]
    categories: Vec<Category>,
    sample: Option<usize>,
}

/// The keys of the file; their values are read one by one, so that an error names its place.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanTable {
    title: Option<String>,
    baseline: Option<String>,
    #[serde(default)]
    metrics: Vec<String>,
    #[serde(default)]
    scores: ScoreSettings,
    #[serde(default)]
    language_model: LanguageModelSettings,
    #[serde(default)]
    judged_prose: BTreeMap<String, PathBuf>,
    #[serde(default)]
    sets: Table,
    #[serde(default)]
    configurations: Table,
    #[serde(default)]
    grid: Table,
}

/// Reads an experiment; paths in it are relative to `folder`, where its file lies.
///
/// # Errors
/// [`PlanError`] names the place and what is expected there.
pub fn read_plan(text: &str, folder: &Path) -> Result<Plan, PlanError> {
    let file: PlanTable = toml::from_str(text)?;
    let judged_prose = file.judged_prose.into_iter();
    let sets = (file.sets.into_iter())
        .map(|(name, value)| set(name, value, folder))
        .collect::<Result<Vec<_>, _>>()?;
    if sets.is_empty() {
        return Err(PlanError::Missing("`[sets.NAME]`: say what to ask of what"));
    }
    let configurations = all_configurations(file.configurations, &file.grid)?;
    let first = configurations.first().map(|first| first.name.clone());
    let baseline = file.baseline.or(first).ok_or(PlanError::Missing(
        "`[configurations.NAME]` and no `[grid]`: say what to compare",
    ))?;
    if !configurations.iter().any(|known| known.name == baseline) {
        let known: Vec<&str> = configurations.iter().map(|known| known.name.as_str()).collect();
        return Err(PlanError::Baseline { name: baseline, known: known.join("; ") });
    }
    for set in sets.iter().filter(|set| matches!(set.source, Source::Site(_))) {
        if let Some(own) = configurations.iter().find(|known| !known.settings.build.is_empty()) {
            return Err(PlanError::Built {
                configuration: own.name.clone(),
                set: set.name.clone(),
            });
        }
    }
    Ok(Plan {
        title: file.title.unwrap_or_else(|| "Evaluation".to_owned()),
        baseline,
        metrics: file.metrics,
        scores: file.scores,
        language_model: file.language_model,
        judged_prose: judged_prose.map(|(name, file)| (name, folder.join(file))).collect(),
        sets,
        configurations,
    })
}

fn set(name: String, value: Value, folder: &Path) -> Result<PlannedSet, PlanError> {
    let SetTable { documents, site, questions, categories, sample } =
        typed(&format!("sets.{name}"), value)?;
    let source = match (documents, site) {
        (Some(documents), None) => Source::Documents(folder.join(documents)),
        (None, Some(site)) => Source::Site(folder.join(site)),
        _ => return Err(PlanError::Source(name)),
    };
    Ok(PlannedSet { name, source, questions: folder.join(questions), categories, sample })
}

fn all_configurations(named: Table, grid: &Table) -> Result<Vec<PlannedConfiguration>, PlanError> {
    let mut all: Vec<PlannedConfiguration> = Vec::new();
    let named =
        named.into_iter().map(|(name, value)| (format!("configurations.{name}"), name, value));
    let from_grid = combinations(grid)?;
    let from_grid =
        from_grid.into_iter().map(|(name, table)| ("grid".to_owned(), name, Value::Table(table)));
    for (place, name, value) in named.chain(from_grid) {
        if all.iter().any(|known| known.name == name) {
            return Err(PlanError::Twice(name));
        }
        all.push(PlannedConfiguration { name, settings: typed(&place, value)? });
    }
    Ok(all)
}

fn typed<T: DeserializeOwned>(place: &str, value: Value) -> Result<T, PlanError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let place = if path == "." { place.to_owned() } else { format!("{place}.{path}") };
        PlanError::Setting { place, source: error.into_inner() }
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use crate::plan::RetrieverName;

    const SET: &str = "[sets.campus]\ndocuments = 'campus'\nquestions = 'q.jsonl'\n";

    #[test]
    fn judged_sentences_lie_beside_the_experiment() {
        let text = format!("{SET}[judged_prose]\nown = 's.jsonl'\n[configurations.default]\n");
        let plan = read_plan(&text, Path::new("/a")).unwrap();
        assert_eq!(plan.judged_prose["own"], Path::new("/a/s.jsonl"));
    }

    #[test]
    fn a_plan_is_read_in_the_order_of_the_file() {
        let text = format!(
            "title = 'T'\nbaseline = 'keywords'\n{SET}\
             [sets.built]\nsite = '/s'\nquestions = '/q.jsonl'\ncategories = ['answerable']\n\
             [configurations.default]\n[configurations.keywords]\nretriever = 'lexical'\n\
             [grid]\ndepth = [20, 80]\n"
        );
        let plan = read_plan(&text, Path::new("/a")).unwrap();
        let names: Vec<&str> = plan.configurations.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["default", "keywords", "depth 20", "depth 80"]);
        assert_eq!(plan.configurations[1].settings.retriever, Some(RetrieverName::Lexical));
        assert_eq!(plan.sets[0].source, Source::Documents("/a/campus".into()));
        assert_eq!(plan.sets[1].source, Source::Site("/s".into()));
        assert_eq!(plan.sets[0].categories, []);
        assert_eq!(plan.sets[1].categories, [Category::Answerable]);
        assert_eq!(plan.baseline, "keywords");
    }

    #[test]
    fn a_language_model_is_needed_where_one_is_asked() {
        let configurations = "[configurations.a]\n[configurations.b]\nanswers = 'prose'\n\
                              [configurations.c]\nanswers = 'none'\n";
        let model = "[language_model]\nmax_tokens = 60\n";
        for (scores, expected) in [
            ("", [false, true, false]),
            ("[scores]\nperplexity = true\n", [true, true, false]),
            ("[scores]\njudge = 'model'\n", [true, true, false]),
            ("[scores]\njudge = ['cat']\n", [false, true, false]),
        ] {
            let text = format!("{scores}{model}{SET}{configurations}");
            let plan = read_plan(&text, Path::new("/a")).unwrap();
            let needed =
                plan.configurations.iter().map(|one| plan.needs_language_model(&one.settings));
            assert_eq!(needed.collect::<Vec<_>>(), expected, "{scores}");
            assert_eq!(plan.language_model.max_tokens, 60);
            assert_eq!(plan.language_model.name, LanguageModelSettings::default().name);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let site = SET.replace("documents", "site");
        let cases = [
            ("a = 1".to_owned(), "unknown field `a`"),
            (String::new(), "no `[sets.NAME]`"),
            (SET.to_owned(), "say what to compare"),
            (format!("{SET}site = 's'\n"), "either `documents` or a `site`"),
            (format!("{SET}categories = ['hard']\n"), "in `sets.campus.categories"),
            (format!("{SET}[configurations.a]\nretriever = 'best'"), "configurations.a.retriever"),
            (format!("{SET}[configurations.a]\ndeep = 1"), "unknown field `deep`"),
            (format!("baseline = 'b'\n{SET}[configurations.a]"), "there are: a"),
            (format!("{SET}[grid]\nretriever = ['best']"), "in `grid.retriever`"),
            (format!("{SET}[configurations.a]\n[scores]\njudge = 'me'"), "expected \"model\""),
            (
                format!("{SET}[configurations.a]\n[language_model]\nsize = 1"),
                "unknown field `size`",
            ),
            (
                format!("{SET}[configurations.dense]\n[grid]\nretriever = ['dense']"),
                "is there twice",
            ),
            (
                format!("{site}[configurations.a]\nbuild.chunks.overlap = 3"),
                "`campus` names a site",
            ),
        ];
        for (text, expected) in cases {
            let told = read_plan(&text, Path::new(".")).unwrap_err().to_string();
            assert!(told.contains(expected), "{text}\n{told}");
        }
    }
}
