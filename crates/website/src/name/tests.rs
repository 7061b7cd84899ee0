#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use super::file_name;
use crate::address::parse;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[test]
fn plain_addresses_are_their_own_names() {
    let cases = [
        ("https://x.edu/", "html", "x.edu/index.html"),
        ("https://x.edu/fees.html", "html", "x.edu/fees.html"),
        ("https://x.edu/fees", "html", "x.edu/fees~.html"),
        ("https://x.edu/fees/", "html", "x.edu/fees/index.html"),
        ("https://x.edu/fees.php", "html", "x.edu/fees.php~.html"),
        ("https://x.edu/fees.html", "pdf", "x.edu/fees.html~.pdf"),
        ("https://x.edu/v1.2/a.pdf", "pdf", "x.edu/v1~2/a.pdf"),
        ("http://x.edu/a", "html", "x.edu~http/a~.html"),
        ("http://127.0.0.1:8080/a.txt", "txt", "127.0.0.1~http~8080/a.txt"),
    ];
    for (url, extension, expected) in cases {
        assert_eq!(file_name(&parse(url).unwrap(), extension), expected, "{url}");
    }
}

#[test]
fn others_carry_a_hash() {
    let cases = [
        ("https://x.edu/Fees.html", "x.edu/fees~"),
        ("https://x.edu/find?q=1", "x.edu/find~"),
        ("https://x.edu/?q=1", "x.edu/~"),
        ("https://x.edu/index.html", "x.edu/index~"),
        ("https://x.edu/con.html", "x.edu/con-~"),
        ("https://x.edu/aux/lpt1/nul", "x.edu/aux-/lpt1-/nul-~"),
        ("https://x.edu/node_modules/a.html", "x.edu/node_modules-/a~"),
        ("https://x.edu/.git/config", "x.edu/git/config~"),
        ("https://x.edu/a%2F..%2F..%2Fetc/passwd", "x.edu/a-etc/passwd~"),
        ("https://x.edu/Pr%C3%BCfung/%E2%80%AEx", "x.edu/pr-fung/x~"),
        ("https://x.edu/a~b", "x.edu/a-b~"),
        ("https://x.edu//a", "x.edu/a~"),
        ("https://x.edu/a//b", "x.edu/a/b~"),
    ];
    for (url, expected) in cases {
        let name = file_name(&parse(url).unwrap(), "html");
        let rest = name.strip_prefix(expected).map(str::len);
        assert_eq!(rest, Some("0123456789abcdef01234567.html".len()), "{url}: {name}");
    }
}

#[test]
fn names_are_short() {
    let long = "a".repeat(1_500);
    let deep = "abcdefgh/".repeat(150);
    for path in [format!("{long}.html"), deep.clone(), format!("{deep}a?{}", "b".repeat(300))] {
        let name = file_name(&parse(&format!("https://x.edu/{path}")).unwrap(), "html");
        assert!(name.len() < 260 && name.split('/').all(|part| part.len() < 100), "{name}");
    }
}

/// Returns `true` if every part of a path can be a file's name on any system.
fn holds_everywhere(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    name.len() < 400
        && parts.len() >= 2
        && parts.iter().all(|part| {
            let stem = part.split(['.', '~']).next().unwrap_or_default();
            !part.is_empty()
                && part.len() < 200
                && !part.starts_with('.')
                && !part.ends_with('.')
                && !matches!(stem, "con" | "prn" | "aux" | "nul" | "com1" | "lpt9")
                && part
                    .bytes()
                    .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~'))
        })
        && parts.iter().rev().skip(1).rev().skip(1).all(|folder| !folder.contains('.'))
        && parts.last().is_some_and(|file| file.contains('.'))
}

const EXTENSIONS: [&str; 3] = ["html", "pdf", "txt"];

proptest! {
    #[test]
    fn names_hold_everywhere_and_are_the_pages_own(
        addresses in prop::collection::vec(
            "https?://(a\\.b|A\\.b|con|a\\.b:81|\\[::1\\])/((a|A|b|index|con|[.]|[.][.]|%2e|%2F|~|/|[.]html|[.]txt|\\?|=|é|%C3%A9|%00|%0a){0,6})", 1..40),
        kinds in prop::collection::vec(0..EXTENSIONS.len(), 40),
    ) {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for (text, kind) in addresses.iter().zip(kinds) {
            let Ok(url) = parse(text) else { continue };
            let name = file_name(&url, EXTENSIONS[kind]);
            prop_assert!(holds_everywhere(&name), "{url}: {name}");
            if let Some(other) = names.insert(name.clone(), url.to_string()) {
                prop_assert_eq!(other, url.to_string(), "{}", name);
            }
        }
    }

    #[test]
    fn any_address_gets_a_name(path in "/.{0,60}") {
        if let Ok(url) = parse(&format!("https://example.edu{path}")) {
            prop_assert!(holds_everywhere(&file_name(&url, "html")), "{}", url);
        }
    }
}
