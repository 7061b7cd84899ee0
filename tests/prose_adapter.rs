//! The adapter by which a site's language model words answers: which one a site has, and what it changes.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::sync::LazyLock;

use campanile_build::language_model;
use campanile_bundle::{Bundle, DirectoryFetch};
use campanile_model::{KNOWN_ANSWER_FILE, KnownAnswer};
use futures_lite::future::block_on;
use serde_json::{Value, json};
use support::{
    SharedFolder, build, campanile, folder, manifest, model_fixture, shared_folder, text,
};
use tempfile::TempDir;

const DOCUMENTS: [(&str, &str); 2] = [
    (
        "library.md",
        "# Library\n\n## Cards\n\nA lost card is replaced for 15 euros at the desk in the Heron Library. The first card is free.\n",
    ),
    ("resit.md", "# Resits\n\nAn exam that was failed may be repeated twice.\n"),
];
const QUESTION: &str = "Where is a lost card replaced?";

/// A site with these lines under `[prose]` and others after them.
fn site(prose: &str) -> TempDir {
    let settings = format!("[prose]\nmodel = \"smollm2-135m-instruct\"\n{prose}\n");
    let files = [
        ("campanile.toml", settings.as_str()),
        ("prompt.txt", "Answer for {site}.\n---\n{passages}\n\n{question}\n"),
    ];
    build(folder(&[&files, &DOCUMENTS[..]].concat()).path(), 0).0
}

static BUILT_IN: LazyLock<SharedFolder> =
    LazyLock::new(|| shared_folder("prose-built-in", || site("")));
static NONE: LazyLock<SharedFolder> =
    LazyLock::new(|| shared_folder("prose-none", || site("adapter = \"none\"")));

