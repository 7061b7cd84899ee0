use std::path::Path;

use serde_json::{Value, json};

use super::read;
use crate::metadata::schema;

#[test]
fn the_published_schema_is_the_one_of_the_code() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/metadata.schema.json");
    let generated = format!("{:#}\n", schema());
    if std::env::var_os("CAMPANILE_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &generated).expect("the schema is written");
    }
    let published = std::fs::read_to_string(&path).expect("the schema is there");
    assert!(
        published == generated,
        "docs/reference/metadata.schema.json is not what the code says: run `CAMPANILE_WRITE_SCHEMA=1 \
         cargo test -p campanile-corpus schema` and look at the change"
    );
}

/// Field, value, whether it is right.
fn cases() -> Vec<(&'static str, Value, bool)> {
    let mut cases = Vec::new();
    let mut all = |field, good: Vec<Value>, bad: Vec<Value>| {
        cases.extend(good.into_iter().map(|value| (field, value, true)));
        cases.extend(bad.into_iter().map(|value| (field, value, false)));
    };
    let long = "x".repeat(2_001);
    all(
        "title",
        vec![json!("Exams"), json!(2024), json!(true), json!(null), json!("")],
        vec![json!(["a"]), json!({}), json!([]), json!(long)],
    );
    all(
        "link",
        vec![
            json!("https://www.example.edu/a?b=c:d"),
            json!("HTTP://x.edu"),
            json!("mailto:office@x.edu"),
            json!("../exams.html"),
            json!("/a:b"),
            json!(null),
            json!(""),
        ],
        vec![json!("javascript:alert(1)"), json!("data:text/html,x"), json!(["a"]), json!({})],
    );
    all(
        "type",
        vec![
            json!("academic"),
            json!("non-academic"),
            json!("Non_Academic"),
            json!("nonacademic"),
            json!(null),
        ],
        vec![json!("post"), json!(1), json!(["academic"]), json!("academics")],
    );
    all(
        "hierarchy_level",
        vec![json!("department"), json!(" Faculty "), json!("UNIVERSITY"), json!("")],
        vec![json!("dept"), json!(3), json!(false), json!(["faculty"])],
    );
    all(
        "publish",
        vec![json!(true), json!(false), json!("False"), json!("no"), json!(null), json!("")],
        vec![json!("maybe"), json!(1), json!([false]), json!({})],
    );
    for field in ["departments_affecting", "faculty", "degree_programs", "courses", "replaces"] {
        all(
            field,
            vec![
                json!("*"),
                json!("A, B"),
                json!(["A", 2]),
                json!(101),
                json!(null),
                json!([]),
                json!(""),
            ],
            vec![json!({ "name": "A" }), json!(true), json!([["A"]]), json!([null]), json!([true])],
        );
    }
    let batches = [
        "2021", "2019-2022", "2019 – 2022", "2019 to 2022", "2023+", "2023-", "since 2023",
        "2023 and later", "until 2020", "2021/22", "2021-22", "E18", "winter 2024", "*", "all", "",
        "2021, 2022", "2019-2020, 2023+", "2021,",
    ];
    let no_batches = ["22", "20222", "2021-2", "2021, 22", "+", "0999", "2021.5"];
    all(
        "batches",
        batches.iter().map(|text| json!(text)).collect(),
        no_batches.iter().map(|text| json!(text)).collect(),
    );
    all(
        "batch",
        vec![json!(2021), json!([2021, "2023+"]), json!(["*"]), json!(null), json!([])],
        vec![
            json!(21),
            json!(20_222),
            json!(2021.5),
            json!(true),
            json!({}),
            json!([2021, "22"]),
            json!([null]),
        ],
    );
    let numbers =
        ["3", "1-2", "1 – 2", "1 to 2", "5+", "5 and later", "from 5", "until 4", "*", ""];
    let no_numbers = ["0", "100", "first", "1-", "-2", "1.5", "03"];
    all(
        "study_year",
        numbers.iter().map(|text| json!(text)).chain([json!(3), json!([1, "5+"])]).collect(),
        no_numbers
            .iter()
            .map(|text| json!(text))
            .chain([json!(0), json!(100), json!(true), json!({}), json!([1, "x"])])
            .collect(),
    );
    let dates = ["2026-03-31", "2026-03-31T12:00:00Z", "2026-03-31 12:00", "", " "];
    let no_dates =
        ["31.03.2026", "2026-02-30", "2026-13-01", "2026-1-5", "2026", "March 2026", "2026-03-31x"];
    for field in ["upload_date", "valid_from", "valid_until"] {
        all(
            field,
            dates.iter().map(|text| json!(text)).chain([json!(null)]).collect(),
            no_dates
                .iter()
                .map(|text| json!(text))
                .chain([json!(2026), json!(["2026-03-31"]), json!({})])
                .collect(),
        );
    }
    all("valid_until", vec![json!("*"), json!("any")], vec![json!(["*"])]);
    all("date", vec![], vec![json!("*")]);
    all(
        "validity",
        vec![
            json!("2024-10-01/2025-03-31"),
            json!("2024-10-01 – 2025-03-31"),
            json!("2024-10-01 to 2025-03-31"),
            json!("from 2024-10-01 to 2025-03-31"),
            json!("until 2025-03-31"),
            json!("from 2024-10-01"),
            json!("2024-10-01/.."),
            json!("2024-10-01/"),
            json!("*"),
            json!(null),
            json!(""),
        ],
        vec![
            json!("2024-10-01"),
            json!("next term"),
            json!("2024-10-01-2025-03-31"),
            json!("2024-13-01/2025-03-31"),
            json!(2024),
            json!(["2024-10-01", "2025-03-31"]),
        ],
    );
    all("tags", vec![json!(["a"]), json!({}), json!(null), json!(1)], vec![]);
    cases
}

/// Returns a function that tells if the published schema finds a value right.
fn by_schema() -> impl Fn(&Value) -> bool {
    let mut compiler = boon::Compiler::new();
    compiler.enable_format_assertions();
    compiler.add_resource("metadata.schema.json", schema()).expect("a schema");
    let mut schemas = boon::Schemas::new();
    let index = compiler.compile("metadata.schema.json", &mut schemas).expect("a schema");
    move |value| schemas.validate(value, index).is_ok()
}

#[test]
fn schema_and_reading_agree() {
    let is_right_by_schema = by_schema();
    for (field, value, is_right) in cases() {
        let stated = json!({ field: value });
        let problems = read(stated.clone()).problems;
        assert_eq!(problems.is_empty(), is_right, "reading {stated}: {problems:?}");
        assert_eq!(is_right_by_schema(&stated), is_right, "the schema on {stated}");
    }
}

/// Mistakes that a schema cannot name.
#[test]
fn some_mistakes_only_reading_finds() {
    let is_right_by_schema = by_schema();
    for stated in [
        json!({ "batches": "2022-2019" }),
        json!({ "batches": "2021/25" }),
        json!({ "study_semesters": "5-4" }),
        json!({ "date": "2026-02-30T12:00" }),
        json!({ "validity": "until 2026-02-30" }),
        json!({ "faculty": "A", "faculties": "B" }),
    ] {
        assert!(is_right_by_schema(&stated), "the schema on {stated}");
        assert_eq!(read(stated.clone()).problems.len(), 1, "reading {stated}");
    }
}
