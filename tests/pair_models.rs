//! Readers, rerankers and checkers: which ones a site has, and what a reader finds.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::{Value, json};
use support::{
    SharedFolder, build, campanile, folder, manifest, model_fixture, shared_folder, text,
};
use tempfile::TempDir;

const DOCUMENTS: [(&str, &str); 3] = [
    ("resit.md", "# Resits\n\nAn exam that was failed may be repeated twice.\n"),
    (
        "library.md",
        "# Library\n\nThe Heron Library was built in 1931 by Ada Brandt. It is open from nine to five.\n",
    ),
    ("thesis.md", "# Thesis\n\nWEN310 wants WEN210 and WEN220 to be passed.\n"),
];

static SITE: LazyLock<SharedFolder> =
    LazyLock::new(|| shared_folder("pair_models", || build(folder(&DOCUMENTS).path(), 0).0));

fn ask(site: &Path, question: &str) -> Value {
    campanile(&["ask", text(site), question, "--json"]).expect_code(0).json()
}

/// Documents with `[models]` of these lines.
fn with_models(lines: &str) -> TempDir {
    let settings = format!("[models]\n{lines}\n");
    folder(&[&[("campanile.toml", settings.as_str())], &DOCUMENTS[..]].concat())
}

fn slice<'a>(text: &'a Value, span: &Value) -> &'a str {
    let place = |end: &str| usize::try_from(span[end].as_u64().unwrap()).unwrap();
    &text.as_str().unwrap()[place("start")..place("end")]
}

#[test]
fn a_reader_finds_the_words_that_answer() {
    for (question, words) in [
        ("When was the Heron Library built?", "1931"),
        ("Who built the Heron Library?", "Ada Brandt"),
    ] {
        let reply = ask(SITE.path(), question);
        let source = &reply["sources"][reply["answer"]["source"].as_u64().unwrap() as usize - 1];
        assert_eq!(slice(&source["text"], &reply["answer"]["exact"]), words, "{reply:#}");
        assert_eq!(slice(&source["text"], &reply["answer"]["highlight"]), reply["answer"]["text"]);
        assert!(reply["answer"]["text"].as_str().unwrap().contains(words), "{reply:#}");
        let readings = reply["readings"].as_array().unwrap();
        assert_eq!(readings.len(), reply["sources"].as_array().unwrap().len().min(5));

        let told = campanile(&["ask", text(SITE.path()), question, "--explain"]).expect_code(0);
        assert!(told.stdout.contains(&format!("In short: {words}\n")), "{}", told.stdout);
        assert!(told.stdout.contains("words that answer"), "{}", told.stdout);
    }
}

#[test]
fn sentences_are_held_against_the_sources() {
    let question = "When was the Heron Library built?";
    let prose = "Sure! The Heron Library was built in 1931. It was built in 1913 by Ada Brandt. \
                 Bo Larsen built it. The documents do not say.";
    let check = ["ask", text(SITE.path()), question, "--check", prose];
    let found = campanile(&[&check[..], &["--json"]].concat()).expect_code(0).json();
    let expected = [
        ("Sure!", "nothing", json!([])),
        ("The Heron Library was built in 1931.", "supported", json!([])),
        ("It was built in 1913 by Ada Brandt.", "unsupported", json!(["1913"])),
        ("Bo Larsen built it.", "unsupported", json!(["Larsen"])),
        ("The documents do not say.", "declined", json!([])),
    ];
    let prose = json!(prose);
    assert_eq!(found.as_array().unwrap().len(), expected.len(), "{found:#}");
    for (one, (sentence, support, unstated)) in found.as_array().unwrap().iter().zip(expected) {
        assert_eq!(slice(&prose, &one["span"]), sentence);
        assert_eq!(one["support"], support, "{one:#}");
        assert_eq!(one["unstated"], unstated, "{one:#}");
    }
    assert!(found[1]["entailed"].as_f64().unwrap() > found[2]["entailed"].as_f64().unwrap());

    let told = campanile(&check).expect_code(0).stdout;
    assert!(told.contains("The Heron Library was built in 1931. [1]\n"), "{told}");
    assert!(told.contains("1913 by Ada Brandt. not in the sources: 1913\n"), "{told}");
}

#[test]
fn keywords_alone_read_nothing() {
    let question = "When was the Heron Library built?";
    let reply = campanile(&["ask", text(SITE.path()), question, "--json", "--mode", "lexical"]);
    let reply = reply.expect_code(0).json();
    assert_eq!(reply["readings"], Value::Null);
    assert_eq!(reply["answer"]["exact"], Value::Null);
}

