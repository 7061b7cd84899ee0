//! `campanile.toml`: the settings of a build, all of them optional.
//!
//! Every table and key has a default that suits a small department, so that a folder of documents
//! without any settings builds. An unknown key is an error with its line, because a misspelt setting
//! that is quietly ignored costs its author an afternoon.
//!
//! A setting is said once, as a line of a [`settings!`](macro@campanile_bundle::settings) table: here, or in
//! [`campanile_bundle::settings`](mod@campanile_bundle::settings) where the site keeps it. [`schema`] makes the JSON Schema, the ranges that are
//! checked and the guide's listing from these lines.

mod campus;
mod organisation;
mod read;
pub mod schema;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use campanile_bundle::settings::SearchConfig;
use campanile_bundle::{Calibration, settings};
use campanile_corpus::{
    ChunkError, ChunkOptions, ChunkStrategy, DuplicateOptions, FixedOptions, Granularity,
    QualityOptions, RecursiveOptions, SemanticOptions, TokenOptions,
};
use campanile_ingest::{AnchorRule, RecordRule};
use campanile_questions::review::Review;
use campanile_retrieve::PairTask;
use campanile_text::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::metadata::{RuleTable, spanned};

pub use campanile_bundle::settings::{EvidenceOrder, ModelChoice, ProseConfig, RankingConfig};
pub use campus::{CampusConfig, ListedSite, load_campus};
pub use organisation::OrganisationConfig;
pub use read::{ConfigError, FILE_NAME, Problem, load, load_with};

/// `[website]`.
#[cfg(feature = "website")]
pub use campanile_website::WebsiteOptions;
/// `[website]`, which is not read: nothing here fetches a website.
#[cfg(not(feature = "website"))]
pub type WebsiteOptions = toml::Table;

/// Any TOML, where another page than the settings' describes it.
type Described = serde_json::Map<String, serde_json::Value>;

/// All settings of a build.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// What the page says about itself.
    pub site: SiteConfig,
    /// How the page is served.
    pub page: PageConfig,
    /// Which files are read.
    pub documents: DocumentsConfig,
    /// How documents are cut into passages.
    pub chunks: ChunksConfig,
    /// Who writes propositions.
    pub propositions: PropositionsConfig,
    /// What is left out, folded and replaced.
    pub quality: QualityConfig,
    /// How levels of the university and kinds of documents bear on their order.
    pub ranking: RankingConfig,
    /// How passages are found.
    pub search: SearchConfig,
    /// The model that turns text into vectors.
    pub encoder: EncoderConfig,
    /// The questions that the documents answer.
    pub questions: QuestionsConfig,
    /// The language model that may write prose on the visitor's device.
    pub prose: ProseConfig,
    /// The models that read a question and a passage together.
    pub models: ModelsConfig,
    /// How sure answers are, and from when on they are given.
    pub answers: Calibration,
    /// How tables and JSON become documents, record by record: docs/guide/documents.md.
    #[serde(skip_serializing)]
    #[schemars(with = "Vec<Described>")]
    pub records: Vec<RecordRule>,
    /// The website whose pages are fetched and read as well: docs/guide/documents.md.
    #[serde(skip_serializing)]
    #[schemars(with = "Option<Described>")]
    pub website: Option<WebsiteOptions>,
    /// The parts of the university: docs/guide/metadata.md.
    #[serde(skip_serializing)]
    #[schemars(with = "Described")]
    pub organisation: OrganisationConfig,
    /// What holds for all documents that say nothing else: docs/guide/metadata.md.
    #[serde(skip_serializing)]
    #[schemars(with = "Described")]
    pub metadata: BTreeMap<String, toml::Value>,
    /// What holds for some documents, in order, later rules overriding earlier ones: docs/guide/metadata.md.
    #[serde(deserialize_with = "spanned", skip_serializing)]
    #[schemars(with = "Vec<Described>")]
    pub rules: Vec<RuleTable>,
}

settings! {
    /// What the page says about itself.
    table SiteConfig {
        /// Title of the page.
        title: String = "Ask the documents".to_owned();
        /// One or two sentences under the title.
        description: String = String::new();
        /// Language of the documents, for stemming and stop words: "en", "de" or "none".
        #[serde(deserialize_with = "language")]
        language: Language = Language::English;
        /// Questions offered on the start page.
        examples: Vec<String> = Vec::new();
        /// Whom a visitor can ask where the documents do not answer; an address in it becomes a link.
        contact: String = String::new();
        /// Where visitors may send whether answers were right, by their own hand: a mail address, or the address of a
        /// page that takes a new issue ("https://github.com/we/handbook/issues/new").
        feedback: String = String::new();
    }
}

