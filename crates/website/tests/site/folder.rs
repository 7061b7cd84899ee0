//! The folder: what a second fetch asks for, and what an interruption costs.

use crate::server::{Reply, Request, Server};
use crate::{FakePace, fetch, fetch_at, files, following, options, pages, skipped, try_fetch};
use campanile_website::{
    PageStatus, Progress, SkipReason, WebsiteError, WebsiteOptions, WebsiteReport,
};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

/// A small site with everything: a sitemap, links, a redirect, a copy, a page not to be kept.
fn site(request: &Request, _: usize) -> Reply {
    match request.path.as_str() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private\nSitemap: /s.xml").tagged(),
        "/s.xml" => Reply::xml("<urlset><url><loc>/a</loc></url><url><loc>/gone</loc></url></urlset>").tagged(),
        "/" => Reply::html("<title>Start</title><a href=/b><a href=/old><a href=/private/x><a href=/quiet><a href=/a?copy>").tagged(),
        "/a" | "/a?copy" => Reply::html("<link rel=canonical href=/a>a").tagged(),
        "/b" => Reply::html("<a href=/c>b").header("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT"),
        "/old" => Reply::redirect("/new"),
        "/quiet" => Reply::html("<meta name=robots content=noindex><a href=/d>"),
        "/c" | "/d" | "/new" => Reply::html(request.path.clone()).tagged(),
        _ => Reply::status(404),
    }
}

fn site_options(server: &Server) -> WebsiteOptions {
    WebsiteOptions { sitemaps: vec!["auto".to_owned()], ..following(server.url("/")) }
}

const PAGES: [&str; 6] = ["/", "/a", "/b", "/c", "/d", "/new"];

fn check(report: &WebsiteReport, folder: &Path) {
    assert_eq!(pages(report), PAGES);
    let reasons = skipped(report);
    assert!(
        matches!(
            reasons[..],
            [
                ("/a?copy", SkipReason::Duplicate { .. }),
                ("/gone", SkipReason::Status { status: 404 }),
                ("/private/x", SkipReason::Robots),
                ("/quiet", SkipReason::Noindex),
            ]
        ),
        "{reasons:?}"
    );
    let mut expected: Vec<&str> = report.pages.iter().map(|page| page.file.as_str()).collect();
    expected.sort_unstable();
    let found: Vec<String> =
        files(folder).into_iter().filter(|file| file.starts_with("pages/")).collect();
    assert_eq!(found, expected);
    assert!(!folder.join("website.journal").exists());
}

#[test]
fn a_second_fetch_asks_for_news_only() {
    let server = Server::start(site);
    let folder = tempfile::tempdir().unwrap();
    let options = site_options(&server);
    let first = fetch(folder.path(), &options);
    check(&first, folder.path());
    assert!(first.pages.iter().all(|page| page.status == PageStatus::New));
    assert_eq!(first.pages[0].title.as_deref(), Some("Start"));
    assert_eq!(first.requests, server.take().len());
    let before = files(folder.path());
    let second = fetch(folder.path(), &options);
    check(&second, folder.path());
    assert!(second.pages.iter().all(|page| page.status == PageStatus::Unchanged));
    assert_eq!(files(folder.path()), before);
    for request in server.take() {
        let is_kept = !matches!(request.path.as_str(), "/gone" | "/old" | "/quiet");
        assert_eq!(request.is_conditional(), is_kept, "{request:?}");
        if is_kept {
            assert_eq!((request.status, request.sent), (304, 0), "{request:?}");
        }
        assert_ne!(request.path, "/robots.txt");
    }
}

#[test]
fn news_is_told_apart() {
    let server = Server::start(site);
    let folder = tempfile::tempdir().unwrap();
    let options = site_options(&server);
    fetch(folder.path(), &options);
    server.change(|request, number| match request.path.as_str() {
        "/c" => Reply::html("changed").tagged(),
        "/d" => Reply::status(410),
        // The same bytes with another tag.
        "/new" => Reply::html("/new").header("ETag", "\"other\""),
        // For a while.
        "/b" => Reply::status(500),
        _ => site(request, number),
    });
    let report = fetch(folder.path(), &options);
    let status: Vec<(&str, PageStatus)> =
        report.pages.iter().map(|page| (crate::path(&page.url), page.status)).collect();
    use PageStatus::{Changed, Kept, Unchanged};
    assert_eq!(
        status,
        [("/", Unchanged), ("/a", Unchanged), ("/b", Kept), ("/c", Changed), ("/new", Unchanged)]
    );
    assert_eq!(report.dropped.len(), 1);
    assert_eq!(report.dropped[0].reason, Some(SkipReason::Status { status: 410 }));
    assert!(!folder.path().join(&report.dropped[0].file).exists());
}

