//! `campanile.toml`: the settings of a build, all of them optional.
//!
//! Every table and key has a default that suits a small department, so that a folder of documents
//! without any settings builds. A key that is not known is an error with its line, because a
//! misspelt setting that is quietly ignored costs its author an afternoon.

mod encoder;
mod organisation;
mod prose;
mod questions;
mod ranges;
mod ranking;

use campanile_retrieve::PairTask;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use campanile_bundle::{Calibration, DenseMethod, FusionMethod, SearchDefaults};
use campanile_corpus::{
    ChunkError, ChunkOptions, ChunkStrategy, DuplicateOptions, FixedOptions, Granularity,
    QualityOptions, RecursiveOptions, SemanticOptions, TokenOptions,
};
use campanile_index::Bm25Parameters;
use campanile_ingest::{RecordRule, RuleError};
use campanile_text::Language;
use serde::Deserialize;
use thiserror::Error;

use crate::metadata::{MetadataConfigError, RuleTable, Rules, spanned};

pub use encoder::{DeviceChoice, EncoderConfig};
pub use organisation::OrganisationConfig;
pub use prose::{EvidenceOrder, ProseConfig};
pub use questions::QuestionsConfig;
pub use ranges::Range;
pub use ranking::RankingConfig;

/// `[website]`.
#[cfg(feature = "website")]
pub use campanile_website::WebsiteOptions;
/// `[website]`, which is not read: nothing here fetches a website.
#[cfg(not(feature = "website"))]
pub type WebsiteOptions = toml::Table;

/// The name looked for in the documents' folder.
pub const FILE_NAME: &str = "campanile.toml";

/// All settings of a build.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// What the page says about itself.
    pub site: SiteConfig,
    /// How the page is served.
    pub page: PageConfig,
    /// Which files are read.
    pub documents: DocumentsConfig,
    /// How tables and JSON become documents, record by record.
    pub records: Vec<RecordRule>,
    /// The website whose pages are fetched and read as well.
    pub website: Option<WebsiteOptions>,
    /// How documents are cut into passages.
    pub chunks: ChunksConfig,
    /// Who writes propositions.
    pub propositions: PropositionsConfig,
    /// The questions that the documents answer.
    pub questions: QuestionsConfig,
    /// What is left out, folded and replaced.
    pub quality: QualityConfig,
    /// How passages are found.
    pub search: SearchConfig,
    /// How sure answers are, and from when on they are given.
    pub answers: Calibration,
    /// How levels of the university and kinds of documents bear on their order.
    pub ranking: RankingConfig,
    /// The model that turns text into vectors.
    pub encoder: EncoderConfig,
    /// The language model that may write prose on the reader's device.
    pub prose: ProseConfig,
    /// The models that read a question and a passage together.
    pub models: ModelsConfig,
    /// The parts of the university.
    pub organisation: OrganisationConfig,
    /// What holds for all documents that say nothing else.
    pub metadata: BTreeMap<String, toml::Value>,
    /// What holds for some documents, in order: later rules override earlier ones.
    #[serde(deserialize_with = "spanned")]
    pub rules: Vec<RuleTable>,
}

/// `[site]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SiteConfig {
    /// Title of the page.
    pub title: String,
    /// One or two sentences under the title.
    pub description: String,
    /// Language of the documents: `en`, `de` or `none`.
    #[serde(deserialize_with = "language")]
    pub language: Language,
    /// Questions offered on the start page.
    pub examples: Vec<String>,
    /// Whom a reader can ask where the documents do not answer: a name, an address, a number.
    pub contact: String,
}

/// `[page]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PageConfig {
    /// Whether the page's service worker adds the headers that make it cross-origin isolated, for
    /// hosts that send none of their own; only then may workers share memory.
    pub cross_origin_isolated: bool,
}

