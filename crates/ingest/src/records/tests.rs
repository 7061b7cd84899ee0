#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;
use serde_json::{Value, json};

use super::RecordRule;
use super::template::Template;
use crate::json::Json;
use crate::{IngestOptions, Reading, read_bytes};

/// A pattern, a path, whether the pattern is about it.
const PATTERNS: &[(&str, &str, bool)] = &[
    ("*.csv", "a.csv", true),
    ("*.csv", "courses/a.csv", false),
    ("courses/*.json", "courses/2026.json", true),
    ("courses/*.json", "courses/old/2016.json", false),
    ("courses/**/*.json", "courses/2026.json", true),
    ("courses/**/*.json", "courses/old/2016.json", true),
    ("**/rooms.csv", "rooms.csv", true),
    ("courses/*.{csv,tsv}", "courses/a.tsv", true),
    ("courses/20[12]?.json", "courses/2016.json", true),
];

const RULE: &str = r#"
match = "courses/*.json"
rows = "/courses"
id = "course_id"
title = "{course_id}: {name}"
text = ["description", { field = "relationships.restrictions", label = "Restrictions" }]
facts = { "Credits" = "credits", "Prerequisites" = "relationships.prereqs", "General education" = "gen_ed" }
tables = { "Sections" = { rows = "sections", columns = { "Section" = "number", "Instructors" = "instructors", "Meetings" = "{meetings.days} {meetings.start}–{meetings.end}, {meetings.room}" } } }
link = "https://x.edu/{course_id}"
metadata = { type = "academic", course_code = "{course_id}", gen_ed = "{gen_ed}", level = 3 }
"#;

const COURSES: &str = r#"{"courses": [{
    "course_id": "AASP 100", "name": "Introduction", "credits": "3", "gen_ed": ["DSHS", "DVUP"],
    "description": "Aspects of history.\n\nAn interdisciplinary introduction.",
    "relationships": {"prereqs": null, "restrictions": "Must be a freshman."},
    "sections": [
        {"number": "0201", "instructors": ["Jason Nichols", "Ann Bell"], "meetings": [
            {"days": "TuTh", "start": "10:00am", "end": "12:15pm", "room": "TYD 1132"},
            {"days": "", "start": "", "end": "", "room": "ONLINE"}]},
        {"number": "0202", "instructors": [], "meetings": []}]
}, {
    "course_id": "AASP 100", "name": "", "credits": null, "gen_ed": [], "description": "",
    "relationships": {"prereqs": "AASP 99"}, "sections": []
}]}"#;

fn rule(source: &str) -> RecordRule {
    toml::from_str(source).unwrap()
}

fn reading(rule: RecordRule, path: &str, source: &str) -> Reading {
    let options = IngestOptions { records: vec![rule], ..IngestOptions::default() };
    read_bytes(path, source.as_bytes(), &options).unwrap()
}

fn refusal(rule: RecordRule, path: &str, source: &str) -> String {
    let options = IngestOptions { records: vec![rule], ..IngestOptions::default() };
    read_bytes(path, source.as_bytes(), &options).unwrap_err().to_string()
}

#[test]
fn each_record_becomes_a_document() {
    let reading = reading(rule(RULE), "courses/2026.json", COURSES);
    assert_eq!(reading.documents.len(), 2);
    let (first, second) = (&reading.documents[0], &reading.documents[1]);
    assert_eq!(first.path, "courses/2026.json#AASP-100");
    assert_eq!(first.title, "AASP 100: Introduction");
    assert_eq!(first.link.as_deref(), Some("https://x.edu/AASP%20100"));
    assert_eq!(
        first.text,
        "AASP 100: Introduction\n\nAspects of history.\n\nAn interdisciplinary introduction.\n\n\
         Restrictions: Must be a freshman.\n\nCredits: 3\nGeneral education: DSHS, DVUP\n\n\
         Sections\n\n\
         Section: 0201; Instructors: Jason Nichols, Ann Bell; Meetings: TuTh 10:00am–12:15pm, TYD 1132; ONLINE\n\
         Section: 0202"
    );
    assert_eq!(first.sections[1].path, ["AASP 100: Introduction", "Sections"]);
    assert_eq!(
        Value::Object(first.metadata.clone().into_iter().collect()),
        json!({"type": "academic", "course_code": "AASP 100", "gen_ed": ["DSHS", "DVUP"], "level": 3})
    );
    assert_eq!(
        (second.path.as_str(), second.title.as_str()),
        ("courses/2026.json#AASP-100-2", "AASP 100")
    );
    assert_eq!(second.text, "AASP 100\n\nPrerequisites: AASP 99");
    let messages: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("1 of 2 records have no field `relationships.restrictions`"));
    assert!(messages[1].contains("1 record repeats another's id, such as `AASP-100`"));
}

#[test]
fn rows_of_files_are_records_too() {
    let rule = || {
        rule(
            "match = \"**/*.*\"\nid = \"code\"\ntitle = \"{code} {metadata.name}\"\nfacts = { ECTS = \"ects\" }",
        )
    };
    let expected = [("b/a.csv#CS-1", "CS 1 Logic"), ("b/a.csv#CS-2", "CS 2 Algebra")];
    let csv = "code,metadata.name,ects\nCS 1,Logic,6\nCS 2,Algebra,9\n";
    let found = reading(rule(), "b/a.csv", csv);
    let names: Vec<_> =
        found.documents.iter().map(|d| (d.path.as_str(), d.title.as_str())).collect();
    assert_eq!(names, expected);
    assert_eq!(found.documents[1].text, "CS 2 Algebra\n\nECTS: 9");
    let lines = "{\"code\": \"CS 1\", \"metadata\": {\"name\": \"Logic\"}, \"ects\": 6}\nbroken\n";
    let found = reading(rule(), "b/a.jsonl", lines);
    assert_eq!(found.documents[0].title, "CS 1 Logic");
    assert!(found.findings[0].to_string().contains("line 2"), "{:?}", found.findings);
    let other = reading(super::RecordRule { files: "c/*".into(), ..rule() }, "b/a.csv", csv);
    assert_eq!(other.documents.len(), 1);
}

