//! Cases as data: which source says what, and which one holds.
#![expect(clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::Path;

use campanile_corpus::Document;
use campanile_corpus::metadata::Field;
use serde_json::{Value, json};

use super::lint::lint;
use super::resolve::parse;
use super::{Resolver, Sidecars};
use crate::config::Config;

const SETTINGS: &str = r#"
[[organisation.faculties]]
name = "Engineering and Environment"
aliases = ["FEE"]
departments = [
  { name = "Water Engineering", aliases = ["WEN"], programmes = ["BSc Water Engineering"] },
  "Civil Engineering",
]

[metadata]
level = "university"
date = 2020-01-01

[[rules]]
match = "water/"
department = "wen"
level = "department"

[[rules]]
match = "water/**/old-*.md"
valid_until = 2024-12-31

[[rules]]
match = "*.txt"
subtype = "notice"

[[rules]]
pattern = '^(?<course_code>[A-Z]{3}\d{3})_(?<date>\d{4}-\d{2}-\d{2})'
type = "academic"
"#;

fn object(value: Value) -> BTreeMap<String, Value> {
    serde_json::from_value(value).expect("a JSON object")
}

fn resolver(sidecars: &[(&str, Value)]) -> Resolver {
    let config: Config = toml::from_str(SETTINGS).expect("settings");
    let mut read = Sidecars::default();
    for (path, fields) in sidecars {
        read.add(path, object(fields.clone()));
    }
    Resolver::new(&config, read).expect("rules")
}

#[test]
fn the_nearer_source_holds() {
    let resolver = resolver(&[
        ("_metadata.toml", json!({ "subtype": "top", "batches": "2020+" })),
        ("water/_metadata.yaml", json!({ "subtype": "water", "level": "faculty" })),
        ("water/labs/_metadata.json", json!({ "subtype": "labs" })),
        ("water/labs/safety.md.toml", json!({ "subtype": "own", "batches": "*" })),
        ("water/labs/rooms.csv.toml", json!({ "subtype": "rooms" })),
    ]);
    // Document, its front matter, field, value, where that stands.
    let cases = [
        ("a.md", json!({}), Field::Level, "university", "the settings' [metadata]"),
        ("a.md", json!({}), Field::Date, "2020-01-01", "the settings' [metadata]"),
        ("a.md", json!({}), Field::Subtype, "\"top\"", "`_metadata.toml`"),
        ("a.md", json!({ "subtype": "mine" }), Field::Subtype, "\"mine\"", "the document itself"),
        ("a.md", json!({ "subtype": "" }), Field::Subtype, "\"top\"", "`_metadata.toml`"),
        (
            "a.md",
            json!({ "level": "wrong" }),
            Field::Level,
            "university",
            "the settings' [metadata]",
        ),
        ("water/b.md", json!({}), Field::Departments, "Water Engineering", "rule 1 (`water/`)"),
        (
            "water/b.md",
            json!({}),
            Field::Faculties,
            "Engineering and Environment",
            "the department, by [organisation]",
        ),
        ("water/b.md", json!({ "faculty": "*" }), Field::Faculties, "*", "the document itself"),
        ("water/b.md", json!({}), Field::Level, "faculty", "`water/_metadata.yaml`"),
        ("water/b.md", json!({}), Field::Subtype, "\"water\"", "`water/_metadata.yaml`"),
        ("water/labs/c.md", json!({}), Field::Subtype, "\"labs\"", "`water/labs/_metadata.json`"),
        ("water/labs/safety.md", json!({}), Field::Batches, "*", "`water/labs/safety.md.toml`"),
        (
            "water/x/OLD-rules.md",
            json!({ "validity": "from 2020-01-01" }),
            Field::ValidUntil,
            "2024-12-31",
            "rule 2 (`water/**/old-*.md`)",
        ),
        (
            "water/labs/rooms.csv#3",
            json!({}),
            Field::Subtype,
            "\"rooms\"",
            "`water/labs/rooms.csv.toml`",
        ),
        (
            "water/x/old-list.md#a#1",
            json!({}),
            Field::ValidUntil,
            "2024-12-31",
            "rule 2 (`water/**/old-*.md`)",
        ),
        (
            "x/WEN210_2026-01-05_exam.md",
            json!({}),
            Field::CourseCode,
            "WEN210",
            "rule 4 (`^(?<course_code>[A-Z]{3}\\d{3})_(?<date>\\d{4}-\\d{2}-\\d{2})`)",
        ),
        (
            "x/WEN210_2026-01-05_exam.md",
            json!({ "date": "2026-01-06" }),
            Field::Date,
            "2026-01-06",
            "the document itself",
        ),
    ];
    for (path, front_matter, field, value, origin) in cases {
        let resolved = resolver.resolve(path, &object(front_matter.clone()));
        let found = resolved
            .values
            .get(&field)
            .map(|(value, origin)| (value.to_string(), origin.to_string()));
        let expected = Some((value.to_owned(), origin.to_owned()));
        assert_eq!(found, expected, "{path}, {field}, {front_matter}");
    }
}

#[test]
fn resolving_repeats_itself_and_keeps_what_it_does_not_know() {
    let resolver = resolver(&[("_metadata.toml", json!({ "level": 7 }))]);
    let front_matter = object(json!({ "tags": ["a"], "date": "soon", "department": "Physics" }));
    let once = resolver.resolve("water/a.txt", &front_matter);
    let twice = resolver.resolve("water/a.txt", &front_matter);
    assert_eq!(once.metadata, twice.metadata);
    assert_eq!(once.values, twice.values);
    assert_eq!(once.unknown, object(json!({ "tags": ["a"] })));
    let problems: Vec<String> = once
        .problems
        .iter()
        .map(|located| format!("{}: {}", located.origin, located.problem.field))
        .collect();
    assert_eq!(problems, ["`_metadata.toml`: level", "the document itself: date"]);
}

