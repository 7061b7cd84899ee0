//! The promises of a document, checked, and the panics that are ours.
#![expect(clippy::unwrap_used, reason = "a check ends where something does not hold")]

use std::cell::RefCell;
use std::panic::{self, PanicHookInfo};
use std::path::Path;

use campanile_corpus::{ChunkOptions, Document, TokenCounter, chunk, indexed_text};

/// Checks what the type of a document promises, whatever it was made of.
///
/// # Panics
/// Where it does not hold.
pub fn check_document(document: &Document) {
    let text = &document.text;
    assert!(!document.title.trim().is_empty());
    let mut end = 0;
    let mut parts = Vec::new();
    for section in &document.sections {
        assert!(section.span.start >= end, "sections in order");
        assert_eq!(section.path.last(), (section.level > 0).then_some(&section.heading));
        assert_eq!(section.level == 0, section.heading.is_empty());
        parts.push(text.get(end as usize..section.span.start as usize).unwrap());
        end = section.span.start;
        for block in &section.blocks {
            assert!(section.span.contains(block.span) && block.span.start >= end, "{block:?}");
            let between = text.get(end as usize..block.span.start as usize).unwrap();
            assert!(between.trim().is_empty(), "text outside of blocks: {between:?}");
            let own = block.span.slice(text).unwrap();
            assert!(!own.is_empty() && own.trim() == own, "{own:?}");
            end = block.span.end;
        }
        assert_eq!(section.span.end, end, "a section ends with its last block");
    }
    assert_eq!(end as usize, text.len());
    for page in &document.pages {
        assert!(page.span.slice(text).is_some(), "{page:?}");
    }
    for link in &document.links {
        assert!(!link.span.slice(text).unwrap().is_empty() && !link.target.is_empty());
    }
    for (heading, section) in parts.iter().zip(&document.sections) {
        let found: String = heading.split_whitespace().collect();
        let stated: String = section.heading.split_whitespace().collect();
        assert!(found.starts_with(stated.trim_end_matches('…')), "{found:?} {stated:?}");
    }
    for token in ["<|im_start|>", "</s>", "[INST]"] {
        assert!(!text.contains(token) && !document.title.contains(token));
    }
}

/// Word pieces, roughly.
struct Pieces;

impl TokenCounter for Pieces {
    fn count(&self, text: &str) -> usize {
        let pieces = |word: &str| word.len().div_ceil(5);
        text.split_whitespace().map(pieces).sum::<usize>() + 2
    }
}

/// Cuts a document into chunks of the usual size, checks each, and says how many there are.
///
/// # Panics
/// Where a chunk leaves its section or holds more than the encoder takes.
pub fn check_chunks(document: &Document) -> usize {
    let options = ChunkOptions::default();
    let chunks = chunk(document, &Pieces, &options);
    for found in &chunks {
        let section = document.sections.get(found.section as usize).unwrap();
        assert!(section.span.contains(found.span));
        assert!(Pieces.count(indexed_text(document, found).as_str()) <= options.max_tokens);
    }
    chunks.len()
}

thread_local! {
    /// The place where this thread panicked last: the source file, as the compiler was given it.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on remembers where a panic came from, and tells it on standard error.
///
/// libFuzzer's own hook would end the process at once, though `campanile-ingest` catches what other
/// people's parsers do; this one takes its place.
pub fn note_panics() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let place = info.location().map(|location| location.file().to_owned());
        eprintln!("{info}");
        LAST.with(|last| last.replace(place));
    }));
}

/// Returns `true` if the last panic of this thread, if [`note_panics`] saw one, came from this workspace.
///
/// Cargo gives the compiler the paths of a workspace's own files relative to its root, and all
/// others in full.
pub(crate) fn was_ours() -> bool {
    let place = LAST.with(RefCell::take);
    place.is_some_and(|file| Path::new(&file).is_relative())
}
