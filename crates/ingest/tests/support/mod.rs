//! Office documents made of parts, and documents shown on a few lines.

use std::io::{Cursor, Write};

use campanile_corpus::{BlockKind, Document};
use campanile_ingest::{Reading, read_bytes};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A zip file of parts, compressed, in their order.
pub fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let method = match *name {
            "mimetype" => zip::CompressionMethod::Stored,
            _ => zip::CompressionMethod::Deflated,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The same of parts that are text.
pub fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let parts: Vec<_> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    zipped(&parts)
}

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A list of relationships: the id, the end of the type, the target, which is outside if it has a
/// scheme.
pub fn relationships(entries: &[(&str, &str, &str)]) -> String {
    let entries: String = entries
        .iter()
        .map(|(id, kind, target)| {
            let outside = target.contains(':');
            let mode = if outside { " TargetMode=\"External\"" } else { "" };
            format!(
                "<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"{mode}/>"
            )
        })
        .collect();
    format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         {entries}</Relationships>"
    )
}

/// The parts that every Office Open XML package begins with.
pub fn start(main: &str, kind: &str) -> [(&'static str, String); 2] {
    let types = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n\
         <Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Override PartName=\"/{main}\" ContentType=\"application/vnd.openxmlformats-officedocument.{kind}.main+xml\"/>\
         </Types>"
    );
    let links = relationships(&[
        ("rId1", "officeDocument", main),
        ("rId2", "metadata/core-properties", "docProps/core.xml"),
        ("rId3", "custom-properties", "docProps/custom.xml"),
    ]);
    [("[Content_Types].xml", types), ("_rels/.rels", links)]
}

/// The core properties with these elements.
pub fn core(elements: &str) -> String {
    format!(
        "<cp:coreProperties \
         xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:dcterms=\"http://purl.org/dc/terms/\">{elements}</cp:coreProperties>"
    )
}

/// Reads a file that has to be readable.
pub fn read(path: &str, bytes: &[u8]) -> Reading {
    read_bytes(path, bytes, &Default::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A document line by line: pages as `@1`, headings as `## Heading`, items as `- item`, rows as
/// `| row`, links as `[words](target)` at the end, findings as `! finding`.
pub fn shown(reading: &Reading) -> String {
    let mut lines = Vec::new();
    for document in &reading.documents {
        lines.extend(body(document));
        for link in &document.links {
            let words = link.span.slice(&document.text).unwrap_or("?");
            lines.push(format!("[{words}]({})", link.target));
        }
    }
    for finding in &reading.findings {
        let text = finding.to_string();
        let (_, text) = text.split_once(": ").unwrap_or(("", text.as_str()));
        lines.push(format!("! {text}"));
    }
    lines.join("\n")
}

fn body(document: &Document) -> Vec<String> {
    let mut lines: Vec<(u32, String)> = Vec::new();
    for page in &document.pages {
        let label = page.label.as_ref().map(|label| format!(" ({label})")).unwrap_or_default();
        lines.push((page.span.start, format!("@{}{label}", page.number)));
    }
    for section in &document.sections {
        if section.level > 0 {
            let start = section.blocks.first().map_or(section.span.start, |block| block.span.start);
            let heading = format!("{} {}", "#".repeat(section.level.into()), section.heading);
            // A heading line stands in front of its body, behind the page that it stands on.
            let start = document.text[..start as usize].trim_end().len() as u32;
            lines.push((start, heading));
        }
        for block in &section.blocks {
            let sign = match block.kind {
                BlockKind::Paragraph => "",
                BlockKind::ListItem => "- ",
                BlockKind::TableRow => "| ",
                BlockKind::Code => "` ",
                BlockKind::Quote => "> ",
            };
            let text = block.span.slice(&document.text).unwrap_or("?").replace('\n', "⏎");
            lines.push((block.span.start, format!("{sign}{text}")));
        }
    }
    lines.sort_by_key(|(start, _)| *start);
    lines.into_iter().map(|(_, line)| line).collect()
}
