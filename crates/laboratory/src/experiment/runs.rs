//! One configuration asked all questions of one set.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;
use std::{fs, thread};

use anyhow::Context as _;
use campanile_build::language_model::{loaded, shipped};
use campanile_build::{ChatModel, write_phrasings};
use campanile_eval::answers::{CommandJudge, LanguageModelJudge};
use campanile_eval::plan::{Answers, JudgeChoice, RetrieverName, ScoreSettings, Settings};
use campanile_eval::retrieval::{Level, Measures};
use campanile_eval::{
    Attempt, ProseOptions, Record, SitePassages, ask, consult, consult_patiently, score,
    score_by_likelihood, score_by_vectors, write_prose,
};
use campanile_model_store::InstalledModel;
use campanile_questions::Question;
use campanile_retrieve::{Engine, PairTask, Semantics, SystemClock};
use campanile_terminal::console;
use campanile_terminal::files::SiteFiles;
use campanile_terminal::site::{SiteEngine, load_pair_model};
use futures_lite::future::block_on;

use super::Options;
use super::sites::Site;

/// Part of every run's hash: another one when records mean something else.
pub(crate) const VERSION: &str = "records-5";

/// The questions that one configuration is asked.
pub(crate) struct Asked<'a> {
    /// The set's name.
    pub(crate) set: &'a str,
    /// The configuration's name.
    pub(crate) name: &'a str,
    /// The site.
    pub(crate) site: &'a Site,
    /// The questions.
    pub(crate) questions: &'a [Question],
    /// The way in which they are asked.
    pub(crate) settings: &'a Settings,
    /// The scores that are computed of the answers.
    pub(crate) scores: &'a ScoreSettings,
    /// The language model, where it is needed.
    pub(crate) model: Option<&'a InstalledModel>,
    /// The most tokens of an answer of its.
    pub(crate) max_tokens: usize,
    /// `true` if its prose may state only those numbers, dates, codes and addresses that the evidence states.
    pub(crate) grounded: bool,
    /// The file that keeps the records.
    pub(crate) file: PathBuf,
}

/// The records of all questions, in the order of the set; those that are there are not asked again.
///
/// # Errors
/// Where the site cannot be opened or searched, or the records cannot be written.
pub(crate) fn ask_all(asked: &Asked, options: &Options) -> anyhow::Result<Vec<Record>> {
    let mut known = if options.fresh { BTreeMap::new() } else { read(&asked.file) };
    let open: Vec<&Question> =
        asked.questions.iter().filter(|question| !known.contains_key(&question.id)).collect();
    if !open.is_empty() {
        let mut file = continued(&asked.file, &known)?;
        let bar = console::counting_bar(open.len(), "Asking", "questions");
        bar.println(format!("`{}` on `{}`", asked.name, asked.set));
        let (sender, receiver) = channel();
        let next = AtomicUsize::new(0);
        let jobs = options.jobs.clamp(1, open.len());
        thread::scope(|scope| {
            for _ in 0..jobs {
                let (sender, open, next) = (sender.clone(), &open, &next);
                scope.spawn(move || work(asked, open, next, &sender));
            }
            drop(sender);
            for answer in receiver {
                let record: Record = match answer {
                    Ok(record) => record,
                    Err(error) => {
                        // The others finish the question at hand and find none left.
                        // Half of the largest number: each adds to it once more, and it must not come round to 0.
                        next.store(usize::MAX / 2, Ordering::Relaxed);
                        return Err(error);
                    }
                };
                write(&mut file, &record)?;
                bar.inc(1);
                known.insert(record.id.clone(), record);
            }
            anyhow::Ok(())
        })?;
        bar.finish_and_clear();
    }
    Ok(asked.questions.iter().filter_map(|question| known.remove(&question.id)).collect())
}

/// Asks one question after the other until none is left.
fn work(
    asked: &Asked,
    open: &[&Question],
    next: &AtomicUsize,
    sender: &Sender<anyhow::Result<Record>>,
) {
    let outcome = opened(asked).and_then(|desk| {
        while let Some(question) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            let record =
                one(asked, &desk, question).with_context(|| format!("asking `{}`", question.id))?;
            if sender.send(Ok(record)).is_err() {
                break;
            }
        }
        anyhow::Ok(())
    });
    if let Err(error) = outcome {
        // Nobody listens once another worker has failed.
        let _nobody_listens = sender.send(Err(error));
    }
}

/// The engine and models that a worker asks with.
struct Desk {
    engine: SiteEngine,
    passages: Arc<SitePassages>,
    model: Option<ChatModel>,
    /// Who writes prose, where that is another: the site's own, as it is in the page.
    writer: Option<ChatModel>,
}

