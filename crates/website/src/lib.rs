//! Fetches a department's website, politely, into a folder of documents.
//!
//! Not every department has its documents in a folder: often the website is all there is. This
//! crate brings the pages of a site, and the PDF and Office files among them, into a folder that
//! `crates/ingest` reads like any other. It also says of each file what its public address is.
//!
//! # Why it is so
//!
//! **A guest behaves.** `robots.txt` is asked for first and kept to (RFC 9309). Between two
//! requests to one host there is a pause, or the site's own `Crawl-delay` if that is longer. A busy
//! server is given the time it asks for, or left alone. Pages that ask not to be indexed are not
//! kept. The requests name Campanile, and whom to ask about them.
//!
//! **What is known is not asked for again.** The folder remembers what servers say about the state
//! of a page (`ETag`, `Last-Modified`). So a second fetch asks whether there is news, and an
//! unchanged page costs no body. A fetch that was broken off, by whatever, goes on where it
//! stopped.
//!
//! **The folder shows the site.** Pages that are gone are removed. Copies fold into the page that
//! they name as their proper address. But a page that only could not be had today stays as it was:
//! a server's bad day costs no document.
//!
//! **Nothing is left out in silence.** The [`WebsiteReport`] has every address that gave no page,
//! with a [`SkipReason`] that says why, and every page that was dropped.
//!
//! **Other hosts are other sites.** Links are followed below the start addresses. Redirects are
//! followed on the hosts that were named, and only where that host's rules allow. Servers choose
//! neither names nor places of files: addresses become names that hold on every file system and lie
//! below the folder.
//!
//! The network and the clock stand behind [`Transport`] and [`Pace`], so that tests need no network
//! and no waiting.
//!
//! # Layout
//!
//! ```text
//! FOLDER/
//!   website.json                 the index: each address with its file, hash, dates and reasons
//!   website.journal              what a fetch under way adds to it
//!   pages/www.example.edu/…      what the readers are to read
//!   aside/www.example.edu/…      copies of other pages
//!   control/…                    robots.txt and sitemaps as they came
//! ```
//!
//! Text is kept as UTF-8, whatever it came in; other files as they came.
//!
//! # Example
//!
//! ```no_run
//! use campanile_website::{PAGES_FOLDER, Progress, WebsiteError, WebsiteOptions, fetch};
//! use std::path::Path;
//!
//! fn main() -> Result<(), WebsiteError> {
//!     let options = WebsiteOptions {
//!         addresses: vec!["https://www.example.edu/studies/".to_owned()],
//!         follow: true,
//!         exclude: vec!["/studies/archive/**".to_owned()],
//!         contact: "https://www.example.edu/search".to_owned(),
//!         ..WebsiteOptions::default()
//!     };
//!     let folder = Path::new("website");
//!     let report = fetch(folder, &options, &mut |progress| {
//!         if let Progress::Page { url, status } = progress {
//!             eprintln!("{status:?}: {url}");
//!         }
//!     })?;
//!     for skipped in &report.skipped {
//!         eprintln!("{skipped}");
//!     }
//!     println!("{} pages in {}", report.pages.len(), folder.join(PAGES_FOLDER).display());
//!     Ok(())
//! }
//! ```

mod address;
mod ask;
mod cache;
mod content;
mod control;
mod crawl;
mod error;
mod name;
mod options;
mod page;
mod report;
mod robots;
mod sitemap;
mod transport;

pub use ask::{Pace, RealPace};
pub use cache::PAGES_FOLDER;
pub use error::WebsiteError;
pub use options::WebsiteOptions;
pub use page::{Directives, Page};
pub use report::{Dropped, FetchedPage, PageStatus, Progress, SkipReason, Skipped, WebsiteReport};
pub use robots::{Robots, Rules};
pub use sitemap::Sitemap;
pub use transport::{Headers, HttpTransport, Reply, Transport, TransportError};

use std::path::Path;

/// Fetches the site of `options` into `folder`, or brings the folder up to date.
///
/// `progress` is told what happens. The process may be ended at any moment: within a day the next
/// call goes on, and later it asks for news of what there is.
///
/// # Errors
/// [`WebsiteError`], for settings that cannot be followed and a folder that cannot be used. What
/// concerns one address is in the report.
pub fn fetch(
    folder: &Path,
    options: &WebsiteOptions,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<WebsiteReport, WebsiteError> {
    let mut transport = HttpTransport::new(options)?;
    fetch_by(folder, options, &mut transport, &mut RealPace::default(), progress)
}

/// [`fetch`] by another network and another clock.
///
/// # Errors
/// As [`fetch`].
pub fn fetch_by(
    folder: &Path,
    options: &WebsiteOptions,
    transport: &mut dyn Transport,
    pace: &mut dyn Pace,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<WebsiteReport, WebsiteError> {
    let outside = ask::Outside { transport, pace, news: progress };
    crawl::Crawl::run(folder, options, outside)
}
