//! Fetches the website that the settings name, so that its pages are read like any folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use campanile_model_store::cache_folder;
use campanile_website::{PAGES_FOLDER, PageStatus, Progress, WebsiteOptions, fetch};

use crate::documents::DocumentsError;
use crate::kept::name_of;
use crate::observer::{Observer, Stage};

/// A website's pages on this machine.
pub struct Fetched {
    /// The folder to read.
    pub folder: PathBuf,
    /// The public address of each file in it, by its path there.
    pub links: BTreeMap<String, String>,
    /// Pages that are missing, each with the reason.
    pub skipped: Vec<String>,
}

/// Fetches what has changed; the rest is kept from earlier builds in the user's cache folder.
///
/// # Errors
/// Where there is no folder to keep it in, or nothing could be fetched at all.
pub fn fetched(
    docs: &Path,
    options: &WebsiteOptions,
    observer: &dyn Observer,
) -> Result<Fetched, DocumentsError> {
    let folder = folder(docs).ok_or(DocumentsError::NoCacheFolder)?;
    let fetching =
        observer.begin(&Stage { name: "Fetching", total: None, pieces: "pages", is_slow: true });
    let report = fetch(&folder, options, &mut |progress| match progress {
        Progress::Asking { url, asked, waiting } => {
            fetching.now(&format!("{asked} asked for, {waiting} waiting: {url}"));
        }
        Progress::Pausing { url, pause } => {
            fetching.now(&format!("pausing {} s for {url}", pause.as_secs()));
        }
        _ => {}
    })?;
    drop(fetching);
    let kept = report.pages.iter().filter(|page| page.status == PageStatus::Kept).count();
    if kept > 0 {
        let reason = report.skipped.first().map(|skipped| format!(" ({skipped})"));
        observer.remark(&format!(
            "warning: {kept} of the website's {} pages could not be asked for{}; they are as an earlier build fetched them",
            report.pages.len(),
            reason.unwrap_or_default()
        ));
    }
    let inside = |file: &str| {
        let inside = file.strip_prefix(PAGES_FOLDER)?.strip_prefix('/')?;
        Some(inside.to_owned())
    };
    let mut skipped: Vec<String> = report.skipped.iter().map(ToString::to_string).collect();
    if report.left_out > 0 {
        skipped.push(format!(
            "{} more addresses were not asked for: raise `max_pages` in `[website]`",
            report.left_out
        ));
    }
    Ok(Fetched {
        folder: folder.join(PAGES_FOLDER),
        links: report
            .pages
            .iter()
            .filter_map(|page| Some((inside(&page.file)?, page.url.clone())))
            .collect(),
        skipped,
    })
}

/// One folder for each documents' folder.
fn folder(docs: &Path) -> Option<PathBuf> {
    let docs = docs.canonicalize().unwrap_or_else(|_| docs.to_owned());
    Some(cache_folder()?.join("websites").join(name_of(&docs.display().to_string())))
}
