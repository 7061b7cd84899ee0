//! Reports of what a fetch is doing, told while it happens.

use crate::source::SourceKind;
use std::path::Path;

/// One piece of news from [`Store::fetch`](crate::Store::fetch).
///
/// [`Progress::Received`] and [`Progress::Checking`] come many times a second; a
/// display that costs time should limit itself.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// Another process is filling the same model's folder; this one waits.
    Waiting {
        /// The lock both want.
        lock: &'a Path,
    },
    /// A source is about to be tried.
    Trying {
        /// Which one.
        source: SourceKind,
        /// Its address: a path, an URL or a command.
        from: &'a str,
    },
    /// Bytes of a file have arrived.
    Received {
        /// The file's name.
        file: &'a str,
        /// Bytes of it here by now, those of an earlier attempt included.
        bytes: u64,
        /// Its whole length in bytes.
        total_bytes: u64,
    },
    /// A file's hash is being computed.
    Checking {
        /// The file's name.
        file: &'a str,
        /// Bytes hashed by now.
        bytes: u64,
        /// Its whole length in bytes.
        total_bytes: u64,
    },
    /// A download broke off and is taken up again where it stopped.
    Resuming {
        /// The file's name.
        file: &'a str,
        /// Why it broke off.
        reason: &'a str,
        /// Bytes already here.
        bytes: u64,
    },
    /// A source could not give the model; the next one, if any, follows.
    Failed {
        /// Which one.
        source: SourceKind,
        /// Why.
        reason: &'a str,
    },
}

/// The receiver of the news.
pub(crate) type Report<'r> = dyn FnMut(Progress<'_>) + 'r;
