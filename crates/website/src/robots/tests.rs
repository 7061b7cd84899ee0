//! RFC 9309 as cases, and a slower matcher that the quick one must agree with.

use super::Robots;
use proptest::prelude::*;
use std::time::Duration;

/// Rules for everybody, paths, and whether they may be asked for.
const RULES: &[(&str, &[(&str, bool)])] = &[
    ("", &[("/", true)]),
    ("Disallow:", &[("/a", true)]),
    ("Disallow: /", &[("/", false), ("/a?b", false), ("/robots.txt", true)]),
    (
        "Disallow: /a",
        &[("/a", false), ("/ab", false), ("/a/b", false), ("/b/a", true), ("/A", true)],
    ),
    // The longest match decides, wherever it stands; of equals the one that allows.
    ("Allow: /p\nDisallow: /", &[("/page", true), ("/other", false)]),
    ("Disallow: /\nAllow: /p", &[("/page", true), ("/other", false)]),
    ("Allow: /folder\nDisallow: /folder", &[("/folder/page", true)]),
    ("Disallow: /folder\nAllow: /folder", &[("/folder/page", true)]),
    ("Allow: /page\nDisallow: /*.htm", &[("/page.htm", false), ("/page", true)]),
    ("Allow: /$\nDisallow: /", &[("/", true), ("/page.htm", false)]),
    // `*` and `$`.
    ("Disallow: *.gif$", &[("/a/b.gif", false), ("/a/b.gif?x", true), ("/b.gifs", true)]),
    ("Disallow: /fish*", &[("/fish.html", false), ("/fishheads/yum", false), ("/Fish.asp", true)]),
    ("Disallow: /*.php", &[("/folder/any.php.file/", false), ("/", true), ("/windows.PHP", true)]),
    (
        "Disallow: /*.php$",
        &[("/filename.php", false), ("/filename.php?parameters", true), ("/a.php5", true)],
    ),
    (
        "Disallow: /fish*.php",
        &[("/fish.php", false), ("/fishheads/catfish.php?id=1", false), ("/Fish.PHP", true)],
    ),
    (
        "Disallow: /a*b*c$",
        &[("/abc", false), ("/aXbXc", false), ("/abcX", true), ("/acb", true), ("/abcbc", false)],
    ),
    ("Disallow: /*?", &[("/a?b", false), ("/a", true)]),
    // A query is part of what is matched.
    ("Disallow: /find?q=", &[("/find?q=x", false), ("/find?p=x", true)]),
    // Escapes are compared by what they stand for (RFC 9309, section 2.2.2).
    ("Disallow: /foo/bar?baz=quz", &[("/foo/bar?baz=quz", false)]),
    ("Disallow: /foo/bar/ツ", &[("/foo/bar/%E3%83%84", false), ("/foo/bar/%e3%83%84", false)]),
    ("Disallow: /foo/bar/%E3%83%84", &[("/foo/bar/%E3%83%84", false), ("/foo/bar/ツ", false)]),
    ("Disallow: /foo/bar/%62%61%7A", &[("/foo/bar/baz", false), ("/foo/bar/%62%61%7A", false)]),
    ("Disallow: /a%2Fb", &[("/a%2fb", false), ("/a/b", true)]),
    (
        "Disallow: /path/file-with-a-%2A.html",
        &[("/path/file-with-a-*.html", false), ("/path/file-with-a-x.html", true)],
    ),
    ("Disallow: /foo-%24", &[("/foo-$", false), ("/foo-", true)]),
    ("Disallow: /a$b", &[("/a$b", false), ("/a", true)]),
    // What is no rule is passed over.
    (
        "Disallow /a\nnonsense\nDisallow: /b # why\n: x\nNoindex: /c",
        &[("/a", true), ("/b", false), ("/c", true)],
    ),
    ("DISALLOW:/b\r\n  disallow :\t/c", &[("/b", false), ("/c", false)]),
];

