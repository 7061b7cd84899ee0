//! Addresses from sitemaps.

use crate::network::FakeNetwork;
use crate::server::{Reply, Server};
use crate::{FakePace, fetch, fetch_at, following, options, pages, skipped, try_fetch};
use campanile_website::{PageStatus, SkipReason, WebsiteError, WebsiteOptions, fetch_by};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::time::Duration;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn urlset(paths: &[&str]) -> String {
    let urls: String = paths.iter().map(|path| format!("<url><loc>{path}</loc></url>")).collect();
    format!(
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{urls}</urlset>"
    )
}

fn index(paths: &[&str]) -> String {
    let sitemaps: String =
        paths.iter().map(|path| format!("<sitemap><loc>{path}</loc></sitemap>")).collect();
    format!("<sitemapindex>{sitemaps}</sitemapindex>")
}

fn of_sitemap(server: &Server, path: &str) -> WebsiteOptions {
    WebsiteOptions { sitemaps: vec![server.url(path)], ..options(&[]) }
}

#[test]
fn an_index_with_a_gzipped_and_a_plain_list() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/index.xml" => {
            Reply::xml(index(&["/one.xml.gz", "/two.txt", "/index.xml", "/missing.xml"]))
        }
        "/one.xml.gz" => Reply::of(
            200,
            "application/gzip",
            gzip(&urlset(&["/a", "/b?x=1&amp;y=2", "/a", "ftp://x/"])),
        ),
        "/two.txt" => Reply::text(format!(
            "http://{}/c\nhttp://elsewhere.example/d\n",
            request.header("host").unwrap()
        )),
        "/missing.xml" => Reply::status(404),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let report = fetch(folder.path(), &of_sitemap(&server, "/index.xml"));
    assert_eq!(pages(&report), ["/a", "/b?x=1&y=2", "/c"]);
    let reasons: Vec<&SkipReason> = report.skipped.iter().map(|skipped| &skipped.reason).collect();
    assert!(
        matches!(
            reasons[..],
            [
                SkipReason::BadAddress { .. },
                SkipReason::Sitemap { .. },
                SkipReason::OtherHost { .. }
            ]
        ),
        "{reasons:?}"
    );
}

#[test]
fn what_robots_names_is_read_as_far_as_it_is_meant() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::text("Sitemap: /lists/all.xml"),
        "/lists/all.xml" => Reply::xml(urlset(&["/cs/a", "/cs/b", "/bio/c"])),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let auto =
        WebsiteOptions { sitemaps: vec!["auto".to_owned()], ..options(&[server.url("/cs/")]) };
    let report = fetch(folder.path(), &auto);
    assert_eq!(pages(&report), ["/cs/", "/cs/a", "/cs/b"]);
    assert_eq!(report.links_passed_over, 1);
}

#[test]
fn without_a_name_the_usual_place_is_looked_at() {
    for (status, expected) in [(200, 2), (404, 1)] {
        let server = Server::start(move |request, _| match request.path.as_str() {
            "/robots.txt" => Reply::status(404),
            "/sitemap.xml" => Reply { status, ..Reply::xml(urlset(&["/a"])) },
            _ => Reply::html("page"),
        });
        let folder = tempfile::tempdir().unwrap();
        let auto =
            WebsiteOptions { sitemaps: vec!["auto".to_owned()], ..options(&[server.url("/")]) };
        let report = fetch(folder.path(), &auto);
        assert_eq!(report.pages.len(), expected);
        assert!(report.skipped.is_empty(), "{report:?}");
    }
}

#[test]
fn a_list_that_fails_once_costs_no_page() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/s.xml" => Reply::xml(urlset(&["/a", "/b"])).tagged(),
        _ => Reply::html("page").tagged(),
    });
    let folder = tempfile::tempdir().unwrap();
    let options = of_sitemap(&server, "/s.xml");
    fetch(folder.path(), &options);
    server.change(|request, _| match request.path.as_str() {
        "/s.xml" => Reply::status(500),
        _ => Reply::html("page").tagged(),
    });
    let report = fetch(folder.path(), &options);
    assert_eq!(pages(&report), ["/a", "/b"]);
    assert!(report.pages.iter().all(|page| page.status == PageStatus::Unchanged));
    assert!(matches!(skipped(&report)[..], [("/s.xml", SkipReason::Sitemap { .. })]));
}

