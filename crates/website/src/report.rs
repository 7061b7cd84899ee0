//! News of a fetch while it runs, and the report at its end.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The report of a fetch, in the order of the addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebsiteReport {
    /// The pages that are in the folder now.
    pub pages: Vec<FetchedPage>,
    /// Addresses that were asked for, or would have been, and gave no page.
    pub skipped: Vec<Skipped>,
    /// Pages of an earlier fetch that are in the folder no more.
    pub dropped: Vec<Dropped>,
    /// Requests sent, those for `robots.txt` and sitemaps included.
    pub requests: usize,
    /// Bytes of bodies received, unpacked.
    pub body_bytes: u64,
    /// Addresses that were found and not asked for, because [`max_pages`] had been.
    ///
    /// [`max_pages`]: crate::WebsiteOptions::max_pages
    pub left_out: usize,
    /// Links that led out of reach: to other hosts or folders, too deep, excluded, marked
    /// `nofollow`, or to what is no web page.
    pub links_passed_over: usize,
}

/// A page in the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchedPage {
    /// The address at which it lives in public.
    pub url: String,
    /// The addresses at which it was asked for, if redirects led from there: in the order of addresses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirected_from: Vec<String>,
    /// Its file, relative to the folder, with `/`.
    pub file: String,
    /// The title that an HTML page gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The state in which this fetch found the page.
    pub status: PageStatus,
}

/// The state in which a fetch found a page, compared with the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageStatus {
    /// It was not in the folder.
    New,
    /// It was, with other content.
    Changed,
    /// It was, with the same content.
    Unchanged,
    /// It could not be asked for now; the file is that of an earlier fetch.
    Kept,
}

/// An address that gave no page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The address, or what was written in its place.
    pub url: String,
    /// The reason.
    pub reason: SkipReason,
}

