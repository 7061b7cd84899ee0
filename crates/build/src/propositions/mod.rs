//! Propositions that a language model on this machine helps to write.
//!
//! Rules make propositions in milliseconds; a model takes a part of a second for each sentence. So it
//! is asked only where the settings say so, its answers are kept for the next build, and what it
//! writes is believed only as far as the documents say it (`campanile_corpus::PropositionWriter`).

mod model;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::PathBuf;

use campanile_bundle::Digest;
use campanile_corpus::{
    Document, Granularity, Proposer, PropositionWriter, Refusal, Refused, Rule, SentenceInContext,
    WriterError,
};
use campanile_model_store::InstalledModel;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::kept::{place, remark, replace};
use crate::observer::{Observer, Stage};
use crate::units::{Indexed, Units, proposition};
use crate::{BuildError, Plan};
use model::ModelWriter;

/// The reason why a document has no propositions by a model.
#[derive(Debug, Error)]
#[error("at `{document}`")]
pub struct PropositionError {
    /// The document's path.
    pub document: String,
    /// The writer's reason.
    pub source: WriterError,
}

/// Who wrote the propositions of a site.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Authorship {
    /// The model that was asked.
    pub model: String,
    /// Sentences that it was asked about, in this build or an earlier one.
    pub asked: usize,
    /// Propositions that it wrote.
    pub by_model: usize,
    /// Propositions that the rules wrote.
    pub by_rules: usize,
    /// Sentences of the model that were not used, by reason.
    pub refused: Vec<RefusedFor>,
}

/// Sentences that were not used for one reason.
#[derive(Debug, PartialEq, Serialize)]
pub struct RefusedFor {
    /// The reason.
    pub because: &'static str,
    /// The number of sentences.
    pub count: usize,
    /// One of them, and what was made of it.
    pub example: Refused,
}

/// The propositions of all chunks, written by a model where what it writes holds, and by the rules
/// everywhere else.
///
/// # Errors
/// Where the model cannot be loaded or fails.
pub fn written(
    plan: &Plan,
    model: &InstalledModel,
    chunks: &[Indexed],
    documents: &[Document],
) -> Result<(Units, Authorship), BuildError> {
    let writer = ModelWriter::new(model);
    let identity = format!("{}{}", model::identity(model), model::PROMPT_VERSION);
    let place = place("propositions", plan.docs, &identity, "jsonl");
    let kept = Kept::open(place, plan.fresh, &writer);
    let proposer = Proposer::new(plan.config.site.language);
    let (units, mut authorship) = all(&proposer, chunks, documents, &kept, plan.observer)
        .map_err(|error| BuildError::Propositions(model.name.clone(), error))?;
    kept.finish(plan.observer);
    authorship.model.clone_from(&model.name);
    Ok((units, authorship))
}

/// Goes through the chunks in their order; the observer is told how far the writer is.
fn all(
    proposer: &Proposer,
    chunks: &[Indexed],
    documents: &[Document],
    writer: &dyn PropositionWriter,
    observer: &dyn Observer,
) -> Result<(Units, Authorship), PropositionError> {
    let stage = Stage { is_slow: true, ..Stage::counted("Rewriting", chunks.len(), "passages") };
    let rewriting = observer.begin(&stage);
    let mut authorship = Authorship::default();
    let mut refused: BTreeMap<Refusal, (usize, Refused)> = BTreeMap::new();
    let mut made = Vec::with_capacity(chunks.len());
    for indexed in chunks {
        let Some(document) = documents.get(indexed.document) else {
            made.push(Vec::new());
            continue;
        };
        let written = proposer
            .written(document, &indexed.chunk, writer)
            .map_err(|source| PropositionError { document: document.path.clone(), source })?;
        authorship.asked += written.asked;
        for one in written.refused {
            refused.entry(one.because).or_insert_with(|| (0, one)).0 += 1;
        }
        let is_models = |rules: &[Rule]| rules.contains(&Rule::Model);
        let by_model = written.propositions.iter().filter(|it| is_models(&it.rules)).count();
        authorship.by_model += by_model;
        authorship.by_rules += written.propositions.len() - by_model;
        made.push(written.propositions.into_iter().map(proposition).collect());
        rewriting.advance(1);
    }
    let reason = |(because, (count, example)): (Refusal, (usize, Refused))| RefusedFor {
        because: because.describe(),
        count,
        example,
    };
    authorship.refused = refused.into_iter().map(reason).collect();
    Ok((Units::new(Granularity::Proposition, made), authorship))
}

