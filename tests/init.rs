//! `campanile init`, and what a build says where its answers are missing.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::path::Path;

use serde_yaml_ng::Value;
use support::{build, campanile, campanile_reading, folder, manifest, root, text, tree};

const LIBRARY: (&str, &str) = (
    "library.md",
    "# Library\n\n## For how long are books lent?\n\nBooks are lent for four weeks.\n",
);

fn yaml(path: &Path) -> Value {
    serde_yaml_ng::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn without_a_terminal_it_says_which_flags_to_give() {
    let docs = folder(&[LIBRARY]);
    for (given, missing) in [
        (&[][..], "no answer to --title, --contact, --example, --language, --publish"),
        (
            &["--title", "T", "--example", "Q?", "--publish", "gitlab"],
            "no answer to --contact, --language\n",
        ),
    ] {
        let run = campanile_reading(&[&["init", text(docs.path())], given].concat(), "");
        run.expect_code(2).says(&[missing, "way out: give these flags, or `--yes`"]);
        assert_eq!(tree(docs.path()).len(), 1, "nothing is written");
    }
    campanile(&["init", "/no/such/folder", "--yes"])
        .expect_code(1)
        .says(&["is no folder", "way out"]);
    campanile(&["init", text(docs.path()), "--yes", "--language", "tlh"])
        .expect_code(2)
        .says(&["--language <CODE>", "`en`"]);
}

#[test]
fn what_it_writes_builds_and_is_what_was_answered() {
    let docs = folder(&[LIBRARY]);
    let title = "Rules \"and\" fees";
    let init =
        ["init", text(docs.path()), "--yes", "--title", title, "--contact", "me@example.edu"];
    let run = campanile(&init).expect_code(0);
    for told in ["campanile.toml\n", "publish.yml\n", ".gitignore\n", "Next      campanile build "]
    {
        assert!(run.stdout.contains(told), "{told:?} in {}", run.stdout);
    }
    let (site, run) = build(docs.path(), 0);
    assert!(!run.stderr.contains("warning"), "nothing is missing: {}", run.stderr);
    let site = manifest(site.path());
    assert_eq!(site["title"], title);
    assert_eq!(site["contact"], "me@example.edu");
    assert_eq!(site["examples"], serde_json::json!(["For how long are books lent?"]));
    let workflow = yaml(&docs.path().join(".github/workflows/publish.yml"));
    assert_eq!(workflow["jobs"]["publish"]["steps"][1]["with"]["documents"], Value::from("."));

    // What is there stays, unless that is said.
    let before = tree(docs.path());
    campanile(&init).expect_code(1).says(&["campanile.toml` is there already", "`--force`"]);
    assert!(tree(docs.path()) == before, "a refusal leaves all as it was");
    let forced = ["init", text(docs.path()), "--yes", "--title", "Other", "--force"];
    campanile(&forced).expect_code(0);
    assert_eq!(manifest(build(docs.path(), 0).0.path())["title"], "Other");
}

#[test]
fn the_job_goes_to_the_root_of_the_repository() {
    let repository = folder(&[
        ("texts/the \"handbook\"/library.md", LIBRARY.1),
        (".git/config", "[remote \"origin\"]\n\turl = https://gitlab.example.edu/a/b.git\n"),
        (".gitignore", "/target/\n/public/"),
    ]);
    let docs = repository.path().join("texts/the \"handbook\"");
    campanile(&["init", text(&docs), "--yes"]).expect_code(0);
    let job = yaml(&repository.path().join(".gitlab-ci.yml"));
    assert_eq!(job["pages"]["variables"]["DOCUMENTS"], Value::from("texts/the \"handbook\""));
    let ignored = fs::read_to_string(repository.path().join(".gitignore")).unwrap();
    assert_eq!(ignored, "/target/\n/public/\n/public-report/\n", "what it had is kept, once");
    assert!(!repository.path().join(".github").exists());

    // Settings that are there are kept by who only wants to publish elsewhere.
    let settings = fs::read(docs.join("campanile.toml")).unwrap();
    let run = campanile_reading(&["init", text(&docs), "--publish", "github"], "").expect_code(0);
    assert!(run.stdout.contains("Kept      "), "{}", run.stdout);
    assert_eq!(fs::read(docs.join("campanile.toml")).unwrap(), settings);
    let workflow = repository.path().join(".github/workflows/publish.yml");
    assert!(workflow.is_file());
    // A job of one's own is not replaced.
    fs::write(&workflow, "name: mine\n").unwrap();
    campanile_reading(&["init", text(&docs), "--publish", "github"], "")
        .expect_code(1)
        .says(&["publish.yml` is there already, and nothing was written"]);
    assert_eq!(fs::read_to_string(&workflow).unwrap(), "name: mine\n");
}

#[test]
fn the_template_builds_as_it_is() {
    let (site, run) = build(&root().join("template/documents"), 0);
    let site_says = manifest(site.path());
    let question = site_says["examples"][1].as_str().unwrap();
    let reply = campanile(&["ask", text(site.path()), question, "--json"]).expect_code(0).json();
    assert_ne!(reply["answer"]["kind"], "refusal", "{question}");
    assert!(
        run.stderr.contains("the site has no contact, so a refusal names nobody"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_build_says_what_visitors_would_miss() {
    let cases = [
        (
            None,
            Some(
                "warning: the site has no title, contact or examples, so a refusal names nobody to ask: `campanile init ",
            ),
        ),
        (Some("title = \"T\"\ncontact = \"me\"\nexamples = [\"Q?\"]\n"), None),
        (
            Some("title = \"T\"\nexamples = [\"Q?\"]\n"),
            Some("no contact, so a refusal names nobody to ask: `[site]` in "),
        ),
        (Some("title = \"T\"\ncontact = \"me\"\n"), Some("campanile.toml` takes them\n")),
        (Some("contact = \"me\"\n"), Some("the site has no title or examples: `[site]` in ")),
    ];
    for (settings, expected) in cases {
        let docs = folder(&[LIBRARY]);
        if let Some(settings) = settings {
            fs::write(docs.path().join("campanile.toml"), format!("[site]\n{settings}")).unwrap();
        }
        let (_, run) = build(docs.path(), 0);
        match expected {
            Some(expected) => {
                assert!(run.stderr.contains(expected), "{settings:?}: {}", run.stderr)
            }
            None => assert!(!run.stderr.contains("warning"), "{}", run.stderr),
        }
    }
}
