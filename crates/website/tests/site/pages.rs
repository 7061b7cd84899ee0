//! Tests of what becomes of one answer.

use crate::server::{Reply, Server};
use crate::{fetch, following, options, pages, skipped};
use campanile_website::{SkipReason, WebsiteOptions};
use std::time::{Duration, Instant};

/// The reason why a page is skipped, if it is.
fn fate(reply: Reply, options_of: impl Fn(String) -> WebsiteOptions) -> Option<SkipReason> {
    let server = Server::start(move |request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => reply.clone(),
    });
    let folder = tempfile::tempdir().unwrap();
    let report = fetch(folder.path(), &options_of(server.url("/a")));
    assert_eq!(report.pages.len() + report.skipped.len(), 1, "{report:?}");
    assert_eq!(crate::files(&folder.path().join("pages")).len(), report.pages.len());
    report.skipped.into_iter().next().map(|skipped| skipped.reason)
}

fn plain(url: String) -> WebsiteOptions {
    options(&[url])
}

#[test]
fn kinds_of_answers() {
    let cases = [
        (Reply::html("page"), "pages"),
        (Reply::of(200, "image/png", "x"), "`image/png`"),
        (Reply::of(200, "video/mp4", "x"), "`video/mp4`"),
        (Reply::status(204), "status 204"),
        (Reply::status(404), "there is no such page"),
        (Reply::status(410), "there is no such page"),
        (Reply::status(401), "not public"),
        (Reply::status(304), "status 304"),
        (Reply::status(418), "status 418"),
        (Reply { breaks_after: Some(2), ..Reply::html("a page that breaks off") }, "broke off"),
        (Reply::html("x").header("X-Robots-Tag", "noindex"), "noindex"),
        (
            Reply::of(200, "application/pdf", "%PDF").header("X-Robots-Tag", "campanile: none"),
            "noindex",
        ),
        (Reply::html("x").header("X-Robots-Tag", "otherbot: noindex"), "pages"),
        (Reply::html("<meta name=robots content=noindex>"), "noindex"),
    ];
    for (reply, expected) in cases {
        let reason =
            fate(reply.clone(), plain).map_or("pages".to_owned(), |reason| reason.to_string());
        assert!(reason.contains(expected), "{reply:?}: {reason}");
    }
}

#[test]
fn long_bodies_are_cut_off() {
    let small = |url| WebsiteOptions { max_bytes: 1_000, ..options(&[url]) };
    let cases = [
        (Reply::html("x".repeat(1_000)), None),
        (Reply::html("x".repeat(1_001)), Some(SkipReason::TooLarge { limit_bytes: 1_000 })),
        (
            Reply { without_length: true, ..Reply::html("x".repeat(5_000_000)) },
            Some(SkipReason::TooLarge { limit_bytes: 1_000 }),
        ),
        // A small answer that is large when unpacked.
        (bomb(), Some(SkipReason::TooLarge { limit_bytes: 1_000 })),
    ];
    for (reply, expected) in cases {
        assert_eq!(fate(reply, small), expected);
    }
}

fn bomb() -> Reply {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![b' '; 400_000]).unwrap();
    let packed = encoder.finish().unwrap();
    assert!(packed.len() < 1_000);
    Reply::html(packed).header("Content-Encoding", "gzip")
}

#[test]
fn slow_answers_end() {
    let hasty = |url| WebsiteOptions { timeout_secs: 1, ..options(&[url]) };
    let page = || Reply::html("a slow page".repeat(20));
    // The answer, a word of the reason, and seconds that are enough.
    let cases = [
        (Reply { stalls: Duration::from_secs(20), ..page() }, "too slow", 3),
        (Reply { drips: Duration::from_millis(200), ..page() }, "too slow", 8),
        // Three times.
        (Reply { waits: Duration::from_secs(20), ..page() }, "timeout", 8),
    ];
    for (reply, word, secs) in cases {
        let start = Instant::now();
        let reason = fate(reply, hasty).unwrap();
        assert!(matches!(reason, SkipReason::Unreachable { .. }), "{reason}");
        assert!(reason.to_string().contains(word), "{reason}");
        assert!(start.elapsed() < Duration::from_secs(secs), "{reason}: {:?}", start.elapsed());
    }
}