#[test]
fn an_interruption_at_any_moment_costs_nothing() {
    let server = Server::start(site);
    let options = site_options(&server);
    let folder = tempfile::tempdir().unwrap();
    let whole = fetch(folder.path(), &options);
    let mut usual = server.paths();
    usual.sort();
    let mut interruptions = 0;
    for moment in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let told = Cell::new(0);
        let cut = catch_unwind(AssertUnwindSafe(|| {
            fetch_at(folder.path(), &options, &mut FakePace::new(), &mut |_| {
                told.set(told.get() + 1);
                if told.get() > moment {
                    std::panic::resume_unwind(Box::new("the power is gone"));
                }
            })
        }));
        if cut.is_ok() {
            break;
        }
        interruptions += 1;
        let report = fetch_at(
            folder.path(),
            &options,
            &mut FakePace::after(Duration::from_secs(600)),
            &mut |_| {},
        )
        .unwrap();
        check(&report, folder.path());
        assert_eq!(report.pages, whole.pages, "after {moment}");
        assert_eq!(report.skipped, whole.skipped, "after {moment}");
        // Each page was asked for once in both together; only the sitemap may be asked about again.
        let mut asked = server.paths();
        asked.sort();
        let mut once = asked.clone();
        once.dedup();
        assert_eq!(once, usual, "after {moment}");
        let twice: Vec<&String> =
            asked.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
        assert!(twice.iter().all(|path| *path == "/s.xml"), "after {moment}: {twice:?}");
    }
    assert!(interruptions > 15, "{interruptions}");
}

#[test]
fn a_fetch_broken_off_long_ago_is_not_gone_on_with() {
    let server = Server::start(site);
    let options = site_options(&server);
    let folder = tempfile::tempdir().unwrap();
    let told = Cell::new(0);
    let cut = catch_unwind(AssertUnwindSafe(|| {
        fetch_at(folder.path(), &options, &mut FakePace::new(), &mut |_| {
            told.set(told.get() + 1);
            assert!(told.get() < 9, "enough");
        })
    }));
    assert!(cut.is_err());
    let asked = server.paths();
    fetch_at(
        folder.path(),
        &options,
        &mut FakePace::after(Duration::from_secs(90_000)),
        &mut |_| {},
    )
    .unwrap();
    let again = server.take();
    for path in asked.iter().filter(|path| matches!(path.as_str(), "/" | "/a")) {
        let request = again.iter().find(|request| request.path == *path).unwrap();
        assert_eq!(request.status, 304, "{path}");
    }
}

#[test]
fn a_journal_cut_short_and_files_spoilt_are_mended() {
    let server = Server::start(site);
    let options = site_options(&server);
    let folder = tempfile::tempdir().unwrap();
    let first = fetch(folder.path(), &options);
    server.take();
    let file = |number: usize| folder.path().join(&first.pages[number].file);
    std::fs::write(file(1), "half a pa").unwrap();
    std::fs::remove_file(file(3)).unwrap();
    std::fs::write(file(3).with_extension("html.part"), "half").unwrap();
    std::fs::write(folder.path().join("pages/stray.html"), "stray").unwrap();
    std::fs::write(
        folder.path().join("website.journal"),
        "{\"what\":\"page\",\"url\":\"http://a/\",\"ent",
    )
    .unwrap();
    let second = fetch(folder.path(), &options);
    check(&second, folder.path());
    assert!(second.pages.iter().all(|page| page.status == PageStatus::Unchanged), "{second:?}");
    let whole: Vec<String> = server
        .take()
        .into_iter()
        .filter(|request| request.sent > 0)
        .map(|request| request.path)
        .collect();
    assert_eq!(whole, ["/a", "/quiet", "/c"].tap());
}

trait Tap {
    fn tap(self) -> Vec<String>;
}

impl<const N: usize> Tap for [&str; N] {
    fn tap(self) -> Vec<String> {
        self.map(str::to_owned).to_vec()
    }
}