#[test]
fn sidecars_are_toml_yaml_or_json() {
    let expected = object(json!({ "level": "faculty", "date": "2026-01-05", "batches": [2021] }));
    let cases = [
        ("a.md.toml", "level = \"faculty\"\ndate = 2026-01-05\nbatches = [2021]\n"),
        ("a.md.yaml", "level: faculty\ndate: 2026-01-05\nbatches: [2021]\n"),
        ("a.md.yml", "level: faculty\ndate: 2026-01-05\nbatches:\n- 2021\n"),
        ("a.md.json", r#"{"level": "faculty", "date": "2026-01-05", "batches": [2021]}"#),
    ];
    for (name, text) in cases {
        assert_eq!(parse(name, text).as_ref(), Ok(&expected), "{name}");
    }
    assert_eq!(parse("_metadata.yaml", "\n"), Ok(BTreeMap::new()));
    for (name, text) in [("a.md.toml", "level faculty"), ("a.md.json", "[1]"), ("a.md.yaml", "- a")]
    {
        assert!(parse(name, text).is_err(), "{name}");
    }
}

/// Lint of these documents (path and front matter): warnings of each, then the general ones.
fn warnings(
    resolver: &Resolver,
    documents: &[(&str, Value)],
) -> (BTreeMap<String, Vec<String>>, Vec<String>) {
    let documents: Vec<Document> = documents
        .iter()
        .map(|(path, fields)| Document {
            path: (*path).to_owned(),
            metadata: object(fields.clone()),
            ..Document::default()
        })
        .collect();
    let report = lint(&documents, resolver, None, "2026-11-20".parse().expect("a date"));
    let by_document = report.documents.into_iter().map(|it| (it.path, it.warnings)).collect();
    (by_document, report.warnings)
}

#[test]
fn what_only_all_documents_show_is_found() {
    let resolver =
        resolver(&[("gone.md.toml", json!({})), ("_metadata.toml", json!({ "departmnt": "WEN" }))]);
    let (documents, general) = warnings(
        &resolver,
        &[
            ("a.md", json!({ "replaces": "b.md" })),
            ("b.md", json!({ "supersedes": ["/a.md", "c.md"] })),
            ("s1.md", json!({ "series": "Fees", "version": 1 })),
            ("s2.md", json!({ "series": "fees", "version": "1" })),
            ("s3.md", json!({ "series": "Fees", "version": 2, "vaild_until": "2027-01-01" })),
        ],
    );
    let expected = [
        ("a.md", vec!["it and `b.md` say that they replace each other: keep one"]),
        (
            "b.md",
            vec![
                "it and `a.md` say that they replace each other: keep one",
                "it replaces `c.md`, which is not there: correct the path",
            ],
        ),
        (
            "s1.md",
            vec!["it and `s2.md` are the same version of one series: give one another `version`"],
        ),
        (
            "s2.md",
            vec!["it and `s1.md` are the same version of one series: give one another `version`"],
        ),
        ("s3.md", vec!["the field `vaild_until` is not known. Did you mean `valid_until`?"]),
    ];
    for (path, expected) in expected {
        assert_eq!(
            documents.get(path).map(Vec::as_slice),
            Some(expected.as_slice())
                .map(|it| { it.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>() })
                .as_deref(),
            "{path}"
        );
    }
    let expected = [
        "`gone.md.toml` speaks about a document that is not there: rename it, or take it away",
        "rule 1 (`water/`) matches no document: correct it, or take it away",
        "rule 2 (`water/**/old-*.md`) matches no document: correct it, or take it away",
        "rule 3 (`*.txt`) matches no document: correct it, or take it away",
    ];
    assert_eq!(
        general.get(..4).map(<[String]>::to_vec),
        Some(expected.map(str::to_owned).to_vec())
    );
    assert_eq!(
        general.last().map(String::as_str),
        Some("in `_metadata.toml`, the field `departmnt` is not known. Did you mean `department`?")
    );
}

#[test]
fn a_rule_that_cannot_be_used_is_named() {
    let cases = [
        ("[[rules]]\nlevel = \"faculty\"", "rule 1 has neither `match` nor `pattern`"),
        (
            "[[rules]]\nmatch = \"a/\"\n[[rules]]\nmatch = \"a[\"",
            "rule 2: `match = \"a[\"` is no glob",
        ),
        ("[[rules]]\npattern = '(a'", "rule 1: `pattern = '(a'` is no regular expression"),
        ("[[rules]]\npattern = '(\\w{100}){100}'", "rule 1: `pattern = "),
    ];
    for (settings, expected) in cases {
        let config: Config = toml::from_str(settings).expect(settings);
        let error = Resolver::new(&config, Sidecars::default()).expect_err(settings).to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn the_sample_campus_is_clean() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/campus");
    let config = crate::config::load(&docs, None).expect("settings");
    let resolver = Resolver::new(&config, Sidecars::default()).expect("rules");
    assert!(!resolver.organisation.faculties.is_empty(), "the sample names its faculties");
    let fields = object(json!({ "department": "Water Engineering", "level": "department" }));
    let resolved = resolver.resolve("department/a.md", &fields);
    assert!(resolved.metadata.faculties.lists("Engineering and Environment"));
}
