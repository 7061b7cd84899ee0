//! Tells what belongs to the site.

use crate::address::{folder, host_and_port};
use crate::error::WebsiteError;
use crate::report::SkipReason;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::collections::BTreeSet;
use url::Url;

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
        let host = host_and_port(url);
        if !self.hosts.contains(&host) {
            return Err(SkipReason::OtherHost { host });
        }
        let path = percent_encoding::percent_decode_str(url.path()).decode_utf8_lossy();
        let included = self.include.as_ref().is_none_or(|include| include.is_match(path.as_ref()));
        if included && !self.exclude.is_match(path.as_ref()) {
            Ok(())
        } else {
            Err(SkipReason::Excluded)
        }
    }

    /// Returns `true` if `url` is on a host of the site.
    pub(crate) fn has_host(&self, url: &Url) -> bool {
        self.hosts.contains(&host_and_port(url))
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
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        set.add(glob.map_err(|error| bad(pattern, &error))?);
    }
    set.build().map_err(|error| bad(&patterns.join("`, `"), &error))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::Scope;
    use crate::address::parse;
    use crate::report::SkipReason;

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
