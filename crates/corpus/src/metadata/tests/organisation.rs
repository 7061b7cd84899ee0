use serde_json::json;

use super::{metadata, read};
use crate::metadata::{Department, Faculty, Names, Organisation, Profile, Programme, Unit};

fn programme(name: &str, alias: &str) -> Programme {
    Programme { name: name.into(), aliases: vec![alias.into()] }
}

/// Two faculties, three departments, and a programme that belongs to none.
pub(super) fn larkmere() -> Organisation {
    let department = |name: &str, alias: &str, programmes| Department {
        name: name.into(),
        aliases: vec![alias.into()],
        programmes,
    };
    Organisation {
        faculties: vec![
            Faculty {
                name: "Engineering and Environment".into(),
                aliases: vec!["FEE".into()],
                departments: vec![
                    department(
                        "Water Engineering",
                        "WEN",
                        vec![
                            programme("BSc Water Engineering", "BWE"),
                            programme("MSc Hydroinformatics", "HYI"),
                        ],
                    ),
                    department("Civil Engineering", "CIV", vec![]),
                ],
                programmes: vec![programme("BEng General Engineering", "BGE")],
            },
            Faculty {
                name: "Law".into(),
                departments: vec![department("Public Law", "PL", vec![])],
                ..Faculty::default()
            },
        ],
        departments: vec![],
        programmes: vec![programme("Studium Generale", "SG")],
    }
}

#[test]
fn parts_are_known_by_name_and_alias() {
    let university = larkmere();
    let cases = [
        (Unit::Faculty, "fee", Some("Engineering and Environment"), None),
        (Unit::Department, "water  engineering", Some("Water Engineering"), None),
        (Unit::Programme, "hyi", Some("MSc Hydroinformatics"), None),
        (Unit::Department, "Watr Enginering", None, Some("Water Engineering")),
        (Unit::Faculty, "Engineering & Environment", None, Some("Engineering and Environment")),
        (Unit::Faculty, "Water Engineering", None, None),
        (Unit::Department, "Astrology", None, None),
    ];
    for (unit, name, proper, nearest) in cases {
        assert_eq!(university.proper(unit, name), proper, "{name}");
        if proper.is_none() {
            assert_eq!(university.nearest(unit, name), nearest, "{name}");
        }
    }
}

#[test]
fn a_profile_is_completed_from_what_was_told() {
    let told = |programme: Option<&str>, department: Option<&str>, faculty: Option<&str>| Profile {
        programme: programme.map(str::to_owned),
        department: department.map(str::to_owned),
        faculty: faculty.map(str::to_owned),
        ..Profile::default()
    };
    let engineering = Some("Engineering and Environment");
    let cases = [
        (told(None, Some("wen"), None), told(None, Some("Water Engineering"), engineering)),
        (
            told(Some("BWE"), None, None),
            told(Some("BSc Water Engineering"), Some("Water Engineering"), engineering),
        ),
        (told(Some("bge"), None, None), told(Some("BEng General Engineering"), None, engineering)),
        // What is told is not corrected, and what is not known is kept.
        (told(None, Some("Public Law"), Some("fee")), told(None, Some("Public Law"), engineering)),
        (
            told(Some("sg"), Some("Astrology"), None),
            told(Some("Studium Generale"), Some("Astrology"), None),
        ),
        (told(Some(" "), None, None), told(None, None, None)),
    ];
    for (profile, expected) in cases {
        assert_eq!(larkmere().complete(&profile), expected, "{profile:?}");
        assert_eq!(
            Organisation::default().complete(&profile).department.as_deref().map(str::trim),
            profile.department.as_deref().map(str::trim)
        );
    }
}

#[test]
fn departments_imply_their_faculties() {
    let cases: [(&[&str], &[&str]); 4] = [
        (&["Water Engineering", "CIV"], &["Engineering and Environment"]),
        (&["WEN", "Public Law"], &["Engineering and Environment", "Law"]),
        // One that is not known could lie anywhere.
        (&["WEN", "Astrology"], &[]),
        (&[], &[]),
    ];
    for (departments, faculties) in cases {
        assert_eq!(larkmere().faculties_of(&Names::new(departments)), Names::new(faculties));
    }
}

#[test]
fn aliases_give_way_to_proper_names() {
    let mut values = read(json!({ "faculty": "fee", "department": ["WEN", "Astrology"],
                                  "programmes": "*", "title": "FEE" }))
    .values;
    larkmere().name_properly(&mut values);
    let found = crate::metadata::Metadata::from_values(&values);
    assert_eq!(
        found,
        metadata(json!({
            "faculty": "Engineering and Environment",
            "department": ["Water Engineering", "Astrology"],
            "title": "FEE",
        }))
    );
}
