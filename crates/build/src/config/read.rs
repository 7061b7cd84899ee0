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
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not valid; the message shows the line.
    #[error("the settings file `{}` is not valid\n{message}{hint}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Line, column and what was expected.
        message: String,
        /// The nearest known key, or where the keys are written down.
        hint: String,
    },
    /// The passages' settings do not go together.
    #[error("the settings file `{}`: {source}", path.display())]
    Chunks {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ChunkError,
    },
    /// A rule that makes documents of records makes no sense.
    #[error("the settings file `{}`: in the rule number {number} of `[[records]]`: {source}", path.display())]
    Records {
        /// The file.
        path: PathBuf,
        /// Which rule, from 1.
        number: usize,
        /// What is wrong.
        source: Box<RuleError>,
    },
    /// A search over parts without an index over them.
    #[error(
        "the settings file `{}`: `search.granularity` is {granularity}, but `chunks.parts` does not \
         name it\nhint: write `parts = [\"{granularity}\"]` in `[chunks]`",
        path.display()
    )]
    Granularity {
        /// The file.
        path: PathBuf,
        /// What is to be searched.
        granularity: Granularity,
    },
    /// A writer of propositions that nobody reads.
    #[error(
        "the settings file `{}`: `propositions.writer` is \"model\", but `chunks.parts` does not name \
         propositions\nhint: write `parts = [\"proposition\"]` in `[chunks]`",
        path.display()
    )]
    Propositions {
        /// The file.
        path: PathBuf,
    },
    /// Other words of a language model that the site does not have.
    #[error(
        "the settings file `{}`: `search.{key}` needs a language model, but `[prose]` names none\n\
         hint: write `model = \"smollm2-135m-instruct\"` in `[prose]`",
        path.display()
    )]
    NoWriter {
        /// The file.
        path: PathBuf,
        /// The key that wants one.
        key: &'static str,
    },
    /// A file that `[prose]` names cannot be read or used.
    #[error(
        "the settings file `{}`: `prose.{key}` is `{}`: {reason}\n  way out: \
         docs/guide/configuration.md#{shown}",
        path.display(), file.display()
    )]
    ProseFile {
        /// The settings file.
        path: PathBuf,
        /// The key that names it.
        key: &'static str,
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
        /// Where a good one is shown.
        shown: &'static str,
    },
    /// The file that `[questions]` names cannot be read.
    #[error(
        "the settings file `{}`: `questions.file` is `{}`: {reason}\n  way out: `campanile questions write` makes \
         one, see docs/guide/questions.md",
        path.display(), file.display()
    )]
    QuestionsFile {
        /// The settings file.
        path: PathBuf,
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A rule about documents cannot be used.
    #[error(
        "the settings file `{}`: {source}\n  way out: docs/guide/metadata.md shows rules",
        path.display()
    )]
    Rule {
        /// The file.
        path: PathBuf,
        /// Which rule, and what is wrong.
        source: MetadataConfigError,
    },
    /// The values cannot be held against their ranges.
    #[error("the settings file `{}` cannot be checked: {source}", path.display())]
    Unchecked {
        /// The file.
        path: PathBuf,
        /// Why the settings cannot be written out.
        source: serde_yaml_ng::Error,
    },
    /// A value is out of its range.
    #[error("the settings file `{}`: `{key}` is {found}, but {range}", path.display())]
    Range {
        /// The file.
        path: PathBuf,
        /// Table and key.
        key: String,
        /// What it is.
        found: f64,
        /// What it may be.
        range: Range,
    },
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
    let failed = |error: toml::de::Error| ConfigError::Parse {
        path: path.clone(),
        message: error.to_string(),
        hint: hint(error.message()),
    };
    let mut table: toml::Table = toml::from_str(&text).map_err(failed)?;
    merge(&mut table, overrides);
    let text = table.to_string();
    whole(docs, &path, &text)
}

/// Settings with the files that they name.
fn whole(docs: &Path, path: &Path, text: &str) -> Result<Config, ConfigError> {
    let mut config = parse(path, text)?;
    let failed = |key, file: &Path, shown| {
        let (path, file) = (path.to_owned(), file.to_owned());
        move |reason| ConfigError::ProseFile { path, key, file, reason, shown }
    };
    let prose = &mut config.prose;
    if let Some(prompt) = &prose.prompt {
        let failed = failed("prompt", prompt, "the-prompt shows one");
        prose.template = Some(template(&docs.join(prompt)).map_err(failed)?);
    }
    if let Some(examples) = &prose.examples {
        let failed = failed("examples", examples, "worked-examples shows some");
        prose.worked_examples = worked_examples(&docs.join(examples)).map_err(failed)?;
    }
    if let Some(file) = &config.questions.file {
        config.questions.written = written_questions(&docs.join(file)).map_err(|reason| {
            ConfigError::QuestionsFile { path: path.to_owned(), file: file.clone(), reason }
        })?;
    }
    Ok(config)
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
    let mut config: Config = toml::from_str(text).map_err(|error| ConfigError::Parse {
        path: path.to_owned(),
        message: error.to_string(),
        hint: hint(error.message()),
    })?;
    config.rules.iter_mut().for_each(|rule| rule.find_line(text));
    check(path, &config)?;
    // The sizes of strategies that are not used are checked too: they were written to be compared.
    let named = std::iter::once(config.chunks.strategy.as_str()).chain(ChunkStrategy::NAMES);
    for name in named {
        if let Err(source) = config.chunks.named(name) {
            return Err(ConfigError::Chunks { path: path.to_owned(), source });
        }
    }
    for (rule, number) in config.records.iter().zip(1..) {
        if let Err(source) = rule.check() {
            let source = Box::new(source);
            return Err(ConfigError::Records { path: path.to_owned(), number, source });
        }
    }
    let granularity = config.search.granularity;
    if granularity != Granularity::Chunk && !config.chunks.parts.contains(&granularity) {
        return Err(ConfigError::Granularity { path: path.to_owned(), granularity });
    }
    let has_propositions = config.chunks.parts.contains(&Granularity::Proposition);
    if config.propositions.by_model().is_some() && !has_propositions {
        return Err(ConfigError::Propositions { path: path.to_owned() });
    }
    let wanted =
        [("phrasings", config.search.phrasings > 0), ("hypothetical", config.search.hypothetical)];
    let wanted = wanted.into_iter().find(|(_, is_wanted)| *is_wanted);
    if let (Some((key, _)), None) = (wanted, &config.prose.model) {
        return Err(ConfigError::NoWriter { path: path.to_owned(), key });
    }
    Rules::compile(&config.rules)
        .map_err(|source| ConfigError::Rule { path: path.to_owned(), source })?;
    Ok(config)
}

fn check(path: &Path, config: &Config) -> Result<(), ConfigError> {
    let out_of_range = |key: String, found, range| {
        Err(ConfigError::Range { path: path.to_owned(), key, found, range })
    };
    let wrong = schema::out_of_range(config)
        .map_err(|source| ConfigError::Unchecked { path: path.to_owned(), source })?;
    if let Some((key, found, range)) = wrong {
        return out_of_range(key, found, range);
    }
    let (least, most) = (config.search.least_sources, config.search.sources);
    if let Some(least) = least.filter(|least| *least > most) {
        let range = Range::between(0.0, most.into());
        return out_of_range("search.least_sources".to_owned(), least.into(), range);
    }
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