/// The hashes of the model's files with these names' ending.
fn hashes(site: &Path, ending: &str) -> Vec<String> {
    let files = manifest(site)["prose"]["files"].as_array().unwrap().clone();
    let wanted = files.iter().filter(|file| file["name"].as_str().unwrap().ends_with(ending));
    wanted.map(|file| file["shard"]["sha256"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn it_is_in_the_weights_and_brings_its_prompt() {
    let [with, without] = [&BUILT_IN, &NONE].map(|site| hashes(site.path(), ".safetensors"));
    assert_eq!(with.len(), without.len(), "no byte more");
    assert_ne!(with, without);
    let prompt = manifest(BUILT_IN.path())["prompt"].clone();
    assert!(prompt.as_str().is_some_and(|it| it.contains("{question}")), "{prompt}");
    assert_eq!(manifest(NONE.path())["prompt"], Value::Null);
    for site in [&BUILT_IN, &NONE] {
        assert_eq!(hashes(site.path(), "known-answer.json").len(), 1, "what a device has to know");
    }
}

/// The files of a site's language model, in their order, but for the answer that it has to know, which comes apart.
fn files_and_answer(site: &Path) -> (Vec<(String, Vec<u8>)>, KnownAnswer) {
    let bundle = block_on(Bundle::open(DirectoryFetch::new(site))).unwrap();
    let files = &bundle.manifest().prose.as_ref().unwrap().files;
    let read = files
        .iter()
        .map(|file| (file.name.clone(), block_on(bundle.model_file(file)).unwrap().to_vec()));
    let (answers, files): (Vec<_>, Vec<_>) = read.partition(|(name, _)| name == KNOWN_ANSWER_FILE);
    (files, KnownAnswer::from_json(&answers[0].1).unwrap())
}

/// A clone's command builds with this model without being able to cut texts for it.
#[test]
fn what_it_has_to_know_is_kept_with_the_command() {
    for site in [&BUILT_IN, &NONE] {
        let (files, answer) = files_and_answer(site.path());
        let (mut decoder, _) = language_model::shipped(site.path(), "").unwrap();
        let asked = block_on(decoder.known_answer()).unwrap().unwrap();
        assert_eq!(answer, asked);
        let mut kept = json!(asked);
        kept["files"] = json!(language_model::fingerprint(&files));
        let found = language_model::kept_answer(&files).unwrap();
        assert_eq!(found, Some(asked), "crates/build/src/known_answers.json should have {kept}");
    }
}

/// It has learned one task and one prompt.
#[test]
fn it_is_left_out_where_the_model_is_to_do_something_else() {
    for settings in
        ["prompt = \"prompt.txt\"", "[search]\nphrasings = 1", "[search]\nhypothetical = true"]
    {
        let site = site(settings);
        let found = hashes(site.path(), ".safetensors");
        assert_eq!(found, hashes(NONE.path(), ".safetensors"), "{settings}");
    }
}

/// An adapter for the task that changes nothing of a model that nobody has.
fn of_another_model() -> Vec<u8> {
    let fields = json!({
        "format": "campanile-adapter", "version": "1", "task": "prose", "trunk": "ab", "scale": "2",
    });
    let header = json!({ "__metadata__": fields }).to_string();
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat()
}

#[test]
fn what_does_not_fit_is_refused() {
    let other = model_fixture("adapter_reader.safetensors");
    let folder_of_other = tempfile::tempdir().unwrap();
    let small = folder_of_other.path().join("of-another-model.safetensors");
    std::fs::write(&small, of_another_model()).unwrap();
    for (choice, expected) in [
        ("missing.safetensors", "cannot read"),
        (text(&other), "it is for the task \"reader\", not \"prose\""),
        (text(&small), "changes another language model than `smollm2-135m-instruct`"),
    ] {
        let settings =
            format!("[prose]\nmodel = \"smollm2-135m-instruct\"\nadapter = {choice:?}\n");
        let documents =
            folder(&[&[("campanile.toml", settings.as_str())], &DOCUMENTS[..]].concat());
        let output = tempfile::tempdir().unwrap();
        let told = campanile(&["build", text(documents.path()), "-o", text(output.path())]);
        let told = told.expect_code(1);
        assert!(told.stderr.contains("`prose.adapter`"), "{}", told.stderr);
        assert!(told.stderr.contains(expected), "{}", told.stderr);
    }
}

#[test]
fn the_terminal_words_an_answer_and_holds_each_sentence_against_the_sources() {
    let site = text(BUILT_IN.path());
    let reply = campanile(&["ask", site, QUESTION, "--prose", "--json"]).expect_code(0).json();
    let prose = reply["prose"]["text"].as_str().expect("prose");
    let sentences = reply["prose"]["sentences"].as_array().expect("sentences");
    assert!(prose.contains("15"), "{prose}");
    assert_eq!(sentences[0]["support"], json!("supported"), "{prose}");
    assert_eq!(sentences[0]["unstated"], json!([]), "{prose}");
    let told = campanile(&["ask", site, QUESTION, "--prose"]).expect_code(0).stdout;
    for part in ["In the language model's words, which can be wrong:", "[1]"] {
        assert!(told.contains(part), "no {part:?} in {told}");
    }
    let refused =
        campanile(&["ask", site, "Who won the Grand Prix of Monaco?", "--prose", "--json"]);
    let refused = refused.expect_code(0).json();
    assert_eq!(refused["answer"]["kind"], json!("refusal"), "{refused:#}");
    assert_eq!(refused.get("prose"), None, "no evidence, no model");
}

#[test]
fn a_site_without_a_language_model_says_so() {
    let (site, _) = build(folder(&DOCUMENTS).path(), 0);
    campanile(&["ask", text(site.path()), QUESTION, "--prose"])
        .expect_code(1)
        .says(&["ships no language model", "way out: `model = \"smollm2-135m-instruct\"`"]);
}

/// What a small model writes about a passage alone misses the point more often than not.
#[test]
fn it_is_offered_beside_answers_that_are_sure_unless_the_settings_say_always() {
    let always = site("offered = \"always\"");
    for (question, kind) in [(QUESTION, "direct"), ("exams and cards", "possible_section")] {
        for (site, is_offered) in [(BUILT_IN.path(), kind == "direct"), (always.path(), true)] {
            let reply = campanile(&["ask", text(site), question, "--prose", "--json"]);
            let reply = reply.expect_code(0).json();
            assert_eq!(reply["answer"]["kind"], json!(kind), "{question}: {reply:#}");
            assert_eq!(reply.get("prose").is_some(), is_offered, "{question}");
        }
    }
}

#[test]
fn what_it_writes_is_judged_sentence_by_sentence() {
    let work = folder(&[(
        "questions.jsonl",
        &format!(
            "{}\n{}\n",
            json!({"id": "card", "question": QUESTION, "category": "answerable"}),
            json!({"id": "race", "question": "Who won the Grand Prix of Monaco?", "category": "unanswerable"}),
        ),
    )]);
    let questions = work.path().join("questions.jsonl");
    let sentences = work.path().join("sentences.jsonl");
    let write =
        ["eval", "prose", "write", text(BUILT_IN.path()), text(&questions), "-o", text(&sentences)];
    let told = campanile(&write).expect_code(0).stdout;
    assert!(told.starts_with("2 questions asked, 1 of them"), "{told}");
    let written = std::fs::read_to_string(&sentences).unwrap();
    let first: Value = serde_json::from_str(written.lines().next().unwrap()).unwrap();
    assert_eq!(first["support"], json!("supported"), "{first:#}");
    assert!(first["passages"][0]["text"].as_str().unwrap().contains("15 euros"), "{first:#}");
    assert_eq!(first.get("true"), None, "nobody has judged it");

    let again = campanile(&write).expect_code(0).stdout;
    assert!(again.starts_with("1 question asked, 0 of them"), "{again}");
    assert_eq!(std::fs::read_to_string(&sentences).unwrap(), written, "what was written stays");

    let judge =
        |more: &str| campanile(&["eval", "prose", "judge", text(&sentences), more]).expect_code(0);
    let count = written.lines().count();
    assert_eq!(judge("--json").json()["undecided"], json!(count));
    let mut judged = first.clone();
    judged["true"] = json!(true);
    judged["answers"] = json!(false);
    std::fs::write(&sentences, format!("{judged}\n")).unwrap();
    let tally = judge("--json").json();
    assert_eq!(tally["shown"], json!({"sentences": 1, "is_true": 1, "answers": 0, "both": 0}));
    assert!(judge("--tally").stdout.contains("0 % (0 to 79 %)"));

    std::fs::write(&sentences, "{\"id\": 1}\n").unwrap();
    campanile(&["eval", "prose", "judge", text(&sentences), "--tally"])
        .expect_code(1)
        .says(&["line 1 of the sentences", "sentences.jsonl"]);
}
