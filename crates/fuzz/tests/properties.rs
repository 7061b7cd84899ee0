//! The invariants of every document, whatever the bytes were.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_fuzz::{check_chunks, check_document};
use campanile_ingest::read_bytes;
use proptest::prelude::*;

const PATHS: [&str; 9] = [
    "a/b.md", "a/b.html", "a/b.txt", "a/b.rst", "a/b.ics", "a/b.adoc", "a/b.org", "a/b.eml",
    "a/b.mbox",
];
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
            "<div class=menu>", "<a href=x>a b</a> ", "|===\n", "****\n", "footnote:[", "xref:a[", "++", ":a: b\n", "{a}", "a:: ", "+\n",
            "#+BEGIN_SRC\n", "#+END_SRC\n", "[fn:1]", "[[*a][", "]]", ":A:\n", ":END:\n", "$", "Subject: a\n", "From a b\n", "-- \n",
            "Content-Type: text/html\n", "Content-Type: multipart/mixed; boundary=b\n\n--b\n", "=?utf-8?q?", "?=",
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
                check_document(document);
                check_chunks(document);
            }
            for finding in reading.findings {
                prop_assert!(finding.path.starts_with(path) && finding.to_string().contains(path));
            }
        }
    }

    #[test]
    fn every_table_becomes_a_sound_document(page in any_table()) {
        for path in DATA_PATHS {
            match read_bytes(path, page.as_bytes(), &Default::default()) {
                Ok(reading) => reading.documents.iter().for_each(|document| {
                    check_document(document);
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
                Ok(reading) => reading.documents.iter().for_each(check_document),
                Err(error) => prop_assert!(error.to_string().contains(path)),
            }
        }
    }
}

/// Real pages, where they are at hand.
#[test]
fn no_real_page_is_lost() {
    let Some(data) = campanile_test_data::shared("") else { return };
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
            check_document(document);
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
