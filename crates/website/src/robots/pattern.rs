//! The patterns of `robots.txt`: a start of a path, with `*` and a `$` at the end.

use crate::escape::{is_delimiter, normalised};

/// A pattern, its escapes in one form.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    /// The texts between the `*`.
    pieces: Vec<String>,
    /// `true` if the match must reach the path's end.
    anchored: bool,
    len: usize,
}

impl Pattern {
    pub(super) fn new(text: &[u8]) -> Self {
        let (text, anchored) = match text.strip_suffix(b"$") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let pieces: Vec<String> =
            text.split(|byte| *byte == b'*').map(|piece| normalised(piece, is_ordinary)).collect();
        let stars = pieces.len().saturating_sub(1);
        let len = pieces.iter().map(String::len).sum::<usize>() + stars + usize::from(anchored);
        Self { pieces, anchored, len }
    }

    /// Its length in bytes: the longest pattern that matches decides.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if a path as [`normalised_path`] gives it matches.
    pub(super) fn matches(&self, path: &str) -> bool {
        let Some((first, rest)) = self.pieces.split_first() else {
            return true;
        };
        let Some(mut path) = path.strip_prefix(first.as_str()) else {
            return false;
        };
        let Some((last, middle)) = rest.split_last() else {
            return !self.anchored || path.is_empty();
        };
        // The earliest place for each piece leaves the most for those after it.
        for piece in middle {
            match path.split_once(piece.as_str()) {
                Some((_, after)) => path = after,
                None => return false,
            }
        }
        if self.anchored { path.ends_with(last.as_str()) } else { path.contains(last.as_str()) }
    }
}

/// A path with its query, its escapes in the same form as a pattern's. A `*` or `$` in it is no
/// wildcard: a rule writes those as `%2A` and `%24`.
pub(super) fn normalised_path(path: &str) -> String {
    normalised(path.as_bytes(), is_ordinary)
}

fn is_ordinary(byte: u8) -> bool {
    is_delimiter(byte) && !matches!(byte, b'*' | b'$')
}
