//! `campanile questions`, as it is typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `campanile questions`.
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
#[derive(Debug, Args)]
pub struct QuestionsReviewArguments {
    /// What `campanile questions write` wrote
    pub questions: PathBuf,
    /// Ask nothing here: write the form as a web page, which works without a server
    #[arg(long, value_name = "FILE")]
    pub form: Option<PathBuf>,
}
