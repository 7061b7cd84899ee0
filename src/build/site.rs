//! Writes the site: index, documents, models, page.

use std::sync::Arc;

use anyhow::Context as _;
use campanile_bundle::{
    BundleWriter, Counts, DocumentRecord, FORMAT, Manifest, ModelEntry, SearchDefaults,
};
use campanile_corpus::{Chunk, Document, Granularity};
use campanile_index::{Bm25Parameters, Graph, LexicalBuilder, VectorTable};
use campanile_model_store::InstalledModel;
use campanile_text::Analyzer;
use rayon::prelude::*;

use crate::build::chunks::Indexed;
use crate::build::embed::Embedder;
use crate::build::{Plan, language_model};
use crate::config::Config;
use crate::{console, embedded};

/// Bytes of a postings shard before compression: a question needs one for each of its terms.
const POSTINGS_SHARD_BYTES: usize = 32 * 1024;
/// Bytes of a document shard before compression; a longer document has a shard of its own.
const DOCUMENTS_SHARD_BYTES: usize = 32 * 1024;
/// Seed of the graph's levels; any number will do, as long as it stays the same.
const GRAPH_SEED: u64 = 8420;

/// What was written.
pub struct Written {
    /// Bytes of page and index.
    pub index_bytes: u64,
    /// Bytes of the models.
    pub model_bytes: u64,
}

/// Writes all of it; the site's folder changes at the very end.
pub fn write(
    plan: &Plan,
    embedder: &Embedder,
    documents: &[Document],
    chunks: &[Indexed],
    vectors: &[Vec<f32>],
) -> anyhow::Result<Written> {
    let mut writer = BundleWriter::begin(plan.output)?;
    let bar = console::counting_bar(5, "Writing", "parts");

    let analyzer = Analyzer::new(plan.config.site.language);
    let lexical = writer.add_lexical(&lexical_index(chunks, &analyzer, plan.config))?;
    bar.inc(1);
    let dimension = embedder.encoder.dimension();
    let table = Arc::new(VectorTable::from_f32(vectors, dimension)?);
    let vectors = writer.add_vectors(&table)?;
    bar.inc(1);
    let graph = writer.add_graph(&Graph::build(&table, GRAPH_SEED)?)?;
    bar.inc(1);
    let records = records(documents, chunks);
    let written_documents = writer.add_documents(records, Vec::new(), DOCUMENTS_SHARD_BYTES)?;
    bar.inc(1);
    let encoder = add_encoder(&mut writer, plan.encoder, embedder)?;
    let prose = plan.prose.map(|model| add_prose(&mut writer, model)).transpose()?;
    let mut page_bytes = 0;
    if !plan.index_only {
        for (path, mut content) in embedded::page_files(&plan.config.page) {
            if path == embedded::LICENCES {
                content.splice(0..0, model_licences(plan).into_bytes());
            }
            if !embedded::is_on_demand(path) {
                page_bytes += content.len() as u64;
            }
            writer.add_file(path, &content)?;
        }
    }
    let manifest = Manifest {
        format: FORMAT,
        generator: concat!("campanile ", env!("CARGO_PKG_VERSION")).to_owned(),
        title: plan.config.site.title.clone(),
        description: plan.config.site.description.clone(),
        language: language_tag(plan.config),
        examples: plan.config.site.examples.clone(),
        counts: Counts { documents: documents.len() as u32, chunks: chunks.len() as u32 },
        dimension: dimension as u32,
        analyzer: plan.config.site.language,
        search: search_defaults(plan.config),
        encoder: Some(encoder),
        prose,
        lexical,
        vectors: Some(vectors),
        graph: Some(graph),
        children: Vec::new(),
        documents: written_documents,
    };
    let model_bytes =
        [&manifest.encoder, &manifest.prose].into_iter().flatten().map(|model| model.bytes).sum();
    let index_bytes = page_bytes + manifest.index_bytes();
    writer.finish(&manifest)?;
    bar.finish_and_clear();
    Ok(Written { index_bytes, model_bytes })
}

fn lexical_index(
    chunks: &[Indexed],
    analyzer: &Analyzer,
    config: &Config,
) -> campanile_index::LexicalIndex {
    let terms: Vec<Vec<String>> = chunks
        .par_iter()
        .map(|chunk| analyzer.analyze(&chunk.text).into_iter().map(|token| token.term).collect())
        .collect();
    let mut builder =
        LexicalBuilder::new(Bm25Parameters { k1: config.search.bm25_k1, b: config.search.bm25_b });
    for chunk_terms in terms {
        builder.add_chunk(chunk_terms);
    }
    builder.finish(POSTINGS_SHARD_BYTES)
}

/// The documents as readers need them, with their chunks in the order of their numbers.
fn records(documents: &[Document], chunks: &[Indexed]) -> Vec<DocumentRecord> {
    let mut by_document: Vec<Vec<Chunk>> = vec![Vec::new(); documents.len()];
    for indexed in chunks {
        if let Some(list) = by_document.get_mut(indexed.document) {
            list.push(indexed.chunk);
        }
    }
    documents
        .iter()
        .zip(by_document)
        .map(|(document, chunks)| DocumentRecord::new(document, &chunks))
        .collect()
}

/// The encoder for the page.
fn add_encoder(
    writer: &mut BundleWriter,
    model: &InstalledModel,
    embedder: &Embedder,
) -> anyhow::Result<ModelEntry> {
    Ok(writer.add_model([&model.name, "bert", &model.licence], embedder.files.clone())?)
}

/// The language model for the page.
fn add_prose(writer: &mut BundleWriter, model: &InstalledModel) -> anyhow::Result<ModelEntry> {
    let files = language_model::converted(model)
        .with_context(|| format!("cannot convert the language model `{}`", model.name))?;
    Ok(writer.add_model([&model.name, "llama", &model.licence], files)?)
}

/// The models' licences and homes, for the file that carries those of the software.
fn model_licences(plan: &Plan) -> String {
    let mut text = String::from("Models in this site\n===================\n\n");
    for model in [Some(plan.encoder), plan.prose].into_iter().flatten() {
        text.push_str(&format!("{}  ({})  {}\n", model.name, model.licence, model.home));
    }
    text.push_str(
        "\nTheir weights were quantised for this site and are otherwise as published.\n\n\n",
    );
    text
}

fn search_defaults(config: &Config) -> SearchDefaults {
    SearchDefaults {
        granularity: Granularity::Chunk,
        fusion_constant: config.search.rrf_constant,
        candidates: config.search.depth,
        passages: config.search.sources,
        dense: config.search.dense,
        graph_from: config.search.graph_from,
    }
}

/// For the page's `lang`; `und` is BCP 47's word for a language that is not told.
fn language_tag(config: &Config) -> String {
    match config.site.language {
        campanile_text::Language::None => "und".to_owned(),
        language => language.code().to_owned(),
    }
}
