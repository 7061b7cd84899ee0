//! Writes the site: index, documents, models, page.

use std::path::PathBuf;
use std::sync::Arc;

use campanile_bundle::{
    AlsoRecord, BundleWriter, ChildIndex, ChildRecord, Counts, DocumentNotes, DocumentRecord,
    EmbeddingDevice, FORMAT, Manifest, ModelEntry, OlderEdition, PartitionsEntry, SearchSettings,
    ShardEntry, ShardedEntry, WriteError,
};
use campanile_corpus::families::PageFamilies;
use campanile_corpus::metadata::{Audience, Metadata};
use campanile_corpus::{Chunk, ChunkId, Document, IndexedText, Synonyms};
use campanile_index::late::LateIndex;
use campanile_index::{
    Bm25Parameters, Field, FieldWeightError, FieldWeights, Graph, IndexError, LexicalBuilder,
    Partitions, VectorTable, sketch,
};
use campanile_model_store::InstalledModel;
use campanile_model_store::catalogue::of_weights;
use campanile_retrieve::{NEAR_WORDS_FILE, PairTask, QUERY_ADAPTER_FILE, is_word_part};
use campanile_text::Analyzer;
use rayon::prelude::*;
use thiserror::Error;

use crate::campus::Campus;
use crate::config::Config;
use crate::embed::Embedder;
use crate::instant::Learned;
use crate::language_model::SiteModel;
use crate::observer::Stage;
use crate::originals::Original;
use crate::page;
use crate::page_encoder;
use crate::pair_models::{PairModelFiles, QueryAdapterFile};
use crate::units::Indexed;
use crate::units::Units;
use crate::{LoadError, Plan, language_model};

/// Bytes of a postings shard before compression: a question needs one for each of its terms.
const POSTINGS_SHARD_BYTES: usize = 32 * 1024;
/// Bytes of a document shard before compression; a longer document has a shard of its own.
const DOCUMENTS_SHARD_BYTES: usize = 32 * 1024;
/// Rows whose bits are fetched together: some 17 kB, and a question wants a hundred of those at most. Of fewer rows more
/// of the nearest would be found in as many bytes, by more requests and a larger head: docs/reference/performance.md.
const ROWS_OF_PARTITION: usize = 500;
/// Rows whose vectors are fetched together, 6 kB: a question wants a hundred rows, which lie far apart.
const ROWS_OF_VECTORS_SHARD: u32 = 16;
/// Seed of the graph's levels; any number will do, as long as it stays the same.
const GRAPH_SEED: u64 = 8420;

