//! Words as names are compared by them.

use campanile_text::{Analyzer, Span, fold};

/// A word of a title or a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// The part that has to be the same: the word in lower case without its plural, a code or a dotted
    /// abbreviation as its term. The stem would be too little: an account is not accounting, nor the market
    /// marketing.
    pub(super) key: String,
    /// As it is written.
    pub(super) raw: String,
    pub(super) span: Span,
}

/// The words of a text that are no stop words, in their order.
pub(super) fn words(text: &str, analyzer: &Analyzer) -> Vec<Word> {
    let mut words = Vec::new();
    let mut end = 0;
    for token in analyzer.analyze(text) {
        let Some(raw) = token.span.slice(text) else { continue };
        // The parts of a word behind the whole: `cs` and `101` behind `cs101`.
        if token.span.start < end {
            continue;
        }
        end = token.span.end;
        let has_digit = raw.bytes().any(|byte| byte.is_ascii_digit());
        if has_digit || raw.contains('.') {
            words.push(Word { key: token.term, raw: raw.to_owned(), span: token.span });
            continue;
        }
        // The words of one with hyphens, one by one: `open-channel` is also written as two.
        for part in raw.split(|letter: char| !(letter.is_alphanumeric() || is_apostrophe(letter))) {
            if !part.is_empty() {
                words.push(Word { key: plain(part), raw: part.to_owned(), span: token.span });
            }
        }
    }
    words
}

/// A word in lower case, without marks, a possessive or a plural's ending.
fn plain(word: &str) -> String {
    let folded = fold(word);
    let bare = folded.trim_end_matches(is_apostrophe);
    let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
    let is_plural = bare.len() > 3 && !["ss", "us", "is"].iter().any(|end| bare.ends_with(end));
    bare.strip_suffix('s').filter(|_| is_plural).unwrap_or(bare).to_owned()
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’')
}
