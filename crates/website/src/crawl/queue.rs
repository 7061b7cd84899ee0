//! The addresses that wait: where they come from at the start, and host by host in which turn.

use super::{Crawl, Found};
use crate::address::{self, host};
use crate::control::{self, Wanted};
use crate::error::{Stop, WebsiteError};
use crate::options::{AUTO, WebsiteOptions};
use crate::report::{Progress, SkipReason};
use crate::sitemap::{self, Sitemap};
use std::collections::BTreeSet;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use url::Url;

/// The most sitemaps that are read: at a request a second, a quarter of an hour. Indexes may list each other.
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
        // ASCII: the name goes into a header, and its first word is looked up in `robots.txt`.
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
            self.enqueue(Task::start(url.clone()), Found::Listed);
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
            if let Some(url) = self.join(site, name) {
                sources.push(Source { url, found: Found::ListedByTheSite, is_guess: false });
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
        // A stack, so that a site's pages come in the order of its index; hence everything is pushed backwards.
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
        let bytes = match Stop::apart(self.fetch_sitemap(url))? {
            Ok(bytes) => bytes,
            // Nobody promised that there is one.
            Err(SkipReason::Status { status: 404 | 410 }) if source.is_guess => {
                return Ok(Vec::new());
            }
            Err(reason) => {
                self.note_skipped(url.as_str(), SkipReason::Sitemap { detail: reason.cause() });
                // What it listed the last time.
                match self.cache.intact_control(url.as_str()) {
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
            if let Some(url) = self.join(url, page) {
                self.enqueue(Task::start(url), source.found);
            }
        }
        let mut inner = Vec::new();
        for name in &sitemap.sitemaps {
            if let Some(url) = self.join(url, name) {
                inner.push(Source { url, found: source.found, is_guess: false });
            }
        }
        Ok(inner)
    }

    /// The address that `text` stands for in a file at `base`; what is none is noted.
    fn join(&mut self, base: &Url, text: &str) -> Option<Url> {
        let noted = |detail| self.note_skipped(text, SkipReason::BadAddress { detail });
        address::join(base, text).map_err(noted).ok()
    }

    fn fetch_sitemap(&mut self, url: &Url) -> Result<Vec<u8>, Stop> {
        self.scope.admit_host(url)?;
        self.gate.check(url, &mut self.asker, &mut self.cache)?;
        let scope = &self.scope;
        let wanted = Wanted {
            url,
            most_bytes: sitemap::MOST_BYTES,
            cut: false,
            admit: &|url| scope.admit_host(url),
        };
        control::fetch(&wanted, &mut self.asker, &mut self.cache)
    }
}

/// One address of each host, in order.
fn sites(addresses: &[Url]) -> Vec<Url> {
    let mut seen = BTreeSet::new();
    addresses.iter().filter(|url| seen.insert(address::robots(url).to_string())).cloned().collect()
}

/// The most addresses that wait: more than a university's site has whose pages are written by people. An address takes
/// some 160 bytes, so that a calendar that links to tomorrow without end fills 80 MB and no more.
const MOST_WAITING: usize = 500_000;

/// An address to ask for.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) url: Url,
    /// Links away from a start address.
    pub(crate) depth: u32,
    /// Redirects on the way here.
    pub(crate) redirects: u32,
}

impl Task {
    /// An address that is asked for by its name, or because a sitemap lists it.
    fn start(url: Url) -> Self {
        Self { url, depth: 0, redirects: 0 }
    }
}

/// Gives the hosts their turns one after the other, each its addresses in the order of their
/// coming: while one host rests another is asked, and the order does not depend on how quick
/// either is.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    hosts: BTreeMap<String, VecDeque<Task>>,
    last: String,
    len: usize,
    /// Addresses there was no room for.
    pub(crate) refused: usize,
}

impl Queue {
    pub(crate) fn push(&mut self, task: Task) {
        if self.len == MOST_WAITING {
            self.refused += 1;
            return;
        }
        self.hosts.entry(host(&task.url).to_owned()).or_default().push_back(task);
        self.len += 1;
    }

    /// Gives back what was popped last: it is its host's next.
    pub(crate) fn put_back(&mut self, task: Task) {
        self.hosts.entry(host(&task.url).to_owned()).or_default().push_front(task);
        self.len += 1;
    }

    pub(crate) fn pop(&mut self) -> Option<Task> {
        let after = (Bound::Excluded(self.last.clone()), Bound::Unbounded);
        let next = self.hosts.range(after).next().or_else(|| self.hosts.iter().next());
        let name = next.map(|(name, _)| name.clone())?;
        let tasks = self.hosts.get_mut(&name)?;
        let task = tasks.pop_front();
        if tasks.is_empty() {
            self.hosts.remove(&name);
        }
        self.last = name;
        self.len = self.len.saturating_sub(1);
        task
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::{Queue, Task};

    #[test]
    fn hosts_take_turns() {
        let mut queue = Queue::default();
        for text in ["http://b/1", "http://b/2", "http://a/1", "http://c/1", "http://b/3"] {
            queue.push(Task::start(crate::address::parse(text).unwrap()));
        }
        let order: Vec<String> =
            std::iter::from_fn(|| queue.pop()).map(|task| task.url.to_string()).collect();
        assert_eq!(order, ["http://a/1", "http://b/1", "http://c/1", "http://b/2", "http://b/3"]);
        assert_eq!(queue.len(), 0);
    }
}
