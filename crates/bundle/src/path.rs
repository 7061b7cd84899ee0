//! Paths inside a site: what a manifest may name and a writer may write.

use thiserror::Error;

/// The longest path, in bytes: what the usual file systems take.
const LONGEST: usize = 240;

/// A path that a site may not use.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{path}` is not a path inside the site: {reason}; \
     paths are relative, with `/` between ASCII letters, digits, `-`, `_` and `.`"
)]
pub struct PathError {
    /// The path, with control characters escaped.
    pub path: String,
    /// The fault in it.
    pub reason: &'static str,
}

/// Accepts a path that stays inside the site's folder on every platform and in every URL.
///
/// Every character that is not on a short list is refused, rather than those that are known to be
/// dangerous: schemes, queries, escapes, drive letters and backslashes all need a character that
/// is not there.
///
/// # Errors
/// [`PathError`] with the reason.
///
/// ```
/// use campanile_bundle::check_path;
///
/// assert!(check_path("shards/vectors-0123456789abcdef.bin").is_ok());
/// assert!(check_path("../secret").is_err());
/// assert!(check_path("https://example.org/x").is_err());
/// ```
pub fn check_path(path: &str) -> Result<(), PathError> {
    match reason_against(path) {
        None => Ok(()),
        Some(reason) => Err(PathError {
            path: path.chars().take(LONGEST).flat_map(char::escape_debug).collect(),
            reason,
        }),
    }
}

fn reason_against(path: &str) -> Option<&'static str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    if path.is_empty() {
        Some("it is empty")
    } else if path.len() > LONGEST {
        Some("it is longer than 240 bytes")
    } else if !path.bytes().all(allowed) {
        Some("it has a character that is not allowed")
    } else if path.starts_with('/') {
        Some("it is not relative")
    } else if path.split('/').any(str::is_empty) {
        Some("a part of it is empty")
    } else if path.split('/').any(|part| part == "." || part == "..") {
        Some("it leaves its folder")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_plain_relative_paths_pass() {
        let good = ["campanile.json", "shards/a-0.bin", ".nojekyll", "a/b/c.d", "a..b"];
        for path in good {
            assert!(check_path(path).is_ok(), "{path}");
        }
        let bad = [
            "", "/", "/etc/passwd", "..", "a/../b", "./a", "a//b", "a/", "C:/a", "a\\b",
            "http://example.org/a", "//example.org/a", "data:,x", "a?b", "a#b", "%2e%2e/a", "a\0b",
            "a b", "ä",
        ];
        for path in bad {
            assert!(check_path(path).is_err(), "{path}");
        }
        assert!(check_path(&"a".repeat(241)).is_err());
    }

    proptest! {
        #[test]
        fn what_passes_stays_inside(path in "[a./%:\\\\]{0,12}") {
            if check_path(&path).is_ok() {
                let mut depth = 0;
                for part in std::path::Path::new(&path).components() {
                    prop_assert!(matches!(part, std::path::Component::Normal(_)));
                    depth += 1;
                }
                prop_assert!(depth > 0);
            }
        }
    }
}
