//! A catalogue: many pages of one make beside a few pages of rules.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;
use support::{SharedFolder, build, campanile, folder, shared_folder, text, tree};
use tempfile::TempDir;

const SUBJECTS: [&str; 6] =
    ["Botany", "Naval History", "Data Analytics", "Glass Design", "Meteorology", "Slavic Studies"];

const RULES: [(&str, &str); 3] = [
    (
        "rules/transfer.md",
        "# Credit from elsewhere\n\n## Limits\n\nOf the credits that a student may transfer from another college a bachelor's \
         degree takes 70 and a master's degree 11.\n\n## Whom to ask\n\nThe Registrar decides within four weeks.\n",
    ),
    (
        "rules/advisers.md",
        "# Advisers\n\n## Finding one\n\nEverybody has an adviser by the second week.\n\n## Another one\n\nThe dean \
         approves a change of adviser at any time but in the last month of a semester.\n",
    ),
    (
        "rules/leave.md",
        "# Leave of absence\n\n## How long\n\nA leave takes four semesters at most.\n\n## Back again\n\nThe Registrar \
         is told six weeks before.\n",
    ),
];

/// Two degrees of each subject, with other numbers in each.
fn programmes() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for (number, subject) in SUBJECTS.iter().enumerate() {
        for (degree, credits, transfer) in [("B.A.", 120, 40 + number), ("M.A.", 30, 5 + number)] {
            let path = format!(
                "programs/{}-{}.md",
                subject.to_lowercase().replace(' ', "-"),
                degree.to_lowercase()
            );
            let page = format!(
                "# {subject}, {degree}\n\n## Admission\n\nApplicants to {subject} hand in {} letters by 1 March.\n\n\
                 ## Credits\n\nThe degree takes {credits} credits. How many credits a student may transfer from \
                 another college: {transfer} credits at most.\n\n## Advising\n\nStudents of {subject} may change \
                 their adviser until the deadline in week {}.\n",
                2 + number % 2,
                3 + number,
            );
            let own = if subject == &"Botany" {
                "\n## Greenhouse\n\nGreenhouse duty lasts twelve weeks.\n"
            } else {
                ""
            };
            pages.push((path, page + own));
        }
    }
    pages
}

fn catalogue(settings: &str) -> TempDir {
    let programmes = programmes();
    let programmes = programmes.iter().map(|(path, page)| (path.as_str(), page.as_str()));
    let files: Vec<(&str, &str)> =
        RULES.into_iter().chain(programmes).chain([("campanile.toml", settings)]).collect();
    folder(&files)
}

static SITE: LazyLock<SharedFolder> =
    LazyLock::new(|| shared_folder("families", || build(catalogue("").path(), 0).0));

fn ask(site: &Path, question: &str) -> Value {
    campanile(&["ask", text(site), question, "--json"]).expect_code(0).json()
}

fn first(reply: &Value) -> &str {
    reply["sources"][0]["document"].as_str().unwrap()
}

fn has_stage(reply: &Value) -> bool {
    let stages = reply["trace"]["stages"].as_array().unwrap();
    stages.iter().any(|stage| stage["name"] == "families")
}

#[test]
fn the_general_rule_comes_before_one_programmes_page() {
    for (question, page) in [
        ("How many credits may I transfer?", "rules/transfer.md"),
        ("How many credits may I transfer to a master's?", "rules/transfer.md"),
        ("Is there a deadline for changing my adviser?", "rules/advisers.md"),
        ("How many credits may I transfer to the M.A. in Botany?", "programs/botany-m.a..md"),
        ("transfer credits naval history bachelor's", "programs/naval-history-b.a..md"),
        ("Until when can I change my adviser in Meteorology (BA)?", "programs/meteorology-b.a..md"),
    ] {
        let reply = ask(SITE.path(), question);
        assert_eq!(first(&reply), page, "{question}\n{:#}", reply["sources"]);
        assert!(has_stage(&reply), "{:#}", reply["trace"]);
    }
    let both = ask(SITE.path(), "How many credits may I transfer in Slavic Studies?");
    let documents: Vec<&str> = (both["sources"].as_array().unwrap().iter().take(2))
        .map(|source| source["document"].as_str().unwrap())
        .collect();
    assert!(documents.iter().all(|path| path.contains("slavic-studies")), "{documents:?}");

    let told =
        campanile(&["ask", text(SITE.path()), "transfer credits", "--explain"]).expect_code(0);
    assert!(told.stdout.contains("families"), "{}", told.stdout);
}

#[test]
fn an_answer_of_another_page_than_the_question_names_says_so() {
    let said = "which is not the page that the question names";
    for (question, is_named) in [
        ("How long does greenhouse duty last in the M.A. in Botany?", true),
        ("How long does greenhouse duty last in the M.A. in Meteorology?", false),
    ] {
        let reply = ask(SITE.path(), question);
        let (kind, source) =
            (&reply["answer"]["kind"], reply["answer"]["source"].as_u64().unwrap());
        let told = campanile(&["ask", text(SITE.path()), question]).expect_code(0).stdout;
        assert!(told.contains("twelve weeks"), "{told}");
        assert_eq!(reply["sources"][source as usize - 1]["is_named"], is_named, "{reply:#}");
        assert_eq!(kind == "direct", is_named, "{question}: {kind}");
        assert_eq!(told.contains(said), !is_named, "{told}");
    }
}

#[test]
fn a_rebuild_learns_the_same_families() {
    let (again, _) = build(catalogue("").path(), 0);
    assert!(tree(again.path()) == tree(SITE.path()));
}

#[test]
fn a_site_without_families_has_no_trace_of_them() {
    let few = folder(&RULES);
    for docs in [&few, &catalogue("[search]\nfamilies = false\n")] {
        let (site, _) = build(docs.path(), 0);
        let manifest = std::fs::read_to_string(site.path().join("campanile.json")).unwrap();
        assert!(!manifest.contains("families"), "{manifest}");
        assert!(!has_stage(&ask(site.path(), "How many credits may I transfer?")));
    }
}
