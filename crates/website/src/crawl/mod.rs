//! The way through a site: what is asked for, what becomes of the answers, and what is left at the
//! end.

mod finish;
mod queue;
mod visit;

use crate::address::Scope;
use crate::ask::{Asker, Outside};
use crate::cache::{Cache, Entry};
use crate::control::Gate;
use crate::error::{Stop, WebsiteError};
use crate::options::WebsiteOptions;
use crate::page::Page;
use crate::report::{Dropped, Progress, SkipReason, WebsiteReport};
use queue::{Queue, Seeds, Task};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use url::Url;

/// The way in which an address was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// By name, in the settings or a sitemap named there.
    Listed,
    /// In a sitemap that the site itself names: it may list much more than was meant.
    ListedByTheSite,
    /// As a link.
    Linked,
    /// As where a redirect leads.
    Redirected,
}

/// A fetch under way.
pub(crate) struct Crawl<'o> {
    options: &'o WebsiteOptions,
    product: String,
    scope: Scope,
    cache: Cache,
    asker: Asker<'o>,
    gate: Gate,
    queue: Queue,
    seen: BTreeSet<String>,
    skipped: BTreeMap<String, SkipReason>,
    dropped: BTreeMap<String, Dropped>,
    asked: usize,
    links_passed_over: usize,
    /// `true` if something could not be looked at that may list or link to pages kept earlier.
    is_incomplete: bool,
}

impl<'o> Crawl<'o> {
    /// Fetches the site of `options` into `folder`.
    pub(crate) fn run(
        folder: &Path,
        options: &'o WebsiteOptions,
        outside: Outside<'o>,
    ) -> Result<WebsiteReport, WebsiteError> {
        let seeds = Seeds::new(options)?;
        // Before the folder is touched: settings that cannot be followed change nothing.
        let product = options.product();
        let scope =
            Scope::new(&seeds.addresses, &seeds.sitemaps, &options.include, &options.exclude)?;
        let cache = Cache::open(folder, outside.pace.date())?;
        let mut crawl = Self {
            options,
            scope,
            cache,
            asker: Asker::new(outside, Duration::from_millis(options.delay_ms)),
            gate: Gate::new(product.clone()),
            product,
            queue: Queue::default(),
            seen: BTreeSet::new(),
            skipped: BTreeMap::new(),
            dropped: BTreeMap::new(),
            asked: 0,
            links_passed_over: 0,
            is_incomplete: false,
        };
        let pages = crawl.cache.done();
        if pages > 0 {
            crawl.tell(Progress::Resuming { pages });
        }
        crawl.plant(&seeds)?;
        while crawl.asked < options.max_pages {
            let Some(task) = crawl.queue.pop() else {
                break;
            };
            crawl.step(task)?;
        }
        crawl.finish()
    }

    /// One turn of a host: its rules, or one of its pages. Both would make others wait for its delay.
    fn step(&mut self, task: Task) -> Result<(), WebsiteError> {
        self.asker.counts = (self.asked, self.queue.len());
        if self.gate.knows(&task.url, &self.asker) {
            return self.visit(&task);
        }
        // What it says is looked at when the page's turn comes.
        let _ = Stop::apart(self.gate.check(&task.url, &mut self.asker, &mut self.cache))?;
        self.queue.put_back(task);
        Ok(())
    }

    fn tell(&mut self, news: Progress<'_>) {
        (self.asker.outside.news)(news);
    }

    /// Adds an address, once, if it belongs to the site.
    fn enqueue(&mut self, task: Task, found: Found) {
        let url = &task.url;
        let must_be_below = matches!(found, Found::Linked | Found::ListedByTheSite);
        let admitted = self.scope.admit(url);
        if must_be_below && (admitted.is_err() || !self.scope.is_below_a_start(url)) {
            // Not `seen`: a sitemap may still name it.
            self.links_passed_over += 1;
        } else if self.seen.insert(url.as_str().to_owned()) {
            match admitted {
                Ok(()) => self.queue.push(task),
                Err(reason) => self.note_skipped(url.as_str(), reason),
            }
        }
    }

    fn note_skipped(&mut self, url: &str, reason: SkipReason) {
        self.is_incomplete |= reason.is_passing();
        self.tell(Progress::Skipped { url, reason: &reason });
        self.skipped.insert(url.to_owned(), reason);
    }

    /// Ends a visit without a page. What an earlier fetch brought is kept if another day may go
    /// better, and removed otherwise.
    fn skip(
        &mut self,
        task: &Task,
        status: u16,
        reason: SkipReason,
        links: Vec<String>,
    ) -> Result<(), WebsiteError> {
        let url = task.url.as_str();
        if reason.is_passing() {
            self.note_skipped(url, reason);
            return self.follow_kept(task);
        }
        let dropped = self.drop_kept(url, Some(reason.clone()))?;
        let entry = Entry { skipped: Some(reason.clone()), dropped, links, ..self.entry(status) };
        self.cache.put(url, entry)?;
        self.note_skipped(url, reason);
        Ok(())
    }

    /// Removes the file of a page; its name comes back.
    fn drop_kept(
        &mut self,
        url: &str,
        reason: Option<SkipReason>,
    ) -> Result<Option<String>, WebsiteError> {
        let Some(kept) = self.cache.page(url).and_then(|entry| entry.kept.clone()) else {
            return Ok(None);
        };
        self.cache.remove(&kept.file)?;
        self.note_dropped(url, &kept.file, reason);
        Ok(Some(kept.file))
    }

    fn note_dropped(&mut self, url: &str, file: &str, reason: Option<SkipReason>) {
        let dropped = Dropped { url: url.to_owned(), file: file.to_owned(), reason };
        self.dropped.insert(url.to_owned(), dropped);
    }

    /// Makes the record of an address asked for now.
    fn entry(&self, status: u16) -> Entry {
        Entry { run: self.cache.run(), status, checked_at: self.asker.date(), ..Entry::default() }
    }

    /// Returns `true` if the links of a page are to be followed.
    fn follows(&self, task: &Task) -> bool {
        self.options.follow && task.depth < self.options.depth
    }

    /// Goes on with the address that `task` redirects to.
    fn redirect(&mut self, task: &Task, to: Url) {
        let redirects = task.redirects + 1;
        self.enqueue(Task { url: to, redirects, ..*task }, Found::Redirected);
    }

    fn follow(&mut self, task: &Task, links: impl IntoIterator<Item = Url>) {
        for url in links {
            self.enqueue(Task { url, depth: task.depth + 1, redirects: 0 }, Found::Linked);
        }
    }

    /// Follows the links of a page as it was kept.
    fn follow_kept(&mut self, task: &Task) -> Result<(), WebsiteError> {
        let kept = self.cache.page(task.url.as_str()).and_then(|entry| entry.kept.as_ref());
        let Some(kept) = kept.filter(|kept| kept.may_follow && self.follows(task)) else {
            return Ok(());
        };
        // Read again, since the index has no place for the links of every page: they are in the file.
        if let Some(bytes) = self.cache.intact(kept) {
            let page = Page::read(&String::from_utf8_lossy(&bytes), &task.url, &self.product);
            self.links_passed_over += page.passed_over;
            self.follow(task, page.links);
        }
        Ok(())
    }
}
