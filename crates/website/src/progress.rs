//! Reports of what a fetch is doing, told while it happens.

use crate::report::{PageStatus, SkipReason};
use std::time::Duration;

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
        /// Why.
        reason: &'a SkipReason,
    },
}
