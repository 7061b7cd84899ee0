//! The end of a fetch: copies folded, what is gone dropped, and the report.

use super::Crawl;
use crate::address;
use crate::cache::{ASIDE_FOLDER, Entry, Kept, PAGES_FOLDER};
use crate::error::WebsiteError;
use crate::report::{FetchedPage, PageStatus, SkipReason, Skipped, WebsiteReport};
use std::collections::{BTreeMap, BTreeSet};

impl Crawl<'_> {
    pub(super) fn finish(mut self) -> Result<WebsiteReport, WebsiteError> {
        let left_out = self.queue.len() + self.queue.refused;
        // Folding needs to know which originals are still here, and the sweep which files the index names at last.
        self.drop_unseen(left_out > 0)?;
        self.name_circles();
        self.fold_copies()?;
        self.cache.finish()?;
        Ok(self.report(left_out))
    }

    /// Forgets what nothing lists or links to any more, if everything was looked at that might,
    /// and what the settings leave out.
    fn drop_unseen(&mut self, is_cut: bool) -> Result<(), WebsiteError> {
        let is_new = |entry: &Entry| entry.run == self.cache.run() && entry.kept.is_some();
        let urls = self.cache.urls();
        let came = urls.iter().any(|url| self.cache.page(url).is_some_and(is_new));
        for url in urls {
            let Some(entry) = self.cache.page(&url) else {
                continue;
            };
            let is_seen = self.seen.contains(&url);
            if is_seen && entry.run == self.cache.run() {
                continue;
            }
            let admitted = address::parse(&url).map(|url| self.scope.admit(&url));
            let is_elsewhere = matches!(admitted, Ok(Err(SkipReason::OtherHost { .. })));
            let is_ours = matches!(admitted, Ok(Ok(())));
            // A new address may be mistyped: as long as nothing came from there, what came from another stays.
            if is_elsewhere && self.is_incomplete && !came {
                continue;
            }
            // An address that nothing listed may be behind a page that could not be had today.
            let may_stay = is_ours && (is_seen || self.is_incomplete || is_cut);
            if !self.cache.is_here(entry) || !may_stay {
                self.drop_kept(&url, None)?;
                self.cache.forget(&url)?;
            }
        }
        Ok(())
    }

    /// Returns `true` if an address belongs to the site, as the settings have it now.
    fn is_ours(&self, url: &str) -> bool {
        address::parse(url).is_ok_and(|url| self.scope.admit(&url).is_ok())
    }

    /// Returns the address at which the redirects from `url` end; `None` if they do not.
    fn end_of(&self, url: &str) -> Option<String> {
        let mut seen = BTreeSet::new();
        let mut at = url;
        while let Some(to) = self.cache.page(at).and_then(|entry| entry.moved_to.as_deref()) {
            if !seen.insert(at) {
                return None;
            }
            at = to;
        }
        Some(at.to_owned())
    }

    fn name_circles(&mut self) {
        for url in self.cache.urls() {
            if self.end_of(&url).is_none() {
                self.note_skipped(&url, SkipReason::RedirectLoop);
            }
        }
    }

    /// Sets aside the pages that name another page as their proper address, where that is here,
    /// and brings back those whose proper page has gone.
    fn fold_copies(&mut self) -> Result<(), WebsiteError> {
        for url in self.cache.urls() {
            let Some(entry) = self.cache.page(&url).cloned() else {
                continue;
            };
            let Some(kept) = &entry.kept else {
                continue;
            };
            let original = self.original_of(&url, kept);
            if let Some(of) = &original {
                self.note_skipped(&url, SkipReason::Duplicate { of: of.clone() });
            }
            if original != kept.folded_into {
                self.fold(&url, &entry, kept, original)?;
            }
        }
        Ok(())
    }

    fn original_of(&self, url: &str, kept: &Kept) -> Option<String> {
        let original = self.end_of(kept.canonical.as_deref()?)?;
        let other = self.cache.page(&original)?.kept.as_ref()?;
        // One that names a third is no original; two that name each other are both.
        (original != url && other.canonical.is_none()).then_some(original)
    }

    fn fold(
        &mut self,
        url: &str,
        entry: &Entry,
        kept: &Kept,
        folded_into: Option<String>,
    ) -> Result<(), WebsiteError> {
        let below = kept.file.split_once('/').map_or(kept.file.as_str(), |(_, below)| below);
        let folder = if folded_into.is_some() { ASIDE_FOLDER } else { PAGES_FOLDER };
        let file = format!("{folder}/{below}");
        if file != kept.file && self.cache.intact(kept).is_some() {
            self.cache.rename(&kept.file, &file)?;
        }
        let kept = Kept { file, folded_into, ..kept.clone() };
        self.cache.put(url, Entry { kept: Some(kept), ..entry.clone() })
    }

    fn report(self, left_out: usize) -> WebsiteReport {
        let mut redirected: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let urls = self.cache.urls();
        for url in &urls {
            if let Some(end) = self.end_of(url).filter(|end| end != url) {
                redirected.entry(end).or_default().push(url.clone());
            }
        }
        let mut pages = Vec::new();
        for url in urls {
            let Some(entry) = self.cache.page(&url).filter(|_| self.is_ours(&url)) else {
                continue;
            };
            let is_stale = entry.run != self.cache.run();
            if let Some(kept) = entry.kept.as_ref().filter(|kept| kept.folded_into.is_none()) {
                pages.push(FetchedPage {
                    redirected_from: redirected.remove(&url).unwrap_or_default(),
                    file: kept.file.clone(),
                    title: kept.title.clone(),
                    status: if is_stale { PageStatus::Kept } else { kept.status },
                    url,
                });
            }
        }
        let skipped = self.skipped.into_iter().map(|(url, reason)| Skipped { url, reason });
        WebsiteReport {
            pages,
            skipped: skipped.collect(),
            dropped: self.dropped.into_values().collect(),
            requests: self.asker.requests,
            body_bytes: self.asker.body_bytes,
            left_out,
            links_passed_over: self.links_passed_over,
        }
    }
}
