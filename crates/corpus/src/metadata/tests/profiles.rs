use serde_json::{Value, json};

use super::object;
use crate::metadata::Profile;

#[test]
fn profiles_are_read_as_people_write_them() {
    let cases = [
        (
            json!({ "Program": " MSc  Hydroinformatics", "batch": 2024, "year-of-study": "2" }),
            "MSc Hydroinformatics, batch 2024, year 2",
        ),
        (
            json!({ "department": "Physics", "courses": "PH101, PH 102" }),
            "Physics, courses PH101, PH 102",
        ),
        (json!({ "enrolled": ["PH101"], "completed": ["PH100"] }), "courses PH101, PH100"),
        (json!({ "faculty": "Arts", "semester": 3, "batch": "" }), "faculty Arts, semester 3"),
        (json!({ "specialization": "Coasts", "date": "2026-11-20" }), "Coasts"),
        (json!({}), ""),
    ];
    for (written, words) in cases {
        let profile = Profile::read(&object(written.clone())).expect("a profile");
        assert_eq!(profile.describe(), words, "{written}");
        assert_eq!(profile.is_silent(), words.is_empty());
    }
}

#[test]
fn what_is_no_profile_is_named() {
    let cases: [(Value, &str); 5] = [
        (json!({ "departement": "Physics" }), "Did you mean \"department\"?"),
        (json!({ "year": "first" }), "`year` is \"first\", but it must be a number from 1 to 99"),
        (json!({ "batch": ["2024"] }), "it must be a word or a number"),
        (json!({ "courses": { "a": 1 } }), "it must be a course or a list"),
        (json!({ "date": "20.11.2026" }), "it must be a date"),
    ];
    for (written, message) in cases {
        let error = Profile::read(&object(written.clone())).expect_err("no profile").to_string();
        assert!(error.contains(message), "{written}: {error}");
    }
}
