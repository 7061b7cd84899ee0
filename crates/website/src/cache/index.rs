//! The index of the folder, and the lines of its journal.

use crate::error::WebsiteError;
use crate::report::{PageStatus, SkipReason};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Version of the index's own layout.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Index {
    format: u32,
    /// The number of the latest fetch.
    pub(super) run: u64,
    /// The date of its start (an HTTP date), unless it is finished.
    pub(super) started: Option<String>,
    // Sorted, so that the file differs from the last one only where the site does.
    /// By address.
    pub(super) pages: BTreeMap<String, Entry>,
    /// By address: `robots.txt` and sitemaps.
    pub(super) control: BTreeMap<String, Control>,
}

/// A record of what is known of an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Entry {
    /// The fetch that asked last.
    pub(crate) run: u64,
    /// The status of the answer; 0 if it was not asked for.
    pub(crate) status: u16,
    /// The date at which it was asked for (an HTTP date).
    pub(crate) checked_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) etag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_modified: Option<String>,
    /// The file, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kept: Option<Kept>,
    /// The address that it redirects to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) moved_to: Option<String>,
    /// The reason why there is no page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skipped: Option<SkipReason>,
    /// The file that this fetch removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dropped: Option<String>,
    /// Links of a page that is not kept itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) links: Vec<String>,
}

/// A page's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// Relative to the folder, with `/`.
    pub(crate) file: String,
    /// The hash of the file.
    pub(crate) sha256: String,
    /// The date at which its content came (an HTTP date).
    pub(crate) fetched_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// Its proper address, as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) canonical: Option<String>,
    /// `true` if its links may be followed.
    pub(crate) may_follow: bool,
    /// The page that it is a copy of; its file is set aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) folded_into: Option<String>,
    /// The state in which the latest fetch found the page.
    pub(crate) status: PageStatus,
}

/// A record of what is known of a `robots.txt` or a sitemap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Control {
    pub(crate) status: u16,
    /// An HTTP date.
    pub(crate) checked_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) etag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_modified: Option<String>,
    /// File and hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kept: Option<(String, String)>,
}

/// One line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(super) enum Line {
    Page { url: String, entry: Option<Box<Entry>> },
    Control { url: String, control: Control },
}

impl Index {
    /// The index at `path`; an empty one where there is none.
    pub(super) fn read(path: &Path) -> Result<Self, WebsiteError> {
        let bad = |detail: String| WebsiteError::BadIndex { path: path.to_path_buf(), detail };
        let Some(text) = super::read_file(path)? else {
            return Ok(Self::empty());
        };
        let index: Self = serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))?;
        if index.format != FORMAT {
            return Err(bad(format!(
                "it is of format {}, and this version of Campanile reads format {FORMAT}",
                index.format
            )));
        }
        Ok(index)
    }

    pub(super) fn empty() -> Self {
        Self {
            format: FORMAT,
            run: 0,
            started: None,
            pages: BTreeMap::new(),
            control: BTreeMap::new(),
        }
    }

    /// Adds what the journal at `path` tells. A line that is no line is the last one, cut short.
    pub(super) fn replay(&mut self, path: &Path) -> Result<(), WebsiteError> {
        let text = super::read_file(path)?.unwrap_or_default();
        for line in text.split(|byte| *byte == b'\n') {
            if let Ok(line) = serde_json::from_slice(line) {
                self.apply(line);
            }
        }
        Ok(())
    }

    pub(super) fn apply(&mut self, line: Line) {
        match line {
            Line::Page { url, entry: Some(entry) } => {
                self.pages.insert(url, *entry);
            }
            Line::Page { url, entry: None } => {
                self.pages.remove(&url);
            }
            Line::Control { url, control } => {
                self.control.insert(url, control);
            }
        }
    }

    /// All files that the index knows.
    pub(super) fn files(&self) -> BTreeSet<String> {
        let pages = self.pages.values().filter_map(|entry| entry.kept.as_ref());
        let control = self.control.values().filter_map(|control| control.kept.as_ref());
        pages.map(|kept| kept.file.clone()).chain(control.map(|(file, _)| file.clone())).collect()
    }
}

/// The time since an HTTP date; `None` if that is none, or lies ahead.
pub(crate) fn age(date: &str, now: SystemTime) -> Option<Duration> {
    now.duration_since(httpdate::parse_http_date(date).ok()?).ok()
}
