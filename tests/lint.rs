//! `campanile lint`: whom documents are for, where that stands, and what looks wrong.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::{campanile, folder, root, text};

const TODAY: &str = "2026-11-20";

const SETTINGS: &str = r#"
[[organisation.faculties]]
name = "Engineering"
departments = ["Computer Science", "Water Engineering"]

[metadata]
level = "university"

[[rules]]
match = "cs/"
department = "Computer Science"
level = "department"
"#;

const DOCUMENTS: [(&str, &str); 5] = [
    ("campanile.toml", SETTINGS),
    ("fees.md", "# Fees\n\nThe fee is due in March.\n"),
    (
        "cs/lab.md",
        "---\nbatches: 2021+\nvalid_until: 2027-03-31\n---\n# Lab\n\nIt opens at eight.\n",
    ),
    ("cs/old.md", "# Old rules\n\nNo longer in force.\n"),
    ("cs/old.md.toml", "valid_until = 2025-03-31\n"),
];

#[test]
fn each_document_is_explained_in_words() {
    let docs = folder(&DOCUMENTS);
    let run = campanile(&["lint", text(docs.path()), "--today", TODAY]).expect_code(0);
    assert_eq!(
        run.stdout,
        "cs/lab.md\n  \
           For students of Computer Science, batch 2021 and later; valid until 2027-03-31.\n  \
           From rule 1 (line 9, `cs/`): level department; departments Computer Science.\n  \
           From the department, by [organisation]: faculties Engineering.\n  \
           From the document itself: batches 2021 and later; valid_until 2027-03-31.\n\n\
         cs/old.md\n  \
           For students of Computer Science; valid until 2025-03-31.\n  \
           From rule 1 (line 9, `cs/`): level department; departments Computer Science.\n  \
           From the department, by [organisation]: faculties Engineering.\n  \
           From `cs/old.md.toml`: valid_until 2025-03-31.\n  \
           warning: it was valid until 2025-03-31: take it away, or let a newer document replace it\n\n\
         fees.md\n  \
           For everybody.\n  \
           From the settings' [metadata]: level university.\n\n\
         3 documents: 1 warning.\n"
    );
}

#[test]
fn a_profile_is_told_what_it_finds() {
    let docs = folder(&DOCUMENTS);
    let profile = "department=water engineering, batch=2023";
    let arguments = ["lint", text(docs.path()), "--today", TODAY, "--profile", profile];
    let run = campanile(&arguments).expect_code(0);
    for part in [
        "  This visitor does not find it (department: for Computer Science, and the profile says \
         Water Engineering).\n",
        "  This visitor finds it.\n",
        "This visitor finds 1 of 3.\n",
    ] {
        assert!(run.stdout.contains(part), "no {part:?} in:\n{}", run.stdout);
    }
    campanile(&["lint", text(docs.path()), "--profile", "shoe=44"])
        .expect_code(1)
        .says(&["shoe=44", "way out", "department"]);
}

#[test]
fn strict_fails_on_a_warning() {
    let docs = folder(&DOCUMENTS);
    campanile(&["lint", text(docs.path()), "--today", TODAY, "--strict"]).expect_code(1);
    campanile(&["lint", text(docs.path()), "--today", "2025-01-01", "--strict"]).expect_code(0);
}

#[test]
fn json_has_every_value_with_its_origin() {
    let docs = folder(&DOCUMENTS);
    let found = campanile(&["lint", text(docs.path()), "--today", TODAY, "--json"]).json();
    let lab = &found["report"]["documents"][0];
    assert_eq!(lab["path"], "cs/lab.md");
    assert_eq!(lab["values"][0]["field"], "level");
    assert_eq!(lab["values"][0]["origin"], "rule 1 (line 9, `cs/`)");
    assert_eq!(lab["metadata"]["validity"]["until"], "2027-03-31");
    assert_eq!(found["summary"], "3 documents: 1 warning.");
}

#[test]
fn what_a_build_would_warn_of_is_told() {
    let rule = "[[records]]\nmatch = \"*.csv\"\nid = \"code\"\ntitle = \"{code}\"\nfacts = { Room = \"room\" }\n";
    let docs = folder(&[
        ("campanile.toml", rule),
        ("fees.html", "<h1>Fees</h1><p>Due in March.</p><p hidden>Or never.</p>"),
        ("rooms.csv", "code,rom\nW1,5\nW2,6\n"),
        ("rooms.csv.toml", "department = \"Computer Science\"\n"),
        ("plan.psd", "x"),
    ]);
    let arguments = ["lint", text(docs.path()), "--today", TODAY];
    let run = campanile(&arguments).expect_code(0);
    for part in [
        "fees.html\n  For everybody.\n  warning: text that a reader of the page does not see",
        "rooms.csv#W1\n  For students of Computer Science.\n  From `rooms.csv.toml`: departments",
        "warning: `rooms.csv`: 2 of 2 records have no field `room`",
        "warning: passed over 1 file of the kind `.psd`",
        "departments Computer Science.\n  warning: `rooms.csv#W2` holds no text besides headings",
        "3 documents: 5 warnings.\n",
    ] {
        assert!(run.stdout.contains(part), "no {part:?} in:\n{}", run.stdout);
    }
    campanile(&[&arguments[..], &["--strict"]].concat()).expect_code(1);
}

#[test]
fn mistakes_are_named_with_a_way_out() {
    let docs = folder(&[
        ("campanile.toml", "[[rules]]\nmatch = \"a[\"\n"),
        ("fees.md", "# Fees\n\nThe fee is due in March.\n"),
    ]);
    campanile(&["lint", text(docs.path())])
        .expect_code(1)
        .says(&["rule 1 (line 1)", "a[", "metadata.md"]);
    campanile(&["lint", text(docs.path()), "--today", "tomorrow"])
        .expect_code(2)
        .says(&["tomorrow", "2026-03-31"]);
    campanile(&["lint", "/no/such/folder"]).expect_code(1).says(&["/no/such/folder", "way out"]);
}

#[test]
fn the_sample_campus_has_only_what_time_brings() {
    let campus = root().join("samples/campus");
    let run = campanile(&["lint", text(&campus), "--today", TODAY]).expect_code(0);
    assert!(run.stdout.ends_with("37 documents: 1 warning.\n"), "{}", run.stdout);
    assert!(run.stdout.contains("warning: it was valid until 2026-11-15"), "{}", run.stdout);
}
