//! `campanile federate`: one question to the sites of several departments.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{Run, campanile, folder, manifest, text};
use tempfile::TempDir;

const SITES: [(&str, &str, &str); 4] = [
    (
        "physics",
        "laboratory.md",
        "# Laboratory\n\n## Lasers\n\nWhoever works with a laser wears the goggles that hang beside the door.\n\n\
         ## Keys\n\nThe key of the laboratory is lent by the workshop for one week.\n",
    ),
    (
        "law",
        "moot-court.md",
        "# Moot court\n\n## Teams\n\nA team for the moot court has four students and one coach.\n\n\
         ## Robes\n\nRobes are lent by the faculty's office, and washed by who wore them.\n",
    ),
    (
        "arts",
        "kiln.md",
        "# The kiln\n\n## Rota\n\nThe kiln is fired on Thursdays, and pots are brought until noon.\n\n\
         ## Glazes\n\nGlazes with lead are not allowed in the kiln.\n",
    ),
    (
        "music",
        "practice.md",
        "# Practice rooms\n\n## Booking\n\nA practice room is booked for two hours at the porter's desk.\n",
    ),
];

/// Four departments' sites below one folder, and the campus's file.
fn campus() -> TempDir {
    let all = folder(&[]);
    for (name, file, content) in SITES {
        let documents = folder(&[(file, content)]);
        built(documents.path(), &all.path().join(name));
    }
    let sites = SITES
        .map(|(name, _, _)| format!("[[sites]]\nname = \"{name}\"\naddress = \"../{name}\"\n"));
    let file = format!("most_asked = 2\n[site]\ntitle = \"University\"\n{}", sites.concat());
    fs::write(all.path().join("campus.toml"), file).unwrap();
    all
}

fn built(documents: &Path, site: &Path) {
    let arguments = ["build", text(documents), "-o", text(site), "--index-only", "--no-report"];
    campanile(&arguments).expect_code(0);
}

fn federate(all: &Path) -> Run {
    let (file, output) = (all.join("campus.toml"), all.join("campus"));
    campanile(&["federate", text(&file), "-o", text(&output), "--index-only"])
}

fn ask(all: &Path, question: &str) -> Value {
    campanile(&["ask", text(&all.join("campus")), question, "--json"]).expect_code(0).json()
}

/// The site of the first passage, and the names of all that were asked.
fn found(reply: &Value) -> (&str, Vec<&str>) {
    let asked = reply["asked"].as_array().unwrap().iter();
    let asked = asked.filter(|site| site["problem"].is_null());
    let asked = asked.map(|site| site["name"].as_str().unwrap()).collect();
    (reply["sources"][0]["site"]["name"].as_str().unwrap(), asked)
}

/// Why a site could not be asked.
fn problem<'a>(reply: &'a Value, name: &str) -> &'a str {
    let asked = reply["asked"].as_array().unwrap();
    let site = asked.iter().find(|site| site["name"] == name).expect("it was to be asked");
    site["problem"].as_str().unwrap_or_default()
}

#[test]
fn a_question_goes_to_the_sites_that_it_is_for() {
    let all = campus();
    federate(all.path()).expect_code(0);
    let campus = manifest(&all.path().join("campus"));
    assert_eq!(campus["counts"], json!({ "documents": 4, "chunks": 7 }));
    let cases = [
        ("How large is a moot court team?", "law", "four students"),
        ("On what day are pots fired?", "arts", "Thursdays"),
        ("What do I wear when I use a laser?", "physics", "goggles"),
        ("Where can I reserve a room to play the piano?", "music", "porter"),
    ];
    for (question, site, words) in cases {
        let reply = ask(all.path(), question);
        let (first, asked) = found(&reply);
        assert_eq!(first, site, "{question}");
        assert_eq!(asked.len(), 2, "{question}: {asked:?}");
        let answer = &reply["answer"];
        assert!(answer["text"].as_str().unwrap().contains(words), "{question}: {answer}");
        let source = answer["source"].as_u64().unwrap() as usize;
        let source = &reply["sources"][source - 1];
        assert_eq!(source["site"]["address"], format!("../{site}/"), "{question}");
        assert!(source["text"].as_str().unwrap().contains(words), "{question}");
    }

    // A department publishes anew, and nobody tells the campus.
    let more =
        format!("{}\n## Telescope\n\nThe telescope on the roof is shown at dusk.\n", SITES[0].2);
    let documents = folder(&[("laboratory.md", &more)]);
    built(documents.path(), &all.path().join("physics"));
    let reply = ask(all.path(), "When can I look through the laboratory's telescope?");
    assert_eq!(found(&reply).0, "physics");
    assert!(reply["sources"][0]["text"].as_str().unwrap().contains("dusk"), "{reply}");

    // One is gone since the campus was made: it is named, and others are asked in its place.
    fs::remove_dir_all(all.path().join("law")).unwrap();
    let reply = ask(all.path(), "How large is a moot court team?");
    assert!(problem(&reply, "law").contains("is not there"), "{reply}");
    assert_eq!(found(&reply).1.len(), 2);

    // One is of another version.
    let path = all.path().join("arts/campanile.json");
    let mut other = manifest(&all.path().join("arts"));
    other["format"] = json!(999);
    fs::write(&path, other.to_string()).unwrap();
    let reply = ask(all.path(), "On what day are pots fired?");
    assert!(problem(&reply, "arts").contains("999"), "{reply}");

    // A campus that is made anew leaves both out, and says so.
    federate(all.path()).expect_code(3).says(&["`../law/` is left out", "`../arts/` is left out"]);
    let file = text(&all.path().join("campus.toml")).to_owned();
    let output = text(&all.path().join("campus")).to_owned();
    campanile(&["federate", &file, "-o", &output, "--index-only", "--strict"])
        .expect_code(1)
        .says(&["2 sites", "--strict"]);
}

#[test]
fn a_sketch_that_lies_is_asked_in_vain() {
    let all = campus();
    // Music says that it is about what law is about, in a sketch that is whole.
    let entry = manifest(&all.path().join("law"))["sketch"].clone();
    let path = entry["path"].as_str().unwrap();
    fs::copy(all.path().join("law").join(path), all.path().join("music").join(path)).unwrap();
    let mut lying = manifest(&all.path().join("music"));
    lying["sketch"] = entry;
    fs::write(all.path().join("music/campanile.json"), lying.to_string()).unwrap();
    federate(all.path()).expect_code(0);
    let reply = ask(all.path(), "How large is a moot court team?");
    let (first, asked) = found(&reply);
    assert_eq!(first, "law");
    assert!(asked.contains(&"music"), "{asked:?}");

    // One whose sketch is damaged, or missing, is left out by name.
    let entry = manifest(&all.path().join("physics"))["sketch"].clone();
    fs::write(all.path().join("physics").join(entry["path"].as_str().unwrap()), b"CSK1").unwrap();
    let mut old = manifest(&all.path().join("arts"));
    old.as_object_mut().unwrap().remove("sketch");
    fs::write(all.path().join("arts/campanile.json"), old.to_string()).unwrap();
    federate(all.path()).expect_code(3).says(&[
        "`../physics/` is left out: its sketch cannot be read",
        "`../arts/` is left out: it was built by a version that made no sketches",
    ]);
}
