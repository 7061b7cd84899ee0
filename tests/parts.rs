//! `campanile passages`, `campanile embed` and `campanile build --from`: the same site as from a build on one machine.
#![cfg(feature = "parts")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use arrow_array::{RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use support::{
    Run, SharedFolder, campanile, folder, model_fixture, root, shared_folder, text, tree,
};
use tempfile::TempDir;

const BUILD: [&str; 2] = ["--index-only", "--no-report"];

fn passages(docs: &Path, parts: &Path, rows: &str) -> Run {
    campanile(&["passages", text(docs), "-o", text(parts), "--rows", rows])
}

fn build_from(parts: &Path, site: &Path) -> Run {
    campanile(&[&["build", "--from", text(parts), "-o", text(site)][..], &BUILD].concat())
}

fn copy(from: &Path, to: &Path) {
    for (path, bytes) in tree(from) {
        let to = to.join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
}

/// An original is published, and the settings name a file elsewhere: everything that a site is made from has to go along.
/// Just enough passages for a static encoder.
fn documents() -> TempDir {
    let adapter = model_fixture("adapter_query.safetensors");
    let settings = format!(
        "[documents]\npublish = true\n[encoder]\nquery_adapter = {:?}\n[[rules]]\n\
         match = \"faculty/\"\nlevel = \"faculty\"\n",
        text(&adapter)
    );
    let docs = folder(&[
        ("campanile.toml", &settings),
        ("open/fees.docx.toml", "title = \"What it costs\"\n"),
        ("empty.pdf", "not a PDF"),
    ]);
    for path in ["courses", "faculty"] {
        copy(&root().join("samples/campus").join(path), &docs.path().join(path));
    }
    fs::copy(root().join("tests/sets/tables/fees.docx"), docs.path().join("open/fees.docx"))
        .unwrap();
    docs
}

#[test]
fn a_site_has_the_same_bytes_whoever_embedded_its_parts() {
    let docs = documents();
    let room = folder(&[]);
    let [plain, parts, elsewhere, site] =
        ["plain", "parts", "elsewhere", "site"].map(|name| room.path().join(name));
    campanile(&[&["build", text(docs.path()), "-o", text(&plain)][..], &BUILD].concat())
        .expect_code(3);
    let told = passages(docs.path(), &parts, "400").expect_code(3).says(&["empty.pdf"]);
    assert!(told.stdout.contains(" windows"), "a static encoder is learned: {}", told.stdout);
    // The machine that assembles has the parts alone.
    drop(docs);

    // One part on another machine, and twice; the others here, in another order.
    let part = |number: u32| parts.join(format!("passages-{number:05}.parquet"));
    let vectors = |folder: &Path, number: u32| {
        fs::read(folder.join(format!("vectors-{number:05}.parquet"))).unwrap()
    };
    campanile(&["embed", text(&part(2)), "-o", text(&elsewhere)]).expect_code(0);
    let run = campanile(&["embed", text(&part(3)), text(&part(1)), text(&part(2)), "--json"]);
    let figures = run.expect_code(0).json();
    assert_eq!(figures.as_array().unwrap().len(), 3);
    assert!(
        vectors(&elsewhere, 2) == vectors(&parts, 2),
        "a part's bytes depend on the part alone"
    );
    let run = campanile(&["embed", text(&parts)]).expect_code(0);
    assert!(run.stdout.contains("3 were there already"), "{}", run.stdout);

    let moved = room.path().join("moved");
    fs::rename(&parts, &moved).unwrap();
    // As after the plain build: a document could not be read.
    build_from(&moved, &site).expect_code(3).says(&["empty.pdf"]);
    let (plain, site) = (tree(&plain), tree(&site));
    assert_eq!(plain.keys().collect::<Vec<_>>(), site.keys().collect::<Vec<_>>());
    for (path, bytes) in &plain {
        assert!(site.get(path) == Some(bytes), "{path}");
    }
    assert!(plain.contains_key("campanile/originals/fees.docx"));
}

#[test]
fn parts_of_passages_are_searched_as_after_a_plain_build() {
    const FAQ: &str = "# Cards\n\n## What if I lose my card?\n\nGo to the desk. It costs 5 euros.\n\n\
                       ## May I lend it?\n\nNobody lends a card.\n\n\
                       ## Where is the desk?\n\nThe desk is at the gate.\n";
    let docs = folder(&[
        ("campanile.toml", "[chunks]\nparts = [\"sentence\", \"proposition\"]\n"),
        ("faq.md", FAQ),
        ("copy-of-faq.md", FAQ),
    ]);
    let room = folder(&[]);
    let [plain, parts, site] = ["plain", "parts", "site"].map(|name| room.path().join(name));
    campanile(&[&["build", text(docs.path()), "-o", text(&plain)][..], &BUILD].concat())
        .expect_code(0);
    let told = passages(docs.path(), &parts, "3").expect_code(0).stdout;
    assert!(told.contains("3 passages, 4 sentences, 4 propositions, 3 questions"), "{told}");
    campanile(&["embed", text(&parts)]).expect_code(0);
    build_from(&parts, &site).expect_code(0);
    assert!(tree(&plain) == tree(&site));
}

/// Three texts in two parts, with their vectors.
static PARTS: LazyLock<SharedFolder> = LazyLock::new(|| {
    shared_folder("parts", || {
        let docs = folder(&[
            ("campanile.toml", "[site]\ntitle = \"Fees\"\n"),
            ("fees.md", "# Fees\n\nThe fee for a late registration is 5 euros.\n"),
            ("cards.md", "# Cards\n\nA lost card is replaced within two working days.\n"),
            ("rooms.md", "# Rooms\n\nThe reading room opens at 8 a.m. on every working day.\n"),
        ]);
        let parts = folder(&[]);
        passages(docs.path(), parts.path(), "2").expect_code(0);
        campanile(&["embed", text(parts.path())]).expect_code(0);
        parts
    })
});

/// Writes a Parquet file again: its facts as `restate` has them, its columns as `change` does.
fn rewrite(
    path: &Path,
    restate: impl Fn(&str, String) -> Option<String>,
    change: impl Fn(RecordBatch) -> RecordBatch,
) {
    let opened = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let facts = opened.metadata().file_metadata().key_value_metadata().unwrap().clone();
    let is_kept = |key: &str| key.starts_with("campanile.") && !key.starts_with("campanile.data");
    let facts = facts.into_iter().filter(|fact| is_kept(&fact.key));
    let facts = facts.filter_map(|fact| {
        let value = restate(&fact.key, fact.value?)?;
        Some(KeyValue::new(fact.key, value))
    });
    let facts = WriterProperties::builder().set_key_value_metadata(Some(facts.collect())).build();
    let rows: Vec<RecordBatch> =
        opened.build().unwrap().map(|rows| change(rows.unwrap())).collect();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, rows[0].schema(), Some(facts)).unwrap();
    rows.iter().for_each(|rows| writer.write(rows).unwrap());
    writer.flush().unwrap();
    writer.sync().unwrap();
    let data = fs::read(path).unwrap();
    let digest = campanile_bundle::Digest::of(&data).to_string();
    for (name, fact) in [("bytes", data.len().to_string()), ("sha256", digest)] {
        let name = format!("campanile.data_{name}");
        writer.append_key_value_metadata(KeyValue::new(name, fact));
    }
    writer.close().unwrap();
}

