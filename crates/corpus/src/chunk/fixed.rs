//! Windows of so many characters, wherever they may cut.

use campanile_text::Span;
use serde::{Deserialize, Serialize};

use super::error::{at_least, at_most};
use super::{ChunkError, whole};
use crate::{Chunk, Document};

/// Sizes of fixed windows, in characters (Unicode scalar values).
///
/// The simplest way to cut there is, kept as what better ways are compared with: it cuts words in
/// two and knows neither sentences nor headings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FixedOptions {
    /// The length of a window.
    pub characters: usize,
    /// The number of characters that a window repeats from the one before it.
    pub overlap: usize,
}

impl Default for FixedOptions {
    fn default() -> Self {
        Self { characters: 512, overlap: 100 }
    }
}

impl FixedOptions {
    pub(super) fn check(&self) -> Result<(), ChunkError> {
        at_least("fixed", "characters", self.characters, 16)?;
        at_most("fixed", "overlap", self.overlap, self.characters / 2, "half of `characters`")
    }
}

pub(super) fn chunks(document: &Document, options: &FixedOptions) -> Vec<Chunk> {
    whole::chunks(document, &windows(&document.text, options))
}

/// The windows of a text: each begins `characters - overlap` characters behind the one before it.
fn windows(text: &str, options: &FixedOptions) -> Vec<Span> {
    let size = options.characters.max(1);
    let step = size.saturating_sub(options.overlap).max(1);
    let mut windows = Vec::new();
    let mut open = std::collections::VecDeque::new();
    for (count, (position, _)) in text.char_indices().enumerate() {
        if open.front().is_some_and(|&(_, first)| count - first == size) {
            windows.extend(open.pop_front().map(|(start, _)| Span::from_range(start..position)));
        }
        if count % step == 0 {
            open.push_back((position, count));
        }
    }
    // The first open window reaches the end; the later ones lie wholly in it.
    windows.extend(open.pop_front().map(|(start, _)| Span::from_range(start..text.len())));
    windows
}

#[cfg(test)]
mod tests {
    use super::{FixedOptions, windows};

    #[test]
    fn windows_overlap_by_as_much_as_asked() {
        let cases: &[(&str, usize, usize, &[&str])] = &[
            ("abcdefghij", 4, 1, &["abcd", "defg", "ghij"]),
            ("abcdefghijk", 4, 1, &["abcd", "defg", "ghij", "jk"]),
            ("äöüß", 2, 0, &["äö", "üß"]),
            ("abc", 4, 2, &["abc"]),
            ("", 4, 2, &[]),
        ];
        for &(text, characters, overlap, expected) in cases {
            let options = FixedOptions { characters, overlap };
            let found = windows(text, &options);
            let found: Vec<_> = found.iter().filter_map(|span| span.slice(text)).collect();
            assert_eq!(found, expected, "{text:?} {characters}/{overlap}");
        }
    }
}
