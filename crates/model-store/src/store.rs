//! The store: a folder of models, where it lies, and who may fill it.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::catalogue::{MODELS, Model};
use crate::error::StoreError;
use crate::install::{Installation, Progress, Report};
use crate::installed::{InstalledModel, STAMP_NAME};
use crate::part::if_present;
use crate::source::{Settings, Source};

/// A folder of models. Nothing is created before something is fetched.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    settings: Settings,
    models: &'static [Model],
}

/// One line of [`Store::list`].
#[derive(Debug)]
pub struct ModelState {
    /// The model in the catalogue.
    pub model: &'static Model,
    /// The model in the store, or what is wrong:
    /// [`StoreError::NotInstalled`] where there is nothing of it.
    pub installed: Result<InstalledModel, StoreError>,
}

impl Store {
    /// The store in `folder`; without one, in `$CAMPANILE_MODELS` or
    /// `campanile/models` in the platform's cache folder.
    ///
    /// `$CAMPANILE_HUB` names a mirror of the model hub.
    ///
    /// # Errors
    /// [`StoreError::NoFolder`] where no folder is named and the environment has
    /// none either.
    pub fn open(folder: Option<PathBuf>) -> Result<Self, StoreError> {
        let folder = folder
            .or_else(|| default_folder(|name| std::env::var_os(name)))
            .ok_or(StoreError::NoFolder)?;
        Ok(Self {
            folder,
            settings: Settings::from_environment(|name| std::env::var_os(name)),
            models: MODELS,
        })
    }

    /// The same store with the hub at another address, such as
    /// `https://mirror.example.edu`.
    #[must_use]
    pub fn with_hub(mut self, address: impl Into<String>) -> Self {
        self.settings.hub = address.into();
        self
    }

    /// The same store with another Python command than `python3` or `python`.
    #[must_use]
    pub fn with_python(mut self, command: impl Into<PathBuf>) -> Self {
        self.settings.pythons = vec![command.into()];
        self
    }

    /// The same store with another catalogue than [`MODELS`].
    #[must_use]
    pub fn with_catalogue(mut self, models: &'static [Model]) -> Self {
        self.models = models;
        self
    }

