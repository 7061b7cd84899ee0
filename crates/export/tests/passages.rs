//! The tables hold what is in the site, read back by the library that others read with.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, File};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Date32Type, Float32Type, Int32Type, Int64Type};
use campanile_bundle::{
    AlsoRecord, Bundle, BundleWriter, ChunkRecord, Counts, DirectoryFetch, DocumentNotes,
    DocumentRecord, Manifest, OlderEdition, SectionRecord,
};
use campanile_corpus::Page;
use campanile_corpus::metadata::{Batches, Date, Metadata, Names, Study, Validity};
use campanile_export::passages;
use campanile_index::{Bm25Parameters, LexicalBuilder, VectorTable};
use campanile_text::Span;
use futures_lite::future::block_on;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

const FEES: &str = "Fees are due in März. They are 120 euros.";
const VECTORS: [[f32; 4]; 3] =
    [[1.0, 0.0, 0.0, 0.0], [0.6, 0.8, 0.0, 0.0], [0.0, 0.0, -0.28, 0.96]];

fn fees() -> DocumentRecord {
    let end = FEES.len() as u32;
    let first = Span::new(0, 22);
    let second = Span::new(23, end);
    DocumentRecord {
        link: Some("https://example.org/fees".to_owned()),
        sections: vec![SectionRecord {
            heading: "Fees".to_owned(),
            level: 2,
            path: vec!["Money".to_owned(), "Fees".to_owned()],
            anchor: Some("fees".to_owned()),
            span: Span::new(0, end),
        }],
        chunks: vec![
            ChunkRecord { section: 0, span: first },
            ChunkRecord { section: 0, span: second },
        ],
        pages: vec![Page { number: 3, label: None, span: Span::new(0, end) }],
        also: vec![AlsoRecord {
            chunk: 1,
            title: "Costs".to_owned(),
            path: "costs.md".to_owned(),
            link: None,
        }],
        metadata: Metadata {
            subtype: Some("policy".to_owned()),
            departments: Names::new(["Physics", "Water Engineering"]),
            batches: Batches::read(["2021 and later"]).unwrap(),
            date: Date::new(2024, 2, 29),
            validity: Validity { from: Date::new(1970, 1, 2), until: None },
            study: Study { specialisations: Names::new(["Hydraulics"]), ..Study::default() },
            ..Metadata::default()
        },
        ..DocumentRecord::plain("Fees 2024", "fees.md", FEES)
    }
}

fn site(folder: &Path, vectors: bool) -> Bundle<DirectoryFetch> {
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    for number in 0..VECTORS.len() {
        lexical.add_chunk([format!("page{number}")]);
    }
    let documents = vec![fees(), DocumentRecord::plain("Old", "old.md", "An old page.")];
    let older = vec![OlderEdition { document: 1, newer: 0, years: vec![2023] }];
    let notes = DocumentNotes { older, ..DocumentNotes::default() };
    let table = VectorTable::from_f32(VECTORS, 4).unwrap();
    let mut writer = BundleWriter::begin(folder).unwrap();
    let manifest = Manifest {
        dimension: if vectors { 4 } else { 0 },
        vectors: vectors.then(|| writer.add_vectors(&table).unwrap()),
        ..Manifest::plain(
            "Tests",
            Counts { documents: 2, chunks: 3 },
            writer.add_lexical(&lexical.finish(1)).unwrap(),
            writer.add_documents(documents, notes, 1).unwrap(),
        )
    };
    writer.finish(&manifest).unwrap();
    block_on(Bundle::open(DirectoryFetch::new(folder))).unwrap()
}

/// All rows of a file, and what it says of itself.
fn read(path: &Path) -> (RecordBatch, Vec<(String, Option<String>)>) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let facts = builder.metadata().file_metadata().key_value_metadata().unwrap();
    let facts = facts.iter().map(|fact| (fact.key.clone(), fact.value.clone())).collect();
    let mut batches = builder.build().unwrap();
    let rows = batches.next().unwrap().unwrap();
    assert!(batches.next().is_none(), "few rows are one batch");
    (rows, facts)
}

fn texts(rows: &RecordBatch, column: &str) -> Vec<Option<String>> {
    let column = rows.column_by_name(column).unwrap().as_string::<i32>();
    column.iter().map(|text| text.map(ToOwned::to_owned)).collect()
}

fn lists(rows: &RecordBatch, column: &str) -> Vec<Vec<String>> {
    let column = rows.column_by_name(column).unwrap().as_list::<i32>();
    let list = |items: arrow_array::ArrayRef| {
        items.as_string::<i32>().iter().map(|text| text.unwrap().to_owned()).collect()
    };
    column.iter().map(|items| list(items.unwrap())).collect()
}

fn numbers(rows: &RecordBatch, column: &str) -> Vec<i64> {
    rows.column_by_name(column).unwrap().as_primitive::<Int64Type>().values().to_vec()
}