/// Cases: words of the rule, what is put for them, and what the message must hold.
const WRONG: &[(&str, &str, &str)] = &[
    (
        "{name}\"",
        "{nmae}\"",
        "names the field `nmae` in `title`, which none of the 2 records has: is `name` meant?",
    ),
    ("id = \"course_id\"", "id = \"id\"", "names the field `id` in `id`"),
    (
        "\"{course_id}: {name}\"",
        "\"{course_id\"",
        "a `title` that is no template (a `{` without its `}`)",
    ),
    ("/{course_id}\"", "/{}\"", "a `link` that is no template (braces without a field in them)"),
    ("\"/courses\"", "\"/course\"", "asks for `course`, where there are only `courses`"),
    ("\"/courses\"", "\"/courses/7\"", "asks for `7` of a list of 2"),
    ("\"/courses\"", "\"/courses/0/name\"", "leads to a single value"),
];

#[test]
fn a_rule_that_does_not_fit_says_where() {
    for (from, to, expected) in WRONG {
        assert!(RULE.contains(from), "{from}");
        let message = refusal(rule(&RULE.replacen(from, to, 1)), "courses/2026.json", COURSES);
        assert!(
            message.starts_with("`courses/2026.json`: the rule for records `courses/*.json`"),
            "{message}"
        );
        assert!(message.contains(expected), "{message}");
    }
    let message = refusal(rule("match = \"*.md\"\ntitle = \"{a}\""), "a.md", "# A");
    assert!(
        message.contains("only spreadsheets, CSV, TSV, JSON and JSON lines hold records"),
        "{message}"
    );
    let pattern = rule("match = \"a[\"\ntitle = \"x\"").check().unwrap_err();
    assert!(pattern.to_string().contains("a `match` that is no pattern"), "{pattern}");
    for (files, path, expected) in PATTERNS {
        let found = rule(&format!("match = \"{files}\"\ntitle = \"x\"")).matcher().unwrap();
        assert_eq!(found.is_match(path), *expected, "{files} on {path}");
    }
    let sound = rule(RULE);
    assert!(sound.check().is_ok());
    // A rule travels to the process that reads the file.
    let sent = serde_json::to_vec(&sound).unwrap();
    assert_eq!(serde_json::from_slice::<RecordRule>(&sent).unwrap(), sound);
    assert!(toml::from_str::<RecordRule>("match = \"a\"\ntitle = \"x\"\ntitel = \"y\"").is_err());
}

#[test]
fn a_field_that_no_record_has_is_reported_with_the_nearest() {
    let reading =
        reading(rule(&RULE.replace("\"credits\"", "\"credit\"")), "courses/2026.json", COURSES);
    let messages: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    let message = messages.iter().find(|message| message.contains("`credit`")).unwrap();
    assert!(message.contains("2 of 2 records have no field `credit`"), "{message}");
    assert!(message.ends_with("Is `credits` meant?"), "{message}");
}

#[test]
fn templates_leave_out_what_is_empty() {
    let record = Json::parse(
        r#"{"a": "A", "b": "", "c": "C", "list": [{"x": 1, "y": 2}, {"x": "", "y": 3}], "n": null}"#,
    )
    .unwrap();
    let cases = [
        ("{a}: {c}", "A: C"),
        ("{a}: {b}", "A"),
        ("{b}: {c}", "C"),
        ("{a} {b}–{c}", "A–C"),
        ("Course {a}", "Course A"),
        ("Course {b}", ""),
        ("{a} ({c})", "A (C)"),
        ("{a} ({b})", "A"),
        ("{{{a}}}", "{A}"),
        ("{list.x}/{list.y}", "1/2; 3"),
        ("{list.y}", "2, 3"),
        ("{a} {list.y}", "A 2; A 3"),
        ("plain", "plain"),
        ("{n}", ""),
    ];
    for (template, expected) in cases {
        assert_eq!(Template::parse(template).unwrap().render(&record), expected, "{template}");
    }
}

proptest! {
    #[test]
    fn every_text_that_is_mapped_is_kept(
        texts in prop::collection::vec("[a-zé][a-zé ]{0,10}[a-zé]", 4),
        names in prop::collection::vec("[a-z]{1,6}", 1..4),
    ) {
        let record = json!({
            "title": texts[0], "body": texts[1], "fact": {"deep": [texts[2]]}, "rows": [{"cell": texts[3]}],
            "more": names,
        });
        let rule = rule(
            "match = \"*\"\ntitle = \"{title}\"\ntext = [\"body\"]\n\
             facts = { Fact = \"fact.deep\", More = \"more\" }\n\
             tables = { Rows = { rows = \"rows\", columns = { Cell = \"cell\" } } }",
        );
        let found = reading(rule, "a.json", &json!([record]).to_string());
        let text = &found.documents[0].text;
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in texts.iter().map(|text| plain(text)).chain(names) {
            prop_assert!(plain(text).contains(&part), "{part:?} in {text:?}");
        }
    }

    #[test]
    fn any_template_is_read_or_refused(template in "[a-z{}. ]{0,20}", value in "[a-z]{0,4}") {
        let record = Json::Object(vec![("a".to_owned(), Json::Text(value))]);
        if let Ok(template) = Template::parse(&template) {
            template.render(&record);
        }
    }
}
