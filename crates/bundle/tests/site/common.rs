//! A small site to write.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use campanile_bundle::{
    BundleWriter, ChildIndex, Counts, DocumentNotes, DocumentRecord, Manifest, Written,
};
use campanile_corpus::Granularity;
use campanile_index::{Bm25Parameters, Graph, LexicalBuilder, VectorTable};

/// One document each; the text's words are its terms.
pub const TEXTS: [&str; 6] = [
    "exam registration opens in june",
    "library hours and library cards",
    "thesis topics and supervisors",
    "exam appeals go to the board",
    "bicycle cellar keys",
    "über die mensa",
];

/// Vectors of the texts, each near its neighbours.
pub fn vectors(texts: &[&str]) -> Vec<[f32; 2]> {
    (0..texts.len()).map(|number| (number as f32 * 0.2).sin_cos().into()).collect()
}

/// The same site with an index over the words as well.
pub fn write_site_with_words(site: &Path, texts: &[&str]) -> Written {
    let mut writer = BundleWriter::begin(site).unwrap();
    let mut manifest = add_parts(&mut writer, texts);
    manifest.children.push(add_words(&mut writer, texts));
    writer.finish(&manifest).unwrap()
}

/// Writes the site of `texts` and says what the writer says.
pub fn write_site(site: &Path, texts: &[&str]) -> Written {
    let mut writer = BundleWriter::begin(site).unwrap();
    let manifest = add_parts(&mut writer, texts);
    writer.add_file("index.html", b"<!doctype html>").unwrap();
    writer.add_file("icons/icon.svg", b"<svg/>").unwrap();
    writer.finish(&manifest).unwrap()
}

/// Adds all parts of the site of `texts`, in shards as small as they go.
pub fn add_parts(writer: &mut BundleWriter, texts: &[&str]) -> Manifest {
    let table = Arc::new(VectorTable::from_f32(vectors(texts), 2).unwrap());
    let graph = Graph::build(&table, 1).unwrap();
    Manifest {
        dimension: 2,
        vectors: Some(writer.add_vectors(&table).unwrap()),
        graph: Some(writer.add_graph(&graph).unwrap()),
        ..add_texts(writer, texts)
    }
}

/// Adds all parts but vectors.
fn add_texts(writer: &mut BundleWriter, texts: &[&str]) -> Manifest {
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    for text in texts {
        lexical.add_chunk(text.split(' ').map(str::to_owned));
    }
    let documents = texts
        .iter()
        .enumerate()
        .map(|(number, text)| DocumentRecord::plain("Page", &format!("{number}.md"), text));
    let model = ["tiny", "bert", "MIT"];
    let weights = ("model.safetensors".to_owned(), vec![7u8; 1000]);
    Manifest {
        encoder: Some(writer.add_model(model, [weights]).unwrap()),
        ..Manifest::plain(
            "Tests",
            Counts { documents: texts.len() as u32, chunks: texts.len() as u32 },
            writer.add_lexical(&lexical.finish(1)).unwrap(),
            writer.add_documents(documents, DocumentNotes::default(), 1).unwrap(),
        )
    }
}

/// Vectors of 8 numbers, none like another.
pub fn long_vectors(rows: usize) -> VectorTable {
    let row = |row: usize| -> Vec<f32> {
        let vector: Vec<f32> = (1..=8).map(|place| ((row * place) as f32 * 0.37).sin()).collect();
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.into_iter().map(|value| value / length).collect()
    };
    VectorTable::from_f32((1..=rows).map(row), 8).unwrap()
}

/// Writes a site of `texts` whose vectors are in parts: some ten rows a partition, four rows a shard of vectors.
pub fn write_partitioned_site(site: &Path, texts: &[&str]) -> Written {
    let mut writer = BundleWriter::begin(site).unwrap();
    let table = long_vectors(texts.len());
    let manifest = Manifest {
        dimension: 8,
        partitions: Some(writer.add_partitions(&table, 10, 4).unwrap()),
        ..add_texts(&mut writer, texts)
    };
    writer.finish(&manifest).unwrap()
}

/// An index over the words of the texts, as parts of their chunks.
fn add_words(writer: &mut BundleWriter, texts: &[&str]) -> ChildIndex {
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    for word in texts.iter().flat_map(|text| text.split(' ')) {
        lexical.add_chunk([word.to_owned()]);
    }
    let counts: Vec<u32> = texts.iter().map(|text| text.split(' ').count() as u32).collect();
    ChildIndex {
        granularity: Granularity::Sentence,
        count: counts.iter().sum(),
        parents: writer.add_parents(counts).unwrap(),
        lexical: writer.add_lexical(&lexical.finish(1)).unwrap(),
        vectors: None,
        graph: None,
        partitions: None,
    }
}

/// Every file below `root`, by its path with `/`.
pub fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    found
}