/// `[documents]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DocumentsConfig {
    /// Paths to leave out: a folder (`drafts/`) or a file, relative to the documents' folder.
    pub exclude: Vec<String>,
    /// Files larger than this many megabytes (10^6 bytes) are reported and left out.
    pub max_file_mb: f64,
    /// Files with more text than this many megabytes are reported and left out.
    pub max_text_mb: f64,
    /// Office files that hold more than this many megabytes when they are unpacked are reported and
    /// left out.
    pub max_inflated_mb: f64,
    /// Of a file with more pages, only this many are read.
    pub max_pages: u32,
    /// Whether pages that are pictures are read by an installed `tesseract`.
    pub ocr: bool,
    /// The languages of such pages, as `tesseract` calls them.
    pub ocr_languages: String,
    /// A file that takes longer to read than this many seconds is reported and left out.
    pub max_seconds: f64,
    /// A file that takes more memory to read than this many megabytes is reported and left out.
    pub max_memory_mb: f64,
}

/// `[chunks]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChunksConfig {
    /// How documents are cut: `structure`, `recursive`, `fixed`, `tokens` or `semantic`.
    pub strategy: String,
    /// Units that the site has an index over beside passages: `sentence`, `proposition`.
    pub parts: Vec<Granularity>,
    /// Upper limit in the encoder's word pieces, headings included.
    pub max_tokens: usize,
    /// Passages are filled up to about this many words.
    pub target_words: usize,
    /// Sentences repeated from the end of one passage at the start of the next.
    pub overlap_sentences: usize,
    /// Sizes for `strategy = "recursive"`.
    pub recursive: RecursiveOptions,
    /// Sizes for `strategy = "fixed"`.
    pub fixed: FixedOptions,
    /// Sizes for `strategy = "tokens"`.
    pub tokens: TokenOptions,
    /// Sizes for `strategy = "semantic"`.
    pub semantic: SemanticOptions,
}

impl ChunksConfig {
    /// The strategy with its sizes.
    ///
    /// # Errors
    /// An unknown name, or sizes that make no sense.
    pub fn strategy(&self) -> Result<ChunkStrategy, ChunkError> {
        self.named(&self.strategy)
    }

    /// Any strategy with its sizes.
    fn named(&self, name: &str) -> Result<ChunkStrategy, ChunkError> {
        let strategy = match name.parse()? {
            ChunkStrategy::Structure(_) => ChunkStrategy::Structure(ChunkOptions {
                max_tokens: self.max_tokens,
                target_words: self.target_words,
                overlap_sentences: self.overlap_sentences,
            }),
            ChunkStrategy::Recursive(_) => ChunkStrategy::Recursive(self.recursive.clone()),
            ChunkStrategy::Fixed(_) => ChunkStrategy::Fixed(self.fixed.clone()),
            ChunkStrategy::Tokens(_) => ChunkStrategy::Tokens(self.tokens.clone()),
            ChunkStrategy::Semantic(_) => ChunkStrategy::Semantic(self.semantic.clone()),
        };
        strategy.check()?;
        Ok(strategy)
    }
}

/// `[propositions]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PropositionsConfig {
    /// Who writes them: `rules` alone, or a language `model` where the rules leave an "it".
    pub writer: PropositionsBy,
    /// Name of the model, as `campanile model list` prints it.
    pub model: String,
}

/// Who writes propositions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropositionsBy {
    /// Rules.
    #[default]
    Rules,
    /// Rules and a language model.
    Model,
}

impl PropositionsConfig {
    /// The model that writes, if one does.
    pub fn by_model(&self) -> Option<&str> {
        (self.writer == PropositionsBy::Model).then_some(self.model.as_str())
    }
}

impl Default for PropositionsConfig {
    fn default() -> Self {
        Self { writer: PropositionsBy::Rules, model: "smollm2-135m-instruct".to_owned() }
    }
}

/// `[quality]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QualityConfig {
    /// What is left out as noise.
    pub noise: QualityOptions,
    /// Whether passages that say the same are indexed once.
    pub duplicates: bool,
    /// When two passages say the same.
    pub duplicate: DuplicateOptions,
    /// Whether a newer edition of a document takes the older one's place.
    pub editions: bool,
}

