//! What the command prints may be read to its end, or not.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::process::{Command, Stdio};
use std::sync::LazyLock;

use support::{SharedFolder, build, campanile, campanile_with, folder, shared_folder, text};

/// The exit code and standard error of a run that prints to `output`.
fn printing_to(output: Stdio, arguments: &[&str]) -> (Option<i32>, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_campanile"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    (run.status.code(), String::from_utf8(run.stderr).unwrap())
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let docs = folder(&[("fees.md", "# Fees\n\nThe fee for a late registration is 5 euros.\n")]);
    let (site, _) = build(docs.path(), 0);
    let questions = folder(&[(
        "questions.jsonl",
        "{\"id\":\"q1\",\"question\":\"What is the fee?\",\"category\":\"unanswerable\"}\n",
    )]);
    let questions = questions.path().join("questions.jsonl");
    let (docs, site, questions) = (text(docs.path()), text(site.path()), text(&questions));
    let cases: [&[&str]; 6] = [
        &["lint", docs],
        &["lint", docs, "--json"],
        &["model", "list"],
        &["ask", site, "What is the fee?", "--mode", "lexical"],
        &["ask", site, "What is the fee?", "--mode", "lexical", "--explain"],
        &["eval", site, questions, "--mode", "lexical"],
    ];
    for arguments in cases {
        // Whoever was to read is gone before the first line, as `head` is after its last.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(
            printing_to(writer.into(), arguments),
            (Some(0), String::new()),
            "{arguments:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let (code, words) = printing_to(full.into(), &["model", "list"]);
    assert_eq!(code, Some(1));
    assert!(words.starts_with("error: cannot print: ") && !words.contains("panicked"), "{words}");
}

/// A library, and its learning platform under another name.
static LIBRARY: LazyLock<SharedFolder> = LazyLock::new(|| {
    shared_folder("printing", || {
        let documents = folder(&[
            (
                "library.md",
                "# Library\n\n## Address\n\nThe library stands at 12 Harbour Street.\n\n## Platform\n\nThe learning \
             platform is repaired on Sundays at noon.\n",
            ),
            ("campanile.toml", "[search]\nsynonyms = [[\"LMS\", \"learning platform\"]]\n"),
        ]);
        build(documents.path(), 0).0
    })
});

#[test]
fn what_was_understood_otherwise_is_said() {
    let corrected = "Searched for \"address\": no document has \"adress\".";
    let foreign = "The documents are not in French: asked in their language, this may find more.";
    let missing = "No passage near it has";
    for (question, says, never) in [
        ("What is the adress of the library?", corrected, missing),
        ("Quelle est l'adresse de la bibliothèque ?", foreign, missing),
        // A synonym that found the passage is not missing, and counts as the words that it stands for.
        ("When is the LMS repaired?", "on Sundays at noon", missing),
        // No missing words are listed beside an answer.
        ("When is the drone repaired?", "on Sundays at noon", missing),
        ("Where do I get a drone badge?", "No passage near it has: drone, badge\n", "Searched for"),
        // Only the first four are listed.
        (
            "Which drones film lectures for astronomers abroad?",
            "No passage near it has: drones, film, lectures, astronomers\n",
            "Searched for",
        ),
    ] {
        let told = campanile(&["ask", text(LIBRARY.path()), question]).expect_code(0).stdout;
        assert!(told.contains(says), "{question}\n{told}");
        assert!(!told.contains(never), "{question}\n{told}");
    }
}

#[test]
fn the_log_is_told_where_it_is_asked_for() {
    let docs = folder(&[("fees.md", "# Fees\n\nThe fee for a late registration is 5 euros.\n")]);
    let site = tempfile::tempdir().unwrap();
    let arguments = ["build", text(docs.path()), "-o", text(site.path()), "--no-report"];
    let run = |log: &str| campanile_with(&arguments, &[("CAMPANILE_LOG", log)]);
    let quiet = run("").expect_code(0);
    assert!(!quiet.stderr.contains("INFO"), "{}", quiet.stderr);
    let told = run("info").expect_code(0);
    assert!(
        told.stderr.contains("INFO campanile_terminal::console: begun stage="),
        "{}",
        told.stderr
    );
    let wrong = run("campanile_website=loud").expect_code(1);
    assert!(
        wrong.stderr.contains("`CAMPANILE_LOG` is `campanile_website=loud`"),
        "{}",
        wrong.stderr
    );
}
