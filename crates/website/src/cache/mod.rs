//! The folder that keeps what was fetched.
//!
//! Its index is `website.json`; what happens during a fetch is added to `website.journal` line by
//! line, so that a page costs one line and not the whole index, and an interruption at any moment
//! loses at most the page that was under way. The next fetch reads both. Files are written under
//! another name first, and trusted only while they have the hash that the index says.

mod index;

use crate::error::WebsiteError;
use crate::name::{sha256, short_hash};
pub(crate) use index::{Control, Entry, Kept, age};
use index::{Index, Line};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The index's file name.
const INDEX_NAME: &str = "website.json";
/// The folder of pages within the folder: what the readers are to read.
pub const PAGES_FOLDER: &str = "pages";

const JOURNAL_NAME: &str = "website.journal";
const LOCK_NAME: &str = ".website.lock";
/// Pages that are copies of others.
pub(crate) const ASIDE_FOLDER: &str = "aside";
/// `robots.txt` and sitemaps.
const CONTROL_FOLDER: &str = "control";

/// The longest time that a fetch that was broken off may wait to go on; after that its pages are asked for
/// again. A day, as for the rules of `robots.txt`: what was seen yesterday is no longer news.
const RESUMABLE: Duration = Duration::from_secs(24 * 60 * 60);

/// The folder, held by this process alone.
pub(crate) struct Cache {
    folder: PathBuf,
    index: Index,
    journal: Option<File>,
    _lock: File,
}

impl Cache {
    /// Opens the folder, which is made if it is not there, and the fetch to be done in it: one
    /// broken off within a day, or a new one.
    pub(crate) fn open(folder: &Path, date: SystemTime) -> Result<Self, WebsiteError> {
        fs::create_dir_all(folder).map_err(|error| WebsiteError::io("make", folder, error))?;
        refuse_foreign(folder)?;
        let lock = lock(folder)?;
        let mut index = Index::read(&folder.join(INDEX_NAME))?;
        index.replay(&folder.join(JOURNAL_NAME))?;
        // What it names is read, moved and removed: an index that somebody else wrote must not reach further.
        if let Some(file) = index.files().into_iter().find(|file| !lies_inside(file)) {
            let detail = format!("it names the file `{file}`, which lies outside of the folder");
            return Err(WebsiteError::BadIndex { path: folder.join(INDEX_NAME), detail });
        }
        let is_fresh = |started: &String| age(started, date).is_some_and(|age| age < RESUMABLE);
        if !index.started.as_ref().is_some_and(is_fresh) {
            index.run += 1;
            index.started = Some(httpdate::fmt_http_date(date));
        }
        let mut cache = Self { folder: folder.to_path_buf(), index, journal: None, _lock: lock };
        // Before the journal is emptied: whatever moment the process ends at, one of the two has every page.
        cache.write_index()?;
        let path = folder.join(JOURNAL_NAME);
        // What it told is in the index now.
        let journal = OpenOptions::new().create(true).write(true).truncate(true).open(&path);
        cache.journal = Some(journal.map_err(|error| WebsiteError::io("write", &path, error))?);
        Ok(cache)
    }

    /// The number of this fetch.
    pub(crate) fn run(&self) -> u64 {
        self.index.run
    }

    /// Pages dealt with in this fetch, before it was broken off.
    pub(crate) fn done(&self) -> usize {
        self.index.pages.values().filter(|entry| entry.run == self.index.run).count()
    }

    /// Returns what is known of an address.
    pub(crate) fn page(&self, url: &str) -> Option<&Entry> {
        self.index.pages.get(url)
    }

    /// All addresses that anything is known of, sorted.
    pub(crate) fn urls(&self) -> Vec<String> {
        self.index.pages.keys().cloned().collect()
    }

    pub(crate) fn put(&mut self, url: &str, entry: Entry) -> Result<(), WebsiteError> {
        self.note(Line::Page { url: url.to_owned(), entry: Some(Box::new(entry)) })
    }

    pub(crate) fn forget(&mut self, url: &str) -> Result<(), WebsiteError> {
        self.note(Line::Page { url: url.to_owned(), entry: None })
    }

