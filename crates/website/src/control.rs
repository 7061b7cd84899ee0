//! Fetches what tells what to fetch: `robots.txt` and sitemaps, kept as pages are.

use crate::address;
use crate::ask::Asker;
use crate::cache::{Cache, Control};
use crate::error::WebsiteError;
use crate::report::SkipReason;
use crate::transport::Reply;
use crate::validators;
use url::Url;

/// Redirects that are followed: what RFC 9309 asks for at least.
const MOST_REDIRECTS: u32 = 5;

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
) -> Result<Result<Vec<u8>, SkipReason>, WebsiteError> {
    let known = cache.control(wanted.url.as_str()).cloned();
    let kept = kept(wanted.url, cache);
    let conditions = match (&known, &kept) {
        (Some(known), Some(_)) => {
            validators::conditions(known.etag.as_deref(), known.last_modified.as_deref())
        }
        _ => Vec::new(),
    };
    let mut url = wanted.url.clone();
    for _ in 0..=MOST_REDIRECTS {
        let reply = match asker.ask(&url, &conditions) {
            Ok(reply) => reply,
            Err(reason) => return Ok(Err(reason)),
        };
        match (reply.status, known.as_ref(), &kept) {
            (304, Some(known), Some(bytes)) => {
                let checked_at = httpdate::fmt_http_date(asker.outside.pace.date());
                cache.put_control(wanted.url.as_str(), Control { checked_at, ..known.clone() })?;
                return Ok(Ok(bytes.clone()));
            }
            (301 | 302 | 303 | 307 | 308, _, _) => match target(&url, &reply, wanted.admit) {
                Ok(to) => url = to,
                Err(reason) => return Ok(Err(reason)),
            },
            _ => return store(wanted, &url, reply, asker, cache),
        }
    }
    Ok(Err(SkipReason::RedirectLoop))
}

/// The file as it was kept, if it is still whole.
pub(crate) fn kept(url: &Url, cache: &Cache) -> Option<Vec<u8>> {
    let (file, hash) = cache.control(url.as_str())?.kept.as_ref()?;
    cache.intact(file, hash)
}

fn target(
    url: &Url,
    reply: &Reply,
    admit: &dyn Fn(&Url) -> Result<(), SkipReason>,
) -> Result<Url, SkipReason> {
    let to = reply.headers.get("location").unwrap_or_default();
    let refused = |detail: String| SkipReason::Redirect { to: to.to_owned(), detail };
    let target = address::join(url, to).map_err(refused)?;
    admit(&target).map_err(|reason| refused(reason.to_string()))?;
    Ok(target)
}

fn store(
    wanted: &Wanted<'_>,
    url: &Url,
    reply: Reply,
    asker: &mut Asker<'_>,
    cache: &mut Cache,
) -> Result<Result<Vec<u8>, SkipReason>, WebsiteError> {
    let status = reply.status;
    let mut control = Control {
        status,
        checked_at: httpdate::fmt_http_date(asker.outside.pace.date()),
        etag: None,
        last_modified: None,
        kept: None,
    };
    if status != 200 {
        cache.put_control(wanted.url.as_str(), control)?;
        return Ok(Err(SkipReason::Status { status }));
    }
    (control.etag, control.last_modified) = validators::of(&reply.headers);
    let bytes = match asker.body(url, reply, wanted.most_bytes, wanted.cut) {
        Ok(bytes) => bytes,
        Err(reason) => return Ok(Err(reason)),
    };
    let file = Cache::control_file(wanted.url.as_str());
    cache.write(&file, &bytes)?;
    control.kept = Some((file, crate::hash::sha256(&bytes)));
    cache.put_control(wanted.url.as_str(), control)?;
    Ok(Ok(bytes))
}
