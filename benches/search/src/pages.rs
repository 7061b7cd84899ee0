//! A site's documents as web pages, one a document: what a search over pages is given to index.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use campanile_bundle::{Bundle, ChunkId, DirectoryFetch, DocumentRecord};
use futures_lite::future::block_on;

/// Writes `PATH.html` below `out` for each document of the site, `PATH` being its file's.
pub fn write(site: &Path, out: &Path) -> Result<()> {
    block_on(async {
        let bundle = Bundle::open(DirectoryFetch::new(site)).await?;
        let mut last = None;
        for chunk in (0..bundle.manifest().counts.chunks).map(ChunkId) {
            let place = bundle.document_of_chunk(chunk).await?;
            if last == Some(place.document) {
                continue;
            }
            last = Some(place.document);
            let document = bundle.document(place.document).await?;
            let path = out.join(format!("{}.html", document.path));
            fs::create_dir_all(path.parent().context("a page lies in a folder")?)?;
            fs::write(&path, page(&document))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    })
}

fn page(document: &DocumentRecord) -> String {
    let title = escaped(&document.title);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <body>\n<main data-pagefind-body>\n<h1>{title}</h1>\n"
    );
    for section in &document.sections {
        if !section.heading.is_empty() && section.heading != document.title {
            let level = section.level.clamp(2, 6);
            let _ = writeln!(html, "<h{level}>{}</h{level}>", escaped(&section.heading));
        }
        let text = section.span.slice(&document.text).unwrap_or_default();
        for paragraph in text.split('\n').filter(|line| !line.trim().is_empty()) {
            let _ = writeln!(html, "<p>{}</p>", escaped(paragraph));
        }
    }
    html + "</main>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
