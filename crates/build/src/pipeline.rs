//! The stages of a build, and the values between them: documents, passages, what is searched, vectors, site.

use std::path::Path;
use std::time::{Duration, Instant};

use campanile_bundle::EmbeddingDevice;
use campanile_corpus::families::{PageFamilies, Passage};
use campanile_corpus::metadata::Metadata;
use campanile_corpus::{Document, Granularity, IndexedText, Synonyms};
use campanile_text::Analyzer;

use crate::config::Config;
use crate::device::Device;
use crate::documents::Documents;
use crate::embed::{self, Embedder, Kind, Role, Vectors};
use crate::late::TokenCoder;
use crate::metadata::{Described, describe};
use crate::originals::{self, Original};
use crate::parts::{Collected, PartTexts, TextRole};
use crate::propositions::{self, Authorship};
use crate::quality::{self, Prepared};
use crate::report::{Folding, Numbers, Report};
use crate::units::{self, Indexed, Units};
use crate::written::{self, Written};
use crate::{BuildError, Plan, Summary, instant, pair_models, site};

/// The encoder and the device that a build computes with.
pub(crate) struct Machine<'a> {
    plan: &'a Plan<'a>,
    embedder: Embedder,
    device: Device,
}

/// Passages, and the documents that they are cut from.
struct Passages {
    prepared: Prepared,
    /// Of each document.
    metadata: Vec<Metadata>,
    /// By document, without those that others stand for.
    chunks: Vec<Indexed>,
    folding: Folding,
    /// For passages that others stand for as well: the passage's place, and the other's document.
    also: Vec<(usize, usize)>,
}

/// The parts of passages, and the questions that they answer: searched beside them.
struct Parts {
    sentences: Units,
    propositions: Option<Units>,
    authorship: Option<Authorship>,
    questions: Units,
    written_questions: Written,
}

impl Parts {
    /// Those that are searched, in the order of their indexes; who wrote propositions, and what became of written questions.
    fn searched(self, config: &Config) -> (Vec<Units>, Option<Authorship>, Written) {
        let Self { sentences, propositions, authorship, questions, written_questions } = self;
        let wanted = |units: &Units| config.chunks.parts.contains(&units.granularity);
        let mut searched: Vec<Units> = Some(sentences).filter(wanted).into_iter().collect();
        searched.extend(propositions);
        searched.extend(Some(questions).filter(|units| !units.texts.is_empty()));
        (searched, authorship, written_questions)
    }
}

/// All that is made of documents before anything is embedded.
struct Ready {
    /// The outcome of reading, without the documents.
    read: Documents,
    /// Values in the documents' metadata that could not be understood.
    problems: Vec<String>,
    mistakes: usize,
    originals: Vec<Original>,
    passages: Passages,
    parts: Parts,
}

/// Vectors of passages and parts, and what is learned from them.
struct Embedded {
    /// The passages'.
    vectors: Vectors,
    /// Those of the other texts that are searched.
    of_parts: Vectors,
    seconds: f64,
    instant: Option<instant::Learned>,
    outcome: instant::Outcome,
}

impl<'a> Machine<'a> {
    /// Loads the encoder and starts the device.
    pub(crate) fn start(plan: &'a Plan<'a>) -> Result<Self, BuildError> {
        let embedder = Embedder::load(plan)?;
        let device = match plan.vectors {
            // Nothing is left for a card to do.
            Some(_) => Device::Processor,
            None => Device::start(plan.config.encoder.device, &embedder, plan.observer)?,
        };
        Ok(Self { plan, embedder, device })
    }

    /// The device that computed the vectors, where it was not the processor.
    fn embedded_on(&self) -> Option<EmbeddingDevice> {
        match self.plan.vectors {
            Some(brought) => brought.device().cloned(),
            None => self.device.about().cloned(),
        }
    }

