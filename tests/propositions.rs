//! Propositions that the language model helps to write.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;

use support::{campanile_with, folder, text};

const SETTINGS: &str = "[chunks]\nparts = [\"proposition\"]\n[propositions]\nwriter = \"model\"\n";

#[test]
fn the_model_is_asked_once_and_the_rules_stand_in() {
    let docs = folder(&[
        ("campanile.toml", SETTINGS),
        (
            "scholarships.md",
            "# Scholarships\n\n## Gannet fund\n\nThe Gannet fund pays €450 a month. Those who receive \
             it may not work more than 10 hours a week.\n",
        ),
        (
            "library.md",
            "# Library\n\n## Loans\n\nBooks may be kept for 28 days. These can be renewed twice, \
             unless somebody has reserved them.\n",
        ),
    ]);
    let place = folder(&[]);
    let (site, report) = (place.path().join("site"), place.path().join("report"));
    let build = |more: &[&str]| {
        let arguments =
            ["build", text(docs.path()), "-o", text(&site), "--index-only", "--json", "--report"];
        let arguments = [&arguments[..], &[text(&report)], more].concat();
        campanile_with(&arguments, &[]).expect_code(0).json()
    };
    let first = build(&["--fresh"]);
    let told = |name: &str| fs::read(report.join(name)).unwrap();
    let (json, page) = (told("report.json"), String::from_utf8(told("report.html")).unwrap());
    let authors = serde_json::from_slice::<serde_json::Value>(&json).unwrap();
    let authors = &authors["propositions"];
    assert_eq!(authors["model"], "smollm2-135m-instruct");
    assert_eq!(authors["asked"], 2, "{authors}");
    assert_eq!(authors["by_model"], first["propositions_by_model"]);
    let count = |name: &str| authors[name].as_u64().unwrap();
    assert_eq!(count("by_model") + count("by_rules"), first["propositions"].as_u64().unwrap());
    let refused: u64 = authors["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reason| reason["count"].as_u64().unwrap())
        .sum();
    assert_eq!(count("by_model") + refused, 2, "{authors}");
    // "Those who receive the Gannet fund may not work more than 10 hours a week."
    assert_eq!(count("by_model"), 1, "{authors}");
    assert!(page.contains("Who wrote the propositions"));

    // The second build asks nothing, and gives the same bytes.
    let sites = support::tree(&site);
    let second = build(&[]);
    assert_eq!(second["embedded"], 0);
    assert!(support::tree(&site) == sites);
    assert_eq!(told("report.json"), json);
}