#[test]
fn the_folder_is_nobody_elses() {
    let server = Server::start(site);
    let options = site_options(&server);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.docx"), "years").unwrap();
    assert!(matches!(try_fetch(folder.path(), &options), Err(WebsiteError::ForeignFolder { .. })));
    assert_eq!(files(folder.path()), ["thesis.docx"]);

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("website.json"), "{\"format\": 1").unwrap();
    assert!(matches!(try_fetch(folder.path(), &options), Err(WebsiteError::BadIndex { .. })));
    std::fs::write(
        folder.path().join("website.json"),
        r#"{"format":9,"run":1,"started":null,"pages":{},"control":{}}"#,
    )
    .unwrap();
    let error = try_fetch(folder.path(), &options).unwrap_err();
    assert!(error.to_string().contains("format 9"), "{error}");
    assert!(server.paths().is_empty());
}

#[test]
fn two_at_once_are_one_too_many() {
    let server = Server::start(site);
    let options = site_options(&server);
    let folder = tempfile::tempdir().unwrap();
    let mut other = None;
    fetch_at(folder.path(), &options, &mut FakePace::new(), &mut |_| {
        other.get_or_insert_with(|| try_fetch(folder.path(), &options));
    })
    .unwrap();
    assert!(matches!(other, Some(Err(WebsiteError::Busy { .. }))));
}

#[test]
fn limits_keep_what_they_cut_off() {
    let server = Server::start(site);
    let folder = tempfile::tempdir().unwrap();
    let whole = site_options(&server);
    fetch(folder.path(), &whole);
    let report = fetch(folder.path(), &WebsiteOptions { max_pages: 2, ..whole });
    assert_eq!(pages(&report), PAGES);
    assert!(report.left_out > 0 && report.dropped.is_empty(), "{report:?}");
}

#[test]
fn what_is_excluded_now_goes_whatever_else_happens() {
    let server = Server::start(site);
    let whole = site_options(&server);
    let narrow = WebsiteOptions { exclude: vec!["/c".to_owned()], ..whole.clone() };
    let cut = WebsiteOptions { max_pages: 2, ..narrow.clone() };
    // After a whole fetch, by one that is cut short.
    let folder = tempfile::tempdir().unwrap();
    fetch(folder.path(), &whole);
    let report = fetch(folder.path(), &cut);
    assert_eq!(pages(&report), ["/", "/a", "/b", "/d", "/new"]);
    assert_eq!(crate::path(&report.dropped[0].url), "/c");
    // By one that goes on with a fetch that was broken off.
    let folder = tempfile::tempdir().unwrap();
    let cut = catch_unwind(AssertUnwindSafe(|| {
        fetch_at(folder.path(), &whole, &mut FakePace::new(), &mut |news| {
            if let Progress::Page { url, .. } = news {
                assert!(!url.ends_with("/c"), "enough");
            }
        })
    }));
    assert!(cut.is_err());
    let report = fetch(folder.path(), &narrow);
    assert_eq!(pages(&report), ["/", "/a", "/b", "/d", "/new"]);
    assert!(files(folder.path()).iter().all(|file| !file.ends_with("c~.html")));
}

#[test]
fn a_new_address_from_which_nothing_comes_costs_no_page_of_the_old_one() {
    let server = Server::start(site);
    let whole = site_options(&server);
    let folder = tempfile::tempdir().unwrap();
    fetch(folder.path(), &whole);
    let page_files = || {
        let mut all = files(folder.path());
        all.retain(|file| file.starts_with("pages/"));
        all
    };
    let before = page_files();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mistyped = following(format!("http://{closed}/"));
    let report = fetch(folder.path(), &mistyped);
    assert_eq!((pages(&report).len(), report.dropped.len()), (0, 0), "{report:?}");
    assert_eq!(page_files(), before);
    let again = fetch(folder.path(), &whole);
    assert!(again.pages.iter().all(|page| page.status == PageStatus::Unchanged), "{again:?}");

    // Where pages come from the new one, the others go.
    let other = Server::start(site);
    let report = fetch(folder.path(), &site_options(&other));
    assert_eq!(pages(&report), PAGES);
    assert!(report.dropped.len() >= PAGES.len(), "copies go too: {report:?}");
}

#[test]
fn the_report_is_data() {
    let server = Server::start(site);
    let folder = tempfile::tempdir().unwrap();
    let report = fetch(folder.path(), &site_options(&server));
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<WebsiteReport>(&text).unwrap(), report);
    let text = r#"{"addresses":["https://www.example.edu/"],"follow":true,"exclude":["/old/**"]}"#;
    let read: WebsiteOptions = serde_json::from_str(text).unwrap();
    assert_eq!(read.exclude, ["/old/**"]);
    assert!(serde_json::from_str::<WebsiteOptions>(r#"{"adresses":[]}"#).is_err());
    let _ = options(&[]);
}
