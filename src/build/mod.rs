//! `campanile build` behind its command line: documents in, a site out.
//!
//! The steps run in one direction and hand plain values on: read, clean, cut into chunks, fold, embed,
//! learn, index, write. Nothing is written into the site's folder before the last step.

mod chunks;
mod described;
mod device;
pub mod documents;
mod embed;
mod families;
pub mod instant;
pub mod language_model;
mod late;
mod page_encoder;
mod pair_models;
mod propositions;
mod quality;
mod query_adapter;
mod report;
mod site;
mod units;
mod vector_cache;
mod website;
pub mod written;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use campanile_bundle::EmbeddingDevice;
use campanile_corpus::{Granularity, IndexedText, Synonyms};
use campanile_ingest::Finding;
use campanile_model_store::InstalledModel;
use serde::Serialize;

use crate::config::Config;
use device::Device;

/// What a build needs to know.
pub struct Plan<'a> {
    /// The documents' folder.
    pub docs: &'a Path,
    /// The site's folder.
    pub output: &'a Path,
    /// The settings.
    pub config: &'a Config,
    /// The encoder's files.
    pub encoder: &'a InstalledModel,
    /// The language model's files, where the site ships one.
    pub prose: Option<&'a InstalledModel>,
    /// The language model that helps to write propositions, where one does.
    pub writer: Option<&'a InstalledModel>,
    /// Embed everything anew, and ask the language model anew.
    pub fresh: bool,
    /// A document that cannot be read fails the build.
    pub strict: bool,
    /// Write the index without the page.
    pub index_only: bool,
    /// Folder to write the report into.
    pub report: Option<&'a Path>,
}

/// What a build did.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Documents in the site.
    pub documents: usize,
    /// Files that could not be read.
    pub failed: usize,
    /// Remarks about documents that were read.
    pub warnings: usize,
    /// Passages.
    pub chunks: usize,
    /// Sentences, list items and table rows of the passages.
    pub sentences: usize,
    /// Statements made from the passages.
    pub propositions: usize,
    /// Questions of FAQs and written ones, each found beside its answer.
    pub questions: usize,
    /// How many of them were written at the desk.
    pub written_questions: usize,
    /// Written questions that rest on text which the documents no longer have, each after its document's path.
    pub stale_questions: Vec<(String, String)>,
    /// How many of the propositions a language model wrote.
    pub propositions_by_model: usize,
    /// Pieces of text left out as noise.
    pub dropped: usize,
    /// Passages that others stand for.
    pub folded: usize,
    /// Documents that newer editions replace.
    pub replaced: usize,
    /// Texts embedded by this build; the others' vectors were known.
    pub embedded: usize,
    /// Seconds for that.
    pub embedding_seconds: f64,
    /// What computed the vectors, where it was not the processor.
    pub embedded_on: Option<EmbeddingDevice>,
    /// What became of the search by meaning before the encoder is there.
    pub instant: instant::Outcome,
    /// Bytes a reader downloads for keyword search: page, module and index, models not counted.
    pub index_bytes: u64,
    /// Bytes of the models a reader may download.
    pub model_bytes: u64,
    /// Seconds for all of it.
    pub seconds: f64,
    /// The site's folder.
    pub site: PathBuf,
    /// The report's folder.
    pub report: Option<PathBuf>,
}