/// A writer with a memory.
pub struct Kept<'a> {
    writer: &'a dyn PropositionWriter,
    memory: RefCell<Memory>,
}

#[derive(Default)]
struct Memory {
    path: Option<PathBuf>,
    answers: BTreeMap<String, Vec<String>>,
    used: BTreeSet<String>,
    /// Opened with the first new answer.
    log: Option<File>,
    /// Why no more is kept.
    failed: Option<io::Error>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    /// The hash of the sentence and what stands around it.
    key: String,
    statements: Vec<String>,
}

impl<'a> Kept<'a> {
    /// A writer that is asked only what the file does not know; `fresh` forgets what it knows.
    pub fn open(path: Option<PathBuf>, fresh: bool, writer: &'a dyn PropositionWriter) -> Self {
        let mut memory = Memory { path, ..Memory::default() };
        if let Some(path) = &memory.path {
            if fresh {
                // A file that cannot be taken away is written over at the end.
                let _ = fs::remove_file(path);
            }
            let bytes = if fresh { Vec::new() } else { fs::read(path).unwrap_or_default() };
            for line in bytes.split(|byte| *byte == b'\n') {
                if let Ok(Line { key, statements }) = serde_json::from_slice(line) {
                    memory.answers.insert(key, statements);
                }
            }
        }
        Self { writer, memory: RefCell::new(memory) }
    }

    /// Keeps what this build used. A file that cannot be written costs time in the next build and
    /// nothing in this one.
    pub fn finish(self, observer: &dyn Observer) {
        let mut memory = self.memory.into_inner();
        if let Err(error) = memory.failed.take().map_or_else(|| memory.replace(), Err) {
            remark("what the model wrote", &error, observer);
        }
    }
}

impl PropositionWriter for Kept<'_> {
    fn write(&self, sentence: &SentenceInContext<'_>) -> Result<Vec<String>, WriterError> {
        let key = key(sentence);
        let mut memory = self.memory.borrow_mut();
        memory.used.insert(key.clone());
        if let Some(known) = memory.answers.get(&key) {
            return Ok(known.clone());
        }
        let statements = self.writer.write(sentence)?;
        memory.add(key, &statements);
        Ok(statements)
    }
}

impl Memory {
    /// Remembers an answer, on disk as well.
    fn add(&mut self, key: String, statements: &[String]) {
        self.answers.insert(key.clone(), statements.to_vec());
        if self.failed.is_none()
            && let Err(error) = self.append(&Line { key, statements: statements.to_vec() })
        {
            self.failed = Some(error);
        }
    }

    fn append(&mut self, line: &Line) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let log = match &mut self.log {
            Some(log) => log,
            None => {
                fs::create_dir_all(path.parent().unwrap_or(path))?;
                let mut log = File::options().append(true).create(true).open(path)?;
                // The last build may have been interrupted in the middle of a line.
                log.write_all(b"\n")?;
                self.log.insert(log)
            }
        };
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        log.write_all(&text)
    }

    /// Replaces the file as a whole, unless it holds just what was used.
    fn replace(&mut self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        if self.log.take().is_none() && self.answers.len() == self.used.len() {
            return Ok(());
        }
        let mut text = Vec::new();
        for (key, statements) in &self.answers {
            if self.used.contains(key) {
                let line = Line { key: key.clone(), statements: statements.clone() };
                serde_json::to_writer(&mut text, &line)?;
                text.push(b'\n');
            }
        }
        replace(path, &text)
    }
}

fn key(sentence: &SentenceInContext<'_>) -> String {
    let SentenceInContext { context, before, sentence } = sentence;
    Digest::of(format!("{context}\0{before}\0{sentence}").as_bytes()).to_string()
}
