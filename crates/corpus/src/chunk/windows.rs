//! Windows of so many characters, wherever they may cut; and of so many tokens, ending at sentences where they can.

use campanile_text::{Span, sentences};
use serde::{Deserialize, Serialize};

use super::pieces::{FRAGMENT_BYTES, chunks_of, fragments, most_fitting, words};
use super::strategy::{at_least, at_most};
use super::{ChunkError, TokenCounter};
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
        // Below a word's length no window would hold any word whole.
        at_least("fixed", "characters", self.characters, 16)?;
        at_most("fixed", "overlap", self.overlap, self.characters / 2, "half of `characters`")
    }
}

pub(super) fn by_characters(document: &Document, options: &FixedOptions) -> Vec<Chunk> {
    chunks_of(document, &character_windows(&document.text, options))
}

/// The windows of a text: each begins `characters - overlap` characters behind the one before it.
fn character_windows(text: &str, options: &FixedOptions) -> Vec<Span> {
    let size = options.characters.max(1);
    let step = size.saturating_sub(options.overlap).max(1);
    let mut windows = Vec::new();
    // Windows that have begun and not ended: each character is looked at once however much windows overlap.
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

/// Sizes of token windows, in the counter's tokens, special tokens included.
///
/// A window ends behind the last sentence that ends between `min_tokens` and `max_tokens`, or else
/// behind a word. The limit is on the window's own text: with its context a window may be longer,
/// and an encoder that takes fewer tokens sees only its beginning, as in the published systems
/// that cut so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TokenOptions {
    /// A window shorter than this does not end, unless the document does.
    pub min_tokens: usize,
    /// No window is longer than this.
    pub max_tokens: usize,
    /// The most tokens that a window repeats from the one before it, in whole words.
    pub overlap_tokens: usize,
}

impl Default for TokenOptions {
    fn default() -> Self {
        Self { min_tokens: 200, max_tokens: 400, overlap_tokens: 50 }
    }
}

impl TokenOptions {
    pub(super) fn check(&self) -> Result<(), ChunkError> {
        let most = self.max_tokens;
        at_least("tokens", "max_tokens", most, 2 * FRAGMENT_BYTES)?;
        at_most("tokens", "min_tokens", self.min_tokens, most, "`max_tokens`")?;
        at_most("tokens", "overlap_tokens", self.overlap_tokens, most / 2, "half of `max_tokens`")
    }
}

pub(super) fn by_tokens(
    document: &Document,
    counter: &dyn TokenCounter,
    options: &TokenOptions,
) -> Vec<Chunk> {
    let cutter = Cutter::new(&document.text, counter, options);
    chunks_of(document, &cutter.windows())
}

struct Cutter<'a> {
    text: &'a str,
    counter: &'a dyn TokenCounter,
    options: &'a TokenOptions,
    /// Words, and fragments of monstrous ones.
    words: Vec<Span>,
    /// For each word, `true` if a sentence ends with it.
    ends: Vec<bool>,
}

impl<'a> Cutter<'a> {
    /// No token of ordinary text is longer on average.
    // Spares the tokenizer what cannot fit, and keeps a word of a megabyte, perhaps one unknown token, from being one
    // window.
    const BYTES_PER_TOKEN: usize = 24;

    fn new(text: &'a str, counter: &'a dyn TokenCounter, options: &'a TokenOptions) -> Self {
        let mut cutter = Self { text, counter, options, words: Vec::new(), ends: Vec::new() };
        for word in words(text) {
            // Short words fit whatever the counter says: no tokenizer makes more tokens than bytes.
            if word.len() > options.max_tokens / 2 && !cutter.fits(word, options.max_tokens) {
                let own = word.cut_from(text);
                // A word that alone is longer than a window would otherwise be one window that no encoder takes.
                let finer = fragments(own, FRAGMENT_BYTES);
                cutter.words.extend(finer.iter().map(|part| part.shifted(word.start)));
            } else {
                cutter.words.push(word);
            }
        }
        let mut ends = sentences(text).into_iter().map(|sentence| sentence.end).peekable();
        for word in &cutter.words {
            while ends.next_if(|end| *end < word.end).is_some() {}
            cutter.ends.push(ends.peek() == Some(&word.end));
        }
        cutter
    }

    fn windows(&self) -> Vec<Span> {
        let mut windows = Vec::new();
        let mut first = 0;
        while first < self.words.len() {
            let end = self.end_of(first);
            windows.extend(self.span(first, end));
            if end == self.words.len() {
                break;
            }
            // At least one word further on, or the next window would be this one again.
            let repeated = end - first - 1;
            let repeated = most_fitting(repeated, |count| {
                let tail = self.span(end - count, end);
                tail.is_none_or(|tail| self.fits(tail, self.options.overlap_tokens))
            });
            first = end - repeated;
        }
        windows
    }

    /// Behind which word the window ends that begins with the word `first`.
    fn end_of(&self, first: usize) -> usize {
        let wanted = self.options.max_tokens.min(self.words.len() - first);
        let fitting = most_fitting(wanted, |count| {
            let window = self.span(first, first + count);
            window.is_some_and(|window| self.fits(window, self.options.max_tokens))
        });
        let end = first + fitting.max(1);
        if end == self.words.len() {
            return end;
        }
        let sentence =
            self.ends[first..end].iter().rposition(|ends| *ends).map(|index| first + index + 1);
        let long_enough = |end: &usize| {
            let window = self.span(first, *end);
            window.is_some_and(|window| self.count(window) >= self.options.min_tokens)
        };
        sentence.filter(long_enough).unwrap_or(end)
    }

    fn span(&self, first: usize, end: usize) -> Option<Span> {
        let words = self.words.get(first..end)?;
        Some(words.first()?.joined(*words.last()?))
    }

    fn fits(&self, span: Span, tokens: usize) -> bool {
        span.len() <= tokens.saturating_mul(Self::BYTES_PER_TOKEN) && self.count(span) <= tokens
    }

    fn count(&self, span: Span) -> usize {
        self.counter.count(span.cut_from(self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::{FixedOptions, character_windows};

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
            let found = character_windows(text, &options);
            let found: Vec<_> = found.iter().filter_map(|span| span.slice(text)).collect();
            assert_eq!(found, expected, "{text:?} {characters}/{overlap}");
        }
    }
}