    /// Returns what is known of a `robots.txt` or a sitemap.
    pub(crate) fn control(&self, url: &str) -> Option<&Control> {
        self.index.control.get(url)
    }

    pub(crate) fn put_control(&mut self, url: &str, control: Control) -> Result<(), WebsiteError> {
        self.note(Line::Control { url: url.to_owned(), control })
    }

    /// The bytes of a page's file, if they are those that were kept.
    pub(crate) fn intact(&self, kept: &Kept) -> Option<Vec<u8>> {
        self.intact_file(&kept.file, &kept.sha256)
    }

    /// Returns `true` if the page of a record is in the folder as it was kept.
    pub(crate) fn is_here(&self, entry: &Entry) -> bool {
        entry.kept.as_ref().is_some_and(|kept| self.intact(kept).is_some())
    }

    /// The bytes of a `robots.txt` or a sitemap, if they are those that were kept.
    pub(crate) fn intact_control(&self, url: &str) -> Option<Vec<u8>> {
        let (file, hash) = self.control(url)?.kept.as_ref()?;
        self.intact_file(file, hash)
    }

    fn intact_file(&self, file: &str, hash: &str) -> Option<Vec<u8>> {
        let bytes = fs::read(self.folder.join(file)).ok()?;
        (sha256(&bytes) == hash).then_some(bytes)
    }

    /// Writes a file whole or not at all.
    pub(crate) fn write(&self, file: &str, bytes: &[u8]) -> Result<(), WebsiteError> {
        write_file(&self.folder.join(file), bytes)
    }

    /// Moves a file.
    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<(), WebsiteError> {
        let (from, to) = (self.folder.join(from), self.folder.join(to));
        make_parent(&to)?;
        fs::rename(&from, to).map_err(|error| WebsiteError::io("move", &from, error))
    }

    /// Removes a file that may be gone already.
    pub(crate) fn remove(&self, file: &str) -> Result<(), WebsiteError> {
        remove_file(&self.folder.join(file))
    }

    /// Returns the path under which a `robots.txt` or a sitemap is kept.
    pub(crate) fn control_file(url: &str) -> String {
        format!("{CONTROL_FOLDER}/{}", short_hash(url))
    }

    /// Ends this fetch: what the index does not know is removed, and the journal is merged into it.
    pub(crate) fn finish(&mut self) -> Result<(), WebsiteError> {
        let known = self.index.files();
        for folder in [PAGES_FOLDER, ASIDE_FOLDER, CONTROL_FOLDER] {
            sweep(&self.folder, folder, &known)?;
        }
        self.index.started = None;
        self.write_index()?;
        self.journal = None;
        remove_file(&self.folder.join(JOURNAL_NAME))
    }

    fn write_index(&self) -> Result<(), WebsiteError> {
        let path = self.folder.join(INDEX_NAME);
        let mut text = serde_json::to_string_pretty(&self.index)
            .map_err(|error| WebsiteError::io("write", &path, error.into()))?;
        text.push('\n');
        write_file(&path, text.as_bytes())
    }

    /// Writes a line into the journal, then into the index: what was not written did not happen.
    fn note(&mut self, line: Line) -> Result<(), WebsiteError> {
        let path = self.folder.join(JOURNAL_NAME);
        let writing = |error: io::Error| WebsiteError::io("write", &path, error);
        let mut text = serde_json::to_string(&line).map_err(|error| writing(error.into()))?;
        text.push('\n');
        if let Some(journal) = &mut self.journal {
            journal.write_all(text.as_bytes()).map_err(writing)?;
        }
        self.index.apply(line);
        Ok(())
    }
}

fn lock(folder: &Path) -> Result<File, WebsiteError> {
    let path = folder.join(LOCK_NAME);
    let locking = |error| WebsiteError::io("lock", &path, error);
    let file = File::create(&path).map_err(locking)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(WebsiteError::Busy { folder: folder.to_path_buf() }),
        // Some network file systems have no locks; there the user's care must do.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(locking(error)),
    }
}