#[test]
fn each_passage_is_a_row_with_all_that_the_site_knows_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables/passages.parquet");
    let mut told = Vec::new();
    let site = site(&folder.path().join("site"), true);
    let written = block_on(passages::write(&site, &path, &mut |done| told.push(done))).unwrap();
    assert_eq!((written, told), (3, vec![1, 2]));
    let (rows, facts) = read(&path);
    assert_eq!(rows.schema().fields(), passages::schema(4).fields());

    let some = |texts: [&str; 3]| texts.map(|text| Some(text.to_owned())).to_vec();
    assert_eq!(numbers(&rows, "id"), [0, 1, 2]);
    assert_eq!(numbers(&rows, "document"), [0, 0, 1]);
    assert_eq!(
        texts(&rows, "text"),
        some(["Fees are due in März.", "They are 120 euros.", "An old page."])
    );
    // In bytes: the umlaut has two.
    assert_eq!(numbers(&rows, "start"), [0, 23, 0]);
    assert_eq!(numbers(&rows, "end"), [22, 42, 12]);
    // printf 'An old page.' | sha256sum
    let hash = texts(&rows, "hash").pop().unwrap().unwrap();
    assert_eq!(hash, "6287fe1511ad018a446c83472f3b868a3291115d08cd2dd74cc4ef10a781d9b3");
    let url = Some("https://example.org/fees".to_owned());
    assert_eq!(texts(&rows, "url"), [url.clone(), url, None]);
    assert_eq!(texts(&rows, "anchor"), [Some("fees".to_owned()), Some("fees".to_owned()), None]);
    let headings = ["Money".to_owned(), "Fees".to_owned()];
    assert_eq!(lists(&rows, "headings"), [&headings[..], &headings[..], &[]]);
    assert_eq!(lists(&rows, "also_in"), [vec![], vec!["costs.md".to_owned()], vec![]]);
    let pages = rows.column_by_name("page").unwrap().as_primitive::<Int32Type>();
    assert_eq!(pages.iter().collect::<Vec<_>>(), [Some(3), Some(3), None]);

    assert_eq!(texts(&rows, "level"), some(["department", "department", "university"]));
    assert_eq!(texts(&rows, "kind"), some(["other"; 3]));
    let departments = ["Physics".to_owned(), "Water Engineering".to_owned()];
    assert_eq!(lists(&rows, "departments"), [&departments[..], &departments[..], &[]]);
    assert_eq!(lists(&rows, "batches")[0], ["2021 and later"]);
    assert_eq!(lists(&rows, "specialisations")[0], ["Hydraulics"]);
    let days = |name: &str| -> Vec<Option<i32>> {
        rows.column_by_name(name).unwrap().as_primitive::<Date32Type>().iter().collect()
    };
    // date -d 2024-02-29 +%s, in days
    assert_eq!(days("date"), [Some(19_782), Some(19_782), None]);
    assert_eq!(days("valid_from"), [Some(1), Some(1), None]);
    let superseded = rows.column_by_name("is_superseded").unwrap().as_boolean();
    assert_eq!(superseded.iter().collect::<Vec<_>>(), [Some(false), Some(false), Some(true)]);

    let vectors = rows.column_by_name("vector").unwrap().as_fixed_size_list();
    for (row, expected) in VECTORS.iter().enumerate() {
        let found = vectors.value(row);
        for (found, expected) in found.as_primitive::<Float32Type>().values().iter().zip(expected) {
            assert!((found - expected).abs() < 0.005, "row {row}: {found}, not {expected}");
        }
    }
    assert!(facts.contains(&("campanile.columns".to_owned(), Some("1".to_owned()))));
    assert!(facts.contains(&("campanile.title".to_owned(), Some("Tests".to_owned()))));
}

#[test]
fn a_site_without_an_encoder_has_no_column_of_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("passages.parquet");
    let site = site(&folder.path().join("site"), false);
    block_on(passages::write(&site, &path, &mut |_| ())).unwrap();
    let (rows, _) = read(&path);
    assert_eq!(rows.num_rows(), 3);
    assert_eq!(rows.schema().fields(), passages::schema(0).fields());
    assert!(rows.column_by_name("vector").is_none());
}

#[test]
fn the_same_site_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let site = site(&folder.path().join("site"), true);
    let [one, other] = ["one.parquet", "other.parquet"].map(|name| folder.path().join(name));
    for path in [&one, &other] {
        block_on(passages::write(&site, path, &mut |_| ())).unwrap();
    }
    assert_eq!(fs::read(one).unwrap(), fs::read(other).unwrap());
}

#[test]
fn where_the_site_is_damaged_the_table_that_was_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("passages.parquet");
    fs::write(&path, "the old one").unwrap();
    let site = site(&folder.path().join("site"), true);
    let shard = &site.manifest().vectors.as_ref().unwrap().path;
    fs::write(folder.path().join("site").join(shard), "spoilt").unwrap();
    let error = block_on(passages::write(&site, &path, &mut |_| ())).unwrap_err();
    assert!(error.to_string().contains(shard), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "the old one");

    let shards = block_on(site.shards()).unwrap();
    let documents = shards.iter().find(|shard| shard.path.contains("/documents-")).unwrap();
    fs::remove_file(folder.path().join("site").join(&documents.path)).unwrap();
    let names = || fs::read_dir(folder.path()).unwrap().count();
    let before = names();
    assert!(block_on(passages::write(&site, &path, &mut |_| ())).is_err());
    assert_eq!(names(), before, "nothing unfinished is left");
}