/// A file, an agent, a path, and whether it may be asked for.
const GROUPS: &[(&str, &str, &str, bool)] = &[
    ("User-agent: other\nDisallow: /", "Campanile", "/", true),
    ("User-agent: *\nDisallow: /\nUser-agent: campanile\nDisallow: /x", "Campanile", "/a", true),
    ("User-agent: CAMPANILE\nDisallow: /", "Campanile", "/a", false),
    ("User-agent: Campanile/2.0 (+x)\nDisallow: /", "Campanile", "/a", false),
    ("User-agent: Campanilebot\nDisallow: /", "Campanile", "/a", true),
    ("User-agent: a\nUser-agent: campanile\nDisallow: /", "Campanile", "/a", false),
    // Groups of one agent are one group.
    (
        "User-agent: campanile\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: campanile\nDisallow: /c",
        "Campanile",
        "/c",
        false,
    ),
    (
        "User-agent: campanile\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: campanile\nDisallow: /c",
        "Campanile",
        "/b",
        true,
    ),
    ("User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "Campanile", "/b", false),
    // Blank lines and other records do not end a group.
    (
        "User-agent: campanile\n\nSitemap: https://example.edu/s.xml\n\nDisallow: /",
        "Campanile",
        "/a",
        false,
    ),
    ("User-agent: campanile\nCrawl-delay: 3\nUser-agent: b\nDisallow: /", "Campanile", "/a", false),
    // A group of ours without rules is still ours.
    ("User-agent: *\nDisallow: /\nUser-agent: campanile\nDisallow:", "Campanile", "/a", true),
    ("Disallow: /\nUser-agent: *\nAllow: /", "Campanile", "/a", true),
    ("\u{feff}User-agent: *\nDisallow: /", "Campanile", "/a", false),
];

#[test]
fn rules() {
    for (rules, paths) in RULES {
        let robots = Robots::parse(format!("User-agent: *\n{rules}\n").as_bytes());
        for (path, expected) in *paths {
            assert_eq!(robots.rules_for("Campanile").allow(path), *expected, "{rules:?} on {path}");
        }
    }
}

#[test]
fn groups() {
    for (text, agent, path, expected) in GROUPS {
        let robots = Robots::parse(text.as_bytes());
        assert_eq!(robots.rules_for(agent).allow(path), *expected, "{text:?} on {path}");
    }
}

#[test]
fn delays_and_sitemaps() {
    let text = b"Sitemap: https://example.edu/a.xml\nUser-agent: *\nCrawl-delay: 2.5\nUser-agent: x\nDisallow: /\n\
                 User-agent: *\nCrawl-delay: 1\nAllow: /\nsitemap:https://example.edu/b.xml#c";
    let robots = Robots::parse(text);
    assert_eq!(robots.sitemaps, ["https://example.edu/a.xml", "https://example.edu/b.xml"]);
    let delay = |agent| robots.rules_for(agent).crawl_delay;
    assert_eq!(delay("campanile"), Some(Duration::from_millis(2_500)));
    for nonsense in ["-1", "NaN", "soon", "", "1e999"] {
        let robots = Robots::parse(format!("User-agent: *\nCrawl-delay: {nonsense}").as_bytes());
        assert_eq!(robots.rules_for("x").crawl_delay, None, "{nonsense}");
    }
}

#[test]
fn half_a_megabyte_is_read() {
    let mut text = b"User-agent: *\n".to_vec();
    while text.len() < 500 * 1024 {
        text.extend_from_slice(b"Disallow: /some/long/path/that/is/not/asked/for\n");
    }
    text.extend_from_slice(b"Disallow: /last\n");
    assert!(u64::try_from(text.len()).is_ok_and(|len| len < super::MOST_BYTES));
    assert!(!Robots::parse(&text).rules_for("x").allow("/last"));
}

/// Tries every way to match, one character at a time.
fn slow(pattern: &[u8], path: &[u8]) -> bool {
    match (pattern, path) {
        ([], _) | ([b'$'], []) => true,
        ([b'*', rest @ ..], _) => (0..=path.len()).any(|skipped| slow(rest, &path[skipped..])),
        ([first, rest @ ..], [found, after @ ..]) if first == found => slow(rest, after),
        _ => false,
    }
}

proptest! {
    #[test]
    fn agrees_with_the_slow_matcher(
        rules in prop::collection::vec((any::<bool>(), "/?[ab*/]{0,7}\\$?"), 0..6),
        path in "/[ab/]{0,9}",
    ) {
        let mut text = "User-agent: *\n".to_owned();
        let mut best: Option<(usize, bool)> = None;
        for (allow, pattern) in &rules {
            text += &format!("{}: {pattern}\n", if *allow { "Allow" } else { "Disallow" });
            if !pattern.is_empty() && slow(pattern.as_bytes(), path.as_bytes()) {
                best = best.max(Some((pattern.len(), *allow)));
            }
        }
        let expected = best.is_none_or(|(_, allow)| allow);
        prop_assert_eq!(Robots::parse(text.as_bytes()).rules_for("x").allow(&path), expected, "{}", text);
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..2_000), path in "/.{0,20}") {
        Robots::parse(&bytes).rules_for("campanile").allow(&path);
    }

    #[test]
    fn any_lines_are_read(text in "((user-agent|allow|disallow|sitemap|crawl-delay) ?: ?.{0,12}\n){0,20}", path in "/.{0,20}") {
        Robots::parse(text.as_bytes()).rules_for("campanile").allow(&path);
    }
}
