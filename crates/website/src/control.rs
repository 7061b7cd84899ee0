//! The files that say what may be fetched and what there is: `robots.txt` and sitemaps, kept as
//! pages are. The rules of each host are asked for once a day.

use crate::address;
use crate::ask::Asker;
use crate::cache::{Cache, Control, age};
use crate::content::{conditions, validators};
use crate::error::{Stop, WebsiteError};
use crate::name::sha256;
use crate::report::SkipReason;
use crate::robots::{self, Robots, Rules};
use crate::transport::{Reply, is_redirect};
use std::collections::BTreeMap;
use std::time::Duration;
use tracing::info;
use url::Url;

/// The time for which rules hold (RFC 9309, section 2.4).
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);
/// The time for which the last rules known stand in for those that cannot be had: RFC 9309, section 2.3.1.4, has 30
/// days as its example. After that, what cannot be had forbids everything.
const STAND_IN: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Redirects that are followed: what RFC 9309, section 2.3.1.2, asks for at least.
const MOST_REDIRECTS: u32 = 5;

/// The rules of the hosts seen so far.
pub(crate) struct Gate {
    product: String,
    sites: BTreeMap<String, Site>,
}

struct Site {
    /// On the clock of this process.
    known_since: Duration,
    rules: Result<Rules, SkipReason>,
    sitemaps: Vec<String>,
}

impl Site {
    fn is_fresh(&self, asker: &Asker<'_>) -> bool {
        asker.outside.pace.uptime().saturating_sub(self.known_since) < FRESH
    }
}

impl Gate {
    pub(crate) fn new(product: String) -> Self {
        Self { product, sites: BTreeMap::new() }
    }

    /// Returns `true` if the rules for `url` are at hand.
    pub(crate) fn knows(&self, url: &Url, asker: &Asker<'_>) -> bool {
        self.sites.get(address::robots(url).as_str()).is_some_and(|site| site.is_fresh(asker))
    }

    /// Checks that `url` may be asked for, or says why not.
    pub(crate) fn check(
        &mut self,
        url: &Url,
        asker: &mut Asker<'_>,
        cache: &mut Cache,
    ) -> Result<(), Stop> {
        match &self.site(url, asker, cache)?.rules {
            Ok(rules) if rules.allow(address::path_and_query(url)) => Ok(()),
            Ok(_) => Err(SkipReason::Robots.into()),
            Err(reason) => Err(reason.clone().into()),
        }
    }

    /// The sitemaps that the rules for `url` name.
    pub(crate) fn sitemaps(
        &mut self,
        url: &Url,
        asker: &mut Asker<'_>,
        cache: &mut Cache,
    ) -> Result<Vec<String>, WebsiteError> {
        Ok(self.site(url, asker, cache)?.sitemaps.clone())
    }

    fn site(
        &mut self,
        url: &Url,
        asker: &mut Asker<'_>,
        cache: &mut Cache,
    ) -> Result<&Site, WebsiteError> {
        let robots = address::robots(url);
        let key = robots.as_str().to_owned();
        // Taken out and put back: a borrow of it would last over the fetch, which needs all of `self`.
        let known = self.sites.remove(&key).filter(|site| site.is_fresh(asker));
        let site = match known {
            Some(site) => site,
            None => self.fetch(&robots, asker, cache)?,
        };
        Ok(self.sites.entry(key).or_insert(site))
    }

    fn fetch(
        &self,
        url: &Url,
        asker: &mut Asker<'_>,
        cache: &mut Cache,
    ) -> Result<Site, WebsiteError> {
        let answer = match fresh(url, asker, cache) {
            Some(answer) => answer,
            None => {
                let admit = &|to: &Url| admit(url, to);
                let wanted = Wanted { url, most_bytes: robots::MOST_BYTES, cut: true, admit };
                Stop::apart(fetch(&wanted, asker, cache))?
            }
        };
        let robots = match answer {
            Ok(bytes) => Ok(Robots::parse(&bytes)),
            // There are no rules: whoever answers, and has none, forbids nothing (RFC 9309, section 2.3.1.3).
            Err(SkipReason::Status { status: 400..=499 }) => Ok(Robots::default()),
            Err(reason) => {
                stand_in(url, asker, cache).map_or(Err(reason), |bytes| Ok(Robots::parse(&bytes)))
            }
        };
        let unreachable = |reason: SkipReason| SkipReason::RobotsUnreachable {
            robots: url.to_string(),
            detail: reason.cause(),
        };
        let sitemaps =
            robots.as_ref().map_or_else(|_| Vec::new(), |robots| robots.sitemaps.clone());
        let mut rules = robots.map(|robots| robots.rules_for(&self.product)).map_err(unreachable);
        if let Ok(Some(delay)) = rules.as_ref().map(|rules| rules.crawl_delay)
            && let Err(reason) = asker.slow_down(url, delay)
        {
            // Neither waited for nor passed over: the site is left to people.
            rules = Err(reason);
        }
        match &rules {
            Ok(_) => info!(%url, sitemaps = sitemaps.len(), "rules of a host"),
            Err(reason) => {
                info!(%url, reason = %reason.cause(), "a host's rules forbid everything")
            }
        }
        Ok(Site { known_since: asker.outside.pace.uptime(), rules, sitemaps })
    }
}

