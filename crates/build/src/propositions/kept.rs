//! What a language model wrote in earlier builds, so that it is asked about each sentence once.
//!
//! One file for each pair of documents' folder and model, a line of JSON for each sentence. A line
//! is written as soon as the model has answered, so an interrupted build loses nothing; a line that
//! is cut short or damaged is a sentence to ask about again. What is read is checked like what the
//! model says now, so a file can cost time and never truth. At the end of a build the file is
//! replaced by one that holds what this build used.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use campanile_corpus::{PropositionWriter, SentenceInContext, WriterError};
use campanile_model_store::cache_folder;

use crate::observer::Observer;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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

/// The file for a documents' folder and what identifies model and prompt.
pub fn place(docs: &Path, identity: &str) -> Option<PathBuf> {
    let docs = docs.canonicalize().unwrap_or_else(|_| docs.to_owned());
    let name = hexadecimal(&Sha256::digest(format!("{}\0{identity}", docs.display()).as_bytes()));
    let name = name.get(..24)?;
    Some(cache_folder()?.join("propositions").join(format!("{name}.jsonl")))
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
            observer.remark(&format!(
                "warning: what the model wrote could not be kept for the next build: {error}"
            ));
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
        let temporary = path.with_extension(format!("{}.part", std::process::id()));
        fs::write(&temporary, text)?;
        fs::rename(&temporary, path)
    }
}

fn key(sentence: &SentenceInContext<'_>) -> String {
    let SentenceInContext { context, before, sentence } = sentence;
    hexadecimal(&Sha256::digest(format!("{context}\0{before}\0{sentence}").as_bytes()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
