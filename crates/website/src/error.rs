//! The errors that end a fetch, and the way out of them. What concerns one address only is a
//! [`SkipReason`] instead.

use crate::report::SkipReason;
use std::io;
use std::path::{Path, PathBuf};

/// An error that leaves nothing to go on with.
#[derive(Debug, thiserror::Error)]
pub enum WebsiteError {
    /// The settings name nothing to fetch.
    #[error("nothing to fetch was named. Put pages into `addresses`, or a sitemap into `sitemaps`")]
    NothingNamed,

    /// `sitemaps = ["auto"]` without a site to look at.
    #[error(
        "`sitemaps` has `auto`, which looks into the `robots.txt` of each of the `addresses`, and there are none. Add the site's address"
    )]
    NoSite,

    /// An address in the settings is none.
    #[error(
        "`{address}` in the settings is no address that can be fetched: {detail}. Write it as in `https://www.example.edu/studies/`"
    )]
    BadAddress {
        /// The address as it was written.
        address: String,
        /// The fault in it.
        detail: String,
    },

    /// A pattern in `include` or `exclude` is none.
    #[error(
        "`{pattern}` is no glob pattern: {detail}. Patterns are held against paths, as in `/studies/**`"
    )]
    BadPattern {
        /// The pattern.
        pattern: String,
        /// The fault in it.
        detail: String,
    },

    /// A name that cannot be sent, or that has no first word.
    #[error(
        "`{agent}` cannot be told to servers as a name: it must be one line of ASCII that begins with a word of letters, as in `campus-search/1.0 (+https://www.example.edu/search)`"
    )]
    BadAgent {
        /// The name.
        agent: String,
    },

    /// The folder holds something else.
    #[error("`{}` holds files but no `website.json`, so it was not made by an earlier fetch, and files of others are not touched. Name an empty folder", folder.display())]
    ForeignFolder {
        /// The folder.
        folder: PathBuf,
    },

    /// Another process is filling the folder.
    #[error("another fetch is filling `{}`. Wait for it, or end it", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },

    /// The index of the folder cannot be read.
    #[error("`{}` cannot be read: {detail}. Delete the folder, and everything is fetched anew", path.display())]
    BadIndex {
        /// The index.
        path: PathBuf,
        /// The fault in it.
        detail: String,
    },

    /// Certificates that the environment names cannot be read.
    #[error(transparent)]
    Certificates(#[from] campanile_http::CertificatesError),

    /// The folder could not be read or written.
    #[error("cannot {action} `{}`: {source}. Check the path and the disk, then try again: what was fetched is kept", path.display())]
    Io {
        /// The step that was attempted: a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl WebsiteError {
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_path_buf(), source }
    }
}

/// The reason why a step ends early.
pub(crate) enum Stop {
    /// The address gives no page.
    Skip(SkipReason),
    /// Nothing goes on.
    Fatal(WebsiteError),
}

impl From<SkipReason> for Stop {
    fn from(reason: SkipReason) -> Self {
        Self::Skip(reason)
    }
}

impl From<WebsiteError> for Stop {
    fn from(error: WebsiteError) -> Self {
        Self::Fatal(error)
    }
}

impl Stop {
    /// Sets what concerns one address apart from what ends the fetch.
    pub(crate) fn apart<T>(result: Result<T, Self>) -> Result<Result<T, SkipReason>, WebsiteError> {
        match result {
            Ok(value) => Ok(Ok(value)),
            Err(Self::Skip(reason)) => Ok(Err(reason)),
            Err(Self::Fatal(error)) => Err(error),
        }
    }
}
