//! Reads the settings, and the files that they name.

use std::path::{Path, PathBuf};

use campanile_answer::check_prompt_template;
use campanile_bundle::WorkedExample;
use campanile_corpus::{ChunkError, ChunkStrategy, Granularity};
use campanile_ingest::RuleError;
use campanile_questions::review::Review;
use thiserror::Error;

use super::Config;
use super::schema::{self, Range};
use crate::metadata::{MetadataConfigError, Rules};

/// The name looked for in the documents' folder.
pub const FILE_NAME: &str = "campanile.toml";

/// Why settings could not be read.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file is not there or cannot be read.
    #[error("cannot read the settings file `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// It says something that cannot be done.
    #[error("the settings file `{}`{problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What, in words that follow the file's name.
        problem: Box<Problem>,
    },
}

/// A fault in a settings file.
#[derive(Debug, Error)]
pub enum Problem {
    /// It is not valid: line, column and what was expected, and a hint.
    #[error(" is not valid\n{0}{1}")]
    Parse(String, String),
    /// The passages' settings do not go together.
    #[error(": {0}")]
    Chunks(#[from] ChunkError),
    /// A rule that makes documents of records makes no sense: its number from 1, and why.
    #[error(": in the rule number {0} of `[[records]]`: {1}")]
    Records(usize, RuleError),
    /// A search over parts without an index over them.
    #[error(
        ": `search.granularity` is {0}, but `chunks.parts` does not \
         name it\nhint: write `parts = [\"{0}\"]` in `[chunks]`"
    )]
    Granularity(Granularity),
    /// A writer of propositions that nobody reads.
    #[error(
        ": `propositions.writer` is \"model\", but `chunks.parts` does not name \
         propositions\nhint: write `parts = [\"proposition\"]` in `[chunks]`"
    )]
    Propositions,
    /// Other words of a language model that the site does not have, by the key that wants it.
    #[error(
        ": `search.{0}` needs a language model, but `[prose]` names none\n\
         hint: write `model = \"smollm2-135m-instruct\"` in `[prose]`"
    )]
    NoWriter(&'static str),
    /// A file that the settings name cannot be read or used.
    #[error(": `{key}` is `{}`: {reason}\n  way out: {way_out}", file.display())]
    File {
        /// The key that names it.
        key: &'static str,
        /// The file.
        file: PathBuf,
        /// The fault.
        reason: String,
        /// Where a good one is shown.
        way_out: &'static str,
    },
    /// A campus that cannot be.
    #[error(": {0}\n  way out: docs/guide/campus.md shows one")]
    Campus(String),
    /// A rule about documents cannot be used.
    #[error(": {0}\n  way out: docs/guide/metadata.md shows rules")]
    Rule(#[from] MetadataConfigError),
    /// The values cannot be held against their ranges, since the settings cannot be written out.
    #[error(" cannot be checked: {0}")]
    Unchecked(#[from] serde_yaml_ng::Error),
    /// A value is out of its range.
    #[error(": `{key}` is {found}, but {range}")]
    Range {
        /// Table and key.
        key: String,
        /// The value in the file.
        found: f64,
        /// The values that are allowed.
        range: Range,
    },
}

impl Problem {
    pub(super) fn in_file(self, path: &Path) -> ConfigError {
        ConfigError::Wrong { path: path.to_owned(), problem: Box::new(self) }
    }

    pub(super) fn invalid(error: &toml::de::Error) -> Self {
        Self::Parse(error.to_string(), hint(error.message()))
    }
}

/// Reads the settings: from `explicit` if given, else from [`FILE_NAME`] in `docs`, else defaults.
///
/// # Errors
/// A file that was named but is not there, that is not TOML, has an unknown key or a value out of
/// range.
pub fn load(docs: &Path, explicit: Option<&Path>) -> Result<Config, ConfigError> {
    let path = match explicit {
        Some(path) => path.to_owned(),
        None => {
            let path = docs.join(FILE_NAME);
            if !path.exists() {
                return Ok(Config::default());
            }
            path
        }
    };
    let text = std::fs::read_to_string(&path)
        .map_err(|source| ConfigError::Read { path: path.clone(), source })?;
    whole(docs, &path, &text)
}

/// As [`load`], with some settings replaced: tables are merged, everything else takes the place of what
/// was there.
///
/// # Errors
/// As [`load`].
pub fn load_with(docs: &Path, overrides: &toml::Table) -> Result<Config, ConfigError> {
    let path = docs.join(FILE_NAME);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(ConfigError::Read { path, source }),
    };
    let mut table: toml::Table =
        toml::from_str(&text).map_err(|error| Problem::invalid(&error).in_file(&path))?;
    merge(&mut table, overrides);
    let text = table.to_string();
    whole(docs, &path, &text)
}

/// Settings with the files that they name.
fn whole(docs: &Path, path: &Path, text: &str) -> Result<Config, ConfigError> {
    let mut config = parse(path, text)?;
    let failed = |key, file: &Path, way_out| {
        let file = file.to_owned();
        move |reason| Problem::File { key, file, reason, way_out }.in_file(path)
    };
    let prose = &mut config.prose;
    if let Some(prompt) = &prose.prompt {
        let shown = "docs/guide/configuration.md#the-prompt shows one";
        let failed = failed("prose.prompt", prompt, shown);
        prose.template = Some(template(&docs.join(prompt)).map_err(failed)?);
    }
    if let Some(examples) = &prose.examples {
        let shown = "docs/guide/configuration.md#worked-examples shows some";
        let failed = failed("prose.examples", examples, shown);
        prose.worked_examples = worked_examples(&docs.join(examples)).map_err(failed)?;
    }
    if let Some(file) = &config.questions.file {
        let made = "`campanile questions write` makes one, see docs/guide/questions.md";
        let failed = failed("questions.file", file, made);
        config.questions.written = written_questions(&docs.join(file)).map_err(failed)?;
    }
    Ok(config)
}

impl Config {
    /// The files that the settings name, each with the table and key that names it. Their paths start in the documents' folder.
    pub fn named_files(&self) -> Vec<([&'static str; 2], &Path)> {
        let models = &self.models;
        let named = [
            (["prose", "prompt"], self.prose.prompt.as_deref()),
            (["prose", "examples"], self.prose.examples.as_deref()),
            (["prose", "adapter"], self.prose.adapter.path()),
            (["questions", "file"], self.questions.file.as_deref()),
            (["encoder", "query_adapter"], self.encoder.query_adapter.path()),
            (["models", "reader"], models.reader.path()),
            (["models", "reranker"], models.reranker.path()),
            (["models", "checker"], models.checker.path()),
        ];
        named.into_iter().filter_map(|(key, path)| Some((key, path?))).collect()
    }
}

fn merge(table: &mut toml::Table, overrides: &toml::Table) {
    for (key, value) in overrides {
        match (table.get_mut(key), value) {
            (Some(toml::Value::Table(known)), toml::Value::Table(inner)) => merge(known, inner),
            _ => drop(table.insert(key.clone(), value.clone())),
        }
    }
}

pub(super) fn parse(path: &Path, text: &str) -> Result<Config, ConfigError> {
    let read = || {
        let mut config: Config = toml::from_str(text).map_err(|error| Problem::invalid(&error))?;
        config.rules.iter_mut().for_each(|rule| rule.find_line(text));
        check(&config).map(|()| config)
    };
    read().map_err(|problem: Problem| problem.in_file(path))
}

/// Checks that no type can make: ranges, and settings that go together.
pub(super) fn check(config: &Config) -> Result<(), Problem> {
    if let Some((key, found, range)) = schema::out_of_range(config)? {
        return Err(Problem::Range { key, found, range });
    }
    let (least, most) = (config.search.least_sources, config.search.sources);
    if let Some(least) = least.filter(|least| *least > most) {
        let (key, found) = ("search.least_sources".to_owned(), least.into());
        return Err(Problem::Range { key, found, range: Range::between(0.0, most.into()) });
    }
    // The sizes of strategies that are not used are checked too: they were written to be compared.
    for name in std::iter::once(config.chunks.strategy.as_str()).chain(ChunkStrategy::NAMES) {
        config.chunks.named(name)?;
    }
    for (rule, number) in config.records.iter().zip(1..) {
        rule.check().map_err(|source| Problem::Records(number, source))?;
    }
    let granularity = config.search.granularity;
    if granularity != Granularity::Chunk && !config.chunks.parts.contains(&granularity) {
        return Err(Problem::Granularity(granularity));
    }
    let has_propositions = config.chunks.parts.contains(&Granularity::Proposition);
    if config.propositions.by_model().is_some() && !has_propositions {
        return Err(Problem::Propositions);
    }
    let wanted =
        [("phrasings", config.search.phrasings > 0), ("hypothetical", config.search.hypothetical)];
    let wanted = wanted.into_iter().find(|(_, is_wanted)| *is_wanted);
    if let (Some((key, _)), None) = (wanted, &config.prose.model) {
        return Err(Problem::NoWriter(key));
    }
    Rules::compile(&config.rules)?;
    Ok(())
}

/// A way out for a misspelt key: serde's message names the key and the known ones in backticks.
fn hint(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let nearest =
        quoted.next().filter(|_| message.starts_with("unknown field")).and_then(|found| {
            quoted
                .map(|known| (strsim::levenshtein(found, known), known))
                .filter(|(distance, known)| *distance <= known.len() / 2)
                .min()
        });
    match nearest {
        Some((_, known)) => format!("hint: did you mean `{known}`?"),
        None => "hint: docs/guide/configuration.md lists every key with its default".to_owned(),
    }
}

/// Reads a template and looks whether it can be used.
///
/// # Errors
/// Why it can't, in words.
pub(super) fn template(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    check_prompt_template(&text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// More than this in a site would make every reader's first download longer for those few who ask for prose.
const MOST_EXAMPLES: usize = 40;

/// Reads worked examples, one a line.
///
/// # Errors
/// Why they can't be used, in words.
pub(super) fn worked_examples(path: &Path) -> Result<Vec<WorkedExample>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
    let mut examples = Vec::new();
    for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
        let example: WorkedExample =
            serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
        let parts = [
            ("question", &example.question),
            ("passage", &example.passage),
            ("answer", &example.answer),
        ];
        if let Some((name, _)) = parts.iter().find(|(_, text)| text.trim().is_empty()) {
            return Err(format!("line {number}: its `{name}` is empty"));
        }
        examples.push(example);
    }
    match examples.len() {
        0 => Err("there is no example in it".to_owned()),
        found if found > MOST_EXAMPLES => {
            Err(format!("it holds {found} examples, and {MOST_EXAMPLES} are the most"))
        }
        _ => Ok(examples),
    }
}

/// The questions in a file; what is wrong with it as an error.
fn written_questions(file: &Path) -> Result<Review, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    Review::read(&text).map_err(|error| error.to_string())
}
