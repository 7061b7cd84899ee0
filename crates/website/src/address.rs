//! Addresses: which are taken, in which spelling, and which belong to the site.
//!
//! Escapes are brought to one form (RFC 3986, section 6.2.2), so that two spellings of one address
//! are one address, and a rule of `robots.txt` finds both.

use crate::error::WebsiteError;
use crate::report::SkipReason;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use url::{Position, Url};

/// The longest address that is asked for. Sitemaps may list addresses of under 2,048 characters (sitemaps.org);
/// what is longer is made by machines for machines: session keys, calendars without end.
const MOST_ADDRESS_BYTES: usize = 2_000;

/// An address on the web in the one spelling that stands for it: without a fragment, its escapes
/// in one form. What is no such address comes back as the reason.
pub(crate) fn parse(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).map_err(|error| error.to_string())?;
    tidy(url)
}

/// The address that `text` stands for on the page `base`.
pub(crate) fn join(base: &Url, text: &str) -> Result<Url, String> {
    let url = base.join(text.trim()).map_err(|error| error.to_string())?;
    tidy(url)
}

fn tidy(mut url: Url) -> Result<Url, String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("`{}:` is not `http:` or `https:`", url.scheme()));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("it names no host".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "it holds a user name or a password, and only public pages are fetched".to_owned()
        );
    }
    // A fragment is a place on the page: the server never sees it.
    url.set_fragment(None);
    let path = normalised(url.path().as_bytes(), is_delimiter);
    url.set_path(&path);
    // `/page?` and `/page` are one page.
    let query = url.query().map(|query| normalised(query.as_bytes(), is_delimiter));
    url.set_query(query.as_deref().filter(|query| !query.is_empty()));
    if url.as_str().len() > MOST_ADDRESS_BYTES {
        return Err(format!("it is longer than {MOST_ADDRESS_BYTES} bytes"));
    }
    Ok(url)
}

/// `host` or `host:port`: what a page's neighbours share, whether by `http:` or `https:`.
pub(crate) fn host_and_port(url: &Url) -> String {
    url[Position::BeforeHost..Position::AfterPort].to_owned()
}

/// The host alone: what should not be asked too often.
pub(crate) fn host(url: &Url) -> &str {
    // `tidy` lets no address without a host in.
    debug_assert!(url.has_host(), "{url} names no host");
    url.host_str().unwrap_or_default()
}

/// Path and query: what rules of `robots.txt` speak of.
pub(crate) fn path_and_query(url: &Url) -> &str {
    &url[Position::BeforePath..Position::AfterQuery]
}

/// Returns the address of the rules for `url`.
pub(crate) fn robots(url: &Url) -> Url {
    let mut robots = url.clone();
    robots.set_path("/robots.txt");
    robots.set_query(None);
    robots
}

/// The path up to its last `/`.
pub(crate) fn folder(url: &Url) -> &str {
    let path = url.path();
    path.rfind('/').map_or("/", |end| &path[..=end])
}

/// Returns `true` if `url` names this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// `text` in one spelling: what need not be escaped is not, what must be is, with upper-case
/// digits. `keep` says which further bytes stand for themselves.
pub(crate) fn normalised(text: &[u8], keep: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        let escaped = match (first, tail) {
            (b'%', [high, low, after @ ..]) => {
                hex(*high).zip(hex(*low)).map(|(high, low)| (high * 16 + low, after))
            }
            _ => None,
        };
        match escaped {
            Some((byte, after)) => {
                rest = after;
                push(&mut out, byte, is_unreserved(byte));
            }
            None => push(&mut out, first, is_unreserved(first) || keep(first)),
        }
    }
    out
}