/// Runs a build; findings about documents go to `report` as they are known.
///
/// # Errors
/// Where there is no document at all, a model cannot be loaded, the site cannot be written, or
/// (with `strict`) a document cannot be read.
pub fn build(plan: &Plan, report: &mut dyn FnMut(&Finding)) -> anyhow::Result<Summary> {
    let started = Instant::now();
    // First, so that who asks for a graphics card and has none knows it before a website is fetched.
    let embedder = embed::Embedder::load(plan.encoder)?;
    let mut device = Device::start(plan.config.encoder.device, &embedder)?;
    let read = documents::read_all(plan.docs, plan.config, report)?;
    if read.documents.is_empty() {
        bail!(
            "`{}` holds no document that could be read\n  way out: put {} files there",
            plan.docs.display(),
            campanile_ingest::Kind::list()
        );
    }
    if plan.strict && read.failed > 0 {
        bail!(
            "{} could not be read, and --strict was given",
            crate::console::count(read.failed, "document")
        );
    }
    let documents::Read { documents, sidecars, files, passed_over, failed, warnings, not_fetched } =
        read;
    let mut documents = documents;
    let described::Described { metadata, problems } =
        described::describe(&mut documents, plan.docs, &sidecars, plan.config)?;
    let query_adapter = query_adapter::chosen(plan)?;
    let pair_models = pair_models::chosen(plan)?;
    let prepared = quality::prepare(documents, plan.config);
    let cut = chunks::cut(&prepared.documents, &embedder, &plan.config.chunks)?;
    let folded = quality::folded(&cut, &prepared.documents, plan.config);
    let folding = report::Folding::new(&cut, &folded, &prepared.documents);
    let also = folding.also(|place| cut.get(place).map(|indexed| indexed.document));
    let chunked = chunks::without(cut, |place| folding.is_folded(place));
    let language = plan.config.site.language;
    let by_rules = |granularity| units::of(granularity, &chunked, &prepared.documents, language);
    let sentences = by_rules(Granularity::Sentence);
    let own_questions = match plan.config.questions.own {
        true => by_rules(Granularity::Question),
        false => {
            units::Units::new(Granularity::Question, chunked.iter().map(|_| Vec::new()).collect())
        }
    };
    let (questions, written_questions) =
        written::added(own_questions, &plan.config.questions, &chunked, &prepared.documents);
    let (propositions, authorship) = match plan.writer {
        None => (by_rules(Granularity::Proposition), None),
        Some(model) => {
            let written = propositions::written(plan, model, &chunked, &prepared.documents)?;
            (written.0, Some(written.1))
        }
    };
    let propositions_by_model = authorship.as_ref().map_or(0, |authorship| authorship.by_model);
    let report_to = plan.report.map(|folder| {
        (folder, report::Numbers::of(&embedder, &chunked, &sentences, &propositions))
    });
    let (sentence_count, proposition_count) = (sentences.texts.len(), propositions.texts.len());
    let wanted = |units: &units::Units| plan.config.chunks.parts.contains(&units.granularity);
    let question_count = questions.texts.len();
    let mut parts: Vec<units::Units> =
        [sentences, propositions].into_iter().filter(wanted).collect();
    parts.extend(Some(questions).filter(|_| question_count > 0));

    let mut texts: Vec<&str> = chunked.iter().map(|chunk| chunk.text.as_str()).collect();
    texts.extend(parts.iter().flat_map(|units| units.texts.iter().map(IndexedText::as_str)));
    let coder = late::TokenCoder::load(plan, &embedder)?;
    let of_passages = texts.get(..chunked.len()).unwrap_or_default();
    let embedded = device.run(|device| {
        let embedding = Instant::now();
        let role = embed::Role::Searched { passages: chunked.len(), coder: coder.as_ref() };
        let job = embed::Job { plan, embedder: &embedder, device };
        let vectors = embed::vectors(&job, &texts, role)?;
        let seconds = embedding.elapsed().as_secs_f64();
        let of_chunks = vectors.rows.get(..chunked.len()).unwrap_or_default();
        let instant = instant::learned(&job, of_passages, of_chunks)?;
        Ok((vectors, seconds, instant))
    })?;
    let (vectors, embedding_seconds, (instant, instant_outcome)) = embedded;
    let (of_chunks, mut of_parts) = vectors.rows.split_at(chunked.len());
    let mut with_vectors = Vec::new();
    for units in parts {
        let (own, rest) = of_parts.split_at(units.texts.len());
        with_vectors.push((units, own));
        of_parts = rest;
    }
    let own = plan.config.search.synonyms.clone();
    let synonyms =
        Synonyms::of(prepared.documents.iter().map(|document| document.text.as_str()), own);
    let families = families::of(&prepared.documents, &chunked, of_chunks, plan.config);
    let content = site::Content {
        documents: &prepared.documents,
        metadata: &metadata,
        older: quality::older_editions(&prepared),
        chunks: &chunked,
        vectors: of_chunks,
        late: coder.map(|coder| coder.index(&vectors.records)),
        units: with_vectors,
        synonyms,
        families,
        instant,
        query_adapter,
        pair_models,
        also,
        embedded_on: device.about().cloned(),
    };
    let replaced = content.older.len();
    let written = site::write(plan, &embedder, content)
        .with_context(|| format!("cannot write the site `{}`", plan.output.display()))?;
    let folded = folding.passages.len();
    let dropped = prepared.dropped.len();
    if let Some((folder, numbers)) = report_to {
        let report = report::Report::new(plan, &files, &passed_over, prepared, folding, numbers)
            .with_website(not_fetched)
            .with_authorship(authorship)
            .with_problems(problems);
        report.write(folder)?;
    }
    Ok(Summary {
        documents: files.iter().map(|file| file.documents).sum(),
        failed,
        warnings,
        chunks: chunked.len(),
        sentences: sentence_count,
        propositions: proposition_count,
        questions: question_count,
        written_questions: written_questions.taken,
        stale_questions: written_questions.stale,
        propositions_by_model,
        dropped,
        folded,
        replaced,
        embedded: vectors.embedded,
        embedding_seconds,
        embedded_on: device.about().cloned(),
        instant: instant_outcome,
        index_bytes: written.index_bytes,
        model_bytes: written.model_bytes,
        seconds: started.elapsed().max(Duration::from_millis(1)).as_secs_f64(),
        site: plan.output.to_owned(),
        report: plan.report.map(Path::to_owned),
    })
}
