//! Bad input: each error names the file and the way out, and the rest of the work goes on.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::path::Path;

use support::{build, campanile, campanile_with, folder, root, text, tree};

const LIBRARY: (&str, &str) =
    ("library.md", "# Library\n\nThe library opens at eight in the morning on weekdays.\n");

/// Builds a folder in which one file is bad, and checks that the other is in the site.
#[track_caller]
fn goes_on_without(docs: &Path, says: &[&str]) {
    let (site, run) = build(docs, 3);
    let run = run.says(says);
    assert_eq!(run.json()["documents"], 1);
    assert_eq!(run.json()["failed"], 1);
    let asked = campanile(&["ask", text(site.path()), "When does the library open?", "--json"])
        .expect_code(0)
        .json();
    assert_eq!(asked["sources"][0]["document"], "library.md");
}

#[test]
fn an_empty_folder() {
    let docs = folder(&[]);
    let site = folder(&[]);
    campanile(&[
        "build",
        text(docs.path()),
        "-o",
        text(site.path()),
        "--index-only",
        "--no-report",
    ])
    .expect_code(1)
    .says(&[text(docs.path()), "no documents", "put Markdown"]);
    assert!(tree(site.path()).is_empty(), "nothing is written");
}

#[test]
fn a_folder_that_is_not_there() {
    campanile(&["build", "/no/such/folder", "-o", "/tmp/never-written"])
        .expect_code(1)
        .says(&["/no/such/folder", "way out"]);
}

#[test]
fn a_site_in_one_file_among_the_documents() {
    let docs = folder(&[LIBRARY]);
    let site = folder(&[]);
    let file = docs.path().join("handbook.html");
    campanile(&["build", text(docs.path()), "-o", text(site.path()), "--single-file", text(&file)])
        .expect_code(1)
        .says(&["handbook.html", "among the documents", "way out"]);
    assert!(!file.exists());
}

#[test]
fn a_file_that_cannot_be_read() {
    // A link that leads nowhere cannot be read by anyone, not even by a privileged test runner.
    let docs = folder(&[LIBRARY]);
    std::os::unix::fs::symlink("nowhere", docs.path().join("gone.md")).unwrap();
    goes_on_without(docs.path(), &["gone.md"]);
}

#[test]
fn a_file_of_the_wrong_encoding() {
    let docs = folder(&[LIBRARY]);
    fs::write(docs.path().join("sjis.txt"), b"\x93\xFA\x96\x7B\x8C\xEA").unwrap();
    goes_on_without(docs.path(), &["sjis.txt", "UTF-8", "iconv"]);
}

#[test]
fn a_text_file_of_50_megabytes() {
    let docs = folder(&[LIBRARY]);
    fs::write(docs.path().join("log.txt"), "A line of a log file.\n".repeat(50_000_000 / 22))
        .unwrap();
    goes_on_without(docs.path(), &["log.txt", "max_text_mb"]);
}

