//! One address: asked for, and what becomes of the answer.

use super::{Crawl, Task};
use crate::address::parse;
use crate::cache::{Entry, Kept, PAGES_FOLDER};
use crate::content::{Kind, charset, conditions, kind_of, to_utf8, validators};
use crate::error::{Stop, WebsiteError};
use crate::name::{file_name, sha256};
use crate::page::{Directives, Page};
use crate::report::{PageStatus, Progress, SkipReason};
use crate::transport::{Headers, Reply, is_redirect};
use url::Url;

impl Crawl<'_> {
    pub(super) fn visit(&mut self, task: &Task) -> Result<(), WebsiteError> {
        let known = self.cache.page(task.url.as_str()).cloned();
        if let Some(entry) = known.filter(|entry| entry.run == self.cache.run()) {
            return self.revisit(task, entry);
        }
        let Err(reason) = Stop::apart(self.ask(task))? else {
            return Ok(());
        };
        let status = match reason {
            SkipReason::Status { status } => status,
            _ => 0,
        };
        self.skip(task, status, reason, Vec::new())
    }

    /// An address that this fetch had dealt with before it was broken off.
    fn revisit(&mut self, task: &Task, entry: Entry) -> Result<(), WebsiteError> {
        self.asked += 1;
        if let Some(file) = &entry.dropped {
            self.note_dropped(task.url.as_str(), file, entry.skipped.clone());
        }
        if let Some(reason) = entry.skipped {
            self.note_skipped(task.url.as_str(), reason);
        }
        if let Some(to) = entry.moved_to.and_then(|to| parse(&to).ok()) {
            self.redirect(task, to);
        }
        let links = entry.links.iter().filter_map(|link| parse(link).ok());
        self.follow(task, links.collect::<Vec<Url>>());
        self.follow_kept(task)
    }

    fn ask(&mut self, task: &Task) -> Result<(), Stop> {
        self.gate.check(&task.url, &mut self.asker, &mut self.cache)?;
        self.asked += 1;
        let known = self.cache.page(task.url.as_str()).cloned();
        // Without its file, news is not enough: the page itself has to come again.
        let known = known.filter(|entry| self.cache.is_here(entry));
        let conditions = known.as_ref().map_or_else(Vec::new, |entry| {
            conditions(entry.etag.as_deref(), entry.last_modified.as_deref())
        });
        let reply = self.asker.ask(&task.url, &conditions)?;
        match (reply.status, known) {
            // Without a question about news, 304 is no answer and falls through to the last case.
            (304, Some(entry)) => self.unchanged(task, entry, &reply.headers),
            // 203: the same, as a proxy on the way has changed it.
            (200 | 203, _) => self.answered(task, reply),
            (status, _) if is_redirect(status) => self.redirected(task, &reply),
            (status, _) => Err(SkipReason::Status { status }.into()),
        }
    }

    fn unchanged(&mut self, task: &Task, known: Entry, headers: &Headers) -> Result<(), Stop> {
        if self.directives(headers).noindex {
            return Err(SkipReason::Noindex.into());
        }
        let (etag, last_modified) = validators(headers);
        let kept = known.kept.map(|kept| Kept { status: PageStatus::Unchanged, ..kept });
        let entry = Entry {
            etag: etag.or(known.etag),
            last_modified: last_modified.or(known.last_modified),
            kept,
            ..self.entry(304)
        };
        self.cache.put(task.url.as_str(), entry)?;
        self.tell(Progress::Page { url: task.url.as_str(), status: PageStatus::Unchanged });
        Ok(self.follow_kept(task)?)
    }

    fn redirected(&mut self, task: &Task, reply: &Reply) -> Result<(), Stop> {
        let to = reply.location(&task.url)?;
        if to == task.url {
            return Err(SkipReason::RedirectLoop.into());
        }
        let refused = |detail: String| SkipReason::Redirect { to: to.to_string(), detail };
        if task.redirects >= self.options.max_redirects {
            let most = self.options.max_redirects;
            return Err(refused(format!(
                "it would be more than the {most} redirects of `max_redirects`"
            ))
            .into());
        }
        self.scope.admit(&to).map_err(|reason| refused(reason.to_string()))?;
        let moved = SkipReason::Moved { to: to.to_string() };
        let dropped = self.drop_kept(task.url.as_str(), Some(moved))?;
        let entry = Entry { moved_to: Some(to.to_string()), dropped, ..self.entry(reply.status) };
        self.cache.put(task.url.as_str(), entry)?;
        self.redirect(task, to);
        Ok(())
    }

    fn answered(&mut self, task: &Task, reply: Reply) -> Result<(), Stop> {
        let content_type = reply.headers.get("content-type").map(str::to_owned);
        let kind = kind_of(content_type.as_deref(), task.url.path())
            .map_err(|found| SkipReason::ContentType { found })?;
        let mut directives = self.directives(&reply.headers);
        // A page that asks not to be found is fetched all the same where its links lead on: that is what `noindex`
        // without `nofollow` says.
        let wants_links = self.follows(task) && kind.is_html() && !directives.nofollow;
        if directives.noindex && !wants_links {
            return Err(SkipReason::Noindex.into());
        }
        let limit_bytes = self.options.max_bytes;
        // What the server says of the length spares the download; the body is measured all the same.
        let length =
            reply.headers.get("content-length").and_then(|length| length.parse::<u64>().ok());
        if length.is_some_and(|length| length > limit_bytes) {
            return Err(SkipReason::TooLarge { limit_bytes }.into());
        }
        let (status, (etag, last_modified)) = (reply.status, validators(&reply.headers));
        let body = self.asker.body(&task.url, reply, limit_bytes, false)?;
        let bytes = if kind.is_text {
            to_utf8(&body, charset(content_type.as_deref()).as_deref(), kind.is_html())
        } else {
            body.as_slice().into()
        };
        let mut page = Page::default();
        if kind.is_html() {
            page = Page::read(&String::from_utf8_lossy(&bytes), &task.url, &self.product);
            directives.noindex |= page.directives.noindex;
            directives.nofollow |= page.directives.nofollow;
        }
        let follows = wants_links && !directives.nofollow;
        let links = if follows { std::mem::take(&mut page.links) } else { Vec::new() };
        if follows {
            self.links_passed_over += page.passed_over;
        }
        if directives.noindex {
            let names = links.iter().map(ToString::to_string).collect();
            self.skip(task, status, SkipReason::Noindex, names)?;
        } else {
            let entry = Entry { etag, last_modified, ..self.entry(status) };
            self.keep(task, entry, kind, &bytes, &page, !directives.nofollow)?;
        }
        self.follow(task, links);
        Ok(())
    }

    fn keep(
        &mut self,
        task: &Task,
        entry: Entry,
        kind: &Kind,
        bytes: &[u8],
        page: &Page,
        may_follow: bool,
    ) -> Result<(), WebsiteError> {
        let url = task.url.as_str();
        let file = format!("{PAGES_FOLDER}/{}", file_name(&task.url, kind.extension()));
        let hash = sha256(bytes);
        // A page whose type changed has another name, and its old file must go.
        let earlier = self.cache.page(url).and_then(|entry| entry.kept.clone());
        let status = match &earlier {
            None => PageStatus::New,
            Some(earlier) if earlier.sha256 == hash => PageStatus::Unchanged,
            Some(_) => PageStatus::Changed,
        };
        // The file first: after an interruption, the index names no file that is not there.
        self.cache.write(&file, bytes)?;
        let canonical = page.canonical.as_ref().filter(|canonical| **canonical != task.url);
        let kept = Kept {
            file: file.clone(),
            sha256: hash,
            fetched_at: self.asker.date(),
            title: page.title.clone(),
            canonical: canonical.map(ToString::to_string),
            may_follow: may_follow && kind.is_html(),
            folded_into: None,
            status,
        };
        self.cache.put(url, Entry { kept: Some(kept), ..entry })?;
        if let Some(earlier) = earlier.filter(|earlier| earlier.file != file) {
            self.cache.remove(&earlier.file)?;
        }
        self.tell(Progress::Page { url, status });
        Ok(())
    }

    fn directives(&self, headers: &Headers) -> Directives {
        let mut directives = Directives::default();
        for value in headers.all("x-robots-tag") {
            directives.add_header(value, &self.product);
        }
        directives
    }
}