/// Rules may be kept on another host (RFC 9309, section 2.3.1.2), but not on this machine.
fn admit(url: &Url, to: &Url) -> Result<(), SkipReason> {
    if address::is_loopback(to) && !address::is_loopback(url) {
        return Err(SkipReason::OtherHost { host: address::host_and_port(to) });
    }
    Ok(())
}

/// Returns the rules that were kept less than a day ago.
fn fresh(url: &Url, asker: &Asker<'_>, cache: &Cache) -> Option<Result<Vec<u8>, SkipReason>> {
    let known = asked_within(FRESH, url, asker, cache)?;
    match known.kept {
        Some(_) => cache.intact_control(url.as_str()).map(Ok),
        // That there are no rules, or that the server forbids to read them, holds for a day as well.
        None => Some(Err(SkipReason::Status { status: known.status })),
    }
}

/// Returns the record of a file that was asked for less than `most` ago.
fn asked_within<'c>(
    most: Duration,
    url: &Url,
    asker: &Asker<'_>,
    cache: &'c Cache,
) -> Option<&'c Control> {
    let known = cache.control(url.as_str())?;
    age(&known.checked_at, asker.outside.pace.date()).filter(|age| *age < most)?;
    Some(known)
}

/// The last rules known, where the present ones cannot be had.
fn stand_in(url: &Url, asker: &Asker<'_>, cache: &Cache) -> Option<Vec<u8>> {
    asked_within(STAND_IN, url, asker, cache)?;
    cache.intact_control(url.as_str())
}

/// A file to fetch, and the terms on which it is taken.
pub(crate) struct Wanted<'w> {
    pub(crate) url: &'w Url,
    /// The longest body.
    pub(crate) most_bytes: u64,
    /// `true` if the start of a longer one does.
    pub(crate) cut: bool,
    /// Which redirects are followed.
    pub(crate) admit: &'w dyn Fn(&Url) -> Result<(), SkipReason>,
}

/// Asks for a file of rules or addresses, or whether it is still as it was.
pub(crate) fn fetch(
    wanted: &Wanted<'_>,
    asker: &mut Asker<'_>,
    cache: &mut Cache,
) -> Result<Vec<u8>, Stop> {
    let name = wanted.url.as_str();
    // "Nothing new" would be of no use without the file.
    let known = cache.control(name).cloned().zip(cache.intact_control(name));
    let conditions = known.as_ref().map_or_else(Vec::new, |(known, _)| {
        conditions(known.etag.as_deref(), known.last_modified.as_deref())
    });
    let mut url = wanted.url.clone();
    for _ in 0..=MOST_REDIRECTS {
        let reply = asker.ask(&url, &conditions)?;
        match (reply.status, &known) {
            (304, Some((known, bytes))) => {
                let control = Control { checked_at: asker.date(), ..known.clone() };
                cache.put_control(name, control)?;
                return Ok(bytes.clone());
            }
            (status, _) if is_redirect(status) => url = target(&url, &reply, wanted.admit)?,
            _ => return store(wanted, &url, reply, asker, cache),
        }
    }
    Err(SkipReason::RedirectLoop.into())
}

fn target(
    url: &Url,
    reply: &Reply,
    admit: &dyn Fn(&Url) -> Result<(), SkipReason>,
) -> Result<Url, SkipReason> {
    let target = reply.location(url)?;
    admit(&target).map_err(|reason| SkipReason::Redirect {
        to: reply.headers.get("location").unwrap_or_default().to_owned(),
        detail: reason.to_string(),
    })?;
    Ok(target)
}

fn store(
    wanted: &Wanted<'_>,
    url: &Url,
    reply: Reply,
    asker: &mut Asker<'_>,
    cache: &mut Cache,
) -> Result<Vec<u8>, Stop> {
    let name = wanted.url.as_str();
    let status = reply.status;
    let mut control =
        Control { status, checked_at: asker.date(), etag: None, last_modified: None, kept: None };
    if status != 200 {
        cache.put_control(name, control)?;
        return Err(SkipReason::Status { status }.into());
    }
    (control.etag, control.last_modified) = validators(&reply.headers);
    let bytes = asker.body(url, reply, wanted.most_bytes, wanted.cut)?;
    let file = Cache::control_file(name);
    cache.write(&file, &bytes)?;
    control.kept = Some((file, sha256(&bytes)));
    cache.put_control(name, control)?;
    Ok(bytes)
}
