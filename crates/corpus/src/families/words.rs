//! Words as names are compared by them; among them degrees, which are written in many ways.

use campanile_text::{Analyzer, Span, fold};
use serde::{Deserialize, Serialize};

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
    // Physics and mathematics lose their s on both sides, in the title and in the question, which does no harm; "gas"
    // and "business" would be maimed.
    let is_plural = bare.len() > 3 && !["ss", "us", "is"].iter().any(|end| bare.ends_with(end));
    bare.strip_suffix('s').filter(|_| is_plural).unwrap_or(bare).to_owned()
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’')
}

/// The level of the degree that a programme leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Level {
    Associate,
    Bachelor,
    Master,
    Doctor,
    Certificate,
    Minor,
}

/// A degree as a title or a question says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Degree {
    level: Level,
    /// `ms`, `phd`; none where only the level is said.
    code: Option<String>,
}

impl Degree {
    /// Returns `true` if both are the same degree: of one level, with one code.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.level == other.level && self.code.is_some() && self.code == other.code
    }

    /// Returns `true` if both are of one level.
    pub(super) fn is_of_level(&self, other: &Self) -> bool {
        self.level == other.level
    }
}

/// Words for a level, as [`Word::key`] has them.
const LEVELS: &[(&str, Level)] = &[
    ("associate", Level::Associate),
    ("bachelor", Level::Bachelor),
    ("baccalaureate", Level::Bachelor),
    ("undergraduate", Level::Bachelor),
    ("undergrad", Level::Bachelor),
    ("major", Level::Bachelor),
    ("master", Level::Master),
    ("doctor", Level::Doctor),
    ("doctoral", Level::Doctor),
    ("doctorate", Level::Doctor),
    ("promotion", Level::Doctor),
    ("certificate", Level::Certificate),
    ("zertifikat", Level::Certificate),
    ("minor", Level::Minor),
    ("nebenfach", Level::Minor),
];

/// Abbreviations of degrees, by level.
const CODES: &[(Level, &[&str])] = &[
    (Level::Associate, &["aa", "as", "aas"]),
    (
        Level::Bachelor,
        &[
            "ba", "bs", "bsc", "bfa", "bm", "bmus", "bba", "bsn", "bsw", "beng", "bse", "barch",
            "bed", "bas", "llb",
        ],
    ),
    (
        Level::Master,
        &[
            "ma", "ms", "msc", "mba", "mfa", "mm", "mmus", "meng", "mse", "mph", "mpa", "mpp",
            "msw", "msn", "med", "mat", "mls", "mlis", "mps", "march", "llm", "mres", "mphil",
            "mha", "mup", "macc",
        ],
    ),
    (
        Level::Doctor,
        &[
            "phd", "dphil", "edd", "dnp", "psyd", "dma", "dba", "drph", "dpt", "pharmd", "jd",
            "md", "dvm", "engd", "dsw",
        ],
    ),
];

/// Abbreviations that are words as well: degrees only in capitals or with full stops.
const CODES_AND_WORDS: &[&str] = &["aa", "as", "bed", "mat", "med", "march", "mm", "md", "dba"];

/// The degree that a word says by itself.
pub(super) fn degree_of_word(word: &Word) -> Option<Degree> {
    if let Some((_, level)) = LEVELS.iter().find(|(name, _)| *name == word.key) {
        return Some(Degree { level: *level, code: None });
    }
    let letters = word.raw.chars().filter(|letter| letter.is_alphabetic());
    let code: String = letters.flat_map(char::to_lowercase).collect();
    let (level, _) = CODES.iter().find(|(_, codes)| codes.contains(&code.as_str()))?;
    let is_written_so = word.raw.contains('.') || word.raw.chars().skip(1).any(char::is_uppercase);
    // `MSc` and `MS` are one degree.
    let code = code.strip_suffix("sc").map_or(code.clone(), |initial| format!("{initial}s"));
    (is_written_so || !CODES_AND_WORDS.contains(&code.as_str()))
        .then_some(Degree { level: *level, code: Some(code) })
}

/// The degree of "Master of Fine Arts", by the level's word and those behind "of".
pub(super) fn degree_of_phrase(level: &Word, rest: &[Word]) -> Option<Degree> {
    let Degree { level: named, code: None } = degree_of_word(level)? else { return None };
    let first = match named {
        Level::Associate => 'a',
        Level::Bachelor => 'b',
        Level::Master => 'm',
        Level::Doctor => 'd',
        Level::Certificate | Level::Minor => return None,
    };
    let initials = rest.iter().filter_map(|word| word.key.chars().next());
    let code: String = std::iter::once(first).chain(initials).collect();
    let code = match (code.as_str(), rest.first().map(|word| word.key.as_str())) {
        ("dp", Some("philosophy")) => "phd".to_owned(),
        ("de", Some("education")) => "edd".to_owned(),
        ("me", Some("education")) => "med".to_owned(),
        ("me", Some("engineering")) => "meng".to_owned(),
        _ => code,
    };
    Some(Degree { level: named, code: Some(code) })
}

/// Returns `true` if words behind "of" say no more than the degree: "Master of Science", whatever it is in.
pub(super) fn is_general_degree(rest: &[Word]) -> bool {
    matches!(rest, [one] if ["science", "art", "philosophy"].contains(&one.key.as_str()))
}