    /// Builds the site of these documents.
    pub(crate) fn assemble(
        mut self,
        documents: Documents,
        started: Instant,
    ) -> Result<Summary, BuildError> {
        let plan = self.plan;
        let query_adapter = pair_models::query_adapter(plan)?;
        let pair_models = pair_models::chosen(plan)?;
        let Ready { read, problems, mistakes, originals, passages, parts } =
            self.ready(documents)?;
        let Documents { files, passed_over, failed, warnings, not_fetched, .. } = read;
        let report_to = plan.report.map(|folder| {
            let made = [Some(&parts.sentences), parts.propositions.as_ref()];
            (folder, Numbers::of(&self.embedder, &passages.chunks, made.into_iter().flatten()))
        });
        let made = [Some(&parts.sentences), parts.propositions.as_ref(), Some(&parts.questions)];
        let counts = made.map(|units| units.map_or(0, |units| units.texts.len()));
        let [sentence_count, proposition_count, question_count] = counts;
        let (searched, authorship, written_questions) = parts.searched(plan.config);
        let coder = TokenCoder::load(plan, &self.embedder)?;
        let embedded = self.embedded(&passages.chunks, &searched, coder.as_ref())?;
        let Embedded { vectors, of_parts, seconds: embedding_seconds, instant, outcome } = embedded;

        let newly_embedded = vectors.embedded + of_parts.embedded;
        let mut of_parts = of_parts.rows.as_slice();
        let mut units = Vec::new();
        for part in searched {
            let (own, rest) = of_parts.split_at(part.texts.len());
            units.push((part, own));
            of_parts = rest;
        }
        let Passages { prepared, metadata, chunks, folding, also } = passages;
        let texts = prepared.documents.iter().map(|document| document.text.as_str());
        let is_partitioned = plan.config.search.kept().uses_partitions(chunks.len() as u32);
        let content = site::Content {
            documents: &prepared.documents,
            metadata: &metadata,
            older: quality::older_editions(&prepared),
            chunks: &chunks,
            vectors: &vectors.rows,
            late: coder.map(|coder| coder.index(&vectors.records, is_partitioned)),
            units,
            synonyms: Synonyms::of(texts, plan.config.search.synonyms.clone()),
            families: page_families(&prepared.documents, &chunks, &vectors.rows, plan.config),
            instant,
            query_adapter,
            pair_models,
            also,
            originals: &originals,
            embedded_on: self.embedded_on(),
            campus: None,
        };
        let replaced = content.older.len();
        let written = site::write(plan, &self.embedder, content)
            .map_err(|error| BuildError::Site(plan.output.to_owned(), Box::new(error)))?;
        let (folded, dropped) = (folding.passages.len(), prepared.dropped.len());
        let propositions_by_model = authorship.as_ref().map_or(0, |authorship| authorship.by_model);
        if let Some((folder, numbers)) = report_to {
            let mut report = Report::new(plan, &files, &passed_over, prepared, folding, numbers);
            (report.not_fetched, report.metadata_problems) = (not_fetched, problems);
            report.propositions = authorship;
            report.write(folder)?;
        }
        Ok(Summary {
            documents: files.iter().map(|file| file.documents).sum(),
            failed,
            warnings,
            metadata_mistakes: mistakes,
            chunks: chunks.len(),
            sentences: sentence_count,
            propositions: proposition_count,
            questions: question_count,
            written_questions: written_questions.taken,
            stale_questions: written_questions.stale,
            propositions_by_model,
            dropped,
            folded,
            replaced,
            embedded: newly_embedded,
            embedding_seconds,
            embedded_on: self.embedded_on(),
            instant: outcome,
            index_bytes: written.index_bytes,
            model_bytes: written.model_bytes,
            originals: originals.len(),
            original_bytes: written.original_bytes,
            seconds: started.elapsed().max(Duration::from_millis(1)).as_secs_f64(),
            site: plan.output.to_owned(),
            report: plan.report.map(Path::to_owned),
        })
    }

    /// Collects the texts that a build of these documents embeds.
    pub(crate) fn collect(&self, documents: Documents) -> Result<Collected, BuildError> {
        let plan = self.plan;
        // Whoever assembles the site would hear of a bad one hours later.
        pair_models::query_adapter(plan)?;
        pair_models::chosen(plan)?;
        let Ready { read, mistakes, originals, passages, parts, .. } = self.ready(documents)?;
        let (searched, ..) = parts.searched(plan.config);
        let texts: Vec<&str> = passages.chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        let learned_from = match plan.config.search.instant_semantics {
            true => instant::enough(&self.embedder, &texts)?.ok(),
            false => None,
        };
        let (documents, metadata) = (&passages.prepared.documents, &passages.metadata);
        let texts = PartTexts { documents, metadata, chunks: &passages.chunks };
        Ok(Collected {
            texts: texts.of(&searched, learned_from.as_ref()),
            originals: originals.into_iter().map(|original| original.source).collect(),
            failed: read.failed,
            read,
            metadata_mistakes: mistakes,
        })
    }

    /// Embeds texts that somebody else collected, each in its role, and codes the tokens of passages.
    pub(crate) fn embed(
        &mut self,
        texts: &[(TextRole, &str)],
        coder: Option<&TokenCoder>,
    ) -> Result<Vec<embed::Row>, BuildError> {
        let Self { plan, embedder, device } = self;
        let of = |kind: Kind| {
            let places = texts.iter().enumerate().filter(move |(_, (role, _))| role.kind() == kind);
            places.map(|(place, _)| place).collect::<Vec<usize>>()
        };
        device.run(plan.observer, |device| {
            let job = embed::Job { plan, embedder, device };
            let mut rows: Vec<Option<embed::Row>> = vec![None; texts.len()];
            let roles = [Role::Passages { coder }, Role::Units, Role::Questions];
            for role in roles {
                let places = of(role.kind());
                let all: Vec<&str> = places.iter().map(|place| texts[*place].1).collect();
                embed::embed(&job, &all, role, (0..all.len()).collect(), &mut |group, made| {
                    for (index, row) in group.iter().zip(made) {
                        rows[places[*index]] = Some(row);
                    }
                })?;
            }
            let whole = rows.into_iter().map(|row| row.ok_or(BuildError::Lost("embedded")));
            whole.collect()
        })
    }

