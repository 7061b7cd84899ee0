//! Tests of what the readers of `crates/ingest` make of the folder.

use crate::server::{Reply, Server};
use crate::{fetch, files, following, options};
use campanile_ingest::{Finding, Kind, discover};
use campanile_website::{PAGES_FOLDER, PageStatus, WebsiteOptions};
use std::path::Path;

#[test]
fn a_site_is_read_like_a_folder() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::html(
            "<title>Department</title><main><h1>Start</h1><a href=/Fees/>Fees</a> <a href=/node_modules/a>A</a></main>",
        ),
        "/Fees/" => Reply::of(
            200,
            "text/html",
            b"<meta charset=latin1><main><h1>Geb\xFChren</h1><p>120 Euro</main>".as_slice(),
        ),
        "/node_modules/a" => Reply::html("<main><h1>Modules</h1><p>of nodes</main>"),
        path => panic!("{path}"),
    });
    let folder = tempfile::tempdir().unwrap();
    let report = fetch(folder.path(), &following(server.url("/")));
    let root = folder.path().join(PAGES_FOLDER);
    let found = discover(&root).unwrap();
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    assert_eq!(found.files.len(), 3);
    for path in &found.files {
        let reading = campanile_ingest::read(&root, path, &Default::default()).unwrap();
        assert!(!reading.findings.iter().any(Finding::is_failure), "{:?}", reading.findings);
        let name = format!("{PAGES_FOLDER}/{}", path.to_string_lossy().replace('\\', "/"));
        let page = report.pages.iter().find(|page| page.file == name).unwrap();
        if page.url.ends_with("/Fees/") {
            assert!(
                reading.documents[0].text.contains("Gebühren"),
                "{}",
                reading.documents[0].text
            );
        }
    }
}

/// Folders of real documents, served as a site that lists them all.
#[test]
fn real_documents_arrive_as_they_are() {
    let Some(data) = campanile_test_data::shared("") else { return };
    for (corpus, least) in [
        ("gsa_tts_handbook", 239),
        ("carpentries_docs", 66),
        ("bamberg_regulations", 40),
        ("cmu_facts", 18),
    ] {
        let source = data.join(corpus);
        let names: Vec<String> =
            files(&source).into_iter().filter(|name| media(name).is_some()).collect();
        assert!(names.len() >= least, "{corpus}: {}", names.len());
        let list = names.iter().map(|name| format!("/{}\n", escaped(name))).collect::<String>();
        let server = Server::start({
            let source = source.clone();
            move |request, _| match request.path.as_str() {
                "/robots.txt" => Reply::status(404),
                "/list.txt" => Reply::text(list.clone()).tagged(),
                path => {
                    let name = percent_encoding::percent_decode_str(&path[1..])
                        .decode_utf8()
                        .unwrap()
                        .into_owned();
                    let bytes = std::fs::read(source.join(&name)).unwrap();
                    Reply::of(200, media(&name).unwrap(), bytes).tagged()
                }
            }
        });
        let all = WebsiteOptions {
            sitemaps: vec![server.url("/list.txt")],
            max_pages: 5_000,
            ..options(&[])
        };
        let folder = tempfile::tempdir().unwrap();
        let report = fetch(folder.path(), &all);
        assert_eq!(report.pages.len(), names.len(), "{corpus}: {:?}", report.skipped);
        for page in &report.pages {
            let name = percent_encoding::percent_decode_str(&crate::path(&page.url)[1..])
                .decode_utf8()
                .unwrap()
                .into_owned();
            same_reading(&source, &name, folder.path(), &page.file);
        }
        server.take();
        let again = fetch(folder.path(), &all);
        assert!(again.pages.iter().all(|page| page.status == PageStatus::Unchanged));
        assert_eq!(server.take().iter().map(|request| request.sent).sum::<usize>(), 0, "{corpus}");
    }
}

/// The same bytes, or at least the same text.
fn same_reading(source: &Path, name: &str, folder: &Path, file: &str) {
    let (before, after) =
        (std::fs::read(source.join(name)).unwrap(), std::fs::read(folder.join(file)).unwrap());
    if before != after {
        assert_eq!(after.get(..3), Some("\u{feff}".as_bytes()), "{name}");
    }
    assert_eq!(Kind::of(name), Kind::of(file), "{name} {file}");
}

fn escaped(name: &str) -> String {
    use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
    let parts: Vec<String> = name
        .split('/')
        .map(|part| utf8_percent_encode(part, NON_ALPHANUMERIC).to_string())
        .collect();
    parts.join("/")
}

fn media(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.')?.1 {
        "md" => Some("text/markdown; charset=utf-8"),
        "pdf" => Some("application/pdf"),
        "txt" => Some("text/plain"),
        "json" => Some("application/json"),
        "ics" => Some("text/calendar"),
        "csv" => Some("text/csv"),
        _ => None,
    }
}
