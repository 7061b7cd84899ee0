//! The search by meaning by itself: a vector in, chunks out.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use campanile_bundle::{
    BundleError, BundleWriter, Counts, DenseMethod, DirectoryFetch, DocumentNotes, DocumentRecord,
    Manifest, SearchSettings,
};
use campanile_index::{Bm25Parameters, Graph, IndexError, LexicalBuilder, VectorTable};
use campanile_retrieve::{Engine, RetrieveError, SystemClock};

/// One of them for each chunk.
const VECTORS: [[f32; 2]; 4] = [[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [-1.0, 0.0]];

#[test]
fn chunks_come_nearest_first_whether_by_the_graph_or_by_all_vectors() {
    for dense in [DenseMethod::Exact, DenseMethod::Graph] {
        let engine = open(&site(&format!("{dense:?}"), dense, true));
        let hits = now(engine.nearest(&[0.6, 0.8], 3)).unwrap();
        let chunks: Vec<u32> = hits.iter().map(|hit| hit.id.0).collect();
        assert_eq!(chunks, [1, 2, 0], "{dense:?}");
        for (hit, cosine) in hits.iter().zip([0.96, 0.8, 0.6]) {
            assert!((hit.score - cosine).abs() < 0.01, "{dense:?}: {hit:?} is not {cosine}");
        }
        assert_eq!(now(engine.nearest(&[0.6, 0.8], 9)).unwrap().len(), VECTORS.len(), "{dense:?}");
    }
}

#[test]
fn vectors_in_parts_are_compared_as_whole_ones_are() {
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nearest-parts");
    let mut writer = BundleWriter::begin(&site).unwrap();
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    let mut documents = Vec::new();
    let mut rows: Vec<Vec<f32>> = Vec::new();
    for number in 1..=300 {
        lexical.add_chunk([format!("page{number}")]);
        documents.push(DocumentRecord::plain("Page", &format!("{number}.md"), "A page."));
        let row: Vec<f32> = (1..=16).map(|place| ((number * place) as f32 * 0.37).sin()).collect();
        let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
        rows.push(row.into_iter().map(|value| value / length).collect());
    }
    let table = VectorTable::from_f32(&rows, 16).unwrap();
    let manifest = Manifest {
        dimension: 16,
        partitions: Some(writer.add_partitions(&table, 30, 8).unwrap()),
        ..Manifest::plain(
            "Tests",
            Counts { documents: 300, chunks: 300 },
            writer.add_lexical(&lexical.finish(1)).unwrap(),
            writer.add_documents(documents, DocumentNotes::default(), 1).unwrap(),
        )
    };
    writer.finish(&manifest).unwrap();
    let engine = open(&site);
    for row in [0, 117, 299] {
        let question = table.vector(row).unwrap();
        let exact = table.search(&question, 10, &|_| true).unwrap();
        let hits = now(engine.nearest(&question, 10)).unwrap();
        let hits: Vec<(u32, f32)> = hits.iter().map(|hit| (hit.id.0, hit.score)).collect();
        assert_eq!(hits, exact.iter().map(|hit| (hit.id, hit.score)).collect::<Vec<_>>(), "{row}");
    }
    assert_eq!(now(engine.nearest(&rows[5], 300)).unwrap().len(), 300);
    let error = now(engine.nearest(&[1.0; 3], 1)).unwrap_err();
    let dimension = IndexError::Dimension { expected: 16, found: 3 };
    assert!(matches!(&error, RetrieveError::Index(found) if *found == dimension), "{error}");
}

#[test]
fn where_a_graph_is_wanted_and_there_is_none_all_vectors_are_compared() {
    let engine = open(&site("no-graph", DenseMethod::Graph, true));
    let hits = now(engine.nearest(&[0.6, 0.8], 1)).unwrap();
    assert_eq!(hits.first().map(|hit| hit.id.0), Some(1));
}

#[test]
fn what_does_not_fit_the_site_is_an_error() {
    let engine = open(&site("whole", DenseMethod::Exact, true));
    let error = now(engine.nearest(&[1.0; 3], 1)).unwrap_err();
    let dimension = IndexError::Dimension { expected: 2, found: 3 };
    assert!(matches!(&error, RetrieveError::Index(found) if *found == dimension), "{error}");
    let error = now(engine.nearest(&[1.0, f32::NAN], 1)).unwrap_err();
    assert!(matches!(error, RetrieveError::Index(IndexError::NotFinite { .. })), "{error}");

    let engine = open(&site("keywords", DenseMethod::Exact, false));
    let error = now(engine.nearest(&[1.0, 0.0], 1)).unwrap_err();
    assert!(matches!(error, RetrieveError::Bundle(BundleError::Absent { .. })), "{error}");
}

/// Writes a site with a chunk for each vector.
fn site(name: &str, dense: DenseMethod, with_vectors: bool) -> PathBuf {
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nearest-{name}"));
    let mut writer = BundleWriter::begin(&site).unwrap();
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    let mut documents = Vec::new();
    for number in 0..VECTORS.len() {
        lexical.add_chunk([format!("page{number}")]);
        documents.push(DocumentRecord::plain("Page", &format!("{number}.md"), "A page."));
    }
    let table = Arc::new(VectorTable::from_f32(VECTORS, 2).unwrap());
    let graph = Graph::build(&table, 1).unwrap();
    let count = VECTORS.len() as u32;
    let manifest = Manifest {
        dimension: 2,
        search: SearchSettings { dense, ..SearchSettings::default() },
        vectors: with_vectors.then(|| writer.add_vectors(&table).unwrap()),
        graph: (with_vectors && name != "no-graph").then(|| writer.add_graph(&graph).unwrap()),
        ..Manifest::plain(
            "Tests",
            Counts { documents: count, chunks: count },
            writer.add_lexical(&lexical.finish(1)).unwrap(),
            writer.add_documents(documents, DocumentNotes::default(), 1).unwrap(),
        )
    };
    writer.finish(&manifest).unwrap();
    site
}

fn open(site: &Path) -> Engine<DirectoryFetch, SystemClock> {
    now(Engine::open(DirectoryFetch::new(site), SystemClock::default())).unwrap()
}

/// Returns the output of a future that reads from disk alone, and so never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a file was waited for"),
    }
}
