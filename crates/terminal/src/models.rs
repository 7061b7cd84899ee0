//! Models of the store, fetched where they are not there; and the language model that words an answer or puts a question in
//! other words, as in the page.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use campanile_answer::{CitedSentence, PROSE_TOKENS, Reply, cite, nearest_examples, prose_prompt};
use campanile_build::language_model::shipped;
use campanile_build::{ChatModel, language_model, write_phrasings};
use campanile_grounding::Grounds;
use campanile_model_store::{InstalledModel, Progress, Source, Store, StoreError};
use campanile_retrieve::{PairTask, Phrasing, Rewording};
use campanile_text::Analyzer;
use futures_lite::future::block_on;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::site::{SiteEngine, load_pair_model};
use crate::{console, tell};

/// The model from the store, fetched first where it is not there.
///
/// # Errors
/// Where no source gives it, or what is in the store is damaged (the message says how to mend it).
pub fn find_or_fetch(store: &Store, name: &str) -> anyhow::Result<InstalledModel> {
    match store.find(name) {
        Ok(model) => Ok(model),
        Err(StoreError::NotInstalled { .. }) => {
            let bytes = console::bytes(store.model(name)?.bytes());
            tell!("The model {name} ({bytes}) is not here yet: fetching it, this once.");
            fetch(store, name, &Source::Any)
        }
        Err(error) => Err(error.into()),
    }
}

/// Fetches a model from a source.
///
/// # Errors
/// Where the source does not give it.
pub fn fetch(store: &Store, name: &str, source: &Source) -> anyhow::Result<InstalledModel> {
    let mut display = Display::default();
    let model = store.fetch(name, source, &mut |progress| display.show(progress));
    display.clear();
    Ok(model?)
}

/// Shows a fetch as it goes: lines for events, a bar for bytes.
#[derive(Default)]
pub struct Display {
    bar: Option<(String, ProgressBar)>,
}

impl Display {
    /// Shows a step of it.
    pub fn show(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Waiting { lock } => {
                self.line(&format!(
                    "another process is fetching it; waiting for {}",
                    lock.display()
                ));
            }
            Progress::Trying { source, from } => self.line(&format!("trying {source}: {from}")),
            Progress::Received { file, bytes, total_bytes } => {
                self.advance("Fetching", file, bytes, total_bytes);
            }
            Progress::Checking { file, bytes, total_bytes } => {
                self.advance("Checking", file, bytes, total_bytes);
            }
            Progress::Resuming { file, reason, bytes } => {
                let here = console::bytes(bytes);
                self.line(&format!("{file} broke off ({reason}); going on after {here}"));
            }
            Progress::Failed { source, reason } => self.line(&format!("{source}: {reason}")),
        }
    }

    fn advance(&mut self, label: &'static str, file: &str, bytes: u64, total_bytes: u64) {
        let key = format!("{label} {file}");
        if self.bar.as_ref().is_none_or(|(shown, _)| *shown != key) {
            self.clear();
            self.bar = Some((key, console::bytes_bar(total_bytes, label)));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set_position(bytes);
        }
    }

    fn line(&mut self, text: &str) {
        self.clear();
        tell!("  {text}");
    }

    /// Takes the bar away.
    pub fn clear(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// The way out where a site has no model.
const WAY_OUT: &str = "`model = \"smollm2-135m-instruct\"` under `[prose]` in `campanile.toml` gives the next build one";

/// Who words answers: the language model that a site ships.
pub struct ProseWriter {
    model: ChatModel,
}

/// The text that was written, with what each sentence rests on.
#[derive(Serialize)]
pub struct WrittenProse {
    /// The text.
    pub text: String,
    /// The numbers of the sources that the model was given.
    #[serde(skip)]
    pub told: Vec<usize>,
    /// Its sentences, in their order.
    pub sentences: Vec<CitedSentence>,
}

impl ProseWriter {
    /// Loads the site's language model, and what its sentences are checked with.
    ///
    /// # Errors
    /// Where the site has none, or it cannot be run.
    pub fn open(site: &Path, engine: &SiteEngine) -> anyhow::Result<Self> {
        if engine.encoder_ready() {
            load_pair_model(engine, PairTask::Checker)?;
        }
        let (decoder, template) = shipped(site, WAY_OUT)?;
        Ok(Self { model: ChatModel::new(decoder, template) })
    }

    /// Words a reply; nothing where a page would not offer that.
    ///
    /// # Errors
    /// Where the prompt does not fit into the model, or the sentences cannot be checked.
    pub fn write(
        &self,
        engine: &SiteEngine,
        reply: &Reply,
    ) -> anyhow::Result<Option<WrittenProse>> {
        if !reply.takes_prose() {
            return Ok(None);
        }
        let examples = block_on(nearest_examples(engine, &reply.question))?;
        let Some(prompt) = prose_prompt(reply, &examples) else { return Ok(None) };
        let evidence = prompt.evidence.iter().map(String::as_str);
        let grounds = Grounds::of(evidence, engine.manifest().analyzer);
        let text = self.model.write_from(&prompt, PROSE_TOKENS, Some(&grounds))?.text;
        let sentences = block_on(cite(engine, reply, &text))?;
        Ok(Some(WrittenProse { text, told: prompt.sources, sentences }))
    }
}

/// Who rewords questions; each question is put to the model once.
pub struct Rewriter {
    model: ChatModel,
    rewording: Rewording,
    known: RefCell<BTreeMap<String, Vec<Phrasing>>>,
}

impl Rewriter {
    /// Loads the language model, where questions are to be reworded.
    ///
    /// # Errors
    /// Where the site has no language model and none is named, or it cannot be had or run.
    pub fn open(
        site: &Path,
        rewording: Rewording,
        language_model: Option<&str>,
    ) -> anyhow::Result<Option<Self>> {
        if rewording.is_off() {
            return Ok(None);
        }
        let (decoder, template) = match language_model {
            Some(name) => language_model::loaded(&find_or_fetch(&Store::open(None)?, name)?)?,
            None => {
                let way_out = "name one, `--language-model smollm2-135m-instruct`";
                language_model::shipped(site, way_out)?
            }
        };
        let model = ChatModel::new(decoder, template);
        Ok(Some(Self { model, rewording, known: RefCell::default() }))
    }

    /// The question in other words.
    ///
    /// # Errors
    /// Where the question does not fit into the model.
    pub fn phrasings(&self, question: &str, analyzer: &Analyzer) -> anyhow::Result<Vec<Phrasing>> {
        if let Some(known) = self.known.borrow().get(question) {
            return Ok(known.clone());
        }
        let found = write_phrasings(question, self.rewording, &self.model, analyzer)
            .with_context(|| format!("cannot put \"{question}\" in other words"))?;
        self.known.borrow_mut().insert(question.to_owned(), found.clone());
        Ok(found)
    }
}
