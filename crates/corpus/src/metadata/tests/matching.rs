use serde_json::{Value, json};

use super::metadata;
use crate::metadata::{Date, LevelPoints, Profile};

fn profile(value: Value) -> Profile {
    serde_json::from_value(value).expect("a profile")
}

#[test]
fn documents_match_by_inclusion() {
    // Document, profile, the reasons against it.
    let cases: [(Value, Value, &[&str]); 27] = [
        (json!({}), json!({ "department": "Physics", "date": "2026-11-20" }), &[]),
        (json!({ "department": "*" }), json!({ "department": "Physics" }), &[]),
        (json!({ "department": "physics" }), json!({ "department": " PHYSICS" }), &[]),
        (json!({ "department": "École" }), json!({ "department": "ecole" }), &[]),
        (json!({ "department": "Physics" }), json!({}), &[]),
        (json!({ "department": "Physics" }), json!({ "department": "" }), &[]),
        (
            json!({ "department": "Physics" }),
            json!({ "department": "Law" }),
            &["department: for Physics, and the profile says Law"],
        ),
        (
            json!({ "faculty": ["A", "B"], "programmes": "BSc A" }),
            json!({ "faculty": "C", "programme": "BSc B" }),
            &[
                "degree programme: for BSc A, and the profile says BSc B",
                "faculty: for A or B, and the profile says C",
            ],
        ),
        (json!({ "batches": "2019-2022, 2024+" }), json!({ "batch": "2025" }), &[]),
        (
            json!({ "batches": "2019-2022, 2024+" }),
            json!({ "batch": "2023" }),
            &["batch: for 2019 to 2022 or 2024 and later, and the profile says 2023"],
        ),
        (json!({ "valid_until": "2026-11-20" }), json!({ "date": "2026-11-20" }), &[]),
        (json!({ "valid_from": "2026-11-20" }), json!({ "date": "2026-11-20" }), &[]),
        (
            json!({ "valid_until": "2026-11-19" }),
            json!({ "date": "2026-11-20" }),
            &["validity: valid until 2026-11-19, and the day asked for is 2026-11-20"],
        ),
        (json!({ "valid_until": "2020-01-01" }), json!({}), &[]),
        (json!({ "course": "CS 101" }), json!({ "courses": ["MA200", "cs-101"] }), &[]),
        (
            json!({ "course": "CS 101" }),
            json!({ "courses": ["CS 102", "MA200"] }),
            &["course: for CS 101, and the profile says CS 102, MA200"],
        ),
        // Course material goes by the course alone, where courses are told.
        (
            json!({ "course": "CS 101", "department": "CS" }),
            json!({ "courses": ["CS 101"], "department": "Physics" }),
            &[],
        ),
        (
            json!({ "course": "CS 101", "department": "CS" }),
            json!({ "department": "Physics" }),
            &["department: for CS, and the profile says Physics"],
        ),
        (
            json!({ "type": "academic" }),
            json!({ "courses": ["CS 101"], "department": "Physics" }),
            &[],
        ),
        (
            json!({ "courses": "CS 101" }),
            json!({ "courses": ["CS 102"] }),
            &["course: for CS 101, and the profile says CS 102"],
        ),
        (json!({ "course": ["CS 101", "CS 102"] }), json!({ "courses": ["CS 102"] }), &[]),
        // Courses that were completed count as well.
        (json!({ "course": "CS 101" }), json!({ "completed": ["CS101"] }), &[]),
        (json!({ "study_years": "2-3" }), json!({ "year": 3 }), &[]),
        (json!({ "study_years": "2-3" }), json!({}), &[]),
        (
            json!({ "year_of_study": [1, 2] }),
            json!({ "year": 3 }),
            &["year of study: for 1 or 2, and the profile says 3"],
        ),
        (
            json!({ "semester-of-study": "5+" }),
            json!({ "semester": 4 }),
            &["semester of study: for 5 and later, and the profile says 4"],
        ),
        (
            json!({ "specialisation": "Hydrology" }),
            json!({ "specialisation": "Coasts" }),
            &["specialisation: for Hydrology, and the profile says Coasts"],
        ),
    ];
    for (document, student, against) in cases {
        let found = metadata(document.clone()).applies_to(&profile(student.clone()));
        let reasons: Vec<String> = found.exclusions().map(ToString::to_string).collect();
        assert_eq!(reasons, against, "{document} for {student}");
        assert_eq!(found.applies(), against.is_empty());
    }
}

#[test]
fn every_rule_gives_its_reason() {
    let document = json!({ "department": "Physics", "batch": 2024, "valid_from": "2026-09-01" });
    let student = profile(json!({ "department": "Physics", "date": "2026-11-20" }));
    let reasons: Vec<String> =
        metadata(document).applies_to(&student).reasons.iter().map(ToString::to_string).collect();
    assert_eq!(
        reasons,
        [
            "course: not restricted",
            "degree programme: not restricted",
            "department: Physics is included",
            "faculty: not restricted",
            "batch: the profile does not say",
            "specialisation: not restricted",
            "year of study: not restricted",
            "semester of study: not restricted",
            "validity: holds on 2026-11-20",
        ]
    );
}

#[test]
fn the_nearer_rule_comes_first() {
    let today: Date = "2026-11-20".parse().expect("a date");
    let cases = [
        (json!({ "level": "department" }), 100.0),
        (json!({ "level": "faculty" }), 50.0),
        (json!({ "level": "university" }), 20.0),
        (json!({ "level": "university", "date": "2026-11-20" }), 35.0),
        // Without a level, the smallest named unit speaks.
        (json!({ "department": "CS" }), 100.0),
        (json!({ "faculty": "Arts" }), 50.0),
        (json!({}), 20.0),
        (json!({ "course": "CS 101", "level": "department" }), 100.0),
    ];
    for (document, points) in cases {
        let metadata = metadata(document.clone());
        let worth = LevelPoints::default();
        let worth = worth.of(metadata.effective_level(), metadata.date, Some(today));
        assert_eq!(worth, points, "{document}");
    }
}