#[test]
fn a_binary_file_with_a_documents_name() {
    let docs = folder(&[LIBRARY]);
    fs::write(docs.path().join("picture.md"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    goes_on_without(docs.path(), &["picture.md"]);
}

#[test]
fn strict_writes_nothing_when_a_document_fails() {
    let docs = folder(&[LIBRARY]);
    fs::write(docs.path().join("sjis.txt"), b"\x93\xFA\x96\x7B").unwrap();
    let site = folder(&[]);
    campanile(&[
        "build",
        text(docs.path()),
        "-o",
        text(site.path()),
        "--index-only",
        "--no-report",
        "--strict",
    ])
    .expect_code(1)
    .says(&["sjis.txt", "--strict"]);
    assert!(tree(site.path()).is_empty(), "nothing is written");
}

#[test]
fn settings_with_a_mistake() {
    let docs = folder(&[LIBRARY, ("campanile.toml", "[site]\ntitel = \"A\"\n")]);
    campanile(&[
        "build",
        text(docs.path()),
        "-o",
        "/tmp/never-written",
        "--index-only",
        "--no-report",
    ])
    .expect_code(1)
    .says(&["campanile.toml", "line 2", "did you mean `title`"]);
}

#[test]
fn a_folder_of_somebodys_files_is_not_written_into() {
    let docs = folder(&[LIBRARY]);
    let precious = folder(&[("thesis.tex", "three years of work")]);
    campanile(&[
        "build",
        text(docs.path()),
        "-o",
        text(precious.path()),
        "--index-only",
        "--no-report",
    ])
    .expect_code(1)
    .says(&[text(precious.path())]);
    assert_eq!(tree(precious.path()).len(), 1);
}

/// Flips one bit in the middle of the first shard of a kind.
fn damage(site: &Path, kind: &str) -> String {
    let name = tree(site)
        .into_keys()
        .find(|name| name.starts_with(&format!("shards/{kind}-")))
        .unwrap_or_else(|| unreachable!("no shard of kind {kind}"));
    damage_file(&site.join(&name));
    name
}

fn damage_file(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_damaged_shard_is_named_and_the_rest_answers() {
    let docs = folder(&[LIBRARY]);
    // The lexical search goes on without vectors, the dense one without postings.
    for kind in ["vectors", "postings"] {
        let (site, _) = build(docs.path(), 0);
        let shard = damage(site.path(), kind);
        let asked = campanile(&["ask", text(site.path()), "When does the library open?"])
            .expect_code(0)
            .says(&[&shard]);
        assert!(asked.stdout.contains("opens at eight"), "{}", asked.stdout);
    }
}

#[test]
fn a_damaged_encoder_is_named_with_a_way_out() {
    let docs = folder(&[LIBRARY]);
    let (site, _) = build(docs.path(), 0);
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(site.path().join("campanile.json")).unwrap()).unwrap();
    let files = manifest["encoder"]["files"].as_array().unwrap();
    let network = files.iter().find(|file| file["name"] == "model-00001.safetensors").unwrap();
    let shard = network["shard"]["path"].as_str().unwrap();
    damage_file(&site.path().join(shard));
    let question = "When does the library open?";
    campanile(&["ask", text(site.path()), question])
        .expect_code(1)
        .says(&[shard, "way out", "--mode lexical"]);
    campanile(&["ask", text(site.path()), question, "--mode", "lexical"]).expect_code(0);
}

#[test]
fn a_site_that_is_none() {
    let nothing = folder(&[]);
    for command in ["ask", "serve"] {
        let mut arguments = vec![command, text(nothing.path())];
        if command == "ask" {
            arguments.push("Where?");
        }
        campanile(&arguments).expect_code(1).says(&[text(nothing.path()), "campanile.json"]);
    }
}

#[test]
fn a_truncated_model_file() {
    let docs = folder(&[LIBRARY]);
    let installed = campanile(&["model", "list"]).expect_code(0).stdout;
    let line = installed.lines().find(|line| line.starts_with("all-MiniLM-L6-v2")).unwrap();
    let from = line.split('`').nth(1).expect("the model is here: run `cargo xtask test`");
    let store = folder(&[]);
    let model = store.path().join("all-MiniLM-L6-v2");
    fs::create_dir(&model).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), model.join(entry.file_name())).unwrap();
    }
    let weights = model.join("model.safetensors");
    fs::OpenOptions::new().write(true).open(&weights).unwrap().set_len(1_000_000).unwrap();
    campanile_with(
        &["build", text(docs.path()), "-o", "/tmp/never-written", "--index-only", "--no-report"],
        &[("CAMPANILE_MODELS", text(store.path()))],
    )
    .expect_code(1)
    .says(&[text(&weights), "campanile model fetch all-MiniLM-L6-v2"]);
}

#[test]
fn a_question_set_with_a_mistake_names_the_line() {
    let docs = folder(&[LIBRARY, ("questions.jsonl", "{\"id\": \"a\"}\n")]);
    let (site, _) = build(docs.path(), 0);
    let questions = docs.path().join("questions.jsonl");
    campanile(&["eval", text(site.path()), text(&questions)])
        .expect_code(1)
        .says(&["questions.jsonl", "line 1", "question"]);
    assert!(root().join("samples/questions.jsonl").is_file());
}
