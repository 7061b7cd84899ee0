#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use super::{Directives, MOST_LINKS, Page};
use crate::address::parse;
use proptest::prelude::*;

fn page(html: &str) -> Page {
    Page::read(html, &parse("https://example.edu/a/b.html").unwrap(), "Campanile")
}

fn links(html: &str) -> Vec<String> {
    page(html).links.iter().map(ToString::to_string).collect()
}

#[test]
fn links_of_a_page() {
    let cases: &[(&str, &[&str])] = &[
        ("<a href=c.html>", &["https://example.edu/a/c.html"]),
        ("<A HREF='/x?a=1&amp;b=2#top'>", &["https://example.edu/x?a=1&b=2"]),
        ("<area href=\"../up\">", &["https://example.edu/up"]),
        ("<base href=/other/><base href=/no/><a href=c>", &["https://example.edu/other/c"]),
        ("<a href='//else.example/p'>", &["https://else.example/p"]),
        ("<a href=c><a href=c#d><a href=' c '>", &["https://example.edu/a/c"]),
        ("<a href='Prüfung ö.html'>", &["https://example.edu/a/Pr%C3%BCfung%20%C3%B6.html"]),
        ("<a href='/../../etc/passwd'>", &["https://example.edu/etc/passwd"]),
        // No links: other schemes, comments, scripts, styles, attributes of nothing, `nofollow`.
        (
            "<a href='javascript:void(0)'><a href='mailto:a@b.c'><a href='tel:1'><a href='file:///etc'>",
            &[],
        ),
        ("<a href='data:text/html,x'><a name=c><a rel='x NoFollow' href=c>", &[]),
        ("<!-- <a href=c> --><script>'<a href=c>'</script><style><a href=c></style>", &[]),
        ("<textarea><a href=c></textarea><title><a href=c></title>", &[]),
        (
            "<script>x</script><a href=c><script>y</script><a href=d>",
            &["https://example.edu/a/c", "https://example.edu/a/d"],
        ),
        ("<a href='http://[bad'><a href='http://:99999/'>", &[]),
    ];
    for (html, expected) in cases {
        assert_eq!(links(html), *expected, "{html}");
    }
}

#[test]
fn what_a_page_says_of_itself() {
    let said = page(
        "<title> Fees\n &amp; deadlines </title><svg><title>Icon</title></svg>\
                     <link rel='Canonical' href='/fees'><link rel=canonical href=/no>",
    );
    assert_eq!(said.title.as_deref(), Some("Fees & deadlines"));
    assert_eq!(said.canonical.unwrap().as_str(), "https://example.edu/fees");
    assert_eq!(page("<title> </title>").title, None);
    assert_eq!(page("<link rel=canonical href='mailto:x'>").canonical, None);
    let cases = [
        ("<meta name=robots content=noindex>", true, false),
        ("<META NAME=Robots CONTENT='NoIndex, NOFOLLOW'>", true, true),
        ("<meta name=robots content=none>", true, true),
        ("<meta name=campanile content=nofollow>", false, true),
        ("<meta name=otherbot content=none>", false, false),
        ("<meta name=robots content='index,follow,noarchive'>", false, false),
        ("<!--<meta name=robots content=none>-->", false, false),
    ];
    for (html, noindex, nofollow) in cases {
        assert_eq!(page(html).directives, Directives { noindex, nofollow }, "{html}");
    }
}

#[test]
fn headers_for_robots() {
    let cases = [
        ("noindex", true, false),
        ("Noindex, nofollow", true, true),
        ("otherbot: noindex", false, false),
        ("Campanile: noindex", true, false),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST", false, false),
        ("noindex, unavailable_after: 25 Jun 2030 15:00:00 PST", true, false),
        ("all", false, false),
    ];
    for (value, noindex, nofollow) in cases {
        let mut directives = Directives::default();
        directives.add_header(value, "Campanile");
        assert_eq!(directives, Directives { noindex, nofollow }, "{value}");
    }
}

#[test]
fn links_have_a_limit() {
    let html: String = (0..MOST_LINKS + 700).map(|number| format!("<a href=/{number}>")).collect();
    let page = page(&html);
    assert_eq!((page.links.len(), page.passed_over), (MOST_LINKS, 700));
}

#[test]
fn nesting_costs_nothing() {
    assert_eq!(page(&("<b><i><div>".repeat(200_000) + "<a href=c>")).links.len(), 1);
}

proptest! {
    #[test]
    fn any_text_is_read(html in ".{0,300}") {
        page(&html);
    }

    #[test]
    fn any_markup_is_read(html in "((<|</)(a|base|meta|link|title|script|style)( (href|rel|name|content)=.{0,6})?>?){0,20}") {
        page(&html);
    }
}
