//! What a build tells about the documents, and what it tidies.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;

use support::{campanile, folder, text};

const RULE: &str = "A failed examination may be taken again within one year of the first attempt, \
                    and the board decides about any later date on written request.";

fn documents() -> tempfile::TempDir {
    let faq = format!("# Exams\n\n## Resits\n\n{RULE}\n");
    let rules = format!("# Exams\n\n## Resits\n\n{RULE}\n\n## Fees\n\nA resit costs 20 euros.\n");
    folder(&[
        (
            "campanile.toml",
            "[site]\ntitle = \"<b>Rules</b>\"\n[chunks]\nparts = [\"sentence\", \"proposition\"]\n",
        ),
        ("faq.md", &faq),
        ("rules.md", &rules),
        (
            "handbook-2023.md",
            "# Handbook 2023\n\nThe library closes at six. Loans last two weeks.\n",
        ),
        (
            "handbook-2024.md",
            "# Handbook 2024\n\nThe library closes at eight. Loans last three weeks.\n",
        ),
        ("limits.md", "# Limits\n\n| Year | ECTS |\n|---|---|\n| 1st | 38 |\n| 2nd | 46 |\n"),
        ("bad.md", "caf\u{0}"),
    ])
}

#[test]
fn a_build_tells_what_it_read_and_tidied() {
    let docs = documents();
    let place = folder(&[]);
    let (site, report) = (place.path().join("site"), place.path().join("told"));
    let summary = campanile(&[
        "build",
        text(docs.path()),
        "-o",
        text(&site),
        "--index-only",
        "--json",
        "--report",
        text(&report),
    ])
    .expect_code(3)
    .json();
    assert_eq!((summary["documents"].as_u64(), summary["failed"].as_u64()), (Some(5), Some(1)));
    assert_eq!((summary["folded"].as_u64(), summary["replaced"].as_u64()), (Some(1), Some(1)));

    let told = fs::read_to_string(report.join("report.json")).unwrap();
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let unread: Vec<_> =
        told["files"].as_array().unwrap().iter().filter(|file| file["is_read"] == false).collect();
    assert_eq!((unread.len(), unread[0]["path"].as_str()), (1, Some("bad.md")));
    assert!(unread[0]["remarks"][0]["message"].as_str().unwrap().contains("looks binary"));
    assert_eq!(told["totals"]["tables"], 1);
    assert_eq!(told["folded"][0]["document"], "rules.md");
    assert_eq!(told["folded"][0]["kept_in"], "faq.md");
    assert_eq!(told["editions"][0]["older"], "handbook-2023.md");
    assert_eq!(told["editions"][0]["newer"], "handbook-2024.md");
    let units = told["numbers"]["granularities"].as_array().unwrap();
    assert_eq!(units[0]["count"], summary["chunks"]);
    assert_eq!(units[1]["count"], summary["sentences"]);
    assert_eq!(units[2]["count"], summary["propositions"]);

    let page = fs::read_to_string(report.join("report.html")).unwrap();
    assert!(page.contains("&lt;b&gt;Rules") && !page.contains("<b>Rules"), "titles are escaped");
    assert!(page.contains("bad.md") && page.contains("replaced by handbook-2024.md"));
    assert!(!page.contains("<script"));

    let again = place.path().join("again");
    campanile(&[
        "build",
        text(docs.path()),
        "-o",
        text(&site),
        "--index-only",
        "--report",
        text(&again),
    ])
    .expect_code(3);
    for name in ["report.json", "report.html"] {
        let [first, second] = [&report, &again].map(|folder| fs::read(folder.join(name)).unwrap());
        assert!(first == second, "{name} tells another story of the same documents");
    }
}

#[test]
fn the_report_stands_beside_the_site_unless_told_otherwise() {
    let docs = folder(&[("a.md", "# A\n\nThe office opens at nine.\n")]);
    let place = folder(&[]);
    let site = place.path().join("site");
    let arguments = ["build", text(docs.path()), "-o", text(&site), "--index-only"];
    campanile(&arguments).expect_code(0);
    assert!(place.path().join("site-report/report.json").is_file());
    fs::remove_dir_all(place.path().join("site-report")).unwrap();
    campanile(&[&arguments[..], &["--no-report"]].concat()).expect_code(0);
    assert!(!place.path().join("site-report").exists());
}

#[test]
fn what_was_tidied_is_still_found_where_it_should_be() {
    let docs = documents();
    let place = folder(&[]);
    let site = place.path().join("site");
    campanile(&["build", text(docs.path()), "-o", text(&site), "--index-only", "--no-report"])
        .expect_code(3);
    let ask = |question: &str, more: &[&str]| {
        let arguments = [&["ask", text(&site), question, "--json"], more].concat();
        campanile(&arguments).expect_code(0).json()
    };
    let sources = |reply: &serde_json::Value| -> Vec<String> {
        let sources = reply["sources"].as_array().unwrap();
        sources.iter().map(|source| source["document"].as_str().unwrap().to_owned()).collect()
    };

    let resit = ask("When may a failed examination be taken again?", &[]);
    assert_eq!(resit["sources"][0]["document"], "faq.md");
    assert_eq!(resit["sources"][0]["also"][0]["document"], "rules.md");

    let now = ask("When does the library close?", &[]);
    assert!(sources(&now).contains(&"handbook-2024.md".to_owned()));
    assert!(!sources(&now).contains(&"handbook-2023.md".to_owned()));
    let then = ask("When did the library close in 2023?", &[]);
    assert!(sources(&then).contains(&"handbook-2023.md".to_owned()));

    for granularity in ["sentence", "proposition"] {
        let row = ask("How many ECTS in the 2nd year?", &["--granularity", granularity]);
        let source = &row["sources"][0];
        assert_eq!(source["document"], "limits.md", "{granularity}");
        let end = |end: &str| source["found"][end].as_u64().unwrap() as usize;
        let part = &source["text"].as_str().unwrap()[end("start")..end("end")];
        assert!(part.contains("2nd") && part.contains("46") && !part.contains("38"), "{part}");
    }
}

#[test]
fn what_takes_too_much_is_reported_and_the_rest_goes_on() {
    let big = "<p>All rooms are open to everybody.</p>\n".repeat(150_000);
    let docs = folder(&[
        ("campanile.toml", "[documents]\nmax_memory_mb = 50\n"),
        ("big.html", &big),
        ("small.md", "# Small\n\nThe office opens at nine.\n"),
    ]);
    let place = folder(&[]);
    let site = place.path().join("site");
    let run = campanile(&[
        "build",
        text(docs.path()),
        "-o",
        text(&site),
        "--index-only",
        "--no-report",
        "--json",
    ])
    .expect_code(3)
    .says(&["big.html", "needs more than 50.0 MB of memory", "max_memory_mb"]);
    assert_eq!(run.json()["documents"], 1);

    fs::write(docs.path().join("campanile.toml"), "[documents]\nmax_seconds = 0.02\n").unwrap();
    campanile(&["build", text(docs.path()), "-o", text(&site), "--index-only", "--no-report"])
        .says(&["big.html", "was not read within 0.02 seconds", "max_seconds"]);
}
