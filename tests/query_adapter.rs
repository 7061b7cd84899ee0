//! The adapters by which a site's encoder embeds questions and its build passages: which ones there are, and what they change.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::{build, campanile, folder, manifest, model_fixture, text};
use tempfile::TempDir;

const DOCUMENTS: [(&str, &str); 2] = [
    ("resit.md", "# Resits\n\nAn exam that was failed may be repeated twice.\n"),
    (
        "library.md",
        "# Library\n\n## What if I lost my card?\n\nGo to the desk in the Heron Library.\n\n\
         ## When is it open?\n\nFrom eight to ten.\n\n## Who may borrow books?\n\nAll students.\n",
    ),
];
const FILE: &str = "query-adapter.safetensors";

fn with_adapter(choice: &str) -> TempDir {
    let settings = format!("[encoder]\nquery_adapter = {choice:?}\n");
    folder(&[&[("campanile.toml", settings.as_str())], &DOCUMENTS[..]].concat())
}

fn encoder_files(site: &Path) -> Vec<String> {
    let files = manifest(site)["encoder"]["files"].as_array().unwrap().clone();
    files.iter().map(|file| file["name"].as_str().unwrap().to_owned()).collect()
}

/// The cosine of the first source with the question.
fn cosine(site: &Path, question: &str) -> f64 {
    let reply = campanile(&["ask", text(site), question, "--json"]).expect_code(0).json();
    reply["sources"][0]["scores"]["dense"]["score"].as_f64().expect("a cosine")
}

#[test]
fn questions_are_embedded_by_it_and_passages_by_the_one_that_goes_with_the_built_in() {
    let question = "I flunked my test, do I get another go?";
    let sites = ["built-in", "none", text(&model_fixture("adapter_query.safetensors"))]
        .map(|choice| build(with_adapter(choice).path(), 0).0);
    let [built_in, none, own] = &sites;
    assert!(encoder_files(built_in.path()).contains(&FILE.to_owned()));
    assert!(!encoder_files(none.path()).contains(&FILE.to_owned()));
    assert!(encoder_files(own.path()).contains(&FILE.to_owned()));
    let cosines = [built_in, none, own].map(|site| cosine(site.path(), question));
    assert!(cosines[0] > cosines[1], "the question moves towards its answer: {cosines:?}");
    assert_ne!(cosines[1], cosines[2]);
    let vectors = |site: &TempDir| manifest(site.path())["vectors"].clone();
    assert_ne!(vectors(none), Value::Null);
    assert_eq!(vectors(own), vectors(none), "the passages' vectors are the trunk's");
    assert_ne!(vectors(built_in), vectors(none), "passages move towards their questions");
}

#[test]
fn a_question_of_the_documents_is_compared_as_a_text() {
    let question = "What if I lost my card?";
    let [built_in, none] =
        ["built-in", "none"].map(|choice| build(with_adapter(choice).path(), 0).0);
    for site in [&built_in, &none] {
        let reply =
            campanile(&["ask", text(site.path()), question, "--json"]).expect_code(0).json();
        assert_eq!(reply["answer"]["kind"], json!("direct"), "{reply:#}");
        assert_eq!(reply["answer"]["question"], json!(question), "{reply:#}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let other = model_fixture("adapter_reader.safetensors");
    for (choice, expected) in [
        ("missing.safetensors", "cannot read"),
        (text(&other), "it is for the task \"reader\", not \"query\""),
    ] {
        let documents = with_adapter(choice);
        let output = tempfile::tempdir().unwrap();
        let told = campanile(&["build", text(documents.path()), "-o", text(output.path())]);
        let told = told.expect_code(1);
        assert!(told.stderr.contains("`encoder.query_adapter`"), "{}", told.stderr);
        assert!(told.stderr.contains(expected), "{}", told.stderr);
    }
}