settings! {
    /// How the page is served.
    table PageConfig {
        /// The service worker adds the headers that let workers share memory (COOP, COEP), so that prose
        /// on the processor uses several cores: see docs/concepts/devices.md.
        cross_origin_isolated: bool = false;
        /// An index up to this size is kept on the visitor's device once an answer stands, so that others come without
        /// a network; a larger one is offered, and so is each to who spares data. A megabyte is 10^6 bytes.
        keep_mb: f64 = 25.0, range(min = 0);
        /// The language that the page itself speaks: "en", "de", "fr" or "es"; "auto" is the browser's.
        language: PageLanguage = PageLanguage::Auto;
    }
}

/// The language of the page's own words. `web/words/` has a file for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PageLanguage {
    /// That of the visitor's browser, where the page speaks it, else English.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    /// German.
    #[serde(rename = "de")]
    German,
    /// English.
    #[serde(rename = "en")]
    English,
    /// Spanish.
    #[serde(rename = "es")]
    Spanish,
    /// French.
    #[serde(rename = "fr")]
    French,
}

impl PageLanguage {
    /// The tag of a language that is settled; none where the browser's is taken.
    pub fn tag(self) -> Option<&'static str> {
        match self {
            Self::Auto => None,
            Self::German => Some("de"),
            Self::English => Some("en"),
            Self::Spanish => Some("es"),
            Self::French => Some("fr"),
        }
    }
}

/// A day in seconds.
const DAY: f64 = 86_400.0;

settings! {
    /// Which files are read, and how much of them.
    table DocumentsConfig {
        /// Folders ("drafts/") and files to leave out, relative to the documents' folder.
        exclude: Vec<String> = Vec::new();
        /// Folders ("_sources/") and files that are read although a website's generator laid them beside its pages, or
        /// they only list or repeat them.
        include: Vec<String> = Vec::new();
        /// Larger files are reported and left out. A megabyte is 10^6 bytes.
        max_file_mb: f64 = 50.0, extend("exclusiveMinimum" = 0);
        /// Files with more text are reported and left out.
        max_text_mb: f64 = 10.0, extend("exclusiveMinimum" = 0);
        /// Office files (they are zip archives) that hold more when unpacked are reported and left out.
        max_inflated_mb: f64 = 400.0, extend("exclusiveMinimum" = 0);
        /// Files that take longer to read are reported and left out.
        max_seconds: f64 = 60.0, range(max = DAY), extend("exclusiveMinimum" = 0);
        /// Files that take more memory to read are reported and left out: each is read in a process of its own.
        max_memory_mb: f64 = 2_000.0, range(min = 50);
        /// The most pages that are read of a document.
        max_pages: u32 = 2_000;
        /// Pages that are pictures are read by an installed `tesseract`, some seconds a page: see `max_seconds`.
        ocr: bool = false;
        /// The languages of such pages, as `tesseract` calls them ("deu+eng").
        ocr_languages: String = "eng".to_owned();
        /// How Markdown's headings are named in addresses: "github", "python-markdown" (MkDocs), "pymdownx" or
        /// "vitepress"; "auto" goes by the generator's settings in the documents' folder or beside it.
        anchors: AnchorChoice = AnchorChoice::Auto;
        /// Lines of a mail's signature with addresses or telephone numbers are read too.
        mail_signatures: bool = false;
        /// The original PDF and Office files are published with the site, and sources open them: see
        /// docs/guide/publishing.md.
        publish: bool = false;
    }
}

/// The rule by which Markdown's headings are named in addresses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AnchorChoice {
    /// That of the generator whose settings lie in the documents' folder or beside it, else GitHub's.
    #[default]
    Auto,
    /// GitHub's, which most generators follow.
    Github,
    /// That of MkDocs and Zensical.
    PythonMarkdown,
    /// That of MkDocs with `pymdownx.slugs`.
    Pymdownx,
    /// That of VitePress.
    Vitepress,
}

impl AnchorChoice {
    /// The rule for the documents of a folder.
    pub fn rule(self, root: &Path) -> AnchorRule {
        match self {
            Self::Auto => AnchorRule::of_folder(root).unwrap_or_default(),
            Self::Github => AnchorRule::Github,
            Self::PythonMarkdown => AnchorRule::PythonMarkdown,
            Self::Pymdownx => AnchorRule::Pymdownx,
            Self::Vitepress => AnchorRule::Vitepress,
        }
    }
}

