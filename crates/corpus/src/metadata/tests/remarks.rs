use serde_json::{Value, json};

use super::metadata;
use super::organisation::larkmere;
use crate::metadata::{Date, Organisation, remarks};

fn said(document: &Value, organisation: &Organisation, path: &str) -> Vec<String> {
    let today: Date = "2026-11-20".parse().expect("a date");
    let found = remarks(&metadata(document.clone()), organisation, path, today);
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn contradictions_are_found() {
    // Document, how the remark begins; none where nothing is wrong.
    let cases: [(Value, Option<&str>); 24] = [
        (json!({}), None),
        (json!({ "level": "department", "department": "WEN" }), None),
        (json!({ "level": "department" }), Some("the level is department, but no department")),
        (
            json!({ "level": "department", "department": "*" }),
            Some("the level is department, but no department"),
        ),
        (json!({ "level": "faculty" }), Some("the level is faculty, but no faculty")),
        (json!({ "level": "faculty", "faculty": "Law" }), None),
        (json!({ "level": "university", "faculty": "*" }), None),
        (
            json!({ "level": "university", "department": "WEN" }),
            Some("the level is university, but the document is only for the department WEN"),
        ),
        (
            json!({ "level": "university", "faculty": "Law" }),
            Some("the level is university, but the document is only for the faculty Law"),
        ),
        (json!({ "level": "university", "batches": "2021" }), None),
        (json!({ "department": "WEN", "faculty": "fee" }), None),
        (
            json!({ "department": "WEN", "faculty": "Law" }),
            Some("the department WEN belongs to the faculty Engineering and Environment"),
        ),
        (
            json!({ "programmes": "BWE", "faculty": "Law" }),
            Some("the degree programme BWE belongs to the faculty Engineering and Environment"),
        ),
        (
            json!({ "department": "Water Enginering" }),
            Some(
                "the department \"Water Enginering\" is not in the settings (`[organisation]`). \
                 Did you mean \"Water Engineering\"?",
            ),
        ),
        (
            json!({ "faculty": "Astrology" }),
            Some(
                "the faculty \"Astrology\" is not in the settings (`[organisation]`): add it there",
            ),
        ),
        (
            json!({ "valid_from": "2026-12-01", "valid_until": "2026-11-01" }),
            Some("it is valid from 2026-12-01 but only until 2026-11-01"),
        ),
        (json!({ "validity": "2026-11-20/2026-11-20" }), None),
        (json!({ "valid_until": "2026-11-19" }), Some("it was valid until 2026-11-19")),
        (json!({ "valid_from": "2026-11-21" }), Some("it is valid only from 2026-11-21")),
        (json!({ "type": "academic" }), Some("the type is academic, but no course is named")),
        (json!({ "course": "WEN210" }), None),
        (json!({ "course": "wen 210" }), None),
        (json!({ "course": ["HYI510", "WEN 210"] }), None),
        (
            json!({ "course": "HYI510" }),
            Some("the file's name says wen210, but `course_code` says HYI510"),
        ),
    ];
    for (document, expected) in cases {
        let found = said(&document, &larkmere(), "courses/wen210-open-channel.md");
        assert_eq!(found.len(), usize::from(expected.is_some()), "{document}: {found:?}");
        if let Some(expected) = expected {
            assert!(found[0].starts_with(expected), "{document}: {found:?}");
        }
    }
}

#[test]
fn without_an_organisation_every_name_is_known() {
    let document = json!({ "department": "Astrology", "faculty": "Divination" });
    assert_eq!(said(&document, &Organisation::default(), "a.md"), Vec::<String>::new());
}

#[test]
fn a_code_in_a_files_name_is_one_built_like_the_courses() {
    // File, course, whether the name says another course.
    let cases = [
        ("wen-210.md", "WEN210", false),
        ("wen-220.md", "WEN210", true),
        ("exam-2024.pdf", "WEN210", false),
        ("CS101_CS102.md", "CS102", false),
        ("cs0101.md", "CS101", false),
        ("notes.md", "CS101", false),
        ("210.md", "220", false),
    ];
    for (path, course, is_other) in cases {
        let found = said(&json!({ "course": course }), &Organisation::default(), path);
        assert_eq!(!found.is_empty(), is_other, "{path}, {course}: {found:?}");
    }
}