impl Default for QualityConfig {
    fn default() -> Self {
        Self {
            noise: QualityOptions::default(),
            duplicates: true,
            duplicate: DuplicateOptions::default(),
            editions: true,
        }
    }
}

/// `[search]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// The size of the units that are searched: `chunk`, or one of the `parts` in `[chunks]`.
    pub granularity: Granularity,
    /// Candidates taken from each search before fusion.
    pub depth: u32,
    /// Sources shown with an answer, at most.
    pub sources: u32,
    /// Sources shown at least, where so many fit; fewer than `sources` lets the scores decide.
    pub least_sources: Option<u32>,
    /// Between the two the list ends at a gap of at least this share of the scores' spread.
    pub gap: f32,
    /// Passages below this cosine are shown only for their keywords; the encoder's own by default.
    pub floor_cosine: Option<f32>,
    /// Passages with less than this share of the highest keyword score are shown only for their
    /// meaning.
    pub floor_reach: f32,
    /// Below 1, passages that repeat others come later.
    pub diversity: f32,
    /// Whether a question that compares is shown several documents.
    pub spread: bool,
    /// Whether a question that names none of many pages of one make prefers what lies outside of them.
    pub families: bool,
    /// Groups of words that mean the same here, beside the abbreviations that the documents
    /// introduce.
    pub synonyms: Vec<Vec<String>>,
    /// What a word that was added to a question weighs beside one that was typed; 0 adds none.
    pub synonym_weight: f32,
    /// In how many other ways the language model of `[prose]` puts each question once a reader has it.
    pub phrasings: u32,
    /// Whether it also writes a passage as it might answer, to be compared with real ones.
    pub hypothetical: bool,
    /// How many passages before each source are read with it.
    pub neighbours_before: u32,
    /// How many passages after it.
    pub neighbours_after: u32,
    /// How many tokens the sources and their neighbours may have together.
    pub neighbour_tokens: u32,
    /// How the searches' lists become one: `standard_scores` or `reciprocal_rank`.
    pub fusion: FusionMethod,
    /// With `standard_scores`: how many of the best by rank are ordered by score.
    pub pool: u32,
    /// How much the search by keywords counts.
    pub lexical_weight: f32,
    /// How much the search by meaning counts.
    pub dense_weight: f32,
    /// How much late interaction counts.
    pub late_weight: f32,
    /// How much the reranker of `[models]` counts.
    pub cross_weight: f32,
    /// How many of the best it reads.
    pub cross_depth: u32,
    /// Whether keywords count less for a question of which they find little.
    pub adaptive_weights: bool,
    /// The constant `c` of reciprocal rank fusion.
    pub rrf_constant: u32,
    /// BM25's term frequency saturation.
    pub bm25_k1: f32,
    /// BM25's length normalisation, 0 to 1.
    pub bm25_b: f32,
    /// What a word of the title counts in BM25, beside one of the text.
    pub title_weight: f32,
    /// What a word of the headings, or of a table's caption, counts there.
    pub headings_weight: f32,
    /// Whether a static encoder is learned, so that a page searches by meaning before the encoder has
    /// come.
    pub instant_semantics: bool,
    /// How vectors are searched: `auto`, `exact` or `graph`.
    pub dense: DenseMethod,
    /// With `auto`: the number of passages from which the graph is used.
    pub graph_from: u32,
    /// Whether the site keeps the passages' token vectors, by which the first candidates are ranked
    /// again: about a kilobyte a passage, fetched for the candidates only.
    pub late_interaction: bool,
}

/// `[models]`: what reads a question and a passage together, for each task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelsConfig {
    /// Finds answers in passages.
    pub reader: ModelChoice,
    /// Says how well a passage answers.
    pub reranker: ModelChoice,
    /// Says whether evidence supports a claim.
    pub checker: ModelChoice,
}

