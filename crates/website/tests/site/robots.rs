//! `robots.txt` as it comes over the wire.

use crate::server::{Reply, Server};
use crate::{FakePace, fetch, fetch_at, following, options, pages, skipped};
use campanile_website::{PageStatus, SkipReason};
use std::time::Duration;

const RULES: &str =
    "User-agent: *\nDisallow: /\n\nUser-agent: campanile\nDisallow: /private\nAllow: /private/open";

#[test]
fn rules_are_asked_for_first_and_kept_to() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::text(RULES),
        "/" => Reply::html("<a href=/private/x><a href=/private/open><a href=/a>"),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let report = fetch(folder.path(), &following(server.url("/")));
    assert_eq!(server.paths(), ["/robots.txt", "/", "/private/open", "/a"]);
    assert_eq!(pages(&report), ["/", "/a", "/private/open"]);
    assert_eq!(skipped(&report), [("/private/x", &SkipReason::Robots)]);
}

#[test]
fn without_rules_all_is_allowed_and_without_an_answer_nothing() {
    for (status, is_allowed) in
        [(404, true), (410, true), (401, true), (403, true), (500, false), (503, false)]
    {
        let server = Server::start(move |request, _| match request.path.as_str() {
            "/robots.txt" => Reply::status(status),
            _ => Reply::html("page"),
        });
        let folder = tempfile::tempdir().unwrap();
        let report = fetch(folder.path(), &options(&[server.url("/a")]));
        assert_eq!(!report.pages.is_empty(), is_allowed, "{status}");
        if !is_allowed {
            assert!(server.paths().iter().all(|path| path == "/robots.txt"));
            assert!(matches!(skipped(&report)[..], [("/a", SkipReason::RobotsUnreachable { .. })]));
        }
    }
}

#[test]
fn redirects_of_the_rules_are_followed_five_times() {
    for (redirects, is_allowed) in [(1, false), (5, false), (6, false)] {
        let server = Server::start(move |request, _| {
            let step: usize = match request.path.as_str() {
                "/robots.txt" => 0,
                path => path.strip_prefix("/r").and_then(|step| step.parse().ok()).unwrap_or(99),
            };
            match step {
                99 => Reply::html("page"),
                step if step < redirects => Reply::redirect(&format!("/r{}", step + 1)),
                _ => Reply::text("User-agent: *\nDisallow: /a"),
            }
        });
        let folder = tempfile::tempdir().unwrap();
        let report = fetch(folder.path(), &options(&[server.url("/a")]));
        assert_eq!(!report.pages.is_empty(), is_allowed, "{redirects}");
        let is_unreachable = matches!(skipped(&report)[0].1, SkipReason::RobotsUnreachable { .. });
        assert_eq!(is_unreachable, redirects > 5);
        // Every hop was really taken.
        assert_eq!(server.paths().len(), redirects.min(5) + 1);
    }
}

#[test]
fn rules_hold_for_a_day_and_stand_in_for_thirty() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /b").tagged(),
        _ => Reply::html(request.path.clone()).tagged(),
    });
    let folder = tempfile::tempdir().unwrap();
    let options = options(&[server.url("/a"), server.url("/b")]);
    let at = |hours: u64| {
        fetch_at(
            folder.path(),
            &options,
            &mut FakePace::after(Duration::from_secs(hours * 3_600)),
            &mut |_| {},
        )
        .unwrap()
    };
    at(0);
    assert_eq!(server.paths(), ["/robots.txt", "/a"]);
    at(23);
    assert_eq!(server.paths(), ["/a"]);
    at(25);
    let requests = server.take();
    assert_eq!(requests[0].path, "/robots.txt");
    assert_eq!((requests[0].status, requests[0].sent), (304, 0));
    server.change(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(503),
        _ => Reply::html(request.path.clone()).tagged(),
    });
    let report = at(20 * 24);
    assert_eq!(report.pages[0].status, PageStatus::Unchanged);
    assert_eq!(skipped(&report), [("/b", &SkipReason::Robots)]);
    let report = at(40 * 24);
    assert_eq!(report.pages[0].status, PageStatus::Kept);
    assert!(matches!(
        skipped(&report)[..],
        [
            ("/a", SkipReason::RobotsUnreachable { .. }),
            ("/b", SkipReason::RobotsUnreachable { .. })
        ]
    ));
}

#[test]
fn a_page_that_is_disallowed_now_is_dropped() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let options = options(&[server.url("/a")]);
    let file = folder.path().join(&fetch(folder.path(), &options).pages[0].file);
    assert!(file.exists());
    server.change(|_, _| Reply::text("User-agent: *\nDisallow: /"));
    let report = fetch_at(
        folder.path(),
        &options,
        &mut FakePace::after(Duration::from_secs(90_000)),
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(report.dropped[0].reason, Some(SkipReason::Robots));
    assert!(!file.exists() && report.pages.is_empty());
}

#[test]
fn more_rules_than_a_megabyte_are_cut() {
    let mut text = "User-agent: *\nDisallow: /b\n".to_owned();
    text += &"# nothing\n".repeat(300_000);
    let server = Server::start(move |request, _| match request.path.as_str() {
        "/robots.txt" => Reply::text(text.clone()),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let report = fetch(folder.path(), &options(&[server.url("/a"), server.url("/b")]));
    assert_eq!((pages(&report), skipped(&report)), (vec!["/a"], vec![("/b", &SkipReason::Robots)]));
}