#[test]
fn a_list_that_is_gone_drops_no_page() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/s.xml" => Reply::xml(urlset(&["/a", "/b"])),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let options = of_sitemap(&server, "/s.xml");
    fetch(folder.path(), &options);
    server.change(|_, _| Reply::status(404));
    let report = fetch(folder.path(), &options);
    assert_eq!(pages(&report), ["/a", "/b"]);
    assert!(report.pages.iter().all(|page| page.status == PageStatus::Kept), "{report:?}");
    assert!(report.dropped.is_empty());
}

#[test]
fn what_a_list_no_longer_has_is_dropped() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/s.xml" => Reply::xml(urlset(&["/a", "/b"])),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let options = of_sitemap(&server, "/s.xml");
    fetch(folder.path(), &options);
    server.change(|request, _| match request.path.as_str() {
        "/s.xml" => Reply::xml(urlset(&["/a"])),
        _ => Reply::html("page"),
    });
    let report = fetch_at(
        folder.path(),
        &options,
        &mut FakePace::after(Duration::from_secs(60)),
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(pages(&report), ["/a"]);
    assert_eq!((crate::path(&report.dropped[0].url), &report.dropped[0].reason), ("/b", &None));
    assert!(!folder.path().join(&report.dropped[0].file).exists());
}

#[test]
fn lists_of_other_hosts_are_not_asked_for() {
    let mut pace = FakePace::new();
    let mut network = FakeNetwork::new(&pace, |url, _| match url {
        "http://a/robots.txt" => {
            (200, vec![], "Sitemap: http://b/s.xml\nSitemap: http://a/moved.xml")
        }
        "http://a/moved.xml" => (301, vec![("Location", "http://b/s.xml".to_owned())], ""),
        _ => (200, vec![], "http://a/x"),
    });
    let auto =
        WebsiteOptions { sitemaps: vec!["auto".to_owned()], ..options(&["http://a/".to_owned()]) };
    let folder = tempfile::tempdir().unwrap();
    let report = fetch_by(folder.path(), &auto, &mut network, &mut pace, &mut |_| {}).unwrap();
    assert_eq!(pages(&report), ["/"]);
    assert_eq!(network.times("http://b/").len(), 0);
    let skipped: Vec<&str> = report.skipped.iter().map(|skipped| skipped.url.as_str()).collect();
    assert_eq!(skipped, ["http://a/moved.xml", "http://b/s.xml"]);
    assert!(report.skipped[0].to_string().contains("`b` is none of the hosts"), "{report:?}");
}

#[test]
fn links_from_a_listed_page_stay_below_the_list() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/cs/s.xml" => Reply::xml(urlset(&["/cs/a"])),
        "/cs/a" => Reply::html("<a href=b><a href=/bio>"),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let report =
        fetch(folder.path(), &WebsiteOptions { follow: true, ..of_sitemap(&server, "/cs/s.xml") });
    assert_eq!(pages(&report), ["/cs/a", "/cs/b"]);
}

#[test]
fn settings_that_name_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let auto = WebsiteOptions { sitemaps: vec!["auto".to_owned()], ..options(&[]) };
    assert!(matches!(try_fetch(folder.path(), &auto), Err(WebsiteError::NoSite)));
    assert!(matches!(try_fetch(folder.path(), &options(&[])), Err(WebsiteError::NothingNamed)));
    for address in ["file:///etc/passwd", "www.example.edu", "https://me:secret@example.edu/"] {
        let error = try_fetch(folder.path(), &options(&[address.to_owned()])).unwrap_err();
        assert!(error.to_string().contains(address), "{error}");
    }
    let named = WebsiteOptions {
        user_agent: Some("(nobody)".to_owned()),
        ..following("http://a/".to_owned())
    };
    assert!(matches!(try_fetch(folder.path(), &named), Err(WebsiteError::BadAgent { .. })));
    assert!(crate::files(folder.path()).is_empty());
}
