//! Reads the documents of a folder, or one of them, and shows what became of them:
//! `cargo run --release -p campanile-ingest --example read -- FOLDER [FILE]`

use std::path::Path;

use campanile_ingest::{Finding, IngestOptions, discover, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().ok_or("name a folder of documents")?;
    let root = Path::new(&root);
    let options = IngestOptions::default();
    if let Some(file) = arguments.next() {
        let (document, findings) = read(root, Path::new(&file), &options)?;
        println!("{} | {:?} | {:?}", document.title, document.link, document.metadata);
        for section in &document.sections {
            println!(
                "\n{} {:?} #{:?}",
                "#".repeat(section.level.into()),
                section.path,
                section.anchor
            );
            for block in &section.blocks {
                println!("  {:?}: {}", block.kind, block.span.slice(&document.text).unwrap_or("?"));
            }
        }
        for link in &document.links {
            println!("{:?} -> {}", link.span.slice(&document.text), link.target);
        }
        findings.iter().for_each(|finding| println!("{finding}"));
        return Ok(());
    }
    let discovery = discover(root)?;
    let mut findings = discovery.findings;
    let (mut read_count, mut bytes) = (0, 0);
    for path in &discovery.files {
        match read(root, path, &options) {
            Ok((document, found)) => {
                read_count += 1;
                bytes += document.text.len();
                findings.extend(found);
            }
            Err(error) => findings.push(Finding::failed(path.to_string_lossy(), &error)),
        }
    }
    findings.iter().for_each(|finding| println!("{finding}"));
    println!("{read_count} of {} documents, {bytes} bytes of text", discovery.files.len());
    Ok(())
}