fn restated(path: &Path, name: &str, value: Option<&str>) {
    let restate = |key: &str, known: String| match (key == name, value) {
        (true, value) => value.map(str::to_owned),
        (false, _) => Some(known),
    };
    rewrite(path, restate, |rows| rows);
}

/// What was done to good parts, the command that meets it, and what that says.
type Case = (&'static str, fn(&Path), Meets, &'static [&'static str]);

#[derive(Clone, Copy)]
enum Meets {
    Embed,
    Build,
}

const TEXTS_1: &str = "passages-00001.parquet";
const VECTORS_1: &str = "vectors-00001.parquet";
const VECTORS_2: &str = "vectors-00002.parquet";

const CASES: [Case; 17] = [
    (
        "a table of something else",
        |parts| restated(&parts.join(VECTORS_1), "campanile.parts", None),
        Meets::Build,
        &[VECTORS_1, "it states no `campanile.parts`", "way out"],
    ),
    (
        "columns of another version",
        |parts| restated(&parts.join(TEXTS_1), "campanile.parts", Some("9")),
        Meets::Embed,
        &[TEXTS_1, "version 9, and this command knows 2", "way out: `campanile passages"],
    ),
    (
        "texts in place of vectors",
        |parts| fs::rename(parts.join(TEXTS_1), parts.join("vectors-3.parquet")).unwrap(),
        Meets::Build,
        &["vectors-3.parquet", "it holds texts", "way out"],
    ),
    (
        "a column that is missing",
        |parts| {
            rewrite(
                &parts.join(VECTORS_1),
                |_, value| Some(value),
                |rows| rows.project(&[0, 1, 2]).unwrap(),
            )
        },
        Meets::Build,
        &[VECTORS_1, "its column `tokens` is missing, not Binary", "way out"],
    ),
    (
        "a part of another encoder",
        |parts| {
            restated(&parts.join(VECTORS_2), "campanile.encoder", Some("bge-small"));
            restated(&parts.join(VECTORS_2), "campanile.identity", Some("0123456789"));
        },
        Meets::Build,
        &[VECTORS_2, "bge-small (01234567)", "all-MiniLM-L6-v2 (", "way out: remove it"],
    ),
    (
        "parts of two encoders to embed",
        |parts| {
            restated(&parts.join(TEXTS_1), "campanile.encoder", Some("bge-small"));
            restated(&parts.join(TEXTS_1), "campanile.identity", Some("0123456789"));
        },
        Meets::Embed,
        &["passages-00002.parquet", "bge-small (01234567)", "all-MiniLM-L6-v2 (", "way out"],
    ),
    (
        "the same encoder in another form",
        |parts| {
            fs::remove_file(parts.join("passages-00002.parquet")).unwrap();
            restated(&parts.join(TEXTS_1), "campanile.identity", Some("0123456789"));
        },
        Meets::Embed,
        &[TEXTS_1, "another form", "way out: the same version"],
    ),
    (
        "a part twice",
        |parts| {
            fs::copy(parts.join(VECTORS_2), parts.join("vectors-00002 (copy).parquet")).unwrap();
        },
        Meets::Build,
        &["part 2 is there twice", "(copy)", VECTORS_2, "way out: keep one"],
    ),
    (
        "a part to embed twice",
        |parts| {
            fs::copy(parts.join(TEXTS_1), parts.join("passages-1.parquet")).unwrap();
        },
        Meets::Embed,
        &["part 1 is there twice", TEXTS_1, "passages-1.parquet", "way out: keep one"],
    ),
    (
        "a part without vectors",
        |parts| fs::remove_file(parts.join(VECTORS_2)).unwrap(),
        Meets::Build,
        &["1 of 2 parts has no vectors yet: 2", "way out: `campanile embed "],
    ),
    (
        "a file that is cut off",
        |parts| {
            let bytes = fs::read(parts.join(VECTORS_1)).unwrap();
            fs::write(parts.join(VECTORS_1), &bytes[..bytes.len() / 2]).unwrap();
        },
        Meets::Build,
        &[VECTORS_1, "is cut off or damaged", "way out: remove it, then `campanile embed`"],
    ),
    (
        "a byte that changed",
        |parts| {
            let mut bytes = fs::read(parts.join(VECTORS_1)).unwrap();
            let middle = bytes.len() / 3;
            bytes[middle] ^= 4;
            fs::write(parts.join(VECTORS_1), bytes).unwrap();
        },
        Meets::Build,
        &[VECTORS_1, "is cut off or damaged", "way out"],
    ),
    (
        "a text that was changed",
        |parts| {
            let change = |rows: RecordBatch| {
                let mut columns = rows.columns().to_vec();
                columns[1] = Arc::new(StringArray::from(vec!["Fees\nNothing."; rows.num_rows()]));
                RecordBatch::try_new(rows.schema(), columns).unwrap()
            };
            rewrite(&parts.join(TEXTS_1), |_, value| Some(value), change);
        },
        Meets::Embed,
        &["the text in row 1", TEXTS_1, "way out: `campanile passages`"],
    ),
    (
        "vectors of other documents",
        |parts| restated(&parts.join(VECTORS_1), "campanile.set", Some("0123456789")),
        Meets::Build,
        &[VECTORS_1, "belongs to other parts", "way out: remove it"],
    ),
    (
        "settings that changed since",
        |parts| {
            let settings = "[chunks]\nparts = [\"proposition\"]\n";
            fs::write(parts.join("source/campanile.toml"), settings).unwrap();
        },
        Meets::Build,
        &["3 of the texts", "have no vector in the parts", "way out: `campanile passages`"],
    ),
    (
        "documents that changed since",
        |parts| {
            let path = parts.join("documents.jsonl");
            let changed = fs::read_to_string(&path).unwrap().replace("5 euros", "6 euros");
            fs::write(path, changed).unwrap();
        },
        Meets::Build,
        &["documents.jsonl", "is cut off or damaged", "way out: `campanile passages"],
    ),
    (
        "parts that were not written to their end",
        |parts| fs::remove_file(parts.join("parts.json")).unwrap(),
        Meets::Build,
        &["`parts.json`, which is written last, is not there", "way out: `campanile passages DOCS"],
    ),
];

#[test]
fn bad_input_is_named_with_a_way_out() {
    let room = folder(&[]);
    for (number, (what, spoil, meets, says)) in CASES.into_iter().enumerate() {
        let parts = room.path().join(number.to_string());
        copy(PARTS.path(), &parts);
        spoil(&parts);
        let site = room.path().join("site");
        let run = match meets {
            Meets::Embed => campanile(&["embed", text(&parts)]),
            Meets::Build => build_from(&parts, &site),
        };
        assert_eq!(run.code, 1, "{what}: {}{}", run.stdout, run.stderr);
        for part in says {
            assert!(run.stderr.contains(part), "{what}: no {part:?} in:\n{}", run.stderr);
        }
        assert!(!run.stderr.contains("panicked"), "{what}: {}", run.stderr);
        assert!(!site.exists(), "{what}: nothing is written");
    }
}

#[test]
fn what_was_interrupted_goes_on_and_what_is_damaged_is_embedded_anew() {
    let room = folder(&[]);
    let parts: PathBuf = room.path().join("parts");
    copy(PARTS.path(), &parts);
    let whole = tree(&parts);
    // As a killed worker leaves it: one part cut off, another not begun, something unfinished beside them.
    fs::write(parts.join(VECTORS_1), &whole[VECTORS_1][..100]).unwrap();
    fs::remove_file(parts.join(VECTORS_2)).unwrap();
    let unfinished = parts.join("vectors-00002.parquet.1-1.unfinished");
    fs::write(&unfinished, "half").unwrap();
    let run = campanile(&["embed", text(&parts)]).expect_code(0);
    run.says(&["embedding anew", VECTORS_1]);
    fs::remove_file(unfinished).unwrap();
    assert!(tree(&parts) == whole);
}

#[test]
fn parts_are_written_where_nothing_is_lost() {
    let docs = folder(&[("fees.md", "# Fees\n\nThe fee is 5 euros.\n")]);
    let other = folder(&[("thesis.docx", "mine")]);
    passages(docs.path(), other.path(), "9")
        .expect_code(1)
        .says(&["holds something else than parts", "way out: a new or empty folder"]);
    assert!(other.path().join("thesis.docx").exists());
    let among = docs.path().join("parts");
    passages(docs.path(), &among, "9")
        .expect_code(1)
        .says(&["lies among the documents", "way out"]);
    campanile(&["build", "--from", text(other.path()), "-o", text(&among)])
        .expect_code(1)
        .says(&["holds no parts: there is no `parts.json`", "way out: `campanile passages DOCS"]);
    campanile(&["build", text(docs.path()), "--from", text(other.path()), "-o", text(&among)])
        .expect_code(2)
        .says(&["cannot be used with"]);
    campanile(&["build", "-o", text(&among)]).expect_code(2).says(&["DOCS"]);
}
