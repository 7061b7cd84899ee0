//! The folder the store lives in when the caller names none.

use std::ffi::OsString;
use std::path::PathBuf;

/// Environment variable that names the store's folder.
pub(crate) const FOLDER_VARIABLE: &str = "CAMPANILE_MODELS";

/// `$CAMPANILE_MODELS`, else `campanile/models` in the platform's cache folder.
///
/// `variable` looks an environment variable up. An empty value counts as none,
/// as shells make it easy to set one by accident.
pub(crate) fn default_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
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

#[cfg(all(test, not(any(windows, target_os = "macos"))))]
mod tests {
    use super::default_folder;
    use std::path::PathBuf;

    /// The variables that are set, and the folder expected.
    type Case<'a> = (&'a [(&'a str, &'a str)], Option<&'a str>);

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
            let found = default_folder(|name| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into())
            });
            assert_eq!(found, expected.map(PathBuf::from), "{variables:?}");
        }
    }
}