    /// The store's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The catalogue's row for `name`.
    ///
    /// # Errors
    /// [`StoreError::UnknownModel`], with the known names and the nearest.
    pub fn model(&self, name: &str) -> Result<&'static Model, StoreError> {
        let known = || self.models.iter().map(|model| model.name);
        self.models.iter().find(|model| model.name == name).ok_or_else(|| {
            StoreError::UnknownModel {
                name: name.to_owned(),
                nearest: nearest(name, known()).map(str::to_owned),
                known: known().map(str::to_owned).collect(),
            }
        })
    }

    /// The model `name`, if it is here whole. Quick: lengths and stamp are
    /// looked at, nothing is hashed; see [`InstalledModel::verify`].
    ///
    /// # Errors
    /// [`StoreError::UnknownModel`], [`StoreError::NotInstalled`], or the damage:
    /// [`StoreError::MissingFile`], [`StoreError::WrongLength`],
    /// [`StoreError::BadStamp`].
    pub fn find(&self, name: &str) -> Result<InstalledModel, StoreError> {
        let model = self.model(name)?;
        InstalledModel::find(model, self.folder_of(model))
    }

    /// Every model of the catalogue with its state here.
    #[must_use]
    pub fn list(&self) -> Vec<ModelState> {
        self.models
            .iter()
            .map(|model| ModelState {
                model,
                installed: InstalledModel::find(model, self.folder_of(model)),
            })
            .collect()
    }

    /// Makes sure that the model `name` is here and sound, fetching the files
    /// that are missing or damaged. Every file is hashed, also those already
    /// here: this is the command that mends.
    ///
    /// # Errors
    /// [`StoreError::UnknownModel`]; [`StoreError::Unfetched`] when no source
    /// could give the files; [`StoreError::Io`] when the store cannot be written.
    pub fn fetch(
        &self,
        name: &str,
        source: &Source,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<InstalledModel, StoreError> {
        let model = self.model(name)?;
        // A sound model needs no lock, so that a store this user may only read
        // serves as well. Any other answer is the installation's business.
        if let Ok(found) = self.find(name)
            && found.verify(progress).is_ok()
        {
            return Ok(found);
        }
        let folder = self.folder_of(model);
        create_folder(&self.folder)?;
        let _lock = self.lock(model, progress)?;
        create_folder(&folder)?;
        Installation {
            model,
            folder: &folder,
            // A fixed name, so that what a killed run left is found and removed by the next.
            scratch: &self.folder.join(format!(".{}.pip", model.name)),
            settings: &self.settings,
        }
        .run(source, progress)
        .inspect_err(|_| {
            // Succeeds only where nothing came: a half-fetched file stays for next time.
            let _ = fs::remove_dir(&folder);
        })?;
        InstalledModel::find(model, folder)
    }

    /// Removes the model `name` and half-fetched parts of it; files that are not
    /// Campanile's stay. Returns the bytes freed, 0 where there was nothing.
    ///
    /// # Errors
    /// [`StoreError::UnknownModel`], or [`StoreError::Io`] naming the file that
    /// could not be removed.
    pub fn remove(&self, name: &str) -> Result<u64, StoreError> {
        let model = self.model(name)?;
        let folder = self.folder_of(model);
        if !folder.exists() {
            return Ok(0);
        }
        let _lock = self.lock(model, &mut |_| ())?;
        let mut freed_bytes = 0;
        // The stamp goes first: what is left of a removal that breaks off is not
        // taken for a model.
        let names = std::iter::once(STAMP_NAME).chain(model.files.iter().map(|file| file.name));
        for name in names {
            freed_bytes += remove_file(&folder.join(name))?;
            freed_bytes += remove_file(&folder.join(format!("{name}.part")))?;
        }
        match fs::remove_dir(&folder) {
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotFound
                ) =>
            {
                Err(StoreError::io("remove", &folder, error))
            }
            _ => Ok(freed_bytes),
        }
    }

    fn folder_of(&self, model: &Model) -> PathBuf {
        self.folder.join(model.name)
    }

    fn lock(&self, model: &Model, report: &mut Report<'_>) -> Result<FolderLock, StoreError> {
        // Beside the model's folder, which is removed where nothing came.
        let path = self.folder.join(format!(".{}.lock", model.name));
        FolderLock::acquire(&path, report)
    }
}

fn create_folder(folder: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(|error| StoreError::io("create", folder, error))
}

/// Removes a file that may be absent and returns its length.
fn remove_file(path: &Path) -> Result<u64, StoreError> {
    let removed = fs::symlink_metadata(path)
        .and_then(|metadata| fs::remove_file(path).map(|()| metadata.len()));
    Ok(if_present("remove", path, removed)?.unwrap_or(0))
}

/// Environment variable that names the store's folder.
const FOLDER_VARIABLE: &str = "CAMPANILE_MODELS";

/// `$CAMPANILE_MODELS`, else `campanile/models` in the platform's cache folder.
///
/// `variable` looks an environment variable up. An empty value counts as none,
/// as shells make it easy to set one by accident.
fn default_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    path(FOLDER_VARIABLE)
        .or_else(|| platform_cache(&path).map(|cache| cache.join("campanile").join("models")))
}

/// Campanile's own folder in the platform's cache folder, for what can be made anew; none where
/// the environment names no home.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    let path =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    platform_cache(&path).map(|cache| cache.join("campanile"))
}

/// `%LOCALAPPDATA%` on Windows.
#[cfg(windows)]
fn platform_cache(path: &impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    path("LOCALAPPDATA")
}

/// `~/Library/Caches` on macOS.
#[cfg(target_os = "macos")]
fn platform_cache(path: &impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    path("HOME").map(|home| home.join("Library").join("Caches"))
}

/// `$XDG_CACHE_HOME`, else `~/.cache`, by the XDG base directory specification,
/// which wants a relative path ignored.
#[cfg(not(any(windows, target_os = "macos")))]
fn platform_cache(path: &impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    path("XDG_CACHE_HOME")
        .filter(|folder| folder.is_absolute())
        .or_else(|| path("HOME").map(|home| home.join(".cache")))
}

