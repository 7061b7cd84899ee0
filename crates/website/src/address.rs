//! Addresses: which are taken, and in which spelling.

use crate::escape::{is_delimiter, normalised};
use url::{Position, Url};

/// Longer ones are made by machines for machines.
const MOST_BYTES: usize = 2_000;

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
    url.set_fragment(None);
    let path = normalised(url.path().as_bytes(), is_delimiter);
    url.set_path(&path);
    let query = url.query().map(|query| normalised(query.as_bytes(), is_delimiter));
    url.set_query(query.as_deref().filter(|query| !query.is_empty()));
    if url.as_str().len() > MOST_BYTES {
        return Err(format!("it is longer than {MOST_BYTES} bytes"));
    }
    Ok(url)
}

/// `host` or `host:port`: what a page's neighbours share, whether by `http:` or `https:`.
pub(crate) fn host_and_port(url: &Url) -> String {
    url[Position::BeforeHost..Position::AfterPort].to_owned()
}

/// The host alone: what should not be asked too often.
pub(crate) fn host(url: &Url) -> &str {
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
    path.rfind('/').map_or("/", |end| path.get(..=end).unwrap_or("/"))
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

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::{folder, host_and_port, join, parse, path_and_query, robots};

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
}
