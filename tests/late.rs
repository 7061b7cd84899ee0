//! Late interaction, natively: token vectors in the site, and ranks by them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;

use support::{build, campanile, folder, text, tree};

const PAGES: [(&str, &str); 3] = [
    ("lockers.md", "# Lockers\n\nThe porter lets lockers. Each costs five euros a term.\n"),
    ("parking.md", "# Parking\n\nStudents park behind the gymnasium. The barrier opens by card.\n"),
    ("exams.md", "# Exams\n\nWritten exams take ninety minutes. Results are posted in the hall.\n"),
];
const QUESTION: &str = "What does a locker cost?";

#[test]
fn a_site_keeps_token_vectors_and_ranks_by_them() {
    let docs = folder(&PAGES);
    let (site, _) = build(docs.path(), 0);
    let manifest = fs::read(site.path().join("campanile.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(manifest["late"]["shards"], 1);
    let reply = campanile(&["ask", text(site.path()), QUESTION, "--json"]).expect_code(0).json();
    let source = &reply["sources"][0];
    assert_eq!(source["document"], "lockers.md");
    assert_eq!(source["scores"]["late"]["rank"], 1);
    let score = source["scores"]["late"]["score"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&score), "{score}");
    assert!(reply["timings_ms"]["rerank"].as_f64().unwrap() >= 0.0);
}

#[test]
fn a_rebuild_gives_the_bytes_of_a_fresh_build() {
    let docs = folder(&PAGES[..2]);
    let (first, _) = build(docs.path(), 0);
    let (path, content) = PAGES[2];
    fs::write(docs.path().join(path), content).unwrap();
    let (rebuilt, run) = build(docs.path(), 0);
    assert_eq!(run.json()["embedded"], 1, "the others' vectors and records are kept");
    let site = tempfile::tempdir().unwrap();
    let arguments = ["--index-only", "--no-report", "--fresh"];
    let fresh = ["build", text(docs.path()), "-o", text(site.path())];
    campanile(&[&fresh[..], &arguments].concat()).expect_code(0);
    assert!(tree(rebuilt.path()) == tree(site.path()), "a rebuilt site is as one built anew");
    assert!(tree(first.path()) != tree(site.path()));
}

#[test]
fn who_does_not_want_it_does_without() {
    let docs = folder(&PAGES);
    fs::write(docs.path().join("campanile.toml"), "[search]\nlate_interaction = false\n").unwrap();
    let (site, run) = build(docs.path(), 0);
    assert_eq!(run.json()["embedded"], 3);
    let manifest = fs::read_to_string(site.path().join("campanile.json")).unwrap();
    assert!(!manifest.contains("\"late\""), "{manifest}");
    let reply = campanile(&["ask", text(site.path()), QUESTION, "--json"]).expect_code(0).json();
    assert!(reply["sources"][0]["scores"]["late"].is_null());
    // Wanted after all, every passage is read again, for its tokens.
    fs::remove_file(docs.path().join("campanile.toml")).unwrap();
    let (_, run) = build(docs.path(), 0);
    assert_eq!(run.json()["embedded"], 3);
}
