use proptest::prelude::*;
use serde_json::json;

use super::marks::marked;
use super::*;

fn document(path: &str, title: &str) -> Document {
    Document { path: path.to_owned(), title: title.to_owned(), ..Document::default() }
}

fn with(mut document: Document, field: &str, value: serde_json::Value) -> Document {
    document.metadata.insert(field.to_owned(), value);
    document
}

fn pairs(documents: &[Document]) -> Vec<(usize, usize)> {
    supersession(documents).iter().map(|found| (found.older, found.newer)).collect()
}

/// A case: what it shows, the documents' paths and titles, and which is older than which.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static [(usize, usize)]);

const CASES: &[Case] = &[
    (
        "years in titles",
        &[("a.md", "Handbook 2022"), ("b.md", "Handbook 2024"), ("c.md", "Handbook 2023")],
        &[(0, 2), (2, 1)],
    ),
    ("academic years", &[("h/a 2022-23.txt", "Guide"), ("h/a 2023-24.txt", "Guide")], &[(0, 1)]),
    (
        "long pairs",
        &[
            ("Handbook_2022 - 2023.txt", "Handbook 2022 - 2023"),
            ("Handbook_2023 - 2024.txt", "Handbook 2023 - 2024"),
        ],
        &[(0, 1)],
    ),
    (
        "compact years",
        &[("1920-cal.txt", "1920 cal"), ("2021-cal.txt", "2021 cal"), ("2122-cal.txt", "2122 cal")],
        &[(0, 1), (1, 2)],
    ),
    ("folders of years", &[("2023/exams.md", "Exams"), ("2024/exams.md", "Exams")], &[(0, 1)]),
    (
        "versions",
        &[("r.v2.md", "Rules v2"), ("r.md", "Rules v1.9"), ("x.md", "Rules v10")],
        &[(0, 2), (1, 0)],
    ),
    (
        "semesters",
        &[
            ("m.md", "Modulhandbuch WS 2023/24"),
            ("n.md", "Modulhandbuch WS 2024/25"),
            ("o.md", "Modulhandbuch SoSe 2024"),
        ],
        &[(0, 1)],
    ),
    ("terms", &[("f.md", "Schedule Fall 2023"), ("s.md", "Schedule Spring 2024")], &[]),
    (
        // From a real catalogue: `ed` is a department there, and no edition.
        "records of one file",
        &[("c.csv#ed-194", "ED 194: Special Topics"), ("c.csv#ed-211", "ED 211: Special Topics")],
        &[],
    ),
    (
        "one record in the files of two years",
        &[("2023/c.json#CS 1", "CS 1: Logic"), ("2024/c.json#CS 1", "CS 1: Logic")],
        &[(0, 1)],
    ),
    ("other folders", &[("cs/a.md", "Handbook 2023"), ("math/a.md", "Handbook 2024")], &[]),
    ("other titles", &[("a-2023.md", "Exam dates"), ("a-2024.md", "Exam fees")], &[]),
    ("courses", &[("c/1.md", "MATH 2010 Calculus"), ("c/2.md", "MATH 2011 Calculus")], &[]),
    ("course numbers", &[("c/cs101.md", "CS 101 Logic"), ("c/cs102.md", "CS 102 Logic")], &[]),
    ("days", &[("2024-05-01-news.md", "News"), ("2024-06-01-news.md", "News")], &[]),
    (
        "lessons",
        &[("l/lesson-15-16.md", "Lesson 15-16"), ("l/lesson-17-18.md", "Lesson 17-18")],
        &[],
    ),
    ("no mark", &[("a.md", "Handbook"), ("b.md", "Handbook 2024")], &[]),
    ("the same year twice", &[("a.md", "Handbook 2024"), ("b.md", "Handbook 2024")], &[]),
    ("nothing but a year", &[("2023.md", "2023"), ("2024.md", "2024")], &[]),
];

#[test]
fn editions_are_told_by_their_names() {
    for (name, documents, expected) in CASES {
        let documents: Vec<_> =
            documents.iter().map(|(path, title)| document(path, title)).collect();
        assert_eq!(pairs(&documents), *expected, "{name}");
    }
    let found =
        supersession(&[document("a.md", "Guide 2023-24"), document("b.md", "Guide 2024-25")]);
    let because = Because::Edition { newer: "2024-25".into(), older: "2023-24".into() };
    assert_eq!(found, [Supersession { newer: 1, older: 0, because }]);
}

