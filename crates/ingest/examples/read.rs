//! Reads the documents of a folder, or one of them, and shows what became of them:
//! `cargo run --release -p campanile-ingest --example read -- FOLDER [FILE [LANGUAGES]]`
//! with the languages of pages that are pictures, for `tesseract`: `deu+eng`.

use std::path::Path;

use campanile_corpus::Document;
use campanile_ingest::{Finding, IngestOptions, Ocr, discover, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().ok_or("name a folder of documents")?;
    let root = Path::new(&root);
    let mut options = IngestOptions::default();
    if let Some(file) = arguments.next() {
        options.ocr = arguments.next().map(|languages| Ocr { languages, ..Ocr::default() });
        let reading = read(root, Path::new(&file), &options)?;
        reading.documents.iter().for_each(show);
        reading.findings.iter().for_each(|finding| println!("{finding}"));
        return Ok(());
    }
    let discovery = discover(root)?;
    let mut findings = discovery.findings;
    let (mut read_count, mut document_count, mut bytes) = (0, 0, 0);
    for path in &discovery.files {
        match read(root, path, &options) {
            Ok(reading) => {
                read_count += 1;
                document_count += reading.documents.len();
                bytes +=
                    reading.documents.iter().map(|document| document.text.len()).sum::<usize>();
                findings.extend(reading.findings);
            }
            Err(error) => findings.push(Finding::failed(path.to_string_lossy(), &error)),
        }
    }
    findings.iter().for_each(|finding| println!("{finding}"));
    println!(
        "{read_count} of {} files, {document_count} documents, {bytes} bytes of text",
        discovery.files.len()
    );
    Ok(())
}

fn show(document: &Document) {
    println!("{} | {} | {:?}", document.path, document.title, document.link);
    for (name, value) in &document.metadata {
        println!("  {name}: {value}");
    }
    for section in &document.sections {
        println!("\n{} {:?} #{:?}", "#".repeat(section.level.into()), section.path, section.anchor);
        for block in &section.blocks {
            let page = document.page_at(block.span.start).map_or(0, |page| page.number);
            let text = block.span.slice(&document.text).unwrap_or("?");
            println!("  {:?}, page {page}: {text}", block.kind);
        }
    }
    for link in &document.links {
        println!("{:?} -> {}", link.span.slice(&document.text), link.target);
    }
    for table in &document.tables {
        println!("table \"{}\" of {} rows at {:?}", table.caption, table.rows.len(), table.span());
    }
}
