//! Real regulations of a university, where they are at hand: each case of `pdf_regulations.txt` is
//! a place that was looked up on the page.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use campanile_corpus::{BlockKind, Document};
use campanile_ingest::{IngestOptions, read};

const CASES: &str = include_str!("pdf_regulations.txt");

fn folder() -> Option<PathBuf> {
    campanile_test_data::shared("bamberg_regulations/baseline/data/pdfs")
}

/// Each file of the folder, read.
fn documents(folder: &Path) -> BTreeMap<String, Document> {
    let mut documents = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let reading = read(folder, &path, &IngestOptions::default()).unwrap();
        let failures: Vec<String> = reading
            .findings
            .iter()
            .filter(|finding| finding.is_failure())
            .map(ToString::to_string)
            .collect();
        assert!(failures.is_empty(), "{failures:?}");
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        documents.extend(reading.documents.into_iter().map(|document| (name.clone(), document)));
    }
    documents
}

/// Returns `true` if a block of this kind on this page, below this heading, has the words.
fn has(document: &Document, page: u32, kind: &str, path: &str, words: &str) -> bool {
    let page_of = |offset: u32| document.page_at(offset).map(|page| page.number);
    if kind == "heading" {
        let start = document.text.find(words).and_then(|start| u32::try_from(start).ok());
        return document.sections.iter().any(|section| section.heading == words)
            && start.and_then(page_of) == Some(page);
    }
    let kind = match kind {
        "paragraph" => BlockKind::Paragraph,
        "item" => BlockKind::ListItem,
        "row" => BlockKind::TableRow,
        other => unreachable!("a kind of block: {other}"),
    };
    document.sections.iter().any(|section| {
        section.path.join(" > ").ends_with(path)
            && section.blocks.iter().any(|block| {
                block.kind == kind
                    && page_of(block.span.start) == Some(page)
                    && block.span.slice(&document.text).unwrap().contains(words)
            })
    })
}

#[test]
fn every_place_is_where_the_page_has_it() {
    let Some(folder) = folder() else {
        return;
    };
    let documents = documents(&folder);
    assert_eq!(documents.len(), 17);
    let mut wrong = Vec::new();
    let (mut places, mut files) = (0, std::collections::BTreeSet::new());
    for case in CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = case.split('|').map(str::trim).collect();
        let holds = match parts.as_slice() {
            [file, "not", words] => !documents[*file].text.contains(words),
            [file, page, kind, path, words] => {
                places += 1;
                files.insert(*file);
                has(&documents[*file], page.parse().unwrap(), kind, path, words)
            }
            _ => false,
        };
        if !holds {
            wrong.push(case);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(places >= 35 && files.len() == 17, "{places} places in {} files", files.len());
}

#[test]
fn no_page_number_or_broken_word_is_left() {
    let Some(folder) = folder() else {
        return;
    };
    for (name, document) in documents(&folder) {
        for section in &document.sections {
            for block in &section.blocks {
                let text = block.span.slice(&document.text).unwrap();
                assert!(text.parse::<u32>().is_err(), "{name}: {text}");
                assert!(!text.contains('\u{AD}') && !text.contains('\u{FFFD}'), "{name}: {text}");
            }
        }
        assert!(document.title.contains("Teilzeitstudium") || name.starts_with("Info"), "{name}");
        let pages = u32::try_from(document.pages.len()).unwrap();
        assert_eq!(document.pages.last().map(|page| page.number), Some(pages), "{name}");
    }
}