    /// The embedder.
    pub(crate) fn embedder(&self) -> &Embedder {
        &self.embedder
    }

    /// The device.
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// Does all that comes before embedding.
    fn ready(&self, mut read: Documents) -> Result<Ready, BuildError> {
        let plan = self.plan;
        let mut documents = std::mem::take(&mut read.documents);
        let Described { metadata, problems, may_be_published, mistakes } =
            describe(&mut documents, plan.docs, &read.sidecars, plan.config)?;
        let originals = originals::linked(&mut documents, &may_be_published, plan);
        let passages = self.passages(documents, metadata)?;
        let parts = self.parts(&passages)?;
        Ok(Ready { read, problems, mistakes, originals, passages, parts })
    }

    /// Leaves out noise, cuts documents into passages, and folds those that say the same.
    fn passages(
        &self,
        documents: Vec<Document>,
        metadata: Vec<Metadata>,
    ) -> Result<Passages, BuildError> {
        let Plan { config, observer, .. } = *self.plan;
        let prepared = quality::prepare(documents, config);
        let cut = units::cut(&prepared.documents, &self.embedder, &config.chunks, observer)?;
        let folded = quality::folded(&cut, &prepared, config);
        let folding = Folding::new(&cut, &folded, &prepared.documents);
        let also = folding.also(|place| cut.get(place).map(|indexed| indexed.document));
        let chunks = units::without(cut, |place| folding.is_folded(place));
        Ok(Passages { prepared, metadata, chunks, folding, also })
    }

    /// Makes the parts of passages. Propositions are made only where they are wanted.
    fn parts(&self, passages: &Passages) -> Result<Parts, BuildError> {
        let plan = self.plan;
        let (chunks, documents) = (&passages.chunks, &passages.prepared.documents);
        let language = plan.config.site.language;
        let by_rules = |granularity| units::of(granularity, chunks, documents, language);
        let own_questions = match plan.config.questions.own {
            true => by_rules(Granularity::Question),
            false => Units::new(Granularity::Question, chunks.iter().map(|_| Vec::new()).collect()),
        };
        let (questions, written_questions) =
            written::added(own_questions, &plan.config.questions, chunks, documents);
        let are_wanted = plan.config.chunks.parts.contains(&Granularity::Proposition);
        let (propositions, authorship) = match plan.writer {
            Some(model) if are_wanted => {
                let (units, authorship) = propositions::written(plan, model, chunks, documents)?;
                (Some(units), Some(authorship))
            }
            _ => (are_wanted.then(|| by_rules(Granularity::Proposition)), None),
        };
        let sentences = by_rules(Granularity::Sentence);
        Ok(Parts { sentences, propositions, authorship, questions, written_questions })
    }

    /// Embeds passages and parts, in this order, and learns what searches passages before the encoder is there.
    fn embedded(
        &mut self,
        chunks: &[Indexed],
        parts: &[Units],
        coder: Option<&TokenCoder>,
    ) -> Result<Embedded, BuildError> {
        let Self { plan, embedder, device } = self;
        let passages: Vec<&str> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        let of_parts = parts.iter().flat_map(|units| units.texts.iter().map(IndexedText::as_str));
        let of_parts: Vec<&str> = of_parts.collect();
        device.run(plan.observer, |device| {
            let started = Instant::now();
            let job = embed::Job { plan, embedder, device };
            let vectors = embed::vectors(&job, &passages, Role::Passages { coder })?;
            let of_parts = embed::vectors(&job, &of_parts, Role::Units)?;
            let seconds = started.elapsed().as_secs_f64();
            let (instant, outcome) = instant::learned(&job, &passages, &vectors.rows)?;
            Ok(Embedded { vectors, of_parts, seconds, instant, outcome })
        })
    }
}

/// The families among the documents, by their passages and the passages' vectors; none where they are not wanted.
fn page_families(
    documents: &[Document],
    chunks: &[Indexed],
    vectors: &[Vec<f32>],
    config: &Config,
) -> PageFamilies {
    if !config.search.families {
        return PageFamilies::default();
    }
    let passages = chunks.iter().zip(vectors).map(|(indexed, vector)| Passage {
        document: indexed.document,
        section: indexed.chunk.section as usize,
        vector,
    });
    let analyzer = Analyzer::new(config.site.language);
    PageFamilies::of(documents, &passages.collect::<Vec<_>>(), &analyzer)
}