impl ModelsConfig {
    /// What was chosen for a task.
    pub fn of(&self, task: PairTask) -> &ModelChoice {
        match task {
            PairTask::Reader => &self.reader,
            PairTask::Reranker => &self.reranker,
            PairTask::Checker => &self.checker,
        }
    }
}

/// Which model a task is done with: `"built-in"`, `"none"`, or a path beside the documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum ModelChoice {
    /// The one that comes with the command.
    #[default]
    BuiltIn,
    /// The task is left out.
    None,
    /// An adapter's file, or the folder of a published model.
    Path(PathBuf),
}

impl From<String> for ModelChoice {
    fn from(text: String) -> Self {
        match text.as_str() {
            "built-in" => Self::BuiltIn,
            "none" => Self::None,
            path => Self::Path(path.into()),
        }
    }
}

impl Default for SiteConfig {
    fn default() -> Self {
        Self {
            title: "Ask the documents".to_owned(),
            description: String::new(),
            language: Language::English,
            examples: Vec::new(),
            contact: String::new(),
        }
    }
}

impl Default for DocumentsConfig {
    fn default() -> Self {
        Self {
            exclude: Vec::new(),
            max_file_mb: 50.0,
            max_text_mb: 10.0,
            max_inflated_mb: 400.0,
            max_pages: 2_000,
            ocr: false,
            ocr_languages: "eng".to_owned(),
            max_seconds: 60.0,
            max_memory_mb: 2_000.0,
        }
    }
}

impl Default for ChunksConfig {
    fn default() -> Self {
        let ChunkOptions { max_tokens, target_words, overlap_sentences } = ChunkOptions::default();
        Self {
            strategy: ChunkStrategy::default().name().to_owned(),
            parts: Vec::new(),
            max_tokens,
            target_words,
            overlap_sentences,
            recursive: RecursiveOptions::default(),
            fixed: FixedOptions::default(),
            tokens: TokenOptions::default(),
            semantic: SemanticOptions::default(),
        }
    }
}

