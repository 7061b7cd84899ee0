//! Reads a folder as a build does and prints what of it would be searched, as `cargo xtask bench generators` asks it:
//! `cargo run --release -p campanile-build --example passages -- FOLDER`. One JSON object a line: a section with its
//! document, its headings, its anchor and its text. What a newer edition replaces is not among them.

use std::collections::BTreeSet;
use std::path::Path;

use campanile_build::Silent;
use campanile_build::config::Config;
use campanile_build::documents::read_all;
use campanile_corpus::supersession;
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder of documents")?;
    let documents = read_all(Path::new(&folder), &Config::default(), None, &Silent)?.documents;
    let replaced: BTreeSet<usize> =
        supersession(&documents).into_iter().map(|pair| pair.older).collect();
    for (place, document) in documents.iter().enumerate() {
        for section in document.sections.iter().filter(|_| !replaced.contains(&place)) {
            let text = section.span.slice(&document.text).unwrap_or_default();
            let (title, link) = (&document.title, &document.link);
            let (path, headings, anchor) = (&document.path, &section.path, &section.anchor);
            println!(
                "{}",
                json!({ "path": path, "title": title, "link": link, "headings": headings, "anchor": anchor, "text": text })
            );
        }
    }
    Ok(())
}
