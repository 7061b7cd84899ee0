//! Judges: programs and language models that say whether an answer is right.
//!
//! A judge's word is an opinion. It is recorded beside what is counted and never mixed with it; say
//! which judge it was, and look at a sample of its reasons before you report its share.

mod command;
mod language_model;
mod verdict;

pub use command::CommandJudge;
pub use language_model::{Complete, Form, LanguageModelJudge};
pub use verdict::Verdict;

use std::error::Error;
use std::io;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

/// The material that a judge is shown.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Exhibit<'a> {
    /// The question as it was asked.
    pub question: &'a str,
    /// The gold answers; any of them would do, and none where the documents do not answer.
    pub gold: &'a [&'a str],
    /// The answer; empty for a refusal.
    pub answer: &'a str,
    /// The passages that were shown, best first.
    pub context: &'a [&'a str],
}

/// Says whether an answer is right.
pub trait Judge {
    /// Judges one answer.
    ///
    /// # Errors
    /// [`JudgeError`] where there is no verdict.
    fn judge(&self, exhibit: &Exhibit<'_>) -> Result<Verdict, JudgeError>;
}

/// Why there is no verdict.
#[derive(Debug, Error)]
pub enum JudgeError {
    /// No command was given.
    #[error(
        "no command is given for the judge: name a program that reads JSON and writes a verdict"
    )]
    NoCommand,
    /// The command cannot be started, or not be waited for.
    #[error("the judge `{program}` cannot be run: {source}")]
    Run {
        /// The program.
        program: String,
        /// The system's error.
        source: io::Error,
    },
    /// The command took too long and was ended, with all that it had started.
    #[error("the judge `{program}` gave no verdict within {} seconds", limit.as_secs_f64())]
    TooSlow {
        /// The program.
        program: String,
        /// The time it was given.
        limit: Duration,
    },
    /// The command failed.
    #[error("the judge `{program}` failed ({status}): {complaint}")]
    Failed {
        /// The program.
        program: String,
        /// Its exit status.
        status: String,
        /// The end of what it wrote to standard error.
        complaint: String,
    },
    /// The language model failed.
    #[error("the judging language model failed: {source}")]
    Model {
        /// The model's error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The judge said something that is no verdict.
    #[error(
        "the judge's reply is no verdict ({reason}): expected {{\"correct\": true or false, \"score\": 0 to 1, \"reason\": \"…\"}} and nothing else, found `{found}`"
    )]
    NoVerdict {
        /// The beginning of what it said.
        found: String,
        /// The problem with it.
        reason: String,
    },
}