impl Default for SearchConfig {
    fn default() -> Self {
        let search = SearchDefaults::default();
        let bm25 = Bm25Parameters::default();
        Self {
            granularity: search.granularity,
            depth: search.candidates,
            sources: search.passages,
            least_sources: None,
            gap: 0.35,
            floor_cosine: None,
            floor_reach: search.floor_reach,
            diversity: search.diversity,
            spread: search.spread,
            families: true,
            synonyms: Vec::new(),
            synonym_weight: search.synonym_weight,
            phrasings: search.phrasings,
            hypothetical: search.hypothetical,
            neighbours_before: search.neighbours_before,
            neighbours_after: search.neighbours_after,
            neighbour_tokens: search.neighbour_tokens,
            fusion: search.fusion,
            pool: search.pool,
            lexical_weight: search.lexical_weight,
            dense_weight: search.dense_weight,
            late_weight: search.late_weight,
            cross_weight: search.cross_weight,
            cross_depth: search.cross_depth,
            adaptive_weights: search.adaptive_weights,
            rrf_constant: search.fusion_constant,
            bm25_k1: bm25.k1,
            bm25_b: bm25.b,
            title_weight: 2.0,
            headings_weight: 1.0,
            instant_semantics: true,
            dense: search.dense,
            graph_from: search.graph_from,
            late_interaction: true,
        }
    }
}

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
    /// A value is out of its range.
    #[error("the settings file `{}`: `{key}` is {found}, but {range}", path.display())]
    Range {
        /// The file.
        path: PathBuf,
        /// Table and key.
        key: &'static str,
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
        prose.template = Some(prose::template(&docs.join(prompt)).map_err(failed)?);
    }
    if let Some(examples) = &prose.examples {
        let failed = failed("examples", examples, "worked-examples shows some");
        prose.worked_examples = prose::worked_examples(&docs.join(examples)).map_err(failed)?;
    }
    if let Some(file) = &config.questions.file {
        config.questions.written = questions::written(&docs.join(file)).map_err(|reason| {
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

fn parse(path: &Path, text: &str) -> Result<Config, ConfigError> {
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
    for (key, value, range) in ranges::numbers(config) {
        if !range.holds(value) {
            return Err(ConfigError::Range { path: path.to_owned(), key, found: value, range });
        }
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

fn language<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Language, D::Error> {
    let code = String::deserialize(deserializer)?;
    code.parse().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::expect_used)]
    use super::*;

    fn parsed(text: &str) -> Result<Config, String> {
        parse(Path::new("campanile.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn everything_is_optional() {
        assert_eq!(parsed(""), Ok(Config::default()));
    }

    #[test]
    fn devices_are_named() {
        let cases = [
            ("", DeviceChoice::Cpu),
            ("[encoder]\ndevice = \"cpu\"", DeviceChoice::Cpu),
            ("[encoder]\ndevice = \"gpu\"", DeviceChoice::Gpu),
            ("[encoder]\ndevice = \"auto\"", DeviceChoice::Auto),
        ];
        for (text, expected) in cases {
            assert_eq!(parsed(text).map(|config| config.encoder.device), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named_with_line_and_way_out() {
        let cases = [
            ("[site]\ntitel = \"A\"", ["2", "titel", "did you mean `title`"]),
            ("[search]\npool = 0", ["search.pool", "0", "between 1 and 500"]),
            ("[search]\nfusion = 'sum'", ["fusion", "sum", "standard_scores"]),
            ("[search]\n\nbm25_b = 3", ["search.bm25_b", "3", "between 0 and 1"]),
            ("[search]\ntitle_weight = 0.375", ["search.title_weight", "0.375", "steps of 0.25"]),
            ("[search]\nheadings_weight = -1", ["search.headings_weight", "-1", "between 0"]),
            ("[site]\nlanguage = \"xx\"", ["2", "language", "xx"]),
            ("[search]\ndense = \"hnws\"", ["2", "dense", "hnws"]),
            ("[chunks\n", ["1", "chunks", "configuration.md"]),
            ("[chunks]\nstrategy = \"fixd\"", ["unknown chunking strategy", "fixd", "fixed"]),
            ("[chunks.fixed]\ncharacters = 0", ["`fixed`", "`characters` is 0", "16 or more"]),
            ("[search]\ngranularity = \"sentence\"", ["granularity", "parts", "sentence"]),
            ("[quality.noise]\nsymbol = true", ["2", "symbol", "did you mean `symbols`"]),
            ("[propositions]\nwriter = \"model\"", ["propositions.writer", "chunks.parts", "hint"]),
            ("[propositions]\nwriter = \"me\"", ["2", "me", "rules"]),
            ("[documents]\nmax_inflated_mb = 0", ["max_inflated_mb", "0", "greater than 0"]),
            ("[search]\nphrasings = 9", ["search.phrasings", "9", "between 0 and 5"]),
            ("[search]\nphrasings = 2", ["search.phrasings", "[prose]", "smollm2-135m"]),
            ("[search]\nhypothetical = true", ["search.hypothetical", "[prose]", "model ="]),
            ("[prose]\nwords = 5", ["prose.words", "5", "between 20 and 4000"]),
            ("[prose]\norder = \"best\"", ["2", "best", "edges"]),
            ("[search]\nleast_sources = 6", ["search.least_sources", "6", "between 0 and 5"]),
            ("[search]\nfloor_cosine = 2", ["search.floor_cosine", "2", "between -1 and 1"]),
            ("[ranking]\nband_percent = 101", ["ranking.band_percent", "101", "0 and 100"]),
            ("[chunks]\nmax_tokens = 7", ["chunks.max_tokens", "7", "between 32 and 512"]),
            ("[encoder]\ndevice = \"tpu\"", ["2", "tpu", "expected one of `cpu`, `gpu`, `auto`"]),
        ];
        for (text, expected) in cases {
            let message = parsed(text).expect_err(text);
            for part in expected {
                assert!(message.contains(part), "{text:?}: {message} lacks {part:?}");
            }
        }
    }
}
