use serde_json::{Value, json};

use super::{metadata, object, read};
use crate::metadata::field::ENTRIES;
use crate::metadata::{DocumentKind, Field, HierarchyLevel, Metadata, Names};

#[test]
fn fields_are_known_by_many_names() {
    let cases = [
        ("faculty", Some(Field::Faculties)),
        ("Faculties", Some(Field::Faculties)),
        ("faculties-affecting", Some(Field::Faculties)),
        ("departments_affecting", Some(Field::Departments)),
        ("degree_programs", Some(Field::Programmes)),
        ("Degree Programmes", Some(Field::Programmes)),
        ("programs", Some(Field::Programmes)),
        ("batches_affecting", Some(Field::Batches)),
        ("validFrom", Some(Field::ValidFrom)),
        ("VALID-UNTIL", Some(Field::ValidUntil)),
        ("hierarchy_level", Some(Field::Level)),
        ("type", Some(Field::Kind)),
        ("course", Some(Field::CourseCode)),
        ("courses", Some(Field::Courses)),
        ("upload_date", Some(Field::Date)),
        ("supersedes", Some(Field::Replaces)),
        ("tags", None),
        ("", None),
    ];
    for (name, expected) in cases {
        assert_eq!(Field::of(name), expected, "{name:?}");
    }
}

#[test]
fn a_misspelt_field_is_told_from_a_foreign_one() {
    let cases = [
        ("departmnt", Some("department")),
        ("vaild_until", Some("valid_until")),
        ("facultys", Some("faculty")),
        ("department", None),
        ("description", None),
        ("author", None),
        ("data", None),
        ("tags", None),
    ];
    for (name, expected) in cases {
        assert_eq!(Field::nearest(name), expected, "{name:?}");
    }
}

#[test]
fn lists_are_names_lines_or_lists() {
    let cases: [(Value, &[&str]); 9] = [
        (json!("Physics"), &["Physics"]),
        (json!(" Physics ,  Applied   Chemistry,"), &["Physics", "Applied Chemistry"]),
        (json!(["Arts, Design and Media", "Physics"]), &["Arts, Design and Media", "Physics"]),
        (json!(["Physics", "PHYSICS"]), &["Physics"]),
        (json!(101), &["101"]),
        (json!("*"), &[]),
        (json!(["Physics", "*"]), &[]),
        (json!("all"), &[]),
        (json!(null), &[]),
    ];
    for (value, expected) in cases {
        let metadata = metadata(json!({ "department": value }));
        assert_eq!(metadata.departments, Names::new(expected), "{value}");
    }
}

#[test]
fn a_star_is_stated_and_nothing_is_not() {
    for (value, is_stated) in [
        (json!("*"), true),
        (json!(["*"]), true),
        (json!(null), false),
        (json!(""), false),
        (json!([]), false),
        (json!(["", " "]), false),
    ] {
        let fields = read(json!({ "department": value, "batches": value }));
        assert_eq!(fields.values.len(), if is_stated { 2 } else { 0 }, "{value}");
        assert_eq!(fields.problems, [], "{value}");
    }
}

#[test]
fn wrong_values_are_named_with_a_way_out() {
    let cases = [
        (
            json!({ "level": "departement" }),
            "`level` is \"departement\", but it must be \"department\", \"faculty\" or \
             \"university\". Did you mean \"department\"?",
        ),
        (
            json!({ "type": "post" }),
            "`type` is \"post\", but it must be \"academic\" or \"non-academic\"",
        ),
        (
            json!({ "type": "acadmic" }),
            "`type` is \"acadmic\", but it must be \"academic\" or \"non-academic\". Did you mean \
             \"academic\"?",
        ),
        (
            json!({ "Valid-Until": "31.03.2026" }),
            "`Valid-Until` is \"31.03.2026\", but it must be a date, as in 2026-03-31",
        ),
        (
            json!({ "department": { "name": "Physics" } }),
            "`department` is {\"name\":\"Physics\"}, but it must be a name or a list of names",
        ),
        (
            json!({ "batches": [2021, "22"] }),
            "`batches` is \"22\", but a batch is a year (2021), a run of years (\"2019-2022\", \
             \"2023+\", \"until 2020\") or a name",
        ),
        (
            json!({ "faculty": "Law", "faculties": "Arts" }),
            "`faculty` is \"Law\", but `faculties` says the same with another value: keep one",
        ),
    ];
    for (value, expected) in cases {
        let problems = read(value.clone()).problems;
        assert_eq!(problems.len(), 1, "{value}");
        assert_eq!(problems[0].to_string(), expected, "{value}");
    }
}

#[test]
fn two_names_of_a_field_may_say_the_same() {
    let fields = read(json!({ "faculty": "Law", "faculties": ["Law"] }));
    assert_eq!((fields.problems.len(), fields.values.len()), (0, 1));
    let fields = read(json!({
        "validity": "2024-10-01/2025-03-31",
        "valid_until": "2025-03-31",
    }));
    assert_eq!((fields.problems.len(), fields.values.len()), (0, 2));
}