/// The reason why a site cannot be written.
#[derive(Debug, Error)]
pub enum SiteError {
    /// The folder cannot be written, or a part is beyond what can be read back.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// An index cannot be made.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The weight of titles or headings is no weight.
    #[error(transparent)]
    Weight(#[from] FieldWeightError),
    /// A model for the page cannot be made.
    #[error(transparent)]
    Model(#[from] LoadError),
    /// An original file that is to be published was read before, and cannot be read now.
    #[error("cannot read `{}` to publish it", .0.display())]
    Original(PathBuf, #[source] std::io::Error),
}

/// The sizes of a site that was written.
pub struct Written {
    /// Bytes of page and index.
    pub index_bytes: u64,
    /// Bytes of the models.
    pub model_bytes: u64,
    /// Bytes of the original files.
    pub original_bytes: u64,
}

/// The content of a site.
#[derive(Default)]
pub struct Content<'a> {
    /// The documents, with what newer editions replace.
    pub documents: &'a [Document],
    /// The metadata of each document.
    pub metadata: &'a [Metadata],
    /// Documents that newer editions replace.
    pub older: Vec<OlderEdition>,
    /// The passages, by document.
    pub chunks: &'a [Indexed],
    /// A vector for each passage.
    pub vectors: &'a [Vec<f32>],
    /// The passages' token vectors, where the site has them.
    pub late: Option<LateIndex>,
    /// Parts of passages, each kind with its vectors.
    pub units: Vec<(Units, &'a [Vec<f32>])>,
    /// Words that mean the same.
    pub synonyms: Synonyms,
    /// Documents of one make.
    pub families: PageFamilies,
    /// The static encoder, which searches by meaning before the encoder is there.
    pub instant: Option<Learned>,
    /// The adapter that the encoder embeds questions with.
    pub query_adapter: Option<QueryAdapterFile>,
    /// The models that read a question and a passage together.
    pub pair_models: Vec<PairModelFiles>,
    /// For passages that others stand for as well: the passage's place, and the other's document.
    pub also: Vec<(usize, usize)>,
    /// Files that are published as they are.
    pub originals: &'a [Original],
    /// The device that computed the vectors, where it was not the processor.
    pub embedded_on: Option<EmbeddingDevice>,
    /// The sites that this one asks, where it is a campus's.
    pub campus: Option<Campus<'a>>,
}

/// Writes all of it; the site's folder changes at the very end.
pub fn write(plan: &Plan, embedder: &Embedder, content: Content<'_>) -> Result<Written, SiteError> {
    let mut writer = BundleWriter::begin(plan.output)?;
    let writing = plan.observer.begin(&Stage::counted("Writing", 3 + content.units.len(), "parts"));

    let analyzer = Analyzer::new(plan.config.site.language);
    let dimension = embedder.encoder.dimension();
    let texts: Vec<&IndexedText> = content.chunks.iter().map(|chunk| &chunk.text).collect();
    let index = Index { plan, analyzer: &analyzer, dimension };
    let (words, table) = index.made(&texts, content.vectors)?;
    let sketch = match content.campus {
        None => Some(writer.add_sketch(&sketch(&words, Some(&table))?)?),
        Some(_) => None,
    };
    let campus = (content.campus)
        .map(|campus| Ok::<_, WriteError>(campus.entry(writer.add_sketches(&campus.sketches())?)))
        .transpose()?;
    let (lexical, semantic) = index.add(&mut writer, words, table)?;
    writing.advance(1);
    let late = content.late.as_ref().map(|late| writer.add_late(late)).transpose()?;
    let mut children = Vec::new();
    for (units, vectors) in &content.units {
        let texts: Vec<&IndexedText> = units.texts.iter().collect();
        let (words, table) = index.made(&texts, vectors)?;
        let (lexical, semantic) = index.add(&mut writer, words, table)?;
        children.push(ChildIndex {
            granularity: units.granularity,
            count: count(texts.len())?,
            parents: writer.add_parents(units.counts.clone())?,
            lexical,
            vectors: semantic.vectors,
            graph: semantic.graph,
            partitions: semantic.partitions,
        });
        writing.advance(1);
    }
    let instant = (content.instant.as_ref())
        .map(|learned| {
            let Learned { word_pieces, table, passages, overlap } = learned;
            writer.add_instant(word_pieces, table, passages, *overlap)
        })
        .transpose()?;
    let records = records(&content);
    let written_documents =
        writer.add_documents(records, notes(plan, &content), DOCUMENTS_SHARD_BYTES)?;
    writing.advance(1);
    let encoder = add_encoder(plan, &mut writer, embedder, &content)?;
    let mut site_model = plan.prose.map(|model| site_model(plan, model)).transpose()?;
    let prose = (plan.prose.zip(site_model.as_mut()))
        .map(|(model, made)| {
            let files = std::mem::take(&mut made.files);
            writer.add_model([&model.name, &made.architecture, &model.licence], files)
        })
        .transpose()?;
    let template = site_model.as_ref().and_then(|made| made.template.clone());
    let (mut reader, mut reranker, mut checker) = (None, None, None);
    for model in &content.pair_models {
        let place = match model.task {
            PairTask::Reader => &mut reader,
            PairTask::Reranker => &mut reranker,
            PairTask::Checker => &mut checker,
        };
        *place = Some(model.add(&mut writer)?);
    }
    let mut page_bytes = 0;
    if let Some(page) = &plan.page {
        let reached = content.campus.map_or_else(Vec::new, |campus| campus.origins());
        for (path, mut file) in page.files(&plan.config.site, &plan.config.page, &reached) {
            if path == page::LICENCES {
                file.splice(0..0, model_licences(plan, &content, site_model.as_ref()).into_bytes());
            }
            if !page::is_on_demand(path) {
                page_bytes += file.len() as u64;
            }
            writer.add_file(path, &file)?;
        }
    }
    let mut original_bytes = 0;
    for Original { file, path, .. } in content.originals {
        let bytes =
            std::fs::read(file).map_err(|error| SiteError::Original(file.clone(), error))?;
        original_bytes += bytes.len() as u64;
        writer.add_file(path, &bytes)?;
    }
    let manifest = Manifest {
        format: FORMAT,
        generator: concat!("campanile ", env!("CARGO_PKG_VERSION")).to_owned(),
        title: plan.config.site.title.clone(),
        description: plan.config.site.description.clone(),
        language: language_tag(plan.config),
        examples: plan.config.site.examples.clone(),
        counts: content.campus.map_or_else(|| counts(&content), |campus| campus.counts()),
        index_bytes: 0,
        keep_bytes: (plan.config.page.keep_mb * 1e6) as u64,
        dimension: dimension as u32,
        analyzer: plan.config.site.language,
        search: search_settings(plan),
        ranking: plan.config.ranking,
        calibration: plan.config.answers,
        contact: plan.config.site.contact.clone(),
        feedback: plan.config.site.feedback.clone(),
        encoder: Some(encoder),
        embedded_on: content.embedded_on,
        prose,
        prompt: plan.config.prose.template.clone().or(template),
        worked_examples: plan.config.prose.worked_examples.clone(),
        reader,
        reranker,
        checker,
        prose_settings: plan.config.prose.kept(),
        lexical,
        vectors: semantic.vectors,
        graph: semantic.graph,
        partitions: semantic.partitions,
        late,
        children,
        synonyms: writer.add_synonyms(&content.synonyms)?,
        families: writer.add_families(&content.families)?,
        instant,
        documents: written_documents,
        sketch,
        campus,
    };
    let model_bytes = manifest.models().map(|model| model.bytes).sum();
    let index_bytes = page_bytes + manifest.index_bytes();
    writer.finish(&manifest)?;
    Ok(Written { index_bytes, model_bytes, original_bytes })
}

fn counts(content: &Content<'_>) -> Counts {
    let (documents, chunks) = (content.documents.len() as u32, content.chunks.len() as u32);
    Counts { documents, chunks }
}

/// The vectors of an index: whole, maybe with a graph, or in parts.
#[derive(Default)]
struct Semantic {
    vectors: Option<ShardEntry>,
    graph: Option<ShardEntry>,
    partitions: Option<PartitionsEntry>,
}

/// The inputs that every index of the site is made from.
struct Index<'a> {
    plan: &'a Plan<'a>,
    analyzer: &'a Analyzer,
    dimension: usize,
}

impl Index<'_> {
    /// The words of these texts, and their vectors.
    fn made(
        &self,
        texts: &[&IndexedText],
        vectors: &[Vec<f32>],
    ) -> Result<(LexicalBuilder, Arc<VectorTable>), SiteError> {
        let table = VectorTable::from_f32(vectors, self.dimension)?;
        Ok((self.lexical(texts)?, Arc::new(table)))
    }

    /// Adds an index of them.
    fn add(
        &self,
        writer: &mut BundleWriter,
        words: LexicalBuilder,
        table: Arc<VectorTable>,
    ) -> Result<(ShardedEntry, Semantic), SiteError> {
        let count = count(table.len())?;
        let lexical = writer.add_lexical(&words.finish(POSTINGS_SHARD_BYTES))?;
        let search = self.plan.config.search.kept();
        if table.is_empty() {
            return Ok((lexical, Semantic::default()));
        }
        // Of fewer rows nothing could be learnt, and they need no parts.
        if search.uses_partitions(count) && table.len() >= Partitions::LEAST {
            let partitions =
                writer.add_partitions(&table, ROWS_OF_PARTITION, ROWS_OF_VECTORS_SHARD)?;
            let semantic = Semantic { partitions: Some(partitions), ..Semantic::default() };
            return Ok((lexical, semantic));
        }
        let entry = writer.add_vectors(&table)?;
        // A graph that is never walked would only cost its writing and its room.
        let graph = search
            .uses_graph(count)
            .then(|| Ok::<_, SiteError>(writer.add_graph(&Graph::build(&table, GRAPH_SEED)?)?))
            .transpose()?;
        Ok((lexical, Semantic { vectors: Some(entry), graph, partitions: None }))
    }

    fn lexical(&self, texts: &[&IndexedText]) -> Result<LexicalBuilder, FieldWeightError> {
        let terms: Vec<Vec<(String, Field)>> =
            texts.par_iter().map(|text| terms(self.analyzer, text)).collect();
        let search = &self.plan.config.search;
        let parameters = Bm25Parameters { k1: search.bm25_k1, b: search.bm25_b };
        let fields = FieldWeights::new(search.title_weight, search.headings_weight)?;
        let mut builder = LexicalBuilder::new(parameters).with_fields(fields);
        for terms_of_text in terms {
            builder.add_chunk_with_fields(terms_of_text);
        }
        Ok(builder)
    }
}

fn count(texts: usize) -> Result<u32, IndexError> {
    let too_large = IndexError::TooLarge { part: "index", limit: "4294967295 texts" };
    u32::try_from(texts).map_err(|_| too_large)
}

/// The terms of a text, each with the field that it stands in.
fn terms(analyzer: &Analyzer, indexed: &IndexedText) -> Vec<(String, Field)> {
    let field = |start: usize| match start {
        start if start < indexed.title => Field::Title,
        start if start < indexed.context => Field::Headings,
        _ => Field::Body,
    };
    let tokens = analyzer.analyze(indexed.as_str()).into_iter();
    tokens.map(|token| (token.term, field(token.span.start as usize))).collect()
}

/// The notes in the documents' head, besides their shape.
fn notes(plan: &Plan, content: &Content<'_>) -> DocumentNotes {
    let further = |&(place, other): &(usize, usize)| {
        Some((ChunkId(u32::try_from(place).ok()?), Audience::of(content.metadata.get(other)?)))
    };
    DocumentNotes {
        older: content.older.clone(),
        further_audiences: content.also.iter().filter_map(further).collect(),
        organisation: plan.config.organisation.organisation(),
    }
}

/// The documents as readers need them, with their chunks in the order of their numbers.
fn records(content: &Content<'_>) -> Vec<DocumentRecord> {
    let documents = content.documents;
    let mut chunks: Vec<Vec<Chunk>> = vec![Vec::new(); documents.len()];
    let mut children: Vec<Vec<ChildRecord>> = vec![Vec::new(); documents.len()];
    for (place, indexed) in content.chunks.iter().enumerate() {
        if let Some(list) = chunks.get_mut(indexed.document) {
            list.push(indexed.chunk);
        }
        if let Some(list) = children.get_mut(indexed.document) {
            for (units, _) in &content.units {
                list.extend(units.records.get(place).into_iter().flatten().cloned());
            }
        }
    }
    let mut records: Vec<DocumentRecord> = documents
        .iter()
        .zip(content.metadata)
        .zip(chunks.iter().zip(children))
        .map(|((document, metadata), (chunks, mut children))| {
            children.sort_by_key(|child| (child.granularity, child.chunk));
            let metadata = metadata.clone();
            DocumentRecord { children, metadata, ..DocumentRecord::new(document, chunks) }
        })
        .collect();
    for &(place, other) in &content.also {
        let (Some(indexed), Some(other)) = (content.chunks.get(place), documents.get(other)) else {
            continue;
        };
        if let Some(record) = records.get_mut(indexed.document) {
            record.also.push(AlsoRecord {
                chunk: indexed.chunk.index,
                title: other.title.clone(),
                path: other.path.clone(),
                link: other.link.clone(),
            });
        }
    }
    records
}

/// The encoder for the page, and its adapter for questions.
fn add_encoder(
    plan: &Plan,
    writer: &mut BundleWriter,
    embedder: &Embedder,
    content: &Content<'_>,
) -> Result<ModelEntry, SiteError> {
    let parts = content.units.iter().flat_map(|(units, _)| &units.texts);
    let texts = content.chunks.iter().map(|chunk| chunk.text.as_str());
    let examples = plan.config.site.examples.iter().map(String::as_str);
    let terms = content.campus.iter().flat_map(Campus::terms);
    let texts = texts.chain(parts.map(IndexedText::as_str)).chain(examples);
    let texts: Vec<&str> = texts.chain(terms).collect();
    let mut files = page_encoder::with_near_words(embedder, &texts)?;
    let adapter = content.query_adapter.as_ref();
    files.extend(adapter.map(|it| (QUERY_ADAPTER_FILE.to_owned(), it.bytes.to_vec())));
    let config = embedder.config().map_err(LoadError::from)?;
    let model = plan.encoder;
    let about = [&model.name, config.network.model_type.name(), &model.licence];
    let mut entry = writer.add_model(about, files)?;
    if entry.file(NEAR_WORDS_FILE).is_some() {
        for file in &mut entry.files {
            file.on_demand = is_word_part(&file.name);
        }
    }
    Ok(ModelEntry { weights_sha256: model.weights_sha256().map(str::to_owned), ..entry })
}

/// The language model for the page.
fn site_model(plan: &Plan, model: &InstalledModel) -> Result<SiteModel, LoadError> {
    language_model::of_site(model, plan.config, plan.docs, plan.observer)
        .map_err(|error| error.of(format!("cannot convert the language model `{}`", model.name)))
}

/// The models' licences and homes, for the file that carries those of the software.
fn model_licences(plan: &Plan, content: &Content<'_>, prose: Option<&SiteModel>) -> String {
    let Content { query_adapter, pair_models, .. } = content;
    let mut text = String::from("Models in this site\n===================\n\n");
    for model in [Some(plan.encoder), plan.prose].into_iter().flatten() {
        text.push_str(&format!("{}  ({})  {}\n", model.name, model.licence, model.home));
    }
    if let Some(adapter) = query_adapter {
        text.push_str(&format!("campanile-query  ({})\n", adapter.licence));
    }
    for model in pair_models {
        text.push_str(&format!("{}  ({})\n", model.name, model.licence));
    }
    let of_prose = prose.and_then(|made| made.adapter_licence);
    if let (Some(licence), Some(model)) = (of_prose, plan.prose) {
        text.push_str(&format!(
            "campanile-prose  ({licence}), which was added to the weights of {}\n",
            model.name
        ));
    }
    text.push_str(
        "\nTheir weights were quantised for this site and are otherwise as published, but for what was added to \
         them.\n\n",
    );
    // The same for each that comes with the command.
    let of_adapter = query_adapter.as_ref().and_then(|adapter| adapter.attribution);
    let of_models = pair_models.iter().find_map(|model| model.attribution);
    if let Some(attribution) = of_adapter.or(of_models) {
        text.push_str(attribution);
    }
    text.push_str("\n\n");
    text
}

/// `[search]` with the floor of the site's encoder.
fn search_settings(plan: &Plan) -> SearchSettings {
    let search = plan.config.search.kept();
    let measured = || of_weights(plan.encoder.weights_sha256()?)?.floor_cosine;
    let floor_cosine = search.floor_cosine.or_else(measured);
    SearchSettings { floor_cosine, ..search }
}

/// For the page's `lang`; `und` is BCP 47's word for a language that is not told.
fn language_tag(config: &Config) -> String {
    match config.site.language {
        campanile_text::Language::None => "und".to_owned(),
        language => language.code().to_owned(),
    }
}