fn opened(asked: &Asked) -> anyhow::Result<Desk> {
    let folder = &asked.site.folder;
    let engine = block_on(Engine::open(SiteFiles::at(folder), SystemClock::default()))
        .with_context(|| format!("cannot open the site `{}`", folder.display()))?;
    // Passages are measured in the encoder's word pieces, so it is loaded even where keywords alone
    // are searched.
    if engine.manifest().encoder.is_some() || asked.settings.retriever == Some(RetrieverName::Dense)
    {
        block_on(engine.load_encoder(&mut |_, _| {}))?;
    }
    // What reads two texts belongs to the search by meaning, as the page has it.
    let reads = asked.settings.reader.unwrap_or(true);
    let reranks = asked.settings.overrides.cross_weight.is_none_or(|weight| weight > 0.0);
    let models = [(PairTask::Reader, reads), (PairTask::Reranker, reranks)];
    for (task, _) in
        models.into_iter().filter(|(_, is_wanted)| *is_wanted && engine.encoder_ready())
    {
        load_pair_model(&engine, task)?;
    }
    if asked.settings.semantics == Some(Semantics::Static) {
        block_on(engine.load_instant())?;
    }
    let passages = asked.site.passages(&engine)?;
    let own = engine.manifest().prose.as_ref().map(|entry| entry.name.as_str());
    let named = asked.model.map(|model| model.name.as_str());
    let is_own = asked.settings.answers == Some(Answers::Prose) && own.is_some() && own == named;
    let judges = matches!(asked.scores.judge, Some(JudgeChoice::Model(_)));
    let does_more = judges || !asked.settings.rewording().is_off();
    let chat = |(decoder, template)| ChatModel::new(decoder, template);
    let model = asked.model.filter(|_| !is_own || does_more).map(loaded).transpose()?.map(chat);
    let writer = is_own.then(|| shipped(folder, "build it again")).transpose()?.map(chat);
    Ok(Desk { engine, passages, model, writer })
}

fn one(asked: &Asked, desk: &Desk, question: &Question) -> anyhow::Result<Record> {
    let Desk { engine, passages, model, writer } = desk;
    let mut options = asked.settings.search_options();
    if let Some(model) = model {
        let rewording = asked.settings.rewording();
        options.phrasings =
            write_phrasings(&question.question, rewording, model, engine.analyzer())?;
    }
    let answers = asked.settings.answers.unwrap_or(Answers::Extract);
    let attempt = block_on(ask(engine, passages, question, &options, answers))?;
    let Attempt { mut record, limits, prompt } = attempt;
    // No evidence, no prompt, no model call.
    let written = writer.as_ref().or(model.as_ref()).zip(prompt.as_ref());
    if let Some((model, prompt)) =
        written.filter(|_| matches!(answers, Answers::Prose | Answers::ClosedBook))
    {
        // Without evidence there is nothing to hold it to.
        let grounded = asked.grounded && answers == Answers::Prose;
        let options =
            ProseOptions { max_tokens: asked.max_tokens, grounded, language: asked.site.language };
        write_prose(&mut record, prompt, model, &options)?;
    }
    let judgments = passages.judgments(question);
    let mut measures = Measures::default();
    // Deeper than ten only where so many are shown in every case.
    let overrides = &asked.settings.overrides;
    let deepest =
        overrides.least_sources.flatten().or(overrides.sources).unwrap_or_default() as usize;
    measures.ranks.extend([25, 50, 100].into_iter().filter(|rank| *rank <= deepest));
    if !passages.have_addresses() {
        // Without addresses a link is a path, and the same scores would stand there twice.
        measures.levels.retain(|level| *level != Level::Link);
    }
    score(&mut record, question, &judgments, &limits, &measures, asked.site.language)?;
    if asked.scores.embeddings {
        let encoder = engine
            .encoder()
            .context("`embeddings` in [scores] needs the site's encoder, and this site has none")?;
        block_on(engine.load_words())?;
        score_by_vectors(&mut record, &*encoder, asked.site.language)?;
    }
    if let Some((model, prompt)) = written {
        score_by_likelihood(&mut record, prompt, model)?;
    }
    judged(&mut record, asked.scores, model.as_ref())?;
    Ok(record)
}

/// Asks whoever is to judge the answer.
fn judged(
    record: &mut Record,
    scores: &ScoreSettings,
    model: Option<&ChatModel>,
) -> anyhow::Result<()> {
    match (&scores.judge, model) {
        (Some(JudgeChoice::Command(command)), _) => {
            let judge = CommandJudge {
                command: command.iter().map(Into::into).collect(),
                limit: Duration::from_secs(scores.judge_seconds),
            };
            consult(record, &judge)?;
        }
        (Some(JudgeChoice::Model(_)), Some(model)) => {
            consult_patiently(record, &LanguageModelJudge { model })?;
        }
        // A model is there wherever there is an answer to judge.
        (Some(JudgeChoice::Model(_)), None) | (None, _) => {}
    }
    Ok(())
}

/// The records that an earlier run wrote; a line that was broken off is left out.
fn read(path: &Path) -> BTreeMap<String, Record> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let records = text.lines().filter_map(|line| serde_json::from_str::<Record>(line).ok());
    records.map(|record| (record.id.clone(), record)).collect()
}

/// The file with the known records, open for more.
fn continued(path: &Path, known: &BTreeMap<String, Record>) -> anyhow::Result<BufWriter<File>> {
    let failed = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(failed)?;
    }
    // Written beside it first: nothing is lost if this is interrupted.
    let beside = path.with_extension("jsonl.new");
    let mut file = BufWriter::new(File::create(&beside).with_context(failed)?);
    for record in known.values() {
        write(&mut file, record)?;
    }
    drop(file);
    fs::rename(&beside, path).with_context(failed)?;
    Ok(BufWriter::new(File::options().append(true).open(path).with_context(failed)?))
}

/// A line that is on the disk when the next question is asked.
fn write(file: &mut BufWriter<File>, record: &Record) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *file, record)?;
    file.write_all(b"\n")?;
    file.flush()?;
    Ok(())
}
