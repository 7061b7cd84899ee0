use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::object;
use crate::metadata::{
    Audience, Date, Fields, LevelPoints, Metadata, Organisation, Profile, Study, remarks, schema,
};

/// Any JSON, a few levels deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        any::<String>().prop_map(Value::from),
        likely_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Text that comes near what fields may say.
fn likely_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{3,5}([-/+–][0-9]{0,4})?",
        "(until |from )?[0-9]{4}-[0-9]{2}-[0-9]{2}([ T/–].{0,12})?",
        "[ *,ABC]{0,8}",
        Just("academic".to_owned()),
        Just("department".to_owned()),
    ]
}

fn field_name() -> impl Strategy<Value = String> {
    let names: Vec<String> = schema()["properties"]
        .as_object()
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default();
    prop_oneof![9 => prop::sample::select(names), 1 => any::<String>()]
}

fn any_fields() -> impl Strategy<Value = BTreeMap<String, Value>> {
    prop::collection::btree_map(field_name(), any_json(), 0..8)
}

/// A day in the years 2024 to 2026, so that they meet.
fn day() -> impl Strategy<Value = String> {
    (2024..2027, 1..13, 1..29).prop_map(|(year, month, day)| format!("{year}-{month:02}-{day:02}"))
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["A", "b", "Ç"]).prop_map(str::to_owned)
}

fn any_profile() -> impl Strategy<Value = Profile> {
    let told = || prop::option::of(name());
    let batch = prop::option::of((2019..2026).prop_map(|year: i32| year.to_string()));
    let courses = prop::collection::vec(name(), 0..3);
    (told(), told(), told(), batch, courses, prop::option::of(day())).prop_map(
        |(programme, department, faculty, batch, courses, date)| Profile {
            programme,
            department,
            faculty,
            batch,
            courses,
            date: date.and_then(|date| date.parse().ok()),
            ..Profile::default()
        },
    )
}

/// One restriction: a field and what it says.
fn restriction() -> impl Strategy<Value = (&'static str, Value)> {
    let names = || prop::collection::vec(name(), 1..3).prop_map(|names| json!(names));
    prop_oneof![
        names().prop_map(|names| ("programmes", names)),
        names().prop_map(|names| ("departments", names)),
        names().prop_map(|names| ("faculties", names)),
        names().prop_map(|names| ("courses", names)),
        (1..5).prop_map(|year| ("study_years", json!(year))),
        (2019..2024, 0..4)
            .prop_map(|(from, more)| ("batches", json!(format!("{from}-{}", from + more)))),
        day().prop_map(|day| ("valid_from", json!(day))),
        day().prop_map(|day| ("valid_until", json!(day))),
    ]
}

fn restrictions() -> impl Strategy<Value = BTreeMap<String, Value>> {
    let kind = prop::option::of(prop::sample::select(vec!["academic", "non-academic"]));
    (prop::collection::vec(restriction(), 0..6), kind).prop_map(|(stated, kind)| {
        let kind = kind.map(|kind| ("type".to_owned(), json!(kind)));
        stated.into_iter().map(|(field, value)| (field.to_owned(), value)).chain(kind).collect()
    })
}

proptest! {
    #[test]
    fn reading_never_panics_and_repeats_itself(fields in any_fields(), profile in any_profile()) {
        let (metadata, read) = Metadata::from_fields(&fields);
        prop_assert_eq!(&Fields::read(&fields), &read);
        for problem in &read.problems {
            prop_assert!(!problem.to_string().is_empty());
        }
        let today = Date::new(2026, 11, 20).ok_or_else(|| TestCaseError::fail("a day"))?;
        let _ = (metadata.describe(), metadata.applies_to(&profile));
        let _ = LevelPoints::default().of(metadata.effective_level(), metadata.date, Some(today));
        let _ = remarks(&metadata, &Organisation::default(), "courses/wen210.md", today);
        let bytes = postcard::to_stdvec(&metadata).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let stored = Metadata { study: Study::default(), ..metadata.clone() };
        prop_assert_eq!(postcard::from_bytes::<Metadata>(&bytes), Ok(stored));
        let audience = Audience::of(&metadata);
        prop_assert_eq!(audience.applies_to(&profile), metadata.applies_to(&profile));
        let bytes = postcard::to_stdvec(&audience).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(postcard::from_bytes::<Audience>(&bytes), Ok(audience.clone()));
        prop_assert!(audience.is_restricted() || audience.applies_to(&profile).applies());
    }

    #[test]
    fn what_is_for_everybody_applies_to_everybody(profile in any_profile()) {
        let open = object(json!({
            "programmes": "*", "departments": ["*"], "faculties": "all", "batches": "*",
            "courses": "*", "validity": "*",
        }));
        prop_assert!(Metadata::from_fields(&open).0.applies_to(&profile).applies());
        prop_assert!(Metadata::default().applies_to(&profile).applies());
    }

    #[test]
    fn a_restriction_more_never_matches_more(
        fields in restrictions(),
        (field, value) in restriction(),
        profile in any_profile(),
    ) {
        prop_assume!(!fields.contains_key(field));
        let before = Metadata::from_fields(&fields).0.applies_to(&profile).applies();
        let mut restricted = fields;
        restricted.insert(field.to_owned(), value);
        let after = Metadata::from_fields(&restricted).0.applies_to(&profile).applies();
        prop_assert!(before || !after, "{restricted:?}");
    }

    #[test]
    fn telling_less_never_excludes_more(fields in restrictions(), profile in any_profile()) {
        let metadata = Metadata::from_fields(&fields).0;
        // Course material is let in by a course alone, so what else was told does not count then.
        prop_assume!(!metadata.is_academic() || profile.courses.is_empty());
        let silent = Profile { department: None, batch: None, date: None, ..profile.clone() };
        let told = metadata.applies_to(&profile).applies();
        prop_assert!(!told || metadata.applies_to(&silent).applies());
    }
}