#[test]
fn what_documents_declare_goes_first() {
    let old = document("rules/old.md", "Old rules");
    let cases = [
        ("a path", json!("rules/old.md")),
        ("a path beside", json!("old.md")),
        ("a title", json!("old rules")),
        ("a list", json!(["nothing.md", "./rules/old.md"])),
    ];
    for (name, value) in cases {
        let new = with(document("rules/new.md", "New rules"), "supersedes", value);
        let found = supersession(&[new, old.clone()]);
        let expected = Supersession { newer: 0, older: 1, because: Because::Declared };
        assert_eq!(found, [expected], "{name}");
    }
    let older = with(document("a.md", "Guide 2024"), "replaced_by", json!("b.md"));
    let newer = document("b.md", "Guide 2023");
    assert_eq!(pairs(&[older, newer]), [(0, 1)], "against the years");
    let own = with(document("a.md", "A"), "supersedes", json!("a.md"));
    assert_eq!(pairs(&[own]), []);
}

#[test]
fn a_series_is_ordered_by_what_all_its_documents_state() {
    let of = |path: &str, field: &str, value: serde_json::Value| {
        with(with(document(path, path), "series", json!("Guide ")), field, value)
    };
    let versions = [
        of("a", "version", json!("2.10")),
        of("b", "version", json!(2)),
        of("c", "version", json!("2.9")),
    ];
    assert_eq!(pairs(&versions), [(1, 2), (2, 0)]);
    let dates = [of("a", "date", json!("2024-10-01")), of("b", "date", json!("2023-10-01"))];
    assert_eq!(pairs(&dates), [(1, 0)]);
    let mixed = [of("a", "date", json!("2024-10-01")), of("b", "version", json!(2))];
    assert_eq!(pairs(&mixed), []);
}

#[test]
fn documents_are_found_by_the_years_they_state() {
    let years = |document: &Document| years_of(document).into_iter().collect::<Vec<_>>();
    let cases: &[(&str, &str, &[u16])] = &[
        ("a.md", "Handbook 2023-24", &[2023, 2024]),
        ("2324-calendar.txt", "2324 calendar", &[2023, 2024]),
        ("2021-calendar.txt", "Calendar", &[2021]),
        ("news/2026-10-12-exams.md", "Exams", &[2026]),
        ("c.md", "MATH 2010 Calculus", &[]),
        ("c.md", "WS 2024/25", &[2024, 2025]),
        ("c.md", "Handbook", &[]),
    ];
    for (path, title, expected) in cases {
        assert_eq!(years(&document(path, title)), *expected, "{path} {title}");
    }
    let valid = with(document("a.md", "A"), "valid_from", json!("2021-10-01"));
    let valid = with(valid, "valid_until", json!("2024-09-30"));
    assert_eq!(years(&valid), [2021, 2022, 2023, 2024]);
    let plain = with(document("a.md", "A"), "year", json!(2019));
    assert_eq!(years(&plain), [2019]);
}

proptest! {
    #[test]
    fn any_name_is_read(title in "\\PC{0,40}", path in "[a-z0-9/._ -]{0,40}") {
        let found = marked(&title);
        prop_assert!(found.words.len() + found.marks.len() <= title.chars().count());
        years_of(&document(&path, &title));
        let twice = [document(&path, &title), document(&path, &title)];
        prop_assert!(supersession(&twice).is_empty(), "a document is no edition of itself");
    }

    #[test]
    fn editions_form_chains(years in proptest::collection::vec(2000_u16..2030, 1..12)) {
        let documents: Vec<_> =
            years.iter().map(|year| document("a.md", &format!("Guide {year}"))).collect();
        for found in supersession(&documents) {
            prop_assert!(years[found.newer] > years[found.older]);
            let between = |year: &&u16| **year > years[found.older] && **year < years[found.newer];
            prop_assert!(!years.iter().any(|year| between(&year)));
        }
    }
}