settings! {
    /// How documents are cut into passages.
    table ChunksConfig {
        /// How documents are cut: "structure", "recursive", "fixed", "tokens" or "semantic", see below.
        strategy: String = ChunkStrategy::default().name().to_owned();
        /// Upper limit of a passage in the encoder's word pieces, headings included.
        max_tokens: usize = ChunkOptions::default().max_tokens, range(min = 32, max = 512);
        /// Passages are filled up to about this many words.
        target_words: usize = ChunkOptions::default().target_words, range(min = 10);
        /// Sentences repeated from the end of one passage at the start of the next.
        overlap_sentences: usize = ChunkOptions::default().overlap_sentences;
        /// "sentence", "proposition": also index these parts of passages.
        parts: Vec<Granularity> = Vec::new();
        /// Sizes for `strategy = "recursive"`.
        recursive: RecursiveOptions = RecursiveOptions::default();
        /// Sizes for `strategy = "fixed"`.
        fixed: FixedOptions = FixedOptions::default();
        /// Sizes for `strategy = "tokens"`.
        tokens: TokenOptions = TokenOptions::default();
        /// Sizes for `strategy = "semantic"`.
        semantic: SemanticOptions = SemanticOptions::default();
    }
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

settings! {
    /// Who writes propositions: statements that can be read alone.
    table PropositionsConfig {
        /// "rules", or "model": a language model is asked what "it" stands for; see below.
        writer: PropositionsBy = PropositionsBy::Rules;
        /// The language model, see `campanile model list`.
        model: String = "smollm2-135m-instruct".to_owned();
    }
}

/// Who writes propositions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

settings! {
    /// What is left out as noise, folded as a duplicate and replaced by a newer edition.
    table QualityConfig {
        /// Passages that say the same are found once, with all their documents.
        duplicates: bool = true;
        /// A newer edition of a document takes the older one's place, which is found by its year.
        editions: bool = true;
        /// The kinds of noise that are left out.
        noise: QualityOptions = QualityOptions::default();
        /// When two passages say the same.
        duplicate: DuplicateOptions = DuplicateOptions::default();
    }
}

settings! {
    /// The model that turns text into vectors, and what computes them.
    table EncoderConfig {
        /// The model, see `campanile model list`.
        model: String = "all-MiniLM-L6-v2".to_owned();
        /// What embeds the passages: "gpu" or "auto" for a graphics card, see below; `--device` overrides it.
        device: DeviceChoice = DeviceChoice::Cpu;
        /// What turns questions towards their answers: "built-in", which has a counterpart for passages, "none", or the path of an
        /// adapter of your own.
        query_adapter: ModelChoice = ModelChoice::BuiltIn;
    }
}

/// What computes the vectors of a build.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// The processor: the same bits on every machine
    #[default]
    Cpu,
    /// The graphics card, through Vulkan, Metal or DirectX 12; fails where there is none
    Gpu,
    /// A graphics card where there is one, and else the processor
    Auto,
    /// NVIDIA's own interface; for a `campanile` that was compiled with `--features cuda`
    Cuda,
    /// AMD's own interface; compiled with `--features rocm`
    Rocm,
    /// Apple's own interface; compiled with `--features metal`
    Metal,
}

impl DeviceChoice {
    /// The name of a backend of burn's own, where it is one.
    pub fn burn_backend(self) -> Option<&'static str> {
        match self {
            Self::Cpu | Self::Gpu | Self::Auto => None,
            Self::Cuda => Some("cuda"),
            Self::Rocm => Some("rocm"),
            Self::Metal => Some("metal"),
        }
    }
}

settings! {
    /// The questions that the documents answer: asked by themselves, and by a model at the desk.
    table QuestionsConfig {
        /// Questions that the documents ask themselves, as a FAQ does, are indexed.
        own: bool = true;
        /// A file of questions that `campanile questions write` made ("questions.jsonl").
        file: Option<PathBuf> = None, example = "questions.jsonl";
        /// The questions of that file.
        #[serde(skip)]
        written: Review = Review::default();
        /// Also those that nobody has decided about; rejected ones never are.
        unreviewed: bool = true;
    }
}

settings! {
    /// What reads two texts at once: "built-in", "none", or a path.
    table ModelsConfig {
        /// Finds the words that answer in a passage, and says whether there are any (1.4 MB):
        /// docs/concepts/reading.md.
        reader: ModelChoice = ModelChoice::BuiltIn;
        /// Says how well a passage answers; none comes with this version.
        reranker: ModelChoice = ModelChoice::BuiltIn;
        /// Says whether a passage supports a sentence of the language model (1.4 MB).
        checker: ModelChoice = ModelChoice::BuiltIn;
    }
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

fn language<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Language, D::Error> {
    let code = String::deserialize(deserializer)?;
    code.parse().map_err(serde::de::Error::custom)
}