#[test]
fn a_department_may_leave_the_reader_out() {
    let (site, _) = build(with_models("reader = \"none\"").path(), 0);
    assert_eq!(manifest(site.path()).get("reader"), None);
    let reply = ask(site.path(), "When was the Heron Library built?");
    assert_eq!(reply["readings"], Value::Null);
    assert_eq!(reply["answer"]["source"], json!(1));
}

#[test]
fn a_department_may_name_its_own() {
    let own = model_fixture("adapter_reader.safetensors");
    let (site, _) = build(with_models(&format!("reader = {own:?}")).path(), 0);
    let manifest = manifest(site.path());
    assert_eq!(manifest["reader"]["architecture"], json!("low-rank"));
    assert_eq!(manifest["reader"]["bytes"], json!(std::fs::metadata(&own).unwrap().len()));
    assert!(ask(site.path(), "When was the Heron Library built?")["readings"].is_array());

    // A network of its own, as its authors publish it.
    let whole = model_fixture("encoders/bert-classifier");
    let (site, _) = build(with_models(&format!("checker = {whole:?}")).path(), 0);
    let manifest = self::manifest(site.path());
    assert_eq!(manifest["checker"]["architecture"], json!("bert"));
    assert_eq!(manifest["checker"]["name"], json!("bert-classifier"));
}

/// The folder of the encoder that sites have.
fn encoder_folder() -> PathBuf {
    let installed = campanile(&["model", "list"]).expect_code(0).stdout;
    let line = installed.lines().find(|line| line.starts_with("all-MiniLM-L6-v2")).unwrap();
    PathBuf::from(line.split('`').nth(1).expect("the model is here: run `cargo xtask test`"))
}

/// An encoder's files with an adapter beside them.
fn encoder_with(adapter: &Path) -> TempDir {
    let found = tempfile::tempdir().unwrap();
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        std::fs::copy(encoder_folder().join(name), found.path().join(name)).unwrap();
    }
    std::fs::copy(adapter, found.path().join("adapter.safetensors")).unwrap();
    found
}

#[test]
fn a_reader_may_have_an_encoder_of_its_own() {
    let adapters = Path::new(env!("CARGO_MANIFEST_DIR")).join("training/adapters");
    let own = encoder_with(&adapters.join("reader.safetensors"));
    let (site, _) = build(with_models(&format!("reader = {:?}", own.path())).path(), 0);
    let reader = &manifest(site.path())["reader"];
    assert_eq!(reader["architecture"], json!("bert"));
    let files: Vec<&Value> =
        reader["files"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert!(files.contains(&&json!("adapter.safetensors")), "{files:?}");
    // The same weights, less rounded, with the same adapter: the same words, about as sure.
    let question = "When was the Heron Library built?";
    let (with_own, with_sites) = (ask(site.path(), question), ask(SITE.path(), question));
    assert_eq!(with_own["answer"], with_sites["answer"]);
    let sure = |reply: &Value| reply["readings"][0]["probability"].as_f64().unwrap();
    assert!((sure(&with_own) - sure(&with_sites)).abs() < 0.05, "{with_own:#}");
    assert!(with_own["readings"][0]["kinds"].is_object(), "{with_own:#}");

    // One that belongs to other weights, and one for another task.
    let weights = own.path().join("model.safetensors");
    std::fs::copy(model_fixture("minilm.safetensors"), &weights).unwrap();
    let (_, run) = build(with_models(&format!("reader = {:?}", own.path())).path(), 1);
    run.says(&["models.reader"]);
    let other = encoder_with(&adapters.join("checker.safetensors"));
    let (_, run) = build(with_models(&format!("reader = {:?}", other.path())).path(), 1);
    run.says(&["models.reader", "is a checker"]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let cases = [
        ("reader", "adapter_checker.safetensors", "is a checker"),
        ("checker", "minilm.safetensors", "is no adapter"),
        ("reranker", "nowhere.safetensors", "cannot read"),
        ("reader", "sentences.txt", "is no adapter"),
    ];
    for (task, file, said) in cases {
        let path = model_fixture(file);
        let (_, run) = build(with_models(&format!("{task} = {path:?}")).path(), 1);
        run.says(&[&format!("models.{task}"), file, said]);
    }
    let (_, run) = build(with_models("raeder = \"none\"").path(), 1);
    run.says(&["raeder", "did you mean `reader`"]);
}