impl fmt::Display for Skipped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}`: {}", self.url, self.reason)
    }
}

/// A page that was in the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// Its address.
    pub url: String,
    /// The file that it had.
    pub file: String,
    /// The reason why it went; `None` where nothing lists it or links to it any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<SkipReason>,
}

/// The reason why an address gave no page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SkipReason {
    /// It is no address of a page on the web.
    #[error("this is no address that can be fetched: {detail}")]
    BadAddress {
        /// The fault, in words.
        detail: String,
    },
    /// It is on a host that was not named.
    #[error(
        "`{host}` is none of the hosts named. Add an address of it to `addresses` if it belongs to the site"
    )]
    OtherHost {
        /// Its host.
        host: String,
    },
    /// `include` or `exclude` leaves it out.
    #[error("`include` and `exclude` leave its path out")]
    Excluded,
    /// `robots.txt` disallows it.
    #[error("its `robots.txt` disallows it. Ask whoever runs the site, or bring the file by hand")]
    Robots,
    /// `robots.txt` could not be had, which forbids all (RFC 9309, section 2.3.1.4).
    #[error(
        "`{robots}` could not be had ({detail}), and without it nothing is fetched. Try again later"
    )]
    RobotsUnreachable {
        /// The address of the rules.
        robots: String,
        /// An account of what happened.
        detail: String,
    },
    /// The site asks for longer pauses than a fetch can keep.
    #[error(
        "its `robots.txt` asks for {delay_secs} seconds between requests, more than the {most_secs} that are kept to. Bring the files by hand"
    )]
    CrawlDelay {
        /// The pause asked for.
        delay_secs: u64,
        /// The longest that is kept to.
        most_secs: u64,
    },
    /// The server answered with another status.
    #[error("the server answered with status {status}{}", meaning(*status))]
    Status {
        /// The status.
        status: u16,
    },
    /// The server asked not to be asked so soon.
    #[error("the server is busy (status {status}{}). Try again later, or with a larger `delay_ms`", in_secs(*retry_after_secs))]
    Busy {
        /// The status: 429 or 503.
        status: u16,
        /// The pause it asked for.
        retry_after_secs: Option<u64>,
    },
    /// No answer, or only half of one.
    #[error("no whole answer came: {detail}. Try again later")]
    Unreachable {
        /// An account of what happened.
        detail: String,
    },
    /// The host failed so often that it was left alone.
    #[error("`{host}` was left alone after earlier failures ({detail}). Try again later")]
    HostLeftAlone {
        /// The host.
        host: String,
        /// The last failure.
        detail: String,
    },
    /// A longer body than is taken.
    #[error("it is longer than the {limit_bytes} bytes of `max_bytes`")]
    TooLarge {
        /// The limit.
        limit_bytes: u64,
    },
    /// No kind of document that can be read.
    #[error("its content type, `{found}`, is none that can be read")]
    ContentType {
        /// The type.
        found: String,
    },
    /// The page asks not to be found by searches.
    #[error("the page asks not to be indexed (`noindex`)")]
    Noindex,
    /// The page says that it is another's copy, and that one is here.
    #[error("it says that its proper address is `{of}`, which is here")]
    Duplicate {
        /// The other's address.
        of: String,
    },
    /// It lives somewhere else now.
    #[error("it has moved to `{to}`")]
    Moved {
        /// The address that it has now.
        to: String,
    },
    /// A redirect that was not followed.
    #[error("it redirects to `{to}`, which was not followed: {detail}")]
    Redirect {
        /// The address that it leads to.
        to: String,
        /// The reason why it was not followed.
        detail: String,
    },
    /// Redirects that lead back.
    #[error("its redirects go in a circle")]
    RedirectLoop,
    /// A sitemap that could not be read to its end.
    #[error("the sitemap was not read whole: {detail}")]
    Sitemap {
        /// The fault, in words.
        detail: String,
    },
}

impl SkipReason {
    /// Returns `true` if another day may go better, so that what an earlier fetch brought is kept.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::RobotsUnreachable { .. }
            | Self::Busy { .. }
            | Self::Unreachable { .. }
            | Self::HostLeftAlone { .. }
            | Self::Sitemap { .. } => true,
            // Not public, or not there: that is said on purpose.
            Self::Status { status } => !matches!(status, 401 | 403 | 404 | 410 | 451),
            _ => false,
        }
    }

    /// Returns what happened, for a message that says itself what to do.
    pub(crate) fn cause(&self) -> String {
        match self {
            Self::Status { status } | Self::Busy { status, .. } => format!("status {status}"),
            Self::Unreachable { detail } => detail.clone(),
            other => other.to_string(),
        }
    }
}

fn meaning(status: u16) -> &'static str {
    match status {
        401 | 403 => ": the page is not public",
        404 | 410 => ": there is no such page",
        500.. => ". Try again later",
        _ => "",
    }
}

fn in_secs(secs: Option<u64>) -> String {
    secs.map_or_else(String::new, |secs| format!(", asking for {secs} seconds"))
}

/// One piece of news.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// A fetch that was broken off goes on.
    Resuming {
        /// The pages that it had dealt with.
        pages: usize,
    },
    /// A request goes out, for a page, a `robots.txt` or a sitemap.
    Asking {
        /// Its address.
        url: &'a str,
        /// Pages asked for by now.
        asked: usize,
        /// Addresses known and not asked for yet.
        waiting: usize,
    },
    /// A server asked for a pause, or a request is repeated after one.
    Pausing {
        /// The address that is asked for again.
        url: &'a str,
        /// The length of the pause.
        pause: Duration,
    },
    /// A sitemap was read.
    Sitemap {
        /// Its address.
        url: &'a str,
        /// The addresses that it lists.
        addresses: usize,
    },
    /// A page is in the folder.
    Page {
        /// Its address.
        url: &'a str,
        /// The state in which the fetch found the page.
        status: PageStatus,
    },
    /// An address gave no page.
    Skipped {
        /// The address.
        url: &'a str,
        /// The reason.
        reason: &'a SkipReason,
    },
}
