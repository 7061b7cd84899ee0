//! `campanile eval`, as it is typed.

use std::path::PathBuf;

use campanile_terminal::site::{SearchMode, UnitSize};
use clap::{Args, Subcommand, ValueEnum};

/// `campanile eval`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "A question set is a file of JSON objects, one a line. docs/guide/evaluation.md tells how to make \
    one;\ndocs/reference/question-set.schema.json is its JSON Schema.\n\n\
    Examples:\n  \
    campanile eval site questions.jsonl\n  \
    campanile eval site questions.jsonl --calibrate\n  \
    campanile eval run samples/experiments/parts.toml\n  \
    campanile eval init site -o questions.jsonl\n  \
    campanile eval import squad dev-v2.0.json --to squad"
)]
pub struct EvalArguments {
    /// What else to do than to ask a site.
    #[command(subcommand)]
    pub action: Option<EvalAction>,
    /// A site and a question set.
    #[command(flatten)]
    pub site: EvalSiteArguments,
}

/// `campanile eval SITE QUESTIONS`.
#[derive(Debug, Args)]
pub struct EvalSiteArguments {
    /// Folder of a built site
    #[arg(required = true)]
    pub site: Option<PathBuf>,
    /// Question set: one JSON object a line
    #[arg(required = true)]
    pub questions: Option<PathBuf>,
    /// How to search
    #[arg(long, value_enum, default_value_t = SearchMode::Hybrid)]
    pub mode: SearchMode,
    /// Size of the units to search [default: what the site was built with]
    #[arg(long, value_enum)]
    pub granularity: Option<UnitSize>,
    /// Fit to these questions how sure answers are, and write it into the site
    #[arg(long, conflicts_with_all = ["mode", "granularity"])]
    pub calibrate: bool,
    /// Print the report as one JSON object, with every question's ranking
    #[arg(long)]
    pub json: bool,
}

/// The actions of `campanile eval`.
#[derive(Debug, Subcommand)]
pub enum EvalAction {
    /// Compare configurations on question sets, and write a report
    Run(EvalRunArguments),
    /// Turn a question set of another layout into ours, with its documents
    Import(EvalImportArguments),
    /// Make a question set from a site's own documents: proposals to accept, edit or reject
    Init(EvalInitArguments),
    /// Say how far two people agree who worked on the same questions
    Agreement(EvalAgreementArguments),
    /// Judge what sites reply, as a student would see it
    Answers(EvalAnswersArguments),
    /// Judge what a site's language model writes, sentence by sentence
    Prose(EvalProseArguments),
}

/// `campanile eval answers`.
#[derive(Debug, Args)]
#[command(
    after_help = "First each site is asked, then you look at each reply: did it help, in part, was it beside the point, or \
    misleading?\nWhich site replied is not shown to you, and what several show alike is asked once. Every verdict is written \
    at once,\nand a reply that changes with a later version is all that has to be judged anew.\n\n\
    Examples:\n  \
    campanile eval answers write site questions.jsonl -o answers.jsonl --name before\n  \
    campanile eval answers write site-new questions.jsonl -o answers.jsonl --name after\n  \
    campanile eval answers judge answers.jsonl\n  \
    campanile eval answers judge answers.jsonl --tally"
)]
pub struct EvalAnswersArguments {
    /// What to do.
    #[command(subcommand)]
    pub action: EvalAnswersAction,
}

/// The actions of `campanile eval answers`.
#[derive(Debug, Subcommand)]
pub enum EvalAnswersAction {
    /// Ask a site's questions, and write each reply to a file
    Write(EvalAnswersWriteArguments),
    /// Judge the replies of a file, and say what each site is worth and where two differ
    Judge(EvalAnswersJudgeArguments),
}

/// `campanile eval answers write`.
#[derive(Debug, Args)]
pub struct EvalAnswersWriteArguments {
    /// Folder of a built site
    pub site: PathBuf,
    /// Question set: one JSON object a line
    pub questions: PathBuf,
    /// File of replies to write, or to add to; questions that it has of this site are not asked again
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// What the file calls the site [default: the folder's name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

/// `campanile eval answers judge`.
#[derive(Debug, Args)]
pub struct EvalAnswersJudgeArguments {
    /// The file of replies
    pub answers: PathBuf,
    /// Ask nothing, only say what was judged
    #[arg(long)]
    pub tally: bool,
    /// The same as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `campanile eval prose`.
#[derive(Debug, Args)]
#[command(
    after_help = "First the site's model writes, then you look at each sentence: do the passages say all that it claims, and is\n\
    it about what was asked? What the site found of a sentence is not shown to you. Every decision is written at once.\n\n\
    Examples:\n  \
    campanile eval prose write site questions.jsonl -o sentences.jsonl\n  \
    campanile eval prose judge sentences.jsonl\n  \
    campanile eval prose judge sentences.jsonl --tally"
)]
pub struct EvalProseArguments {
    /// What to do.
    #[command(subcommand)]
    pub action: EvalProseAction,
}

/// The actions of `campanile eval prose`.
#[derive(Debug, Subcommand)]
pub enum EvalProseAction {
    /// Ask a site's questions, and write each sentence of the model's answers to a file
    Write(EvalProseWriteArguments),
    /// Judge the sentences of a file, and say how many of those that a page shows are right
    Judge(EvalProseJudgeArguments),
}