/// The bytes that may stand in a path or a query with a meaning of their own.
pub(crate) fn is_delimiter(byte: u8) -> bool {
    b"/?:@!$&'()*+,;=".contains(&byte)
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn push(out: &mut String, byte: u8, plain: bool) {
    if plain {
        out.push(char::from(byte));
    } else {
        // Writing into a String cannot fail.
        let _ = write!(out, "%{byte:02X}");
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// The addresses that belong to the site.
pub(crate) struct Scope {
    hosts: BTreeSet<String>,
    /// Host and folder of each place where following starts.
    starts: BTreeSet<(String, String)>,
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Scope {
    /// The site of these addresses and sitemaps.
    pub(crate) fn new(
        addresses: &[Url],
        sitemaps: &[Url],
        include: &[String],
        exclude: &[String],
    ) -> Result<Self, WebsiteError> {
        let start = |url: &Url| (host_and_port(url), folder(url).to_owned());
        // A site that is known by its sitemap alone is what lies below that.
        let starts = if addresses.is_empty() { sitemaps } else { addresses };
        Ok(Self {
            hosts: addresses.iter().chain(sitemaps).map(host_and_port).collect(),
            starts: starts.iter().map(start).collect(),
            include: if include.is_empty() { None } else { Some(globs(include)?) },
            exclude: globs(exclude)?,
        })
    }

    /// Checks that a page that was listed, or is redirected to, belongs to the site.
    pub(crate) fn admit(&self, url: &Url) -> Result<(), SkipReason> {
        self.admit_host(url)?;
        // Patterns are written as people read paths: `/Prüfung*`, not `/Pr%C3%BCfung*`.
        let path = percent_encoding::percent_decode_str(url.path()).decode_utf8_lossy();
        let included = self.include.as_ref().is_none_or(|include| include.is_match(path.as_ref()));
        if included && !self.exclude.is_match(path.as_ref()) {
            Ok(())
        } else {
            Err(SkipReason::Excluded)
        }
    }

    /// Checks that `url` is on a host of the site.
    pub(crate) fn admit_host(&self, url: &Url) -> Result<(), SkipReason> {
        let host = host_and_port(url);
        if self.hosts.contains(&host) { Ok(()) } else { Err(SkipReason::OtherHost { host }) }
    }

    /// Returns `true` if `url` lies below a start address, so that a link may be followed there.
    pub(crate) fn is_below_a_start(&self, url: &Url) -> bool {
        let host = host_and_port(url);
        self.starts.iter().any(|(start, folder)| *start == host && url.path().starts_with(folder))
    }
}

fn globs(patterns: &[String]) -> Result<GlobSet, WebsiteError> {
    let bad = |pattern: &str, error: &globset::Error| WebsiteError::BadPattern {
        pattern: pattern.to_owned(),
        detail: error.kind().to_string(),
    };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        // As in a `.gitignore`: `*` stays within a folder, `**` crosses folders.
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        set.add(glob.map_err(|error| bad(pattern, &error))?);
    }
    set.build().map_err(|error| bad(&patterns.join("`, `"), &error))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[test]
    fn one_spelling_for_one_address() {
        let cases = [
            ("HTTPS://Example.EDU:443/A/../b#top", "https://example.edu/b"),
            ("https://example.edu", "https://example.edu/"),
            ("https://example.edu/?", "https://example.edu/"),
            (
                "https://example.edu/%7euser/Pr%C3%bcfung?q=%41",
                "https://example.edu/~user/Pr%C3%BCfung?q=A",
            ),
            ("https://example.edu/../../etc/passwd", "https://example.edu/etc/passwd"),
            ("https://example.edu/%2e%2e/%2E%2e/etc", "https://example.edu/etc"),
            ("https://example.edu/..\\..\\etc", "https://example.edu/etc"),
            ("https://example.edu/a|b`c", "https://example.edu/a%7Cb%60c"),
            ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ];
        for (text, expected) in cases {
            let url = parse(text).unwrap();
            assert_eq!(url.as_str(), expected, "{text}");
            assert_eq!(parse(url.as_str()).unwrap(), url, "{text} twice");
        }
    }

    #[test]
    fn what_is_not_the_public_web_is_refused() {
        let cases = [
            ("file:///etc/passwd", "`file:`"),
            ("javascript:alert(1)", "`javascript:`"),
            ("mailto:a@example.edu", "`mailto:`"),
            ("data:text/html,hello", "`data:`"),
            ("https://user:secret@example.edu/", "password"),
            ("example.edu/page", "relative"),
            ("http://", "host"),
        ];
        for (text, word) in cases {
            let reason = parse(text).unwrap_err();
            assert!(reason.contains(word), "{text}: {reason}");
        }
        assert!(parse(&format!("https://example.edu/{}", "a".repeat(3_000))).is_err());
    }

    #[test]
    fn parts() {
        let url = parse("http://example.edu:8080/a/b?c=d").unwrap();
        assert_eq!(host_and_port(&url), "example.edu:8080");
        assert_eq!(path_and_query(&url), "/a/b?c=d");
        assert_eq!(folder(&url), "/a/");
        assert_eq!(robots(&url).as_str(), "http://example.edu:8080/robots.txt");
        assert_eq!(join(&url, "../x#y").unwrap().as_str(), "http://example.edu:8080/x");
        assert!(join(&url, "tel:+49").is_err());
    }

    #[test]
    fn one_spelling() {
        let cases = [
            ("/a%7Eb/%c3%bc", "/a~b/%C3%BC"),
            ("/ü", "/%C3%BC"),
            ("/%2fa%2Fb", "/%2Fa%2Fb"),
            ("/100%", "/100%25"),
            ("/%4", "/%254"),
            ("/%zz", "/%25zz"),
            ("/a b|c[d]", "/a%20b%7Cc%5Bd%5D"),
            ("/q?a=1&b=%26", "/q?a=1&b=%26"),
        ];
        for (text, expected) in cases {
            assert_eq!(normalised(text.as_bytes(), is_delimiter), expected, "{text}");
        }
    }

    fn scope(include: &[&str], exclude: &[&str]) -> Scope {
        let list = |patterns: &[&str]| {
            patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>()
        };
        let start = parse("https://x.edu/cs/index.html").unwrap();
        Scope::new(&[start], &[], &list(include), &list(exclude)).unwrap()
    }

    #[test]
    fn patterns_and_hosts() {
        let cases: &[(&[&str], &[&str], &str, bool)] = &[
            (&[], &[], "https://x.edu/anything", true),
            (&[], &[], "https://x.edu:444/anything", false),
            (&[], &[], "http://x.edu/anything", true),
            (&[], &[], "https://x.edu.evil.example/", false),
            (&["/cs/**"], &[], "https://x.edu/cs/a/b", true),
            (&["/cs/**"], &[], "https://x.edu/bio/a", false),
            (&["/cs/*"], &[], "https://x.edu/cs/a/b", false),
            (&["/cs/**"], &["**/*.zip", "/cs/old/**"], "https://x.edu/cs/a.zip", false),
            (&["/cs/**"], &["**/*.zip", "/cs/old/**"], "https://x.edu/cs/old/a", false),
            (&["/{de,en}/Prüfung*"], &[], "https://x.edu/de/Pr%C3%BCfungen", true),
        ];
        for (include, exclude, url, expected) in cases {
            let found = scope(include, exclude).admit(&parse(url).unwrap());
            assert_eq!(found.is_ok(), *expected, "{include:?} {exclude:?} {url}: {found:?}");
        }
        let other = scope(&[], &[]).admit(&parse("https://y.edu/").unwrap());
        assert_eq!(other, Err(SkipReason::OtherHost { host: "y.edu".to_owned() }));
    }

    #[test]
    fn following_stays_below_the_start() {
        let scope = scope(&[], &[]);
        for (url, expected) in [
            ("https://x.edu/cs/", true),
            ("https://x.edu/cs/a/b", true),
            ("https://x.edu/csx", false),
            ("https://x.edu/", false),
            ("https://y.edu/cs/", false),
        ] {
            assert_eq!(scope.is_below_a_start(&parse(url).unwrap()), expected, "{url}");
        }
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let error = Scope::new(&[], &[], &["/a/{b".to_owned()], &[]).err().unwrap();
        assert!(error.to_string().contains("`/a/{b`"), "{error}");
    }
}
