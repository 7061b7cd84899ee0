#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_corpus::metadata::{Audience, Date, Metadata, Organisation};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{AudienceTable, ChunkId};
use crate::{DocumentId, DocumentsHead};

fn audience(fields: Value) -> Audience {
    Audience::of(&Metadata::from_fields(&serde_json::from_value(fields).unwrap()).0)
}

fn table(documents: &[(Value, Option<&str>)], further: &[(u32, Value)]) -> AudienceTable {
    let documents: Vec<(Audience, Option<Date>)> = documents
        .iter()
        .map(|(fields, date)| (audience(fields.clone()), date.map(|date| date.parse().unwrap())))
        .collect();
    let further = further.iter().map(|(chunk, fields)| (ChunkId(*chunk), audience(fields.clone())));
    AudienceTable::new(&documents, further.collect(), Organisation::default())
}

#[test]
fn each_audience_is_kept_once() {
    let physics = json!({ "department": "Physics", "study_years": "1-2" });
    let documents = [
        (physics.clone(), Some("2026-01-02")),
        (json!({}), None),
        (physics.clone(), Some("2025-01-02")),
        (json!({ "title": "Only a title" }), Some("2026-01-02")),
    ];
    let table = table(&documents, &[(5, json!({})), (2, physics.clone()), (5, json!({}))]);
    assert_eq!(table.audiences(), [audience(physics.clone()), audience(json!({}))]);
    assert_eq!(table.of_documents(), [0, 1, 0, 1]);
    assert_eq!(table.further(), [(ChunkId(2), 0), (ChunkId(5), 1)]);
    let dates: Vec<_> = (0..5).map(|number| table.date_of(DocumentId(number))).collect();
    let day = |text: &str| Some(text.parse().unwrap());
    assert_eq!(dates, [day("2026-01-02"), None, day("2025-01-02"), day("2026-01-02"), None]);

    // Years of study are not in the documents' records, but they are here.
    let bytes = table.encode().unwrap();
    let read = AudienceTable::decode(&bytes, 4, 6).unwrap();
    assert_eq!(read, table);
    assert_eq!(read.audience_of(DocumentId(2)), Some(&audience(physics)));
    assert_eq!(read.audience_of(DocumentId(4)), None);
}

#[test]
fn numbers_that_do_not_fit_are_named() {
    let table =
        table(&[(json!({}), None), (json!({ "faculty": "Arts" }), None)], &[(2, json!({}))]);
    let bytes = table.encode().unwrap();
    let cases = [
        ((3, 9), "expected audiences of 3 documents, found 2"),
        ((2, 2), "expected a chunk below 2, found 2"),
    ];
    for ((documents, chunks), message) in cases {
        assert_eq!(AudienceTable::decode(&bytes, documents, chunks).unwrap_err(), message);
    }
    let mut strayed = table;
    strayed.stored.of_documents[1] = 2;
    let error = AudienceTable::decode(&strayed.encode().unwrap(), 2, 3).unwrap_err();
    assert_eq!(error, "expected an audience below 2, found 2");
    strayed.stored.of_documents[1] = 1;
    strayed.stored.dates_of_documents[0] = 1;
    let error = AudienceTable::decode(&strayed.encode().unwrap(), 2, 3).unwrap_err();
    assert_eq!(error, "expected a date among 0, found 1");
}

#[test]
fn a_head_without_audiences_is_read_as_before() {
    let plain = DocumentsHead::encode(vec![1, 2], vec![2], Vec::new(), None).unwrap();
    assert_eq!(DocumentsHead::decode(&plain).unwrap().audiences(), None);
    let table = table(&[(json!({ "batch": 2024 }), None), (json!({}), None)], &[]);
    let told = DocumentsHead::encode(vec![1, 2], vec![2], Vec::new(), Some(&table)).unwrap();
    assert_eq!(told.get(..plain.len()).unwrap(), plain, "an older program reads the beginning");
    assert_eq!(DocumentsHead::decode(&told).unwrap().audiences(), Some(&table));
    for length in plain.len() + 1..told.len() {
        assert!(DocumentsHead::decode(told.get(..length).unwrap()).is_err(), "{length}");
    }
}

#[test]
fn a_form_offers_what_makes_a_difference() {
    let documents = [
        (json!({ "department": "Physics", "batches": "2021-2023" }), None),
        (json!({ "department": ["physics", "Arts"], "course": "PH 101" }), None),
        (
            json!({ "programmes": "MSc B, BSc A", "courses": "ph101", "batches": "E18, 2023+" }),
            None,
        ),
        (json!({ "valid_until": "2027-01-01", "semester_of_study": 2 }), None),
    ];
    let choices = table(&documents, &[]).choices();
    assert!(choices.any());
    assert_eq!(
        serde_json::to_value(&choices).unwrap(),
        json!({
            "programmes": ["BSc A", "MSc B"],
            "departments": ["Arts", "Physics"],
            "faculties": [],
            "specialisations": [],
            "batches": ["2021", "2023", "E18"],
            "courses": ["PH 101"],
            "years": false,
            "semesters": true,
            "validity": true,
        })
    );
    let open = [(json!({}), None), (json!({ "valid_until": "2027-01-01" }), None)];
    assert!(!table(&open, &[]).choices().any());
}

#[test]
fn a_table_says_something_only_where_documents_differ() {
    let telling = |documents: &[(Value, Option<&str>)]| table(documents, &[]).is_telling();
    assert!(!telling(&[]));
    assert!(!telling(&[(json!({}), None), (json!({ "title": "A" }), None)]));
    assert!(telling(&[(json!({}), Some("2026-01-01"))]));
    assert!(telling(&[(json!({ "batch": 2024 }), None)]));
    assert!(telling(&[(json!({}), None), (json!({ "level": "department" }), None)]));
}

proptest! {
    #[test]
    fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        if let Ok(table) = AudienceTable::decode(&bytes, 2, 3) {
            let _ = (table.choices(), table.audience_of(DocumentId(1)), table.date_of(DocumentId(0)));
        }
    }
}
