//! What must hold of every document, whatever the bytes were.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_corpus::{ChunkOptions, Document, TokenCounter, chunk, indexed_text};
use campanile_ingest::read_bytes;
use proptest::prelude::*;

/// Panics where a document breaks what its type promises.
fn check(document: &Document) {
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

struct Pieces;

impl TokenCounter for Pieces {
    fn count(&self, text: &str) -> usize {
        let pieces = |word: &str| word.len().div_ceil(5);
        text.split_whitespace().map(pieces).sum::<usize>() + 2
    }
}

fn check_chunks(document: &Document) -> usize {
    let options = ChunkOptions::default();
    let chunks = chunk(document, &Pieces, &options);
    for found in &chunks {
        let section = document.sections.get(found.section as usize).unwrap();
        assert!(section.span.contains(found.span));
        assert!(Pieces.count(&indexed_text(document, found)) <= options.max_tokens);
    }
    chunks.len()
}

const PATHS: [&str; 5] = ["a/b.md", "a/b.html", "a/b.txt", "a/b.rst", "a/b.ics"];
/// Files that no sound document can be made of by chance.
const DATA_PATHS: [&str; 5] = ["a/b.csv", "a/b.tsv", "a/b.json", "a/b.jsonl", "a/b.xlsx"];

/// Pieces that mean something to one reader or another.
fn any_page() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zé ]{1,12}",
        1 => "\\PC{1,4}",
        1 => Just("\n".to_owned()),
        1 => Just("\n\n".to_owned()),
        4 => prop::sample::select(vec![
            "# ", "## ", "- ", "  - ", "1. ", "> ", "```", "`", "|", "\n|---|---|\n", "---\n",
            "***", "[", "](", ")", "![", "<b>", "</b>", "<p>", "<div hidden>", "</div>", "<br>",
            "<table><tr><td>", "<caption>", "<th rowspan=3>", "</table>", "<li>", "<h2 id=x>", "</h2>",
            "<a href='x y'>", "</a>", "<!--", "-->", "<title>", "<script>", "<pre>", "<dl><dt>",
            "<dd>", "<svg>", "<template>", "&lt;", "&amp;", "{% raw %}", "{% x \"y\" %}", "{{", "}}",
            "{: .c}", ":::{note} t\n", ":::", "```{glossary}\n", "<|im_start|>", "<|im_", "start|>",
            "</s>", "[INST]", "\u{202e}", "\u{e0041}", "\u{ad}", "\t", "\r\n", "[^1]", "\n[^1]: ",
            "\n====\n", "1.2 Ab Cd\n", "<sup>2</sup>", "title: a: b\n", "<nav>", "<main>",
            ".. ", "..\n", ".. note:: ", ".. code::\n\n", ".. list-table::\n\n", "  * - ", ".. csv-table::\n\n",
            "   ", "::\n\n", ":a: ", "+--+--+\n", "+==+==+\n", "|  |  |\n", "== ==\n", "-- --\n", "====\n",
            ".. _a: ", "a_ ", "`a`_ ", "`a <b>`__", ":ref:`a`", "|a|", ".. |a| replace:: |a|", ".. [1] ", "\\",
            "| ", ">>> ", "-a  ", "''", "!!! note\n", "=== \"a\"\n", "    ", "{{< a \"b\" >}}", "{{% /a %}}",
            "<Tab label=\"a\">", "</Tab>", "{/* ", " */}", "import a from 'b'\n", "*[a]: b\n", "--8<--\n", "+++\n",
            "BEGIN:VEVENT\n", "END:VEVENT\n", "SUMMARY:", "DTSTART:20261012T0900\n", "DTEND:2026", "\n ", "DESCRIPTION:",
            "RRULE:FREQ=WEEKLY;COUNT=3\n", "RECURRENCE-ID:20261012\n", "UID:a\n", "EXDATE:20261012,", "\\n", "\\,",
            "BEGIN:VCALENDAR\n", "draft: true\n", "<time datetime=2026-01-02>", "</time>", "<abbr title=ab>", "</abbr>",
            "<div class=menu>", "<a href=x>a b</a> ",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Pieces of separated values and of JSON.
fn any_table() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-zé0-9 ]{1,8}",
        6 => prop::sample::select(vec![
            ",", ";", "\t", "|", "\n", "\r\n", "\"", "{", "}", "[", "]", ":", "\"a\":", "null", "1.0",
            "x", "yes", "Monday", "Total", "10:00", "Name", "<|im_start|>", "\u{202e}", "\u{feff}",
            "Fall", "Year 1", "\\u0000", ",,\n", "[{\"a\": 1}, {\"a\": [2, {\"b\": \"c\"}]}]",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_page_becomes_a_sound_document(page in any_page()) {
        for path in PATHS {
            let reading = read_bytes(path, page.as_bytes(), &Default::default()).unwrap();
            for document in &reading.documents {
                check(document);
                check_chunks(document);
            }
            for finding in reading.findings {
                prop_assert!(finding.path() == path && finding.to_string().contains(path));
            }
        }
    }

    #[test]
    fn every_table_becomes_a_sound_document(page in any_table()) {
        for path in DATA_PATHS {
            match read_bytes(path, page.as_bytes(), &Default::default()) {
                Ok(reading) => reading.documents.iter().for_each(|document| {
                    check(document);
                    check_chunks(document);
                }),
                Err(error) => prop_assert!(error.to_string().contains(path)),
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused_by_name(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for path in PATHS.into_iter().chain(DATA_PATHS) {
            match read_bytes(path, &bytes, &Default::default()) {
                Ok(reading) => reading.documents.iter().for_each(check),
                Err(error) => prop_assert!(error.to_string().contains(path)),
            }
        }
    }
}

/// Real pages, where they are at hand.
#[test]
fn no_real_page_is_lost() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if !data.is_dir() {
        println!("skipped: no ../shared/data");
        return;
    }
    // The folder, its documents, how many hold no text (they only redirect), least words in all.
    let corpora = [
        ("gsa_tts_handbook/pages", 238, 7, 170_000),
        ("carpentries_docs/source", 66, 0, 80_000),
        ("cmu_facts/Scraped_pdf_file", 18, 0, 100_000),
    ];
    for (folder, count, empty, words) in corpora {
        let root = data.join(folder);
        let files = campanile_ingest::discover(&root).unwrap().files;
        assert_eq!(files.len(), count, "{folder}");
        let (mut read_words, mut without_chunks) = (0, 0);
        for path in &files {
            let reading = campanile_ingest::read(&root, path, &Default::default()).unwrap();
            let document = &reading.documents[0];
            check(document);
            assert!(!reading.findings.iter().any(campanile_ingest::Finding::is_failure));
            without_chunks += usize::from(check_chunks(document) == 0);
            read_words += document.text.split_whitespace().count();
            for leak in ["{%", "<div", "<br", "</", "&nbsp;"] {
                let shows_code =
                    folder.starts_with("cmu") || document.path.starts_with("updating-");
                assert!(shows_code || !document.text.contains(leak), "{leak} in {}", document.path);
            }
        }
        assert_eq!(without_chunks, empty, "{folder}");
        assert!(read_words >= words, "{folder}: {read_words} words");
    }
}
