//! Links, redirects, and how far they lead.

use crate::server::{Reply, Server};
use crate::{fetch, following, options, pages, skipped};
use campanile_website::{SkipReason, WebsiteOptions};

#[test]
fn links_are_followed_below_the_start() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/cs/" => Reply::html(
            "<a href=a.html><a href='b?q=1#x'><a href=/bio/><a href=//elsewhere.example/cs/c>\
             <a href='javascript:go()'><a href='mailto:a@b.c'><a href='/cs/../../etc/passwd'>\
             <a href='../cs/d'><a rel=nofollow href=e>",
        ),
        "/cs/a.html" => Reply::html("<a href=/cs/><a href='Pr%FCfung'><a href='Übung'>"),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let report = fetch(folder.path(), &following(server.url("/cs/")));
    assert_eq!(
        pages(&report),
        ["/cs/", "/cs/Pr%FCfung", "/cs/a.html", "/cs/b?q=1", "/cs/d", "/cs/%C3%9Cbung"]
            .tap_sorted()
    );
    assert_eq!(report.links_passed_over, 6);
    assert!(report.skipped.is_empty(), "{report:?}");
    assert!(crate::files(folder.path()).iter().all(|file| !file.contains("..")));
}

#[test]
fn without_follow_no_link_is_followed() {
    let server = Server::start(|_, _| Reply::html("<a href=/b>"));
    let folder = tempfile::tempdir().unwrap();
    let report = fetch(folder.path(), &options(&[server.url("/a")]));
    assert_eq!((pages(&report), report.links_passed_over), (vec!["/a"], 0));
}

#[test]
fn depth_and_number_have_limits() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        // A calendar without end.
        path => {
            let number: usize = path.trim_start_matches("/d/").parse().unwrap_or(0);
            let links: String =
                (1..4).map(|step| format!("<a href=/d/{}>", number * 3 + step)).collect();
            Reply::html(links)
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let deep = WebsiteOptions { depth: 2, ..following(server.url("/")) };
    assert_eq!(fetch(folder.path(), &deep).pages.len(), 1 + 3 + 9);
    let folder = tempfile::tempdir().unwrap();
    let many = WebsiteOptions { max_pages: 7, depth: 100, ..following(server.url("/")) };
    let report = fetch(folder.path(), &many);
    assert_eq!((report.pages.len(), report.left_out), (7, 1 + 7 * 3 - 7));
}

#[test]
fn thousands_of_links_are_cut() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/" => {
            Reply::html((0..9_000).map(|number| format!("<a href=/{number}>")).collect::<String>())
        }
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let report =
        fetch(folder.path(), &WebsiteOptions { max_pages: 20, ..following(server.url("/")) });
    assert_eq!(
        (report.pages.len(), report.left_out, report.links_passed_over),
        (20, 5_001 - 20, 4_000)
    );
}

#[test]
fn include_and_exclude_hold_for_links_and_lists() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => Reply::html("<a href=/de/a><a href=/en/a><a href=/en/old/b><a href=/en/c.html>"),
    });
    let folder = tempfile::tempdir().unwrap();
    let narrow = WebsiteOptions {
        include: vec!["/".to_owned(), "/en/**".to_owned()],
        exclude: vec!["/en/old/**".to_owned()],
        addresses: vec![server.url("/"), server.url("/de/listed")],
        ..following(String::new())
    };
    let report = fetch(folder.path(), &narrow);
    assert_eq!(pages(&report), ["/", "/en/a", "/en/c.html"]);
    assert_eq!(skipped(&report), [("/de/listed", &SkipReason::Excluded)]);
}

#[test]
fn a_redirect_leads_to_the_page_it_names() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private"),
        "/old" => Reply::redirect("/older"),
        "/older" => Reply::redirect("/new"),
        "/secret" => Reply::redirect("/private/x"),
        "/away" => Reply::redirect("https://login.example/?from=away"),
        "/file" => Reply::redirect("file:///etc/passwd"),
        "/nowhere" => Reply::status(301),
        _ => Reply::html("page"),
    });
    let folder = tempfile::tempdir().unwrap();
    let list = ["/old", "/secret", "/away", "/file", "/nowhere"].map(|path| server.url(path));
    let report = fetch(folder.path(), &options(&list));
    assert_eq!(pages(&report), ["/new"]);
    let from: Vec<&str> =
        report.pages[0].redirected_from.iter().map(|url| crate::path(url)).collect();
    assert_eq!(from, ["/old", "/older"]);
    let reasons = skipped(&report);
    assert!(
        matches!(
            reasons[..],
            [
                ("/away", SkipReason::Redirect { .. }),
                ("/file", SkipReason::Redirect { .. }),
                ("/nowhere", SkipReason::RedirectLoop | SkipReason::Redirect { .. }),
                ("/private/x", SkipReason::Robots),
            ]
        ),
        "{reasons:?}"
    );
    assert!(
        reasons[0].1.to_string().contains("`login.example` is none of the hosts"),
        "{}",
        reasons[0].1
    );
    // The private page was not asked for.
    assert!(!server.paths().contains(&"/private/x".to_owned()));
}

#[test]
fn circles_end() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/a" => Reply::redirect("/b"),
        "/b" => Reply::redirect("/c"),
        "/c" => Reply::redirect("/a"),
        "/self" => Reply::redirect("/self#x"),
        path => {
            let number: usize = path.trim_start_matches("/n").parse().unwrap();
            Reply::redirect(&format!("/n{}", number + 1))
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let report =
        fetch(folder.path(), &options(&[server.url("/a"), server.url("/self"), server.url("/n0")]));
    assert!(report.pages.is_empty());
    for path in ["/a", "/b", "/c", "/self"] {
        assert!(
            skipped(&report).contains(&(path, &SkipReason::RedirectLoop)),
            "{path}: {report:?}"
        );
    }
    let [.., (_, last)] = skipped(&report)[..] else { panic!("{report:?}") };
    assert_eq!(last, &SkipReason::RedirectLoop);
    let too_many = report.skipped.iter().find(|skipped| skipped.url.ends_with("/n5")).unwrap();
    assert!(too_many.reason.to_string().contains("max_redirects"), "{too_many}");
    // /robots.txt, the circle of three, itself, and six of the rest.
    assert_eq!(server.paths().len(), 1 + 3 + 1 + 6);
}

trait Sorted {
    fn tap_sorted(self) -> Self;
}

impl<const N: usize> Sorted for [&str; N] {
    fn tap_sorted(mut self) -> Self {
        self.sort_unstable();
        self
    }
}