#[test]
fn unknown_fields_are_handed_back() {
    let fields = read(json!({ "tags": ["a"], "Author": "B", "department": "C" }));
    assert_eq!(fields.unknown, object(json!({ "tags": ["a"], "Author": "B" })));
}

#[test]
fn the_kind_follows_from_the_course_where_it_is_not_stated() {
    let academic = |code: &str| DocumentKind::Academic { course_code: Some(code.to_owned()) };
    // Fields, kind, further courses.
    let cases: [(Value, DocumentKind, &[&str]); 6] = [
        (json!({}), DocumentKind::NonAcademic, &[]),
        (json!({ "course": "CS 101" }), academic("CS 101"), &[]),
        (json!({ "course": ["CS 101", "CS 102"] }), academic("CS 101"), &["CS 102"]),
        (json!({ "courses": "CS 101" }), DocumentKind::NonAcademic, &["CS 101"]),
        (
            json!({ "type": "Non_Academic", "course_code": "CS 101" }),
            DocumentKind::NonAcademic,
            &["CS 101"],
        ),
        (json!({ "type": "academic" }), DocumentKind::Academic { course_code: None }, &[]),
    ];
    for (value, kind, courses) in cases {
        let metadata = metadata(value.clone());
        assert_eq!(metadata.kind, kind, "{value}");
        assert_eq!(metadata.courses, Names::new(courses), "{value}");
    }
}

/// A course page of the sample campus.
fn course_page() -> Metadata {
    metadata(json!({
        "title": "WEN210 Open-Channel Hydraulics",
        "link": "https://www.example.edu/water/courses/wen210",
        "level": "department",
        "type": "academic",
        "course_code": "WEN210",
        "faculty": "Engineering and Environment",
        "department": "Water Engineering",
        "programmes": ["BSc Water Engineering"],
        "batches": ["*"],
        "date": "2026-08-17",
        "valid_from": "2026-09-01",
        "valid_until": "2027-08-31",
        "replaces": "courses/wen209.md",
        "version": 2,
        "language": "en",
    }))
}

#[test]
fn a_whole_page_is_read_and_described() {
    let page = course_page();
    assert_eq!(page.level, Some(HierarchyLevel::Department));
    assert_eq!(page.replaces, ["courses/wen209.md"]);
    assert_eq!(page.version.as_deref(), Some("2"));
    assert_eq!(
        page.describe(),
        "students who take or have taken WEN210; where a student tells no courses, students of BSc \
         Water Engineering in the department Water Engineering; valid from 2026-09-01 until \
         2027-08-31"
    );
}

#[test]
fn what_is_stored_is_read_again() {
    for stored in [course_page(), Metadata::default()] {
        let bytes = postcard::to_stdvec(&stored).expect("postcard");
        assert_eq!(postcard::from_bytes::<Metadata>(&bytes), Ok(stored.clone()));
        let json = serde_json::to_string(&stored).expect("JSON");
        assert_eq!(serde_json::from_str::<Metadata>(&json).expect("JSON"), stored);
    }
    // A day that does not exist is not let in by the back door.
    assert!(serde_json::from_str::<crate::metadata::Date>("\"2026-02-30\"").is_err());
}

#[test]
fn audiences_are_told_in_words() {
    let cases = [
        (json!({}), "everybody"),
        (
            json!({ "department": "Computer Science", "batch": "2021+",
                    "valid_until": "2026-03-31" }),
            "students of Computer Science, batch 2021 and later; valid until 2026-03-31",
        ),
        (json!({ "faculty": "Law" }), "students of the faculty Law"),
        (json!({ "batches": [2023, 2024, 2025] }), "students of batches 2023, 2024 or 2025"),
        (json!({ "batches": "2019-2022" }), "students of batches 2019 to 2022"),
        (
            json!({ "programmes": ["BSc A", "MSc B"], "faculty": "Law", "batch": 2024 }),
            "students of BSc A or MSc B in the faculty Law, batch 2024",
        ),
        (json!({ "courses": "CS1, CS2" }), "students who take or have taken CS1 or CS2"),
        (
            json!({ "courses": "CS1", "department": "CS" }),
            "students of CS who take or have taken CS1",
        ),
        (json!({ "course": "CS1" }), "students who take or have taken CS1"),
        (json!({ "type": "academic", "department": "CS" }), "students of CS"),
    ];
    for (value, expected) in cases {
        assert_eq!(metadata(value.clone()).describe(), expected, "{value}");
    }
}

#[test]
fn the_table_of_fields_has_their_order() {
    for (place, entry) in ENTRIES.iter().enumerate() {
        assert_eq!(entry.field as usize, place, "{:?}", entry.field);
        assert_eq!(Field::of(entry.field.name()), Some(entry.field));
    }
}