#[test]
fn files_are_what_the_readers_take() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/page" => {
            Reply::of(200, "text/html; charset=iso-8859-1", b"<title>Pr\xFCfung</title>".as_slice())
        }
        "/plan.md" => Reply::text("# Plan"),
        "/dates" => Reply::of(200, "text/calendar", "BEGIN:VCALENDAR"),
        "/list" => Reply::of(200, "text/csv", "a,b"),
        "/paper" => Reply::of(200, "application/pdf", b"%PDF-1.7\xFF\x00".as_slice()),
        "/form.docx" => Reply::of(200, "application/octet-stream", b"PK".as_slice()),
        _ => Reply::of(200, "application/json", "{}"),
    });
    let folder = tempfile::tempdir().unwrap();
    let list = ["/page", "/plan.md", "/dates", "/list", "/paper", "/form.docx", "/data"];
    let report = fetch(folder.path(), &options(&list.map(|path| server.url(path))));
    let names: Vec<&str> =
        report.pages.iter().map(|page| page.file.rsplit('/').next().unwrap()).collect();
    assert_eq!(
        names,
        [
            "data~.json", "dates~.ics", "form.docx", "list~.csv", "page~.html", "paper~.pdf",
            "plan.md"
        ]
    );
    let page = report.pages.iter().find(|page| page.url.ends_with("/page")).unwrap();
    assert_eq!(page.title.as_deref(), Some("Prüfung"));
    let text = std::fs::read_to_string(folder.path().join(&page.file)).unwrap();
    assert_eq!(text, "\u{feff}<title>Prüfung</title>");
    let paper = report.pages.iter().find(|page| page.url.ends_with("/paper")).unwrap();
    assert_eq!(std::fs::read(folder.path().join(&paper.file)).unwrap(), b"%PDF-1.7\xFF\x00");
    assert!(report.pages.iter().all(|page| page.file.starts_with("pages/")));
}

#[test]
fn a_page_that_is_not_kept_may_still_lead_on() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::html("<meta name=robots content=noindex><a href=/a><a href=/b>"),
        "/a" => Reply::html("<meta name=robots content=nofollow><a href=/c>").tagged(),
        "/b" => Reply::html("<a href=/d>").tagged().header("X-Robots-Tag", "nofollow"),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let report = fetch(folder.path(), &following(server.url("/")));
        assert_eq!(
            (pages(&report), skipped(&report)),
            (vec!["/a", "/b"], vec![("/", &SkipReason::Noindex)])
        );
    }
}

#[test]
fn what_is_as_before_may_ask_not_to_be_indexed_now() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => Reply::html("page").tagged(),
    });
    let folder = tempfile::tempdir().unwrap();
    let options = options(&[server.url("/a")]);
    assert_eq!(pages(&fetch(folder.path(), &options)), ["/a"]);
    server.change(|_, _| Reply::html("page").tagged().header("X-Robots-Tag", "noindex"));
    let report = fetch(folder.path(), &options);
    assert_eq!(server.take().last().unwrap().status, 304);
    assert_eq!((report.pages.len(), &report.dropped[0].reason), (0, &Some(SkipReason::Noindex)));
    assert!(crate::files(&folder.path().join("pages")).is_empty());
}

#[test]
fn copies_fold_into_the_page_they_name() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/a" | "/a?print=1" => Reply::html("<link rel=canonical href=/a>page").tagged(),
        "/a?from=menu" => Reply::html("<link rel=canonical href=/moved>page").tagged(),
        "/moved" => Reply::redirect("/a"),
        // The page it names is not here.
        "/b?x" => Reply::html("<link rel=canonical href=/b>"),
        "/c" => Reply::html("<link rel=canonical href=https://elsewhere.example/c>"),
        // Each names the other.
        "/d" => Reply::html("<link rel=canonical href=/e>"),
        "/e" => Reply::html("<link rel=canonical href=/d>"),
        path => panic!("{path}"),
    });
    let folder = tempfile::tempdir().unwrap();
    let list = ["/a?print=1", "/a", "/a?from=menu", "/moved", "/b?x", "/c", "/d", "/e"];
    let options = options(&list.map(|path| server.url(path)));
    for _ in 0..2 {
        let report = fetch(folder.path(), &options);
        assert_eq!(pages(&report), ["/a", "/b?x", "/c", "/d", "/e"]);
        let duplicate = SkipReason::Duplicate { of: server.url("/a") };
        assert_eq!(skipped(&report), [("/a?from=menu", &duplicate), ("/a?print=1", &duplicate)]);
        assert_eq!(crate::files(&folder.path().join("pages")).len(), 5);
    }
    // Without the original a copy is what there is.
    server.take();
    let rest = WebsiteOptions { addresses: vec![server.url("/a?print=1")], ..options };
    let report = fetch(folder.path(), &rest);
    assert_eq!(pages(&report), ["/a?print=1"]);
    assert!(folder.path().join(&report.pages[0].file).exists());
    assert!(server.take().iter().all(|request| request.sent == 0));
}
