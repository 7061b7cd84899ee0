//! `campanile ask` in a language model's other words.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};
use support::{Run, SharedFolder, build, campanile, folder, shared_folder, text};

const DOCUMENTS: [(&str, &str); 3] = [
    ("resit.md", "# Resits\n\nAn exam that was failed may be repeated twice.\n"),
    ("library.md", "# Library\n\nThe library is open from nine to five.\n"),
    ("thesis.md", "# Thesis\n\nWEN310 wants WEN210 and WEN220 to be passed.\n"),
];
const QUESTION: &str = "Which modules must I have passed before WEN310?";
const MODEL: [&str; 2] = ["--language-model", "smollm2-135m-instruct"];

/// A site without a language model.
static SITE: LazyLock<SharedFolder> =
    LazyLock::new(|| shared_folder("rewording", || build(folder(&DOCUMENTS).path(), 0).0));

fn ask(site: &Path, flags: &[&str]) -> Run {
    campanile(&[&["ask", text(site), QUESTION], flags].concat())
}

fn phrasings(site: &Path, flags: &[&str]) -> Vec<Value> {
    let reply = ask(site, &[flags, &["--json"]].concat()).expect_code(0).json();
    reply["trace"]["phrasings"].as_array().cloned().unwrap_or_default()
}

#[test]
fn other_words_are_searched_and_told() {
    let site = SITE.path();
    assert_eq!(phrasings(site, &[]), [] as [Value; 0]);
    let told = phrasings(site, &[&MODEL[..], &["--phrasings", "2", "--hypothetical"]].concat());
    let questions: Vec<&str> = told.iter().filter_map(|it| it["question"].as_str()).collect();
    assert!((1..=2).contains(&questions.len()), "{told:?}");
    // Whatever the model writes: what lost the course's code is not here.
    assert!(questions.iter().all(|it| it.contains("WEN310") && it.ends_with('?')), "{told:?}");
    assert!(told.last().unwrap()["passage"].is_string(), "{told:?}");

    let explained = ask(site, &[&MODEL[..], &["--phrasings", "2", "--explain"]].concat());
    let explained = explained.expect_code(0).stdout;
    for words in [&format!("also asked as: {}", questions[0]), "further", "Also asked as: "] {
        assert!(explained.contains(words), "no {words:?} in:\n{explained}");
    }
}

#[test]
fn a_model_has_to_be_there() {
    let run = ask(SITE.path(), &["--phrasings", "2"]).expect_code(1);
    run.says(&["ships no language model", "--language-model smollm2-135m-instruct"]);
    let run = ask(SITE.path(), &["--phrasings", "2", "--language-model", "another"]);
    run.expect_code(1).says(&["there is no model `another`"]);
    ask(SITE.path(), &["--phrasings", "9"]).expect_code(2).says(&["--phrasings", "0..=5"]);
}

#[test]
fn a_site_brings_its_own_model_and_its_wish() {
    let settings = "[prose]\nmodel = \"smollm2-135m-instruct\"\n[search]\nphrasings = 1\n";
    let documents = [&[("campanile.toml", settings)], &DOCUMENTS[..]].concat();
    let (site, _) = build(folder(&documents).path(), 0);
    let manifest = std::fs::read(site.path().join("campanile.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(manifest["search"]["phrasings"], json!(1));
    assert_eq!(manifest["search"]["hypothetical"], json!(false), "off, as by default");
    // The terminal asks a model only when it is told to, and the site's is the one by that name.
    assert_eq!(phrasings(site.path(), &[]), [] as [Value; 0]);
    let own = phrasings(site.path(), &["--phrasings", "2"]);
    assert_eq!(own, phrasings(SITE.path(), &[&MODEL[..], &["--phrasings", "2"]].concat()));
    assert!(!own.is_empty());
}
