//! Starts a fetch: with addresses, and what sitemaps list.

use super::{Crawl, Found, Task};
use crate::address;
use crate::control::{self, Wanted};
use crate::error::WebsiteError;
use crate::options::{AUTO, WebsiteOptions};
use crate::progress::Progress;
use crate::report::SkipReason;
use crate::sitemap::{self, Sitemap};
use std::collections::BTreeSet;
use url::Url;

/// The most sitemaps that are read.
const MOST_SITEMAPS: usize = 1_000;

/// The addresses and sitemaps that the settings name.
pub(super) struct Seeds {
    pub(super) addresses: Vec<Url>,
    pub(super) sitemaps: Vec<Url>,
    auto: bool,
}

/// A sitemap to read.
struct Source {
    url: Url,
    found: Found,
    /// `true` if it may be missing: nobody named it.
    is_guess: bool,
}

impl Seeds {
    pub(super) fn new(options: &WebsiteOptions) -> Result<Self, WebsiteError> {
        let auto = options.sitemaps.iter().any(|name| name == AUTO);
        let sitemaps = options.sitemaps.iter().filter(|name| *name != AUTO);
        let seeds = Self {
            addresses: options
                .addresses
                .iter()
                .map(|text| parse(text))
                .collect::<Result<_, _>>()?,
            sitemaps: sitemaps.map(|text| parse(text)).collect::<Result<_, _>>()?,
            auto,
        };
        if auto && seeds.addresses.is_empty() {
            return Err(WebsiteError::NoSite);
        }
        if seeds.addresses.is_empty() && seeds.sitemaps.is_empty() {
            return Err(WebsiteError::NothingNamed);
        }
        let agent = options.agent();
        if options.product().is_empty() || !agent.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(WebsiteError::BadAgent { agent });
        }
        Ok(seeds)
    }
}

fn parse(text: &str) -> Result<Url, WebsiteError> {
    address::parse(text)
        .map_err(|detail| WebsiteError::BadAddress { address: text.to_owned(), detail })
}

impl Crawl<'_> {
    /// Fills the queue.
    pub(super) fn plant(&mut self, seeds: &Seeds) -> Result<(), WebsiteError> {
        for url in &seeds.addresses {
            self.enqueue(Task { url: url.clone(), depth: 0, redirects: 0 }, Found::Listed);
        }
        let named = |url: &Url| Source { url: url.clone(), found: Found::Listed, is_guess: false };
        let mut sources: Vec<Source> = seeds.sitemaps.iter().map(named).collect();
        if seeds.auto {
            for url in sites(&seeds.addresses) {
                self.sitemaps_of(&url, &mut sources)?;
            }
        }
        self.read_sitemaps(sources)
    }

    /// The sitemaps that a site's `robots.txt` names, or the usual place where it names none.
    fn sitemaps_of(&mut self, site: &Url, sources: &mut Vec<Source>) -> Result<(), WebsiteError> {
        let names = self.gate.sitemaps(site, &mut self.asker, &mut self.cache)?;
        for name in &names {
            match address::join(site, name) {
                Ok(url) => {
                    sources.push(Source { url, found: Found::ListedByTheSite, is_guess: false })
                }
                Err(detail) => self.note_skipped(name, SkipReason::BadAddress { detail }),
            }
        }
        if names.is_empty()
            && let Ok(url) = address::join(site, "/sitemap.xml")
        {
            sources.push(Source { url, found: Found::ListedByTheSite, is_guess: true });
        }
        Ok(())
    }

    /// Reads sitemaps and those that they list, each once.
    fn read_sitemaps(&mut self, mut sources: Vec<Source>) -> Result<(), WebsiteError> {
        let mut seen = BTreeSet::new();
        sources.reverse();
        while let Some(source) = sources.pop() {
            if seen.len() == MOST_SITEMAPS {
                let detail = format!("{MOST_SITEMAPS} others were read before it, and no more are");
                self.note_skipped(source.url.as_str(), SkipReason::Sitemap { detail });
                continue;
            }
            if seen.insert(source.url.as_str().to_owned()) {
                let inner = self.read_sitemap(&source)?;
                sources.extend(inner.into_iter().rev());
            }
        }
        Ok(())
    }

    fn read_sitemap(&mut self, source: &Source) -> Result<Vec<Source>, WebsiteError> {
        let url = &source.url;
        let bytes = match self.fetch_sitemap(url)? {
            Ok(bytes) => bytes,
            Err(SkipReason::Status { status: 404 | 410 }) if source.is_guess => {
                return Ok(Vec::new());
            }
            Err(reason) => {
                self.note_skipped(url.as_str(), SkipReason::Sitemap { detail: reason.cause() });
                // What it listed the last time.
                match control::kept(url, &self.cache) {
                    Some(bytes) => bytes,
                    None => return Ok(Vec::new()),
                }
            }
        };
        let sitemap = Sitemap::parse(&bytes);
        self.tell(Progress::Sitemap { url: url.as_str(), addresses: sitemap.pages.len() });
        if let Some(detail) = sitemap.problem {
            self.note_skipped(url.as_str(), SkipReason::Sitemap { detail });
        }
        for page in &sitemap.pages {
            match address::join(url, page) {
                Ok(url) => self.enqueue(Task { url, depth: 0, redirects: 0 }, source.found),
                Err(detail) => self.note_skipped(page, SkipReason::BadAddress { detail }),
            }
        }
        let mut inner = Vec::new();
        for name in &sitemap.sitemaps {
            match address::join(url, name) {
                Ok(url) => inner.push(Source { url, found: source.found, is_guess: false }),
                Err(detail) => self.note_skipped(name, SkipReason::BadAddress { detail }),
            }
        }
        Ok(inner)
    }

    fn fetch_sitemap(&mut self, url: &Url) -> Result<Result<Vec<u8>, SkipReason>, WebsiteError> {
        if let Err(reason) = admit(&self.scope, url) {
            return Ok(Err(reason));
        }
        if let Err(reason) = self.gate.check(url, &mut self.asker, &mut self.cache)? {
            return Ok(Err(reason));
        }
        let scope = &self.scope;
        let wanted = Wanted {
            url,
            most_bytes: sitemap::MOST_BYTES,
            cut: false,
            admit: &|url| admit(scope, url),
        };
        control::fetch(&wanted, &mut self.asker, &mut self.cache)
    }
}

fn admit(scope: &crate::scope::Scope, url: &Url) -> Result<(), SkipReason> {
    if scope.has_host(url) {
        Ok(())
    } else {
        Err(SkipReason::OtherHost { host: address::host_and_port(url) })
    }
}

/// One address of each host, in order.
fn sites(addresses: &[Url]) -> Vec<Url> {
    let mut seen = BTreeSet::new();
    addresses.iter().filter(|url| seen.insert(address::robots(url).to_string())).cloned().collect()
}
