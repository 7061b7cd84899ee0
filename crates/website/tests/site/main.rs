//! Whole fetches, from a server on loopback and from made-up networks.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod certificates;
mod folder;
mod links;
mod network;
mod pages;
mod politeness;
mod readers;
mod robots;
mod server;
mod sitemaps;

use campanile_website::{
    HttpTransport, Pace, Progress, SkipReason, WebsiteError, WebsiteOptions, WebsiteReport,
    fetch_by,
};
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

/// A clock that is through with waiting at once.
#[derive(Clone)]
struct FakePace {
    now: Rc<Cell<Duration>>,
    sleeps: Rc<RefCell<Vec<Duration>>>,
    start: SystemTime,
}

impl FakePace {
    fn new() -> Self {
        Self::after(Duration::ZERO)
    }

    /// So long after the first moment.
    fn after(days: Duration) -> Self {
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000) + days;
        Self { now: Rc::default(), sleeps: Rc::default(), start }
    }
}

impl Pace for FakePace {
    fn uptime(&self) -> Duration {
        self.now.get()
    }

    fn date(&self) -> SystemTime {
        self.start + self.now.get()
    }

    fn sleep(&mut self, duration: Duration) {
        self.sleeps.borrow_mut().push(duration);
        self.now.set(self.now.get() + duration);
    }
}

/// Settings with these addresses.
fn options(addresses: &[String]) -> WebsiteOptions {
    WebsiteOptions { addresses: addresses.to_vec(), timeout_secs: 5, ..WebsiteOptions::default() }
}

/// Settings that follow links from this address.
fn following(address: String) -> WebsiteOptions {
    WebsiteOptions { follow: true, ..options(&[address]) }
}

fn try_fetch(folder: &Path, options: &WebsiteOptions) -> Result<WebsiteReport, WebsiteError> {
    fetch_at(folder, options, &mut FakePace::new(), &mut |_| {})
}

fn fetch_at(
    folder: &Path,
    options: &WebsiteOptions,
    pace: &mut FakePace,
    news: &mut dyn FnMut(Progress<'_>),
) -> Result<WebsiteReport, WebsiteError> {
    fetch_by(folder, options, &mut HttpTransport::new(options)?, pace, news)
}

fn fetch(folder: &Path, options: &WebsiteOptions) -> WebsiteReport {
    try_fetch(folder, options).unwrap()
}

/// The paths of the pages in a report.
fn pages(report: &WebsiteReport) -> Vec<&str> {
    report.pages.iter().map(|page| path(&page.url)).collect()
}

/// Path and reason of what was skipped.
fn skipped(report: &WebsiteReport) -> Vec<(&str, &SkipReason)> {
    report.skipped.iter().map(|skipped| (path(&skipped.url), &skipped.reason)).collect()
}

fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or(url, |start| &rest[start..])
}

/// All files below a folder, sorted, relative to it.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap();
                found.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}