/// Refuses a folder that has files and no index: they are somebody else's.
fn refuse_foreign(folder: &Path) -> Result<(), WebsiteError> {
    let mut foreign = false;
    let reading = |error| WebsiteError::io("read", folder, error);
    for entry in fs::read_dir(folder).map_err(reading)? {
        let name = entry.map_err(reading)?.file_name();
        if name == INDEX_NAME {
            return Ok(());
        }
        // A first fetch that was ended while it wrote its index leaves these two.
        foreign |= name != LOCK_NAME && name != part_name(Path::new(INDEX_NAME)).as_os_str();
    }
    if foreign { Err(WebsiteError::ForeignFolder { folder: folder.to_path_buf() }) } else { Ok(()) }
}

/// Writes under another name first.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), WebsiteError> {
    make_parent(path)?;
    // A rename is whole or not at all, on the same disk; hence beside the file and not in a temporary folder.
    let part = part_name(path);
    fs::write(&part, bytes)
        .and_then(|()| fs::rename(&part, path))
        .map_err(|error| WebsiteError::io("write", path, error))
}

fn part_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// The bytes of a file; `None` where there is none.
fn read_file(path: &Path) -> Result<Option<Vec<u8>>, WebsiteError> {
    unless_missing(fs::read(path)).map_err(|error| WebsiteError::io("read", path, error))
}

/// Returns `true` if a name leads down into the folder alone.
fn lies_inside(file: &str) -> bool {
    Path::new(file).components().all(|part| matches!(part, Component::Normal(_)))
}

fn make_parent(path: &Path) -> Result<(), WebsiteError> {
    match path.parent() {
        Some(parent) => {
            fs::create_dir_all(parent).map_err(|error| WebsiteError::io("make", parent, error))
        }
        None => Ok(()),
    }
}

fn remove_file(path: &Path) -> Result<(), WebsiteError> {
    let removed = unless_missing(fs::remove_file(path));
    removed.map(drop).map_err(|error| WebsiteError::io("remove", path, error))
}

/// `None` where a file or folder is not there.
fn unless_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Removes what is below `root/folder` and not in `known`, and folders left empty: the rest of a
/// page that was under way when a fetch was broken off.
fn sweep(root: &Path, folder: &str, known: &BTreeSet<String>) -> Result<(), WebsiteError> {
    let path = root.join(folder);
    let reading = |error| WebsiteError::io("read", &path, error);
    let Some(entries) = unless_missing(fs::read_dir(&path)).map_err(reading)? else {
        return Ok(());
    };
    let mut is_empty = true;
    for entry in entries {
        let entry = entry.map_err(reading)?;
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(reading)?;
        if kind.is_dir() {
            sweep(root, &name, known)?;
            // It removed itself if nothing in it is known.
            is_empty &= !entry.path().exists();
        } else if known.contains(&name) {
            is_empty = false;
        } else {
            remove_file(&entry.path())?;
        }
    }
    if is_empty {
        fs::remove_dir(&path).map_err(|error| WebsiteError::io("remove", &path, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_names_files_elsewhere_is_refused() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let index = |file: &str| {
            let control = Control {
                status: 200,
                checked_at: "Thu, 26 Nov 2026 06:00:00 GMT".to_owned(),
                etag: None,
                last_modified: None,
                kept: Some((file.to_owned(), "00".to_owned())),
            };
            let mut index = Index::empty();
            index.control.insert("https://a.example/robots.txt".to_owned(), control);
            let text = serde_json::to_vec(&index).unwrap_or_default();
            assert!(fs::write(folder.path().join(INDEX_NAME), text).is_ok());
            Cache::open(folder.path(), SystemTime::UNIX_EPOCH).map(drop)
        };
        assert!(index("control/0a1b").is_ok());
        for file in ["../plan.md", "/etc/hosts", "control/../../plan.md", "./a"] {
            let refused = index(file);
            assert!(matches!(&refused, Err(WebsiteError::BadIndex { .. })), "{file}: {refused:?}");
        }
    }
}