/// `campanile eval prose write`.
#[derive(Debug, Args)]
pub struct EvalProseWriteArguments {
    /// Folder of a built site with a language model
    pub site: PathBuf,
    /// Question set: one JSON object a line
    pub questions: PathBuf,
    /// File of sentences to write; questions that it has are not asked again
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// `campanile eval prose judge`.
#[derive(Debug, Args)]
pub struct EvalProseJudgeArguments {
    /// The file of sentences
    pub sentences: PathBuf,
    /// Ask nothing, only say what was judged
    #[arg(long)]
    pub tally: bool,
    /// The same as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `campanile eval run`.
#[derive(Debug, Args)]
#[command(
    after_help = "An experiment is a TOML file: question sets, the configurations to compare, and grids of settings.\n\
    samples/experiments holds some, docs/guide/evaluation.md explains them. What was built and asked is kept in\n\
    WORK, so that a run that was broken off goes on, and one that was made before is only read.\n\n\
    Thresholds are a TOML file too: `[all]` with `\"recall@5\" = { min = 0.7 }`.\n\n\
    Examples:\n  \
    campanile eval run samples/experiments/parts.toml\n  \
    campanile eval run ours.toml --check thresholds.toml\n\n\
    Exit codes: 0 done, and all thresholds reached; 1 failed, or one was missed."
)]
pub struct EvalRunArguments {
    /// The experiment: a TOML file
    pub experiment: PathBuf,
    /// Folder that keeps sites and records [default: NAME-work]
    #[arg(long, value_name = "FOLDER")]
    pub work: Option<PathBuf>,
    /// Folder for the report [default: NAME-report]
    #[arg(long, value_name = "FOLDER")]
    pub report: Option<PathBuf>,
    /// File of thresholds that have to be reached
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,
    /// How many questions are asked at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Ask again what was asked before
    #[arg(long)]
    pub fresh: bool,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `campanile eval import`.
#[derive(Debug, Args)]
#[command(
    after_help = "Writes FOLDER/questions.jsonl and, where the set has documents of its own, FOLDER/documents, which \
    `campanile build` reads.\n\n\
    Columns of a sheet: question, answer, document, passage, category, type; also id, link, grade, reason, date,\n\
    programme, department, faculty, batch, courses. Several answers are separated by `;`. Rows with the same id are\n\
    one question.\n\n\
    Examples:\n  \
    campanile eval import squad dev-v2.0.json --to squad\n  \
    campanile eval import beir scifact.zip --split test --to scifact\n  \
    campanile eval import csv questions.csv --to ours"
)]
pub struct EvalImportArguments {
    /// How the set is laid out
    #[arg(value_enum)]
    pub layout: SetLayout,
    /// The set: a file, a folder or a zip
    pub source: PathBuf,
    /// Folder to write into, new or empty
    #[arg(long, value_name = "FOLDER")]
    pub to: PathBuf,
    /// Which part of the set (beir, scifact) [default: test for beir, all with evidence for scifact]
    #[arg(long, value_name = "NAME")]
    pub split: Option<String>,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How a question set is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SetLayout {
    /// SQuAD 1.1 or 2.0: one JSON file of paragraphs with questions
    Squad,
    /// BEIR: corpus.jsonl, queries.jsonl and qrels/*.tsv
    Beir,
    /// SciFact as CSV: corpus_train.csv and claims_*.csv
    Scifact,
    /// Cranfield: cran.all.1400, cran.qry and cranqrel
    Cranfield,
    /// questions.txt and reference_answers.txt, aligned by line
    Cmu,
    /// A sheet with a header row
    Csv,
    /// What visitors said of answers, as the page saves it, or a kiosk's log
    Visitors,
}

/// `campanile eval init`.
#[derive(Debug, Args)]
#[command(
    after_help = "Passages of the site are drawn at random, and questions are proposed about them: from rows of tables, \
    definitions,\ndates, amounts, addresses and headings. One in five is about something that no document mentions, and \
    should be\nrefused. Each is shown with its passage, and you accept, edit or reject it.\n\n\
    Every decision is written at once to FILE and to its review (questions.review.jsonl beside questions.jsonl).\n\
    The same command goes on where you stopped. Answers can be typed or piped, one letter a line.\n\n\
    Examples:\n  \
    campanile eval init site -o questions.jsonl\n  \
    campanile eval init site -o questions.jsonl --count 100 --seed 2\n  \
    campanile eval init site -o questions.jsonl --model smollm2-135m-instruct\n  \
    campanile eval init site -o questions.jsonl --form review.html\n  \
    campanile eval init site -o questions.jsonl --accept-all"
)]
pub struct EvalInitArguments {
    /// Folder of a built site
    pub site: PathBuf,
    /// Question set to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// How many questions to propose, at most
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub count: usize,
    /// How many passages to draw
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub passages: usize,
    /// Decides which passages are drawn: the same number, the same proposals
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Let a language model propose questions too (see `campanile model list`); some seconds a
    /// passage
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// About how many of the passages the model writes
    #[arg(long, value_name = "N", default_value_t = 20, requires = "model")]
    pub model_passages: usize,
    /// Ask nothing here: write the form as a web page, which works without a server
    #[arg(long, value_name = "FILE", conflicts_with = "accept_all")]
    pub form: Option<PathBuf>,
    /// Ask nothing: write what nobody has decided about too, marked `"reviewed": false`
    #[arg(long)]
    pub accept_all: bool,
}

/// `campanile eval agreement`.
#[derive(Debug, Args)]
#[command(
    after_help = "Reads question sets, and the reviews that `campanile eval init` keeps. Questions are the same where \
    their ids are,\nor else where their words are. Prints Cohen's kappa on the categories and on accepting or rejecting, \
    the overlap\nof the answers (token F1), and every question where the two differ.\n\n\
    Example:\n  campanile eval agreement ada.review.jsonl ben.review.jsonl"
)]
pub struct EvalAgreementArguments {
    /// The first person's file
    pub first: PathBuf,
    /// The second person's file
    pub second: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
