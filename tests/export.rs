//! `campanile export`: a site's passages and a set's questions as tables.
#![cfg(feature = "export")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::fs;
use std::fs::File;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, Int64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use support::{build, campanile, folder, text};

const LIBRARY: &str = "# Library\n\n## Cards\n\nA lost card is replaced by the Card Office within two working days.\n\n\
    ## Reading room\n\nThe reading room opens at 8 a.m. and closes at 10 p.m. on every working day.\n";

fn rows(path: &std::path::Path) -> RecordBatch {
    let file = File::open(path).unwrap();
    let mut rows = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    rows.next().unwrap().unwrap()
}

#[test]
fn passages_and_questions_are_comparable() {
    let documents = folder(&[("library.md", LIBRARY)]);
    let (site, _) = build(documents.path(), 0);
    let set = folder(&[(
        "questions.jsonl",
        "{\"id\": \"q1\", \"question\": \"Where do I get a new card when mine is gone?\", \"category\": \"answerable\"}\n",
    )]);
    let tables = folder(&[]);
    let out = tables.path().join("tables");
    let questions = set.path().join("questions.jsonl");
    let run = campanile(&[
        "export",
        text(site.path()),
        "-o",
        text(&out),
        "--questions",
        text(&questions),
    ])
    .expect_code(0);
    assert!(run.stdout.contains("passages.parquet") && run.stdout.contains("1 question in"));

    let passages = rows(&out.join("passages.parquet"));
    let asked = rows(&out.join("questions.parquet"));
    let ids = passages.column_by_name("id").unwrap().as_primitive::<Int64Type>();
    let texts = passages.column_by_name("text").unwrap().as_string::<i32>();
    let vectors = passages.column_by_name("vector").unwrap().as_fixed_size_list();
    let question = asked.column_by_name("vector").unwrap().as_fixed_size_list().value(0);
    let question = question.as_primitive::<Float32Type>().values();
    let cosine = |row: usize| -> f32 {
        let row = vectors.value(row);
        row.as_primitive::<Float32Type>().values().iter().zip(question).map(|(a, b)| a * b).sum()
    };
    let nearest = (0..passages.num_rows())
        .max_by(|&left, &right| cosine(left).total_cmp(&cosine(right)))
        .unwrap();
    assert!(texts.value(nearest).contains("lost card"), "{}", texts.value(nearest));
    let found = asked.column_by_name("found").unwrap().as_list::<i32>().value(0);
    let found = found.as_primitive::<Int64Type>();
    assert_eq!(found.value(0), ids.value(nearest), "the site finds it first, too");
    assert!(found.len() <= 10);
}

#[test]
fn what_cannot_be_exported_is_named_and_nothing_is_written() {
    let empty = folder(&[]);
    let out = empty.path().join("tables");
    campanile(&["export", text(empty.path()), "-o", text(&out)])
        .expect_code(1)
        .says(&["cannot open the site"]);
    let documents = folder(&[("library.md", LIBRARY)]);
    let (site, _) = build(documents.path(), 0);
    let set = folder(&[("set.jsonl", "{\"id\": \"q1\"}\n")]);
    let questions = set.path().join("set.jsonl");
    campanile(&["export", text(site.path()), "-o", text(&out), "--questions", text(&questions)])
        .expect_code(1)
        .says(&["set.jsonl", "question"]);
    assert!(!out.exists(), "the set is read before anything is written");
    fs::write(&out, "a file").unwrap();
    campanile(&["export", text(site.path()), "-o", text(&out)])
        .expect_code(1)
        .says(&["cannot be written"]);
    campanile(&["export", text(site.path()), "-o", text(&out), "--to", "lance"])
        .expect_code(2)
        .says(&["parquet"]);
}
