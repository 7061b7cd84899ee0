//! Shows what of a folder's documents is noise, said twice, or has a newer edition:
//! `cargo run --release -p campanile-ingest --example quality -- FOLDER`

use std::collections::BTreeMap;
use std::path::Path;

use campanile_corpus::{
    Boilerplate, Candidate, ChunkOptions, Document, DuplicateOptions, QualityOptions, TokenCounter,
    chunk, context, duplicates, noise, supersession, without_noise,
};
use campanile_ingest::{IngestOptions, discover, read};

struct Words;

impl TokenCounter for Words {
    fn count(&self, text: &str) -> usize {
        text.split_whitespace().count()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::env::args().nth(1).ok_or("name a folder of documents")?;
    let root = Path::new(&root);
    let mut documents = Vec::new();
    for path in discover(root)?.files {
        match read(root, &path, &IngestOptions::default()) {
            Ok(reading) => documents.extend(reading.documents),
            Err(error) => eprintln!("{error}"),
        }
    }
    let documents = show_noise(&documents);
    let whole: Vec<_> =
        documents.iter().map(|d| (d.text.clone(), String::new(), d.path.clone())).collect();
    show_duplicates("documents", &whole);
    let mut chunks = Vec::new();
    for document in &documents {
        for chunk in chunk(document, &Words, &ChunkOptions::default()) {
            let text = chunk.span.slice(&document.text).unwrap_or_default().to_owned();
            let section = document.sections.get(chunk.section as usize);
            let context = section.map(|section| context(document, section)).unwrap_or_default();
            chunks.push((text, context, document.path.clone()));
        }
    }
    show_duplicates("chunks", &chunks);
    for found in supersession(&documents) {
        let path = |place: usize| documents.get(place).map_or("?", |document| &*document.path);
        println!("{} <- {} ({:?})", path(found.newer), path(found.older), found.because);
    }
    Ok(())
}

fn show_noise(documents: &[Document]) -> Vec<Document> {
    let boilerplate = Boilerplate::of(documents);
    let all_on = QualityOptions { citations: true, ..QualityOptions::default() };
    let mut counts = BTreeMap::new();
    let (mut blocks, mut bytes, mut dropped_bytes) = (0, 0, 0);
    let mut kept = Vec::new();
    for document in documents {
        blocks += document.sections.iter().map(|section| section.blocks.len()).sum::<usize>();
        bytes += document.text.len();
        let dropped = noise(document, &boilerplate, &all_on);
        for dropped in &dropped {
            *counts.entry(dropped.reason).or_insert(0) += 1;
            dropped_bytes += dropped.span.len();
            println!("{:?} {}: {}", dropped.reason, dropped.document, dropped.excerpt);
        }
        kept.push(without_noise(document, &dropped));
    }
    println!("{} documents, {blocks} blocks, {bytes} bytes", documents.len());
    println!("dropped {dropped_bytes} bytes: {counts:?}");
    kept
}

fn show_duplicates(name: &str, texts: &[(String, String, String)]) {
    let candidates: Vec<_> = texts
        .iter()
        .map(|(text, subject, path)| Candidate {
            text,
            subject,
            path,
            date: None,
            is_replaced: false,
        })
        .collect();
    let started = std::time::Instant::now();
    let groups = duplicates(&candidates, &DuplicateOptions::default());
    let folded: usize = groups.iter().map(|group| group.folded.len()).sum();
    let seconds = started.elapsed().as_secs_f64();
    println!("{} {name}, {folded} of them folded, in {seconds:.2} s", texts.len());
    let text = |place: usize| {
        texts.get(place).map(|(text, subject, path)| (text.replace('\n', " "), subject, path))
    };
    for group in &groups {
        println!("  kept {:?}", text(group.kept));
        for folded in &group.folded {
            println!("    {:.3} {:?}", folded.similarity, text(folded.index));
        }
    }
}
