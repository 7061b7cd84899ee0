//! `[documents] publish`: original files beside the site, and sources that open them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::path::Path;

use support::{campanile, folder, root, text, tree};
use tempfile::TempDir;

const PUBLISH: &str = "[documents]\npublish = true\n";
const PDF: &str = "tests/sets/tables/shuttle.pdf";
const DOCX: &str = "tests/sets/tables/fees.docx";

/// A folder of documents, some of them private in one way or another.
fn documents() -> TempDir {
    let docs = folder(&[
        ("campanile.toml", PUBLISH),
        ("notes.md", "# Notes\n\nThe notes have no file to open.\n"),
        ("page.html", "<h1>Page</h1><p>A page could run scripts.</p><script>alert(1)</script>"),
        ("stated/fees.docx.toml", "publish = false\n"),
        ("sidecar/fees.docx.toml", "draft = true\n"),
        ("folder/_metadata.toml", "publish = false\n"),
        ("unclear/fees.docx.toml", "publish = \"perhaps\"\n"),
        ("public/fees.docx.toml", "link = \"https://www.example.edu/fees\"\n"),
    ]);
    let copy = |from: &str, to: &str| {
        let to = docs.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root().join(from), to).unwrap();
    };
    copy(PDF, "travel/Shuttle Bus (Öffentlich).pdf");
    for place in ["open", "stated", "sidecar", "folder", "unclear", "public"] {
        copy(DOCX, &format!("{place}/fees.docx"));
    }
    docs
}

fn build(docs: &Path, site: &Path) -> serde_json::Value {
    campanile(&["build", text(docs), "-o", text(site), "--index-only", "--no-report", "--json"])
        .expect_code(0)
        .json()
}

/// The address of each document that has one, as the site keeps it.
fn links(site: &Path) -> Vec<(String, String)> {
    let mut links = Vec::new();
    for question in ["When does the shuttle bus leave?", "What is the fee?"] {
        let reply = campanile(&["ask", text(site), question, "--json", "--sources", "12"])
            .expect_code(0)
            .json();
        for source in reply["sources"].as_array().unwrap() {
            if let Some(link) = source["link"].as_str() {
                links.push((source["document"].as_str().unwrap().to_owned(), link.to_owned()));
            }
        }
    }
    links.sort();
    links.dedup();
    links
}

fn originals(site: &Path) -> Vec<(String, Vec<u8>)> {
    let in_folder = |(name, _): &(String, _)| name.starts_with("campanile/originals/");
    tree(site).into_iter().filter(in_folder).collect()
}

#[test]
fn originals_are_published_where_that_is_said_and_nothing_keeps_them_private() {
    let docs = documents();
    // Copies of one text would be found once.
    fs::write(
        docs.path().join("campanile.toml"),
        format!("{PUBLISH}[quality]\nduplicates = false\n"),
    )
    .unwrap();
    let site = folder(&[]);
    let summary = build(docs.path(), site.path());
    let shuttle = "campanile/originals/shuttle-bus-offentlich.pdf";
    let fees = "campanile/originals/fees.docx";
    let bytes = |file: &str| fs::read(root().join(file)).unwrap();
    assert_eq!(
        originals(site.path()),
        [(fees.to_owned(), bytes(DOCX)), (shuttle.to_owned(), bytes(PDF))]
    );
    let expected = [
        ("open/fees.docx", fees),
        ("public/fees.docx", "https://www.example.edu/fees"),
        ("travel/Shuttle Bus (Öffentlich).pdf", shuttle),
    ];
    assert_eq!(links(site.path()), expected.map(|(path, link)| (path.to_owned(), link.to_owned())));
    assert_eq!(summary["originals"], 2);
    let sum = (bytes(PDF).len() + bytes(DOCX).len()) as u64;
    assert_eq!(summary["original_bytes"], sum);

    // Nothing that the page keeps by itself names them.
    let manifest = fs::read_to_string(site.path().join("campanile.json")).unwrap();
    assert!(!manifest.contains("originals"), "the manifest lists what is fetched");

    // Withdrawn, they go, and nothing else does.
    fs::write(site.path().join("CNAME"), "answers.example.edu\n").unwrap();
    fs::write(docs.path().join("open/fees.docx.toml"), "publish = false\n").unwrap();
    build(docs.path(), site.path());
    assert_eq!(originals(site.path()), [(shuttle.to_owned(), bytes(PDF))]);
    fs::write(docs.path().join("campanile.toml"), "[quality]\nduplicates = false\n").unwrap();
    let summary = build(docs.path(), site.path());
    assert_eq!((originals(site.path()), &summary["originals"]), (Vec::new(), &0.into()));
    let left = links(site.path());
    assert_eq!(left.len(), 1, "the address that a sidecar states stays: {left:?}");
    assert!(site.path().join("CNAME").is_file());
}

#[cfg(unix)]
#[test]
fn nothing_outside_the_documents_folder_is_published() {
    let elsewhere = folder(&[]);
    let secret = elsewhere.path().join("secret.pdf");
    fs::copy(root().join(PDF), &secret).unwrap();
    let docs = folder(&[("campanile.toml", PUBLISH)]);
    fs::copy(root().join(DOCX), docs.path().join("fees.docx")).unwrap();
    std::os::unix::fs::symlink(&secret, docs.path().join("shuttle.pdf")).unwrap();
    let site = folder(&[]);
    let run = campanile(&[
        "build",
        text(docs.path()),
        "-o",
        text(site.path()),
        "--index-only",
        "--no-report",
    ])
    .expect_code(0)
    .says(&["`shuttle.pdf` is a link that leads out of the documents' folder"]);
    assert!(run.stdout.contains("Originals 1 file published"), "{}", run.stdout);
    let names: Vec<String> = originals(site.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["campanile/originals/fees.docx"]);
}