/// Holds the lock until dropped, or until the process ends, however it ends.
struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Waits for the lock at `path`; the file stays there, empty, afterwards.
    fn acquire(path: &Path, report: &mut Report<'_>) -> Result<Self, StoreError> {
        let locking = |source| StoreError::io("lock", path, source);
        let file = File::create(path).map_err(locking)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                report(Progress::Waiting { lock: path });
                file.lock().map_err(locking)?;
            }
            // Some network file systems have no locks. Two processes at once can
            // then spoil each other's download, which the hash brings to light,
            // but never put a wrong file in place.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(locking(error)),
        }
        Ok(Self { _file: file })
    }
}

/// The shortest piece of a name that is taken as meaning the whole.
// Two letters stand in nearly every name: `l6` is in that of the encoder, and nobody means it by that.
const SHORTEST_PIECE: usize = 3;

/// The name among `known` that `typed` most likely meant, if any is near enough:
/// at most a third of its letters changed, or a piece of it, regardless of case.
pub(crate) fn nearest<'a>(
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    known
        .into_iter()
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let distance = strsim::levenshtein(&typed, &lower);
            let is_piece = typed.chars().count() >= SHORTEST_PIECE && lower.contains(&typed);
            // Names of these lengths differ by a slip or two; with much more, a stranger's name would be taken for
            // one of ours.
            let is_near = distance * 3 <= name.chars().count();
            (is_piece || is_near).then_some((distance, name))
        })
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use strsim::levenshtein as edit_distance;

    use super::nearest;

    const KNOWN: [&str; 2] = ["all-MiniLM-L6-v2", "smollm2-135m-instruct"];

    #[test]
    fn slips_find_their_name_and_strangers_do_not() {
        let cases = [
            ("all-minilm-l6-v2", Some("all-MiniLM-L6-v2")),
            ("all-MiniLM-L6", Some("all-MiniLM-L6-v2")),
            ("smollm2-135-instruct", Some("smollm2-135m-instruct")),
            ("minilm", Some("all-MiniLM-L6-v2")),
            ("SmolLM2", Some("smollm2-135m-instruct")),
            ("llama-70b", None),
            ("l6", None),
            ("", None),
        ];
        for (typed, expected) in cases {
            assert_eq!(nearest(typed, KNOWN), expected, "{typed}");
        }
    }

    proptest::proptest! {
        #[test]
        fn distance_is_a_metric(a in ".{0,12}", b in ".{0,12}", c in ".{0,12}") {
            proptest::prop_assert_eq!(edit_distance(&a, &a), 0);
            proptest::prop_assert_eq!(edit_distance(&a, &b), edit_distance(&b, &a));
            proptest::prop_assert!(
                edit_distance(&a, &c) <= edit_distance(&a, &b) + edit_distance(&b, &c)
            );
            proptest::prop_assert_eq!(edit_distance(&a, ""), a.chars().count());
        }
    }

    /// The variables that are set, and the folder expected.
    #[cfg(not(any(windows, target_os = "macos")))]
    type Case<'a> = (&'a [(&'a str, &'a str)], Option<&'a str>);

    #[cfg(not(any(windows, target_os = "macos")))]
    #[test]
    fn the_first_variable_that_is_set_decides() {
        let cases: [Case<'_>; 6] = [
            (&[("CAMPANILE_MODELS", "/m"), ("HOME", "/h")], Some("/m")),
            (&[("CAMPANILE_MODELS", ""), ("HOME", "/h")], Some("/h/.cache/campanile/models")),
            (&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")], Some("/x/campanile/models")),
            (&[("XDG_CACHE_HOME", "here"), ("HOME", "/h")], Some("/h/.cache/campanile/models")),
            (&[("HOME", "/h")], Some("/h/.cache/campanile/models")),
            (&[], None),
        ];
        for (variables, expected) in cases {
            let found = super::default_folder(|name| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into())
            });
            assert_eq!(found, expected.map(std::path::PathBuf::from), "{variables:?}");
        }
    }
}
