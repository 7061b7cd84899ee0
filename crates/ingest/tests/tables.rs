//! Tables on their way into passages: what a question about one row needs to find.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_corpus::{ChunkOptions, Document, TokenCounter, chunk, context, indexed_text};
use campanile_ingest::read_bytes;

struct Pieces;

impl TokenCounter for Pieces {
    fn count(&self, text: &str) -> usize {
        text.split_whitespace().map(|word| word.len().div_ceil(5)).sum::<usize>() + 2
    }
}

fn document(path: &str, source: &str) -> Document {
    read_bytes(path, source.as_bytes(), &Default::default()).unwrap().documents.remove(0)
}

/// The texts of a document's chunks as they are indexed.
fn passages(document: &Document) -> Vec<String> {
    let options = ChunkOptions { target_words: 60, ..ChunkOptions::default() };
    let chunks = chunk(document, &Pieces, &options);
    for chunk in &chunks {
        assert!(Pieces.count(indexed_text(document, chunk).as_str()) <= options.max_tokens);
    }
    chunks.iter().map(|chunk| indexed_text(document, chunk).text).collect()
}

const GUIDE: &str = "<html><head><title>Studies guide</title></head><body><main>
    <h1>Studies guide</h1><h2>Limits</h2><p>Students choose their modules themselves.</p>
    <table><caption>Maximum ECTS per year of study</caption>
    <tr><td>Year of study</td><td>Maximum ECTS</td></tr>
    <tr><td>1st year</td><td>38</td></tr><tr><td>2nd year</td><td>46</td></tr>
    <tr><td>3rd year</td><td>54</td></tr><tr><td>4th year and later</td><td>60</td></tr></table>
    <h2>Specialisations</h2>
    <table><caption>Courses and the modules they count for</caption>
    <thead><tr><th rowspan=2>Course</th><th colspan=3>Modules</th></tr>
    <tr><th>Data Science</th><th>Networks</th><th>Cybersecurity</th></tr></thead>
    <tbody><tr><td>Logic</td><td>x</td><td></td><td>x</td></tr>
    <tr><td>Cryptography</td><td></td><td>✓</td><td>✓</td></tr></tbody></table>
    </main></body></html>";

#[test]
fn a_question_about_one_row_of_the_studies_guide_finds_it() {
    let document = document("guide.html", GUIDE);
    let passages = passages(&document);
    for (words, place) in [
        ("Year of study: 3rd year; Maximum ECTS: 54", "Studies guide > Limits"),
        ("Maximum ECTS per year of study", "Studies guide > Limits"),
        ("Course: Logic — Modules: Data Science, Cybersecurity", "Studies guide > Specialisations"),
        (
            "Course: Cryptography — Modules: Networks, Cybersecurity",
            "Studies guide > Specialisations",
        ),
    ] {
        let found = passages.iter().filter(|passage| passage.contains(words)).collect::<Vec<_>>();
        assert_eq!(found.len(), 1, "{words} in {passages:#?}");
        assert!(found[0].starts_with(place), "{}", found[0]);
    }
}

#[test]
fn passages_that_begin_within_a_table_carry_its_caption() {
    let rows: String =
        (1..80).map(|n| format!("<tr><td>Course number {n}</td><td>{n}</td></tr>")).collect();
    let page = format!(
        "<title>Guide</title><h1>Guide</h1><h2>Courses</h2><table><caption>Maximum ECTS by course</caption>\
         <tr><th>Course</th><th>ECTS</th></tr>{rows}</table><p>After the table.</p>"
    );
    let document = document("guide.html", &page);
    let section = document.sections.last().unwrap();
    assert_eq!(context(&document, section), "Guide > Courses");
    let passages = passages(&document);
    assert!(passages.len() > 5, "{}", passages.len());
    let (first, rest) = passages.split_first().unwrap();
    assert!(first.starts_with("Guide > Courses\nMaximum ECTS by course\n\nCourse: "), "{first}");
    for passage in rest {
        let begins = passage.starts_with("Guide > Courses > Maximum ECTS by course\nCourse: ");
        assert!(begins || passage.starts_with("Guide > Courses\nAfter"), "{passage}");
    }
}

#[test]
fn every_format_reads_the_same_table_alike() {
    let expected = "Year of study: 1st; Maximum ECTS: 38\nYear of study: 2nd; Maximum ECTS: 46";
    for (path, source) in [
        ("a.csv", "Year of study,Maximum ECTS\n1st,38\n2nd,46\n"),
        ("a.tsv", "Year of study\tMaximum ECTS\n1st\t38\n2nd\t46\n"),
        ("a.md", "| Year of study | Maximum ECTS |\n|---|---|\n| 1st | 38 |\n| 2nd | 46 |\n"),
        (
            "a.json",
            "[{\"Year of study\": \"1st\", \"Maximum ECTS\": 38}, {\"Year of study\": \"2nd\", \"Maximum ECTS\": 46}]",
        ),
    ] {
        assert_eq!(document(path, source).text, expected, "{path}");
    }
}
